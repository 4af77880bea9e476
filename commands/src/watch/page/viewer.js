// Shows recorded games, a frame for each move.

const { games, clauses } = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
let game = games[0];
let current = 0;
let timer = null;

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
    frame.scores = dealt.players.map((player) => (frame.over?.scores ?? dealt.scores)[player]);
  });
}

const lastMove = () => game.frames.length - 1;
const playerOf = (frame, seat) => frame.start.players[seat];
const nameOf = (frame) => (seat) => game.players[playerOf(frame, seat)] ?? `seat ${seat}`;
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

function faultsUpTo(frame) {
  const faults = new Map();
  for (const earlier of game.frames.slice(0, frame.number + 1)) {
    if (earlier.fault) faults.set(earlier.fault.seat, earlier.fault.what);
  }
  return faults;
}

function show(number, { isPlaying = false } = {}) {
  if (!isPlaying) stop();
  current = Math.max(0, Math.min(lastMove(), number));
  const frame = game.frames[current];
  drawTable(at("table"), {
    table: frame.table, names: seatNames(frame), scores: game.unit === "match" || frame.over ? frame.scores : undefined, dealer: frame.start.dealer, own: ownSeat(frame), did: frame.move?.seat,
    beneath: frame.pile.slice(0, -1), cards: game.cards, odds: frame.odds, faults: faultsUpTo(frame), over: frame.over !== undefined,
  });
  say(frame);
  drawDecision(frame);
  drawClauses(frame);
  drawLog(frame);
  drawNow(frame);
  at("slider").value = current;
  const text = `${frame.deal ? `deal of round ${frame.deal.round}` : plainWords(frame.move.words, namesIn(frame), game.cards)}`;
  at("slider").setAttribute("aria-valuetext", `move ${current}: ${text}`);
  at("counter").textContent = `${game.unit === "match" ? `round ${frame.start.round} · ` : ""}#${current} of ${lastMove()}`;
  for (const [id, isOff] of [["first", current === 0], ["back", current === 0], ["next", current === lastMove()], ["last", current === lastMove()]]) at(id).disabled = isOff;
  const link = `${games.length > 1 ? `game=${games.indexOf(game)}&` : ""}move=${current}`;
  history.replaceState(null, "", `#${link}`);
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
    box.append(optionsTable(legal, chosen, values, names));
  } else if (game.view !== undefined) {
    box.append(element("p", { class: "note" }, "The alternatives of this seat would reveal its hand."));
  }
  if (move.note) box.append(element("blockquote", { class: "quote" }, move.note));
  const copy = element("button", { type: "button" }, "Copy as scenario");
  copy.addEventListener("click", openScenario);
  box.append(element("p", { class: "buttons" }, copy));
}

function optionsTable(legal, chosen, values, names) {
  const table = element("table", { class: "options" });
  const head = element("tr", {}, element("th", {}, "action"));
  if (values) head.append(element("th", { class: "bar-cell" }, ""), element("th", { class: "number" }, "value"), element("th", { class: "number" }, "regret"), element("th", { class: "number" }, "rank"));
  table.append(element("thead", {}, head));
  const body = element("tbody");
  const order = legal.map((_, index) => index);
  const rank = (index) => 1 + values.filter(([value]) => value > values[index][0]).length;
  if (values) order.sort((a, b) => values[b][0] - values[a][0]);
  const [low, high] = values ? [Math.min(0, ...values.map(([value]) => value)), Math.max(0.001, ...values.map(([value]) => value))] : [0, 1];
  for (const index of order) {
    const row = element("tr", { class: index === chosen ? "chosen" : "", "aria-current": index === chosen ? "true" : null }, element("td", {}, actionWords(legal[index], names)));
    if (values) {
      const [value, regret, error] = values[index];
      const bar = element("span", { class: "bar" });
      bar.style.width = `${(100 * (value - low)) / (high - low)}%`;
      row.append(element("td", { class: "bar-cell" }, bar), element("td", { class: "number" }, value.toFixed(3)), element("td", { class: "number" }, `${regret.toFixed(3)} ± ${error.toFixed(3)}`), element("td", { class: "number" }, `${rank(index)}`));
    }
    body.append(row);
  }
  table.append(body);
  return table;
}

/** An action of the notation, its card drawn. */
function actionWords(text, names) {
  const [word, ...rest] = text.split(" ");
  const made = element("span", { class: "words" }, word);
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
  button.addEventListener("click", () => show(frame.number));
  return element("li", {}, button);
}

