// Shows recorded games, a frame for each move.

const { games, clauses } = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
let game = games[0];
let current = 0;
let timer = null;
/** The name of my player; empty if all players are of interest. */
let mine = "";

// A hand that is `true` is unchanged from the frame before. The cards on the discard pile are accumulated.
for (const one of games) {
  let hands = [];
  let pile = [];
  let dealt = null;
  one.frames.forEach((frame, index) => {
    frame.table.hands = frame.table.hands.map((hand, seat) => (hand === true ? hands[seat] : hand));
    hands = frame.table.hands;
    if (frame.deal) {
      dealt = frame.deal;
      pile = [];
    }
    pile = [...pile, ...codes(frame.put)];
    const top = pile.lastIndexOf(frame.table.top);
    if (top >= 0) pile.push(...pile.splice(top, 1));
    pile = pile.slice(-frame.table.pile);
    frame.pile = pile;
    frame.start = dealt;
    frame.number = index;
    frame.game = one;
    frame.scores = dealt.players.map((player) => (frame.over?.scores ?? dealt.scores)[player]);
  });
}

const lastMove = () => game.frames.length - 1;
const playerOf = (frame, seat) => frame.start.players[seat];
const nameOf = (frame) => (seat) => frame.game.players[playerOf(frame, seat)] ?? `seat ${seat}`;
/** Names that distinguish seats: one agent may play several. */
function seatNames(frame) {
  const plain = frame.start.players.map((_, seat) => nameOf(frame)(seat));
  return plain.map((name, seat) => (plain.filter((other) => other === name).length > 1 ? `${name} · ${seat}` : name));
}
const namesIn = (frame) => {
  const names = seatNames(frame);
  return (seat) => names[seat] ?? `seat ${seat}`;
};
const percent = (value) => `${(100 * value).toFixed(1)}%`;

function ownSeat(frame) {
  const seats = frame.table.hands.map((hand, seat) => seat).filter((seat) => frame.table.hands[seat] !== null);
  const own = game.view === undefined ? 0 : frame.start.players.indexOf(game.view);
  return seats.includes(own) ? own : seats[0];
}

/** The faults so far, by seat of this frame: a player may have had another seat at the fault. */
function faultsUpTo(frame) {
  const faults = new Map();
  for (const earlier of game.frames.slice(0, frame.number + 1)) {
    if (earlier.fault) faults.set(frame.start.players.indexOf(playerOf(earlier, earlier.fault.seat)), earlier.fault.what);
  }
  return faults;
}

/** Shows a move. A jump to another place can be undone with the browser's Back; a step cannot. */
function show(number, { isPlaying = false, isJump = false } = {}) {
  if (!isPlaying) stop();
  current = Math.max(0, Math.min(lastMove(), number));
  const frame = game.frames[current];
  drawTable(at("table"), {
    table: frame.table, names: seatNames(frame), scores: game.unit === "match" || frame.over ? frame.scores : undefined, dealer: frame.start.dealer, own: ownSeat(frame), did: frame.move?.seat,
    beneath: frame.pile.slice(0, -1), cards: game.cards, odds: frame.odds, faults: faultsUpTo(frame), over: frame.over !== undefined,
  });
  if (isPlaying && Number(at("speed").value) > FLIGHT) flyCards(at("table"), frame, game.cards);
  say(frame);
  drawDecision(frame);
  drawClauses(frame);
  drawLog(frame);
  drawMatch(frame);
  drawChart(frame);
  markCurrent();
  at("slider").value = current;
  const text = `${frame.deal ? `deal of round ${frame.deal.round}` : plainWords(frame.move.words, namesIn(frame), game.cards)}`;
  at("slider").setAttribute("aria-valuetext", `move ${current}: ${text}`);
  at("counter").textContent = `${game.unit === "match" ? `round ${frame.start.round} · ` : ""}#${current} of ${lastMove()}`;
  for (const [id, isOff] of [["first", current === 0], ["back", current === 0], ["next", current === lastMove()], ["last", current === lastMove()]]) at(id).disabled = isOff;
  const place = [games.length > 1 ? `game=${games.indexOf(game)}` : "", mine ? `player=${encodeURIComponent(mine)}` : "", `move=${current}`];
  const link = `#${place.filter(Boolean).join("&")}`;
  if (isJump && link !== location.hash) history.pushState(null, "", link);
  else if (!isPlaying || current === lastMove() || Date.now() - linkedAt > LINK_PAUSE) setLink(link);
}

/** Milliseconds between two changes of the address while the game plays by itself: browsers refuse very frequent changes. */
const LINK_PAUSE = 400;
let linkedAt = 0;

function setLink(link) {
  linkedAt = Date.now();
  try {
    history.replaceState(null, "", link);
  } catch {
    // Too many changes: the next one sets it.
  }
}

function say(frame) {
  const names = namesIn(frame);
  const parts = [];
  if (frame.deal) parts.push(drawnWords(`Round ${frame.deal.round}: <s${frame.deal.dealer}> deals`, names, game.cards));
  if (frame.fault) parts.push(element("span", { class: "fault" }, `${names(frame.fault.seat)} ${frame.fault.what}${frame.fault.by ? `; ${frame.fault.by} plays on` : ""}. `));
  for (const [index, words] of wordsOf(frame).entries()) {
    parts.push(element("span", { class: index > 0 || frame.deal ? "after" : "" }, drawnWords(words, names, game.cards)));
  }
  at("said").replaceChildren(...parts);
}

