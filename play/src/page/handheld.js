// The machine lives in the server; this page shows its screen and passes its buttons on.

const at = (id) => document.getElementById(id);
const base = location.pathname;
const HELD = 2000;
let last = "";
let audio = null;

async function send(path, body) {
  const wanted = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(base + path, { cache: "no-store", ...wanted });
  show(await answer.json());
}

function show(screen) {
  if (screen.error) return;
  screen.sounds.forEach(sound);
  const { sounds, ...seen } = screen;
  const text = JSON.stringify(seen);
  if (text === last) return;
  last = text;
  at("line").textContent = screen.hi_score === null ? screen.line : `${screen.line} · Hi-score ${screen.hi_score}`;
  at("sound").textContent = screen.sound ? "Sound on / New game" : "Sound off / New game";
  document.body.dataset.mode = screen.mode;
  document.body.dataset.frames = screen.frames;
  const frame = screen.frame;
  const color = screen.color ?? frame.table.color;
  drawTable(at("table"), {
    table: { ...frame.table, color }, names: frame.table.hands.map((_, seat) => (screen.names[seat] === "you" ? "you" : `player ${seat + 1}`)), scores: screen.scores, dealer: frame.deal?.dealer, own: 0, did: frame.move?.seat, over: frame.over !== undefined,
    hand: (root) => {
      const row = drawHand(frame.table.hands[0], {});
      row.removeAttribute("aria-hidden");
      [...row.children].forEach((item, index) => {
        if (index === screen.highlight) {
          item.classList.add("lit");
          item.setAttribute("aria-current", "true");
        }
      });
      root.append(row);
    },
  });
  const names = (seat) => (screen.names[seat] === "you" ? "you" : `player ${seat + 1}`);
  const words = [...(frame.move ? [frame.move.words] : []), ...(frame.words ?? []), ...(frame.over ? [frame.over.words] : [])];
  at("said").replaceChildren(...words.flatMap((word) => [drawnWords(word, names, {}), " "]));
}

const TONES = { click: [660, 0.03], card: [440, 0.07], draw: [220, 0.07], uno: [990, 0.25], caught: [140, 0.35], fanfare: [780, 0.5], refused: [110, 0.12] };

function sound(name) {
  const [tone, length] = TONES[name];
  if (!audio) return;
  const wave = audio.createOscillator();
  const volume = audio.createGain();
  wave.frequency.value = tone;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  wave.connect(volume).connect(audio.destination);
  wave.start();
  wave.stop(audio.currentTime + length);
}

for (const button of document.querySelectorAll("[data-button]")) {
  let held = null;
  let wasHeld = false;
  const name = button.dataset.button;
  button.addEventListener("pointerdown", () => {
    audio ??= new AudioContext();
    wasHeld = false;
    held = setTimeout(() => {
      wasHeld = true;
      send("press", { button: name, held: true });
    }, HELD);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => clearTimeout(held));
  button.addEventListener("click", () => {
    if (!wasHeld) send("press", { button: name });
  });
}
document.addEventListener("keydown", (event) => {
  const button = { ArrowLeft: "left", ArrowRight: "right", Enter: "enter", d: "draw", u: "uno", s: "sound", r: "reset" }[event.key];
  if (!button || event.ctrlKey || event.metaKey || event.altKey || (event.key === "Enter" && event.target.matches("button"))) return;
  event.preventDefault();
  send("press", { button });
});
setInterval(() => send("screen").catch(() => { at("line").textContent = "Switched off"; }), 150);