let loggedRound = null;
function drawLog(frame) {
  const log = at("log");
  if (loggedRound !== frame.start) {
    loggedRound = frame.start;
    log.replaceChildren(...game.frames.filter((other) => other.start === frame.start).map((other) => moveButton(other, null)));
    at("log-title").textContent = game.unit === "match" ? `Moves of round ${frame.start.round}` : "Moves";
  }
  for (const list of [log, at("worst")]) {
    for (const button of list.querySelectorAll("button")) {
      if (Number(button.dataset.move) === current) {
        button.setAttribute("aria-current", "step");
        if (list === log) log.scrollTop = button.offsetTop - log.offsetTop - log.clientHeight / 2;
      } else button.removeAttribute("aria-current");
    }
  }
}

function worstMoves() {
  const regret = (frame) => frame.move.choice.values[frame.move.choice.chosen][1];
  const valued = game.frames.filter((frame) => frame.move?.choice?.values && regret(frame) > 0);
  return valued.sort((a, b) => regret(b) - regret(a)).slice(0, 10).map((frame) => [frame, frame.move.choice.values[frame.move.choice.chosen]]);
}

const MARKS = {
  fault: ["fault", "M1 1L9 9M9 1L1 9"],
  out: ["goes out", "M5 0.5L6.3 3.7L9.7 4L7 6.2L7.9 9.5L5 7.7L2.1 9.5L3 6.2L0.3 4L3.7 3.7Z"],
  challenge: ["challenge", "M5 0.5L9.5 9.5H0.5Z"],
  swap: ["swap of hands", "M0.5 3H9M6 0.5L9 3L6 5.5M9.5 7H1M4 4.5L1 7L4 9.5"],
  reshuffle: ["reshuffle", "M1 1H9V9H1Z"],
  uno: ["UNO", "M5 1A4 4 0 1 0 5.01 1Z"],
  deal: ["deal", "M5 0V10"],
};

function mark(kind) {
  const isLine = kind === "fault" || kind === "swap" || kind === "deal";
  const svg = drawing("0 0 10 10", MARKS[kind][1], isLine ? { fill: "none", stroke: "currentColor", "stroke-width": "1.8" } : { fill: "currentColor" });
  svg.setAttribute("class", `mark-${kind}`);
  return svg;
}

function drawMarks() {
  const marks = at("marks");
  marks.replaceChildren();
  const used = new Set();
  for (const frame of game.frames) {
    const kinds = [...(frame.marks ?? []), ...(frame.deal && frame.number > 0 ? ["deal"] : []), ...(frame.fault ? ["fault"] : [])];
    const kind = Object.keys(MARKS).find((key) => kinds.includes(key));
    if (!kind) continue;
    used.add(kind);
    const label = `#${frame.number}: ${MARKS[kind][0]}`;
    const button = element("button", { type: "button", title: label, "aria-label": label, tabindex: "-1", "data-kind": kind }, mark(kind));
    button.style.left = `${(100 * frame.number) / Math.max(1, lastMove())}%`;
    button.addEventListener("click", () => show(frame.number));
    marks.append(button);
  }
  at("legend").replaceChildren(...[...used].map((kind) => element("span", {}, mark(kind), MARKS[kind][0])));
}

const HIGH = 170;
const LEFT = 34;
let WIDE = 700;
const x = (number) => LEFT + ((WIDE - LEFT - 6) * number) / Math.max(1, lastMove());
const y = (odds) => 6 + (HIGH - 20) * (1 - odds / 1000);

