// Presses the machine's buttons and advances its clock. Evaluated in its page first.
const quiet = async () => {
  do await new Promise((go) => setTimeout(go, 1));
  while (pressing > 0 || last === "");
};
const screen = () => JSON.parse(last);
const wrong = [];

/** Presses a button like a finger. */
async function press(name, seat) {
  const button = document.querySelector(`[data-button="${name}"]${seat === undefined ? "" : `[data-seat="${seat}"]`}`);
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  button.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  button.click();
  await quiet();
  lookAtHands();
  return screen();
}

async function turn(milliseconds) {
  await quiet();
  await send("clock", { milliseconds });
  await quiet();
  lookAtHands();
  return screen();
}

/** Checks that the page and its messages contain only the hand of the person who holds the machine. */
function lookAtHands() {
  const { frame, holder } = screen();
  frame.table.hands.forEach((hand, seat) => {
    if (typeof hand !== "number" && seat !== holder) wrong.push(`seat ${seat} is seen by ${holder}`);
    const drawn = [...document.querySelectorAll(`.seat[data-seat="${seat}"] .hand [data-code]`)].length;
    if (seat !== holder && drawn > 0) wrong.push(`seat ${seat} is drawn`);
  });
  for (const [seat, code] of frame.got ?? []) if (seat !== holder && code) wrong.push(`seat ${seat} drew ${code}`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
}

const fits = (code, table) => code.startsWith("W") || code[0] === table.color || (!table.top.startsWith("W") && code.slice(1) === table.top.slice(1));

/** Plays one turn of the person who holds the machine: the first card that fits, or a draw. */
async function takeTurn() {
  let now = screen();
  const hand = now.frame.table.hands[now.holder].split(" ");
  const index = hand.findIndex((code) => fits(code, now.frame.table));
  if (now.frame.table.ask === "drawn" || now.frame.table.ask === "color") return press("enter");
  if (index < 0) return press("draw");
  while (now.highlight !== index) now = await press("right");
  return press("enter");
}

/** Plays on until `until` holds. */
async function goOn(until, { calls = true } = {}) {
  for (let step = 0; step < 20000; step += 1) {
    const now = screen();
    if (until(now)) return now;
    const own = now.people.length === 1 ? now.races.includes(0) && "own" : now.races.find((seat) => seat < now.people.length);
    if (calls && (own === "own" || own !== undefined) && own !== false) await press("uno", own === "own" ? undefined : own);
    else if (["color", "round_over", "hand_over"].includes(now.mode)) await press("enter");
    else if (now.mode === "play" && now.is_asked) await takeTurn();
    else await turn(calls ? 900 : 100);
  }
  throw new Error(`the condition is never met: ${last}`);
}

async function choose(players) {
  let now = await press("reset");
  while (now.players < players) now = await press("right");
  await press("enter");
  return screen().mode === "level" ? press("enter") : screen();
}
