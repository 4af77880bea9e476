// A turn as a scenario.

/** The position before this turn, and the steps of the turn, as a scenario that `unolab scenario` runs. */
function scenarioOf(frame) {
  const round = game.frames.filter((other) => other.start === frame.start && other.number <= frame.number);
  const last = round.length - 1;
  const quote = (text) => JSON.stringify(text);
  if (frame.table.hands.some((hand) => hand === null)) return "# A table with an empty seat cannot be written as a scenario.\n";
  let from = last - 1;
  // A scenario cannot begin on a card whose symbol is dead, with an uncalled UNO, or between a play and the jump-in that it allows.
  const isJumpIn = (index) => round[index].move.text.startsWith("play ") && round[index].move.seat !== round[index - 1].table.act;
  const canBegin = ({ ask, dead, uncalled }) => ask === "turn" && !dead && !uncalled;
  while (from >= 0 && (!canBegin(round[from].table) || isJumpIn(from + 1))) from -= 1;
  const before = from >= 0 ? round[from] : null;
  const base = before ?? round[0];
  const steps = round.slice((before ? from : 0) + 1);
  const isOpen = game.view === undefined;
  const cards = (hand) => (typeof hand === "string" ? hand : "_");
  const lines = ["[[scenario]]", `name = ${quote(`${game.name}, move ${frame.number}`)}`, `variant = ${quote(game.rules.variant)}`];
  if (game.rules.file) lines.unshift(`# Save these rules next to this file as ${game.rules.variant}:`, ...game.rules.file.split("\n").map((line) => `#   ${line}`));
  if (game.rules.set.length) lines.push(`set = { ${game.rules.set.map(([key, value]) => `${quote(key)} = ${value}`).join(", ")} }`);
  lines.push(`seats = ${base.table.hands.length}`, `dealer = ${frame.start.dealer}`);
  if (before) lines.push(`direction = ${quote(base.table.dir > 0 ? "left" : "right")}`, `to_act = ${base.table.act}`);
  if (!isOpen) lines.push("# \"_\" is a hand that this seat did not know: the scenario deals it as many cards as a round begins with.");
  lines.push(`hands = [${base.table.hands.map((hand) => quote(cards(hand))).join(", ")}]`);
  if (before) {
    lines.push(`discard = ${quote(base.pile.join(" "))}`);
    if (base.table.color && !COLORS[base.table.top[0]]) lines.push(`color = ${quote(COLORS[base.table.color])}`);
  } else lines.push(`start = ${quote(round[0].put)}`);
  const drawn = steps.flatMap((step) => step.got ?? []).map(([, code]) => code);
  const isReshuffled = steps.some((step) => step.marks?.includes("reshuffle"));
  if (drawn.length && !isReshuffled && drawn.every(Boolean)) lines.push(`draw = ${quote(drawn.join(" "))}`);
  const chance = (before ? steps : round).flatMap((step) => step.chance ?? []);
  if (chance.length) lines.push(`chance = [${chance.map(quote).join(", ")}]`);
  if (frame.start.scores.some((score) => score > 0)) lines.push(`scores = [${frame.start.players.map((player) => frame.start.scores[player]).join(", ")}]`);
  lines.push("steps = [");
  for (const step of steps) lines.push(`  { seat = ${step.move.seat}, do = ${quote(step.move.text)} },`);
  const end = frame.table;
  const expected = [];
  if (frame.over) expected.push("round_over = true");
  else expected.push(`to_act = ${end.act}`, `decision = ${quote(end.ask)}`);
  expected.push(`top = ${quote(end.top)}`);
  if (end.color) expected.push(`color = ${quote(COLORS[end.color])}`);
  if (isOpen) expected.push(`hand_sizes = [${end.hands.map(handSize).join(", ")}]`);
  lines.push(`  { expect = { ${expected.join(", ")} } },`, "]", "");
  return lines.join("\n");
}

function openScenario() {
  at("scenario-text").value = scenarioOf(game.frames[current]);
  at("copied").textContent = "";
  at("scenario").showModal();
  at("scenario-text").select();
}

at("copy").addEventListener("click", async () => {
  const text = at("scenario-text");
  try {
    await navigator.clipboard.writeText(text.value);
    at("copied").textContent = "copied";
  } catch {
    text.select();
    at("copied").textContent = document.execCommand("copy") ? "copied" : "select it and copy";
  }
});
