// Buttons, keys, and links.

function stop() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  at("play").textContent = "Play";
  at("play").setAttribute("aria-label", "Play");
}

function play() {
  if (timer !== null) return stop();
  if (current === lastMove()) show(0);
  at("play").textContent = "Stop";
  at("play").setAttribute("aria-label", "Stop");
  const tick = () => {
    show(current + 1, { isPlaying: true });
    if (current === lastMove()) stop();
    else timer = setTimeout(tick, Number(at("speed").value));
  };
  timer = setTimeout(tick, Number(at("speed").value) / 3);
}

function nextRound(step) {
  const deals = game.frames.filter((frame) => frame.deal).map((frame) => frame.number);
  const target = step > 0 ? deals.find((number) => number > current) ?? lastMove() : deals.findLast((number) => number < current) ?? 0;
  show(target, { isJump: true });
}

/** The next or the previous decision of my player, or of any player if none is chosen. */
function nextDecision(step) {
  const own = game.frames.filter((frame) => frame.move && isMine(game, playerOf(frame, frame.move.seat))).map((frame) => frame.number);
  const target = step > 0 ? own.find((number) => number > current) : own.findLast((number) => number < current);
  if (target !== undefined) show(target);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  const isRange = target === at("slider");
  if (target.matches("textarea, select") || (target.matches("button, summary") && [" ", "Enter"].includes(event.key))) return;
  const keys = { " ": play, PageDown: () => nextRound(1), PageUp: () => nextRound(-1), w: nextMistake, n: () => nextDecision(1), p: () => nextDecision(-1), g: openList, "?": () => at("help").showModal() };
  const moves = { ArrowRight: () => show(current + 1), ArrowLeft: () => show(current - 1), Home: () => show(0), End: () => show(lastMove()) };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()] ?? (isRange ? null : moves[event.key]);
  if (!act) return;
  event.preventDefault();
  act();
});
at("first").addEventListener("click", () => show(0));
at("back").addEventListener("click", () => show(current - 1));
at("next").addEventListener("click", () => show(current + 1));
at("last").addEventListener("click", () => show(lastMove()));
at("play").addEventListener("click", play);
at("slider").addEventListener("input", () => show(Number(at("slider").value)));
at("chart").addEventListener("click", (event) => show(moveAt(event.clientX)));
at("player").addEventListener("change", () => choosePlayer(at("player").value));
at("mistake").addEventListener("click", nextMistake);
at("open-list").addEventListener("click", openList);
at("open-help").addEventListener("click", () => at("help").showModal());

function open(index, number, { isJump = false } = {}) {
  game = games[index];
  loggedRound = null;
  const count = (name) => game.players.filter((other) => other === name).length;
  at("title").textContent = [...new Set(game.players)].map((name) => (count(name) > 1 ? `${count(name)} × ${name}` : name)).join(" · ");
  const eyes = game.view === undefined ? "all hands open" : `the view of seat ${game.view}, ${playerName(game, game.view)}`;
  at("facts").textContent = `${games.length > 1 ? `${game.name}: ` : ""}${game.variant}, a ${game.unit}, ${lastMove()} moves; ${eyes}. ${game.result}.`;
  at("slider").max = lastMove();
  drawMarks();
  drawRounds();
  drawBalance();
  drawMistakes();
  show(number, { isJump });
}

/** A number of a link, in this range. */
const within = (text, last) => Math.max(0, Math.min(last, Math.trunc(Number(text) || 0)));

function fromLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const index = within(link.get("game"), games.length - 1);
  const number = within(link.get("move"), games[index].frames.length - 1);
  const name = link.get("player") ?? (loggedRound === null && games[0].view !== undefined ? games[0].players[games[0].view] : "");
  const isNew = name !== mine || games[index] !== game || loggedRound === null;
  mine = playerNames.includes(name) ? name : "";
  at("player").value = mine;
  if (isNew) open(index, number);
  else if (number !== current) show(number);
  // A link that names only the player leads to its costliest mistake.
  if (isNew && mine && link.get("player") && link.get("move") === null) nextMistake();
}

window.addEventListener("resize", () => drawChart(game.frames[current]));
window.addEventListener("hashchange", fromLink);
window.addEventListener("popstate", fromLink);
at("player").append(element("option", { value: "" }, "all players"), ...playerNames.map((name) => element("option", { value: name }, name)));
at("mistake").hidden = decisions.length === 0;
at("open-list").hidden = games.length < 2;
at("open-list").textContent = `Games (${games.length})`;
fromLink();