function drawDecision(frame) {
  const box = at("decision");
  box.replaceChildren();
  const move = frame.move;
  if (!move) return;
  const names = namesIn(frame);
  box.append(element("h2", {}, `${names(move.seat)}${move.choice ? ` chose from ${move.choice.legal.length} legal action${move.choice.legal.length === 1 ? "" : "s"}` : ""}`));
  if (move.choice) {
    const { hand, legal, chosen, values } = move.choice;
    const played = codes(legal[chosen])[1];
    let isMarked = false;
    const held = codes(hand).map((code) => {
      const isPlayed = !isMarked && code === played;
      isMarked ||= isPlayed;
      return element("span", {}, card(code, { names: game.cards, kind: isPlayed ? "chosen" : "" }));
    });
    box.append(element("div", { class: "held", role: "img", "aria-label": `Hand: ${codes(hand).map((code) => cardName(code, game.cards)).join(", ")}` }, ...held));
    box.append(optionsTable(move.choice, names));
  } else if (game.view !== undefined) {
    box.append(element("p", { class: "note" }, "The alternatives of this seat would reveal its hand."));
  }
  if (move.note) box.append(element("blockquote", { class: "quote" }, move.note));
  const copy = element("button", { type: "button" }, "Copy as scenario");
  copy.addEventListener("click", openScenario);
  box.append(element("p", { class: "buttons" }, copy));
}

function optionsTable({ legal, options, chosen, values }, names) {
  const table = element("table", { class: "options" });
  const head = element("tr", {}, element("th", {}, "action"));
  if (values) head.append(element("td", { class: "bar-cell" }), element("th", { class: "number", title: UNIT }, "value"), element("th", { class: "number", title: "how far behind the best action, ± standard error; 0 for the best" }, "regret"), element("th", { class: "number" }, "rank"));
  table.append(element("thead", {}, head));
  const body = element("tbody");
  const order = legal.map((_, index) => index);
  const rank = (index) => 1 + values.filter(([value]) => value > values[index][0]).length;
  if (values) order.sort((a, b) => values[b][0] - values[a][0]);
  const [low, high] = values ? [Math.min(0, ...values.map(([value]) => value)), Math.max(0.001, ...values.map(([value]) => value))] : [0, 1];
  for (const index of order) {
    const row = element("tr", { class: index === chosen ? "chosen" : "", "aria-current": index === chosen ? "true" : null }, element("td", {}, actionWords(legal[index], names, options)));
    if (values) {
      const [value, regret, error] = values[index];
      const bar = element("span", { class: "bar" });
      bar.style.width = `${(100 * (value - low)) / (high - low)}%`;
      row.append(element("td", { class: "bar-cell" }, bar), element("td", { class: "number" }, value.toFixed(3)), element("td", { class: "number" }, rank(index) === 1 ? "0" : `${regret.toFixed(3)} ± ${error.toFixed(3)}`), element("td", { class: "number" }, `${rank(index)}`));
    }
    body.append(row);
  }
  table.append(body);
  return table;
}

/** An action of the notation, its card drawn and its option named. */
function actionWords(text, names, options) {
  const [word, ...rest] = text.split(" ");
  const made = element("span", { class: "words" }, word);
  if (word === "choose") {
    made.append(` "${options[Number(rest[0])]}"`);
    return made;
  }
  for (const part of rest) {
    const isSeat = /^\d$/.test(part);
    if (isSeat) made.append(` ${names(Number(part))}`);
    else if (COLORS[part]) made.append(" ", swatch(part));
    else if (part === "uno") made.append(" and call UNO");
    else made.append(" ", chip(part, game.cards));
  }
  return made;
}

function drawClauses(frame) {
  const made = (frame.clauses ?? []).map((clause) => element("p", {}, element("b", {}, clause), clauses[clause] ?? ""));
  at("rules").replaceChildren(...(made.length ? [element("h2", {}, "Rules that applied"), ...made] : []));
}

function moveButton(frame, extra) {
  const names = namesIn(frame);
  const words = frame.move ? frame.move.words : `Round ${frame.deal.round} is dealt`;
  const button = element("button", { type: "button", "data-move": frame.number, "aria-current": frame.number === current ? "step" : null }, element("span", { class: "number" }, `#${frame.number}`), drawnWords(words, names, game.cards), extra);
  button.addEventListener("click", () => show(frame.number, { isJump: true }));
  return element("li", {}, button);
}

let loggedRound = null;
function drawLog(frame) {
  if (loggedRound === frame.start) return;
  loggedRound = frame.start;
  at("log").replaceChildren(...roundOf(frame).map((other) => moveButton(other, null)));
  at("log-title").textContent = game.unit === "match" ? `Moves of round ${frame.start.round}` : "Moves";
}

/** The frames of the same round. */
const roundOf = (frame) => game.frames.filter((other) => other.start === frame.start);

/** Marks the current move in the lists that name it. */
function markCurrent() {
  for (const button of document.querySelectorAll(".moves button")) {
    const isHere = Number(button.dataset.move) === current && Number(button.dataset.game ?? games.indexOf(game)) === games.indexOf(game);
    if (!isHere) button.removeAttribute("aria-current");
    else {
      button.setAttribute("aria-current", "step");
      const list = button.closest(".log");
      if (list) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  }
}