function svgPart(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawChart() {
  const hasOdds = game.frames.some((frame) => frame.odds);
  at("chart-box").hidden = !hasOdds;
  if (!hasOdds) return;
  const chart = at("chart");
  WIDE = Math.max(240, chart.clientWidth);
  chart.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  const parts = [0, 250, 500, 750, 1000].flatMap((odds) => [
    svgPart("line", { class: "grid", x1: LEFT, x2: WIDE - 6, y1: y(odds), y2: y(odds) }),
    svgPart("text", { x: LEFT - 4, y: y(odds) + 4, "text-anchor": "end" }, `${odds / 10}`),
  ]);
  game.players.forEach((_, player) => {
    let points = [];
    const end = () => {
      if (points.length) parts.push(svgPart("polyline", { class: `line-${player}`, points: points.join(" ") }));
      points = [];
    };
    for (const frame of game.frames) {
      if (frame.deal) end();
      const seat = frame.start.players.indexOf(player);
      if (frame.odds && seat >= 0 && frame.odds[seat] !== undefined) points.push(`${x(frame.number).toFixed(1)},${y(frame.odds[seat]).toFixed(1)}`);
    }
    end();
  });
  parts.push(svgPart("line", { class: "now", id: "now", y1: 4, y2: HIGH - 12 }));
  chart.replaceChildren(...parts);
}

function drawNow(frame) {
  const now = document.getElementById("now");
  if (!now) return;
  now.setAttribute("x1", x(current));
  now.setAttribute("x2", x(current));
  const names = seatNames(frame);
  const parts = (frame.odds ?? []).map((odds, seat) => {
    if (frame.table.hands[seat] === null || frame.table.hands[seat] === undefined) return null;
    return element("span", {}, element("i", { class: `key line-${playerOf(frame, seat)}` }), `${names[seat]} ${percent(odds / 1000)}  `);
  });
  at("chart-now").replaceChildren(...parts.filter(Boolean));
}

/** The position before this turn, and the steps of the turn, as a scenario that `unolab scenario` runs. */
function scenarioOf(frame) {
  const round = game.frames.filter((other) => other.start === frame.start && other.number <= frame.number);
  const last = round.length - 1;
  const quote = (text) => JSON.stringify(text);
  if (frame.table.hands.some((hand) => hand === null)) return "# A table with an empty seat cannot be written as a scenario.\n";
  let from = last - 1;
  // A scenario cannot begin on a card whose symbol is dead.
  while (from >= 0 && (round[from].table.ask !== "turn" || round[from].table.dead)) from -= 1;
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
  const chance = steps.flatMap((step) => step.chance ?? []);
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
  show(target);
}

function nextWorst() {
  const numbers = worstMoves().map(([frame]) => frame.number).sort((a, b) => a - b);
  if (numbers.length) show(numbers.find((number) => number > current) ?? numbers[0]);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || at("scenario").open) return;
  const target = event.target;
  const isRange = target === at("slider");
  if (target.matches("textarea, select") || (target.matches("button, summary") && [" ", "Enter"].includes(event.key))) return;
  const keys = { " ": play, PageDown: () => nextRound(1), PageUp: () => nextRound(-1), w: nextWorst, W: nextWorst };
  const moves = { ArrowRight: () => show(current + 1), ArrowLeft: () => show(current - 1), Home: () => show(0), End: () => show(lastMove()) };
  const act = keys[event.key] ?? (isRange ? null : moves[event.key]);
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
at("chart").addEventListener("click", (event) => {
  const box = at("chart").getBoundingClientRect();
  const across = ((event.clientX - box.left) / box.width) * WIDE;
  show(Math.round(((across - LEFT) / (WIDE - LEFT - 6)) * lastMove()));
});

function playerName(one, player) {
  const name = one.players[player];
  return one.players.filter((other) => other === name).length > 1 ? `${name} · ${player}` : name;
}

function open(index, number) {
  game = games[index];
  loggedRound = null;
  const count = (name) => game.players.filter((other) => other === name).length;
  at("title").textContent = [...new Set(game.players)].map((name) => (count(name) > 1 ? `${count(name)} × ${name}` : name)).join(" · ");
  const eyes = game.view === undefined ? "all hands open" : `as seat ${game.view}, ${playerName(game, game.view)}, saw it`;
  at("facts").textContent = `${game.variant}, a ${game.unit}, ${lastMove()} moves; ${eyes}. ${game.result}.`;
  at("slider").max = lastMove();
  drawMarks();
  drawChart();
  const worst = worstMoves();
  at("worst-box").hidden = worst.length === 0;
  at("worst").replaceChildren(...worst.map(([frame, [, regret, error]]) => moveButton(frame, element("span", { class: "regret", title: `regret ± standard error` }, `−${regret.toFixed(2)} ± ${error.toFixed(2)}`))));
  for (const row of at("games").querySelectorAll("tbody tr")) {
    if (Number(row.dataset.game) === index) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  show(number);
}

function drawList() {
  if (games.length < 2) return;
  at("list").hidden = false;
  at("list").open = true;
  at("list-title").textContent = `${games.length} games`;
  const heads = ["record", "variant", "players, by place", "result", "moves", "faults"].map((name) => element("th", { scope: "col" }, name));
  const rows = games.map((one, index) => {
    const button = element("button", { type: "button" }, one.name);
    button.addEventListener("click", () => open(index, 0));
    const order = one.players.map((_, player) => player).sort((a, b) => one.places[a] - one.places[b]);
    const faults = one.frames.filter((frame) => frame.fault).map((frame) => `${one.players[frame.start.players[frame.fault.seat]]}: ${frame.fault.what}`);
    const cells = [button, one.variant, order.map((player) => `${one.places[player]}. ${playerName(one, player)}`).join(", "), one.result, one.frames.length - 1, faults.join("; ")];
    return element("tr", { "data-game": index }, ...cells.map((cell) => element("td", {}, cell)));
  });
  at("games").append(element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

function fromLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const index = Math.max(0, Math.min(games.length - 1, Number(link.get("game")) || 0));
  const number = Number(link.get("move")) || 0;
  if (games[index] !== game || loggedRound === null) open(index, number);
  else if (number !== current) show(number);
}

window.addEventListener("resize", () => {
  drawChart();
  drawNow(game.frames[current]);
});
window.addEventListener("hashchange", fromLink);
drawList();
fromLink();
