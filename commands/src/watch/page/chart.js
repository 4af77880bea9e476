// The marks on the slider and the curve of the round.

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
    button.addEventListener("click", () => show(frame.number, { isJump: true }));
    marks.append(button);
  }
  at("legend").replaceChildren(...[...used].map((kind) => element("span", {}, mark(kind), MARKS[kind][0])));
}

const LEFT = 30;
let wide = 700;
let high = 110;
/** The first and the last move of the round in the chart. */
let span = [0, 1];
const x = (number) => LEFT + ((wide - LEFT - 6) * (number - span[0])) / Math.max(1, span[1] - span[0]);
const y = (odds) => 6 + (high - 14) * (1 - odds / 1000);
/** The move at this place of the window. */
function moveAt(clientX) {
  const box = at("chart").getBoundingClientRect();
  const across = ((clientX - box.left) / box.width) * wide;
  return Math.max(span[0], Math.min(span[1], Math.round(span[0] + ((across - LEFT) / (wide - LEFT - 6)) * (span[1] - span[0]))));
}

function svgPart(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The letter of a player's curve. */
const letter = (player) => String.fromCharCode(65 + player);

/** The chances in the round of this frame; my player's curve is the thick one. Each curve also has a letter and dashes. */
function drawChart(frame) {
  const hasOdds = game.frames.some((other) => other.odds);
  at("chart-box").hidden = !hasOdds;
  if (!hasOdds) return;
  const round = roundOf(frame);
  span = [round[0].number, round[round.length - 1].number];
  const chart = at("chart");
  wide = Math.max(240, chart.clientWidth);
  high = chart.clientHeight || 110;
  chart.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const parts = [0, 500, 1000].flatMap((odds) => [
    svgPart("line", { class: "grid", x1: LEFT, x2: wide - 6, y1: y(odds), y2: y(odds) }),
    svgPart("text", { x: LEFT - 4, y: y(odds) + 4, "text-anchor": "end" }, `${odds / 10}`),
  ]);
  const players = game.players.map((_, player) => player).sort((a, b) => isMine(game, a) - isMine(game, b));
  const letters = [];
  for (const player of players) {
    const seat = frame.start.players.indexOf(player);
    const seen = round.filter((other) => seat >= 0 && other.odds?.[seat] !== undefined);
    const points = seen.map((other) => `${x(other.number).toFixed(1)},${y(other.odds[seat]).toFixed(1)}`);
    // At different moves, so that the letters of curves that meet do not cover each other.
    const middle = seen[Math.floor((seen.length * (player + 0.5)) / game.players.length)];
    if (middle) letters.push(svgPart("text", { class: `letter line-${player}`, x: x(middle.number), y: y(middle.odds[seat]) + 4, "text-anchor": "middle" }, letter(player)));
    if (points.length) parts.push(svgPart("polyline", { class: `line-${player} ${mine ? (isMine(game, player) ? "mine" : "other") : ""}`, points: points.join(" ") }));
  }
  for (const one of decisions.filter((one) => one.game === game && one.frame.start === frame.start && isMistake(one) && isMine(game, one.player))) {
    const odds = one.frame.odds?.[one.frame.move.seat];
    if (odds !== undefined) parts.push(svgPart("circle", { class: "slip", cx: x(one.frame.number), cy: y(odds), r: 3.5 }));
  }
  parts.push(...letters);
  parts.push(svgPart("line", { class: "now", id: "now", x1: x(current), x2: x(current), y1: 4, y2: high - 6 }));
  chart.replaceChildren(...parts);
  const names = seatNames(frame);
  const now = (frame.odds ?? []).map((odds, seat) => {
    if (frame.table.hands[seat] === null || frame.table.hands[seat] === undefined) return null;
    const player = playerOf(frame, seat);
    return element(mine && isMine(game, player) ? "b" : "span", {}, element("i", { class: `key line-${player}` }), `${letter(player)} ${names[seat]} ${percent(odds / 1000)}  `);
  });
  at("chart-now").replaceChildren(...now.filter(Boolean));
}
