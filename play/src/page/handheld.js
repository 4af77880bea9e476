// The machine lives in the server; this page shows its screen and passes its buttons on.

const at = (id) => document.getElementById(id);
const base = location.pathname;
const HELD = 2000;
let last = "";
// Buttons reach the machine in the order in which they were pressed, one after the other.
let queue = Promise.resolve();
let pressing = 0;
let isLooking = false;

async function ask(path, wanted) {
  const answer = await fetch(base + path, { cache: "no-store", ...wanted });
  const screen = await answer.json();
  screen.sounds?.forEach(sound);
  return screen;
}

function send(path, body) {
  pressing += 1;
  const wanted = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  queue = queue.then(async () => {
    try {
      show(await ask(path, wanted));
    } catch {
      switchedOff();
    }
    pressing -= 1;
  });
  return queue;
}

function show(screen) {
  if (screen.error) return;
  const { sounds, ...seen } = screen;
  const text = JSON.stringify(seen);
  if (text === last) return;
  last = text;
  at("line").textContent = screen.hi_score === null ? screen.line : `${screen.line} · Hi-score ${screen.hi_score}`;
  at("sound").setAttribute("aria-pressed", String(screen.sound));
  at("sound-state").textContent = screen.sound ? "on" : "off";
  drawUnoButtons(screen);
  for (const name of ["mode", "frames", "highlight", "players", "level"]) document.body.dataset[name] = screen[name] ?? "";
  document.body.dataset.asked = screen.is_asked;
  document.body.dataset.races = screen.races.join(" ");
  const { frame, names } = screen;
  drawTable(at("table"), {
    table: { ...frame.table, color: screen.color ?? frame.table.color }, names, scores: screen.scores, dealer: frame.deal?.dealer, own: screen.holder ?? 0, did: frame.move?.seat, over: frame.over !== undefined,
    hand: (root, seat) => root.append(drawMachineHand(frame.table.hands[seat], screen.highlight), element("span", { class: "unseen" }, handInWords(frame.table.hands[seat], {}))),
  });
  at("said").replaceChildren(...wordsOf(frame).flatMap((word) => [drawnWords(word, (seat) => names[seat], {}), " "]));
}

function drawMachineHand(hand, highlight) {
  const row = drawHand(hand, {});
  const lit = row.children[highlight ?? -1];
  if (lit) {
    lit.classList.add("lit");
    at("lit").textContent = cardName(lit.firstChild.dataset.code ?? "", {});
  } else at("lit").textContent = "";
  return row;
}

/** One person has one UNO button; several have one each. */
function drawUnoButtons(screen) {
  const box = at("uno");
  const people = screen.people.length > 1 ? screen.people : [null];
  if (box.children.length !== people.length) {
    box.replaceChildren(...people.map((name, seat) => {
      const button = element("button", { type: "button", class: "uno", "data-button": "uno", "data-seat": name === null ? null : seat }, "UNO");
      if (name !== null) button.append(element("small", {}, name));
      listen(button);
      return button;
    }));
  }
}

/** UNO counts when it is pressed down, because it is a race. Other buttons count on release, because some have another meaning when held. */
function listen(button) {
  const press = { button: button.dataset.button, ...(button.dataset.seat ? { seat: Number(button.dataset.seat) } : {}) };
  let held = null;
  let isDone = false;
  button.addEventListener("pointerdown", () => {
    allowSound();
    isDone = press.button === "uno";
    if (isDone) return send("press", press);
    held = setTimeout(() => {
      isDone = true;
      send("press", { ...press, held: true });
    }, HELD);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => clearTimeout(held));
  button.addEventListener("click", () => {
    if (!isDone) send("press", press);
    isDone = false;
  });
}

document.querySelectorAll("[data-button]").forEach(listen);
const KEYS = { ArrowLeft: "left", ArrowRight: "right", Enter: "enter", d: "draw", u: "uno", s: "sound", r: "reset" };
const held = new Map();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (["Enter", " "].includes(event.key) && event.target.matches("button, summary")) return;
  const seat = Number(event.key) - 1;
  const uno = document.querySelector(`[data-button="uno"][data-seat="${seat}"]`);
  const button = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!uno && !button) return;
  event.preventDefault();
  if (event.repeat && !["left", "right"].includes(button)) return;
  if (uno) return send("press", { button: "uno", seat });
  if (!["draw", "sound"].includes(button)) return send("press", { button });
  held.set(button, setTimeout(() => {
    held.delete(button);
    send("press", { button, held: true });
  }, HELD));
});
document.addEventListener("keyup", (event) => {
  const button = KEYS[event.key.toLowerCase()];
  if (!held.has(button)) return;
  clearTimeout(held.get(button));
  held.delete(button);
  send("press", { button });
});
function switchedOff() {
  last = "";
  at("line").textContent = "Switched off. Start it again with unolab play --handheld";
}

async function look() {
  if (isLooking || pressing > 0) return;
  isLooking = true;
  try {
    const screen = await ask("screen");
    // If a button was pressed since, its own answer shows the change.
    if (pressing === 0) show(screen);
  } catch {
    switchedOff();
  }
  isLooking = false;
}
look();
setInterval(() => {
  if (!document.hidden) look();
}, 150);
