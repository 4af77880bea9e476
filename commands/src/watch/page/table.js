"use strict";
// Draws cards and a table. Text from a game is inserted as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";
const COLORS = { r: "red", y: "yellow", g: "green", b: "blue" };
const WORDS = { S: "Skip", R: "Reverse", D: "Draw Two", W: "Wild", W4: "Wild Draw Four", WS: "Wild Swap Hands", WL: "Victory Lap", WV: "Villain Draw 4", WA: "Wild Discard All", yC: "yellow Cheese Touch" };
const FACES = { D: "+2", W4: "+4", WV: "V4" };
const SHAPES = {
  r: "M1.5 1.5H10.5V10.5H1.5Z",
  y: "M6 0.8L11.4 11H0.6Z",
  g: "M6 0.8A5.2 5.2 0 1 0 6.01 0.8Z",
  b: "M6 0L12 6L6 12L0 6Z",
};
// In a field of 24 by 24.
const SYMBOLS = {
  S: "M12 3a9 9 0 1 0 .01 0ZM6 6L18 18",
  R: "M4 9H19M15 4.5L19.5 9L15 13.5M20 16H5M9 11.5L4.5 16L9 20.5",
  WS: "M3 8H14V3L21 9.5M21 16H10V21L3 14.5",
  WL: "M12 4a8 8 0 1 1-7.4 5M4 3V9H10",
  WA: "M12 3V21M4.2 7.5L19.8 16.5M19.8 7.5L4.2 16.5",
  yC: "M3 14L12 5L21 14V19H3ZM8 16.5h.1M13 13h.1M16.5 17h.1",
};

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

function drawing(box, path, attributes = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  for (const [key, value] of Object.entries(attributes)) line.setAttribute(key, value);
  svg.append(line);
  return svg;
}

const shape = (color) => drawing("0 0 12 12", SHAPES[color], { fill: "currentColor" });
const outline = { fill: "none", stroke: "currentColor", "stroke-width": "2.6", "stroke-linecap": "round", "stroke-linejoin": "round" };
const symbol = (key) => drawing("0 0 24 24", SYMBOLS[key], outline);

/** The name of a card for people; `names` has those of Blanks. */
function cardName(code, names = {}) {
  if (names[code]) return names[code];
  if (WORDS[code]) return WORDS[code];
  const color = COLORS[code[0]];
  const face = code.slice(1);
  return color ? `${color} ${WORDS[face] ?? (/^\d$/.test(face) ? face : `Blank ${face}`)}` : `Blank ${code}`;
}

/** A card; without a code its back. */
function card(code, { names = {}, kind = "" } = {}) {
  if (!code) return element("span", { class: `card back ${kind}`, role: "img", "aria-label": "a hidden card" });
  const color = COLORS[code[0]] ? code[0] : "";
  const face = color ? code.slice(1) : code;
  const made = element("span", { class: `card ${color} ${kind}`, role: "img", "aria-label": cardName(code, names), title: cardName(code, names), "data-code": code });
  const key = SYMBOLS[code] ? code : SYMBOLS[face] ? face : null;
  const text = FACES[face] ?? (color ? face : face.length > 1 ? face.slice(1) : face);
  // The name is complete: to a screen reader a card is one thing.
  const corner = element("span", { class: "corner", "aria-hidden": "true" }, element("span", {}, key ? "" : text));
  if (key) corner.firstChild.append(symbol(key));
  if (color) corner.append(shape(color), element("small", {}, color.toUpperCase()));
  const big = element("span", { class: `face ${text.length > 1 ? "long" : ""}`, "aria-hidden": "true" }, key ? "" : text);
  if (key) big.append(symbol(key));
  made.append(corner, big);
  if (!color) made.append(element("span", { class: "pips" }, ...[0, 1, 2, 3].map(() => element("i"))));
  return made;
}

/** A card within a line of text: its shape and its face. */
function chip(code, names = {}) {
  const color = COLORS[code[0]] ? code[0] : "";
  const face = color ? code.slice(1) : code;
  const key = SYMBOLS[code] ? code : SYMBOLS[face] ? face : null;
  const made = element("span", { class: `chip ${color}`, role: "img", "aria-label": cardName(code, names), title: cardName(code, names), "data-code": code });
  if (color) made.append(shape(color));
  made.append(key ? symbol(key) : (FACES[face] ?? face));
  return made;
}

function swatch(color) {
  if (!color) return element("span", { class: "swatch" }, "no color");
  return element("span", { class: `swatch ${color}` }, shape(color), COLORS[color]);
}

/** A sentence about a seat that is called "you". */
function addressed(text, nameOf) {
  const isYou = (seat) => nameOf(Number(seat)) === "you";
  const verbs = { has: "have", does: "do", passes: "pass", catches: "catch" };
  const verb = (word) => verbs[word] ?? word.replace(/s$/, "");
  const made = text.replace(/<s(\d+)> (has|does|[a-z]+s)\b/g, (all, seat, word) => (isYou(seat) ? `<s${seat}> ${verb(word)}` : all)).replace(/<s(\d+)>, who has/g, (all, seat) => (isYou(seat) ? `<s${seat}>, who have` : all));
  const subject = /^<s(\d+)> /.exec(made)?.[1];
  if (subject === undefined || !isYou(subject)) return made;
  return made.replace(/ and (names|calls) /g, (_, word) => ` and ${verb(word)} `).replace(/ and calls UNO$/, " and call UNO");
}

/** Words with cards and seats drawn: `<r5>` is a card, `<s2>` a seat, and `<lt>` the character `<`. */
function drawnWords(text, nameOf, names) {
  const made = element("span", { class: "words" });
  for (const part of addressed(text, nameOf).split(/(<[^<>]+>)/)) {
    const token = /^<(.+)>$/.exec(part)?.[1];
    if (!token) made.append(part);
    else if (token === "lt") made.append("<");
    else if (/^s\d+$/.test(token)) made.append(element("b", { class: "who" }, nameOf(Number(token.slice(1)))));
    else made.append(chip(token, names));
  }
  return made;
}

/** The sentences of a frame, in order. The drawn cards replace the sentence that a seat draws. */
function wordsOf(frame) {
  const after = frame.words ?? [];
  const isToldByCards = frame.move?.text === "draw" && after[0]?.startsWith(`<s${frame.move.seat}> draws`);
  return [...(frame.move && !isToldByCards ? [frame.move.words] : []), ...after, ...(frame.over ? [frame.over.words] : [])];
}

/** The sentences as plain text. */
const plainWords = (text, nameOf, names) =>
  addressed(text, nameOf).replace(/<([^<>]+)>/g, (_, token) => {
    if (token === "lt") return "<";
    return /^s\d+$/.test(token) ? nameOf(Number(token.slice(1))) : cardName(token, names);
  });

const codes = (text) => (text ? text.split(" ") : []);

/** The number of cards in a hand, seen or not. */
function handSize(hand) {
  if (hand === null || hand === undefined) return 0;
  if (typeof hand === "number") return hand;
  return typeof hand === "string" ? codes(hand).length : hand.n;
}

/** The seen cards of a hand, and `null` for each unseen card. */
function seenCards(hand) {
  if (typeof hand === "string") return codes(hand).map((code) => [code, ""]);
  if (typeof hand === "number") return Array.from({ length: hand }, () => [null, ""]);
  const known = codes(hand.known);
  return Array.from({ length: hand.n }, (_, index) => [known[index] ?? null, known[index] ? "known" : ""]);
}

function drawHand(hand, names) {
  const size = handSize(hand);
  const row = element("div", { class: `hand ${size === 0 ? "empty" : ""}`, "aria-hidden": "true" });
  if (size === 0) row.append("no cards");
  for (const [code, kind] of seenCards(hand)) row.append(element("span", {}, card(code, { names, kind })));
  return row;
}

function handInWords(hand, names) {
  const seen = seenCards(hand).filter(([code]) => code).map(([code]) => cardName(code, names));
  const size = handSize(hand);
  const count = `${size} card${size === 1 ? "" : "s"}`;
  if (seen.length === 0) return count;
  return `${count}: ${seen.join(", ")}${seen.length < size ? ", and others" : ""}`;
}

/**
 * Draws the table into `root`.
 * scene: { table, names: [by seat], scores: [by seat], dealer, own, did, beneath: [codes], cards: names of Blanks,
 *          odds: [permille by seat], faults: Map(seat -> text), hand: function(root, seat) that draws their own hand }
 */
function drawTable(root, scene) {
  const { table, names, own } = scene;
  const seats = table.hands.map((hand, seat) => seat).filter((seat) => table.hands[seat] !== null);
  const order = seats.map((_, index) => seats[(seats.indexOf(own) + index) % seats.length]);
  root.classList.toggle("many", seats.length > 4);
  root.style.setProperty("--columns", Math.min(3, seats.length - 1));
  root.dataset.draw = table.draw;
  root.dataset.pile = table.pile;
  root.dataset.top = table.top;
  root.dataset.color = table.color ?? "";
  const others = order.slice(1).map((seat) => drawSeat(scene, seat, false));
  // Clockwise from the bottom, as play to the left goes round a table: up one side, across, and down the other side.
  const side = order.length < 3 ? 0 : order.length < 7 ? 1 : 2;
  const edge = (name, from, to) => element("div", { class: `edge ${name}` }, ...others.slice(from, to));
  const edges = [edge("left", 0, side), edge("across", side, others.length - side), edge("right", others.length - side)];
  root.replaceChildren(...edges, drawMiddle(scene), drawSeat(scene, order[0], true));
  root.setAttribute("aria-label", `The table. Top card ${cardName(table.top, scene.cards)}, color ${COLORS[table.color] ?? "none"}, play goes to the ${table.dir > 0 ? "left" : "right"}, ${table.draw} cards to draw.`);
}

function drawSeat(scene, seat, isOwn) {
  const { table, names, cards } = scene;
  const hand = table.hands[seat];
  const size = handSize(hand);
  const acts = table.act === seat;
  const classes = ["seat", acts ? "acts" : "", scene.did === seat ? "did" : "", isOwn ? "own" : ""].join(" ");
  const made = element("div", { class: classes, "data-seat": seat, "data-cards": size, role: "group", "aria-label": `Seat ${seat}, ${names[seat]}${acts ? ", to act" : ""}` });
  const plate = element("div", { class: "plate" }, element("span", { class: "name", title: names[seat] }, names[seat]), element("span", { class: "count", "aria-hidden": "true" }, size === 1 ? "1 card" : `${size} cards`));
  if (scene.dealer === seat) plate.append(element("span", { class: "tag", title: "dealt this round" }, "dealer"));
  if (acts) plate.append(element("span", { class: "tag turn" }, askWord(table.ask)));
  if (table.uncalled?.includes(seat)) plate.append(element("span", { class: "tag open", title: "one card, and not called: can be caught" }, "no UNO yet"));
  else if (size === 1 && !scene.over) plate.append(element("span", { class: "tag uno" }, "UNO!"));
  const fault = scene.faults?.get(seat);
  if (fault) plate.append(element("span", { class: "tag fault", title: fault }, fault));
  if (scene.odds) plate.append(element("span", { class: "tag odds", title: "chance to win the round" }, `${(scene.odds[seat] / 10).toFixed(0)}%`));
  if (scene.scores) plate.append(element("span", { class: "score", title: "match score" }, `${scene.scores[seat] ?? 0} points`));
  made.append(plate);
  if (isOwn && scene.hand) scene.hand(made, seat);
  else made.append(drawHand(hand, cards), element("span", { class: "unseen" }, handInWords(hand, cards)));
  return made;
}

/** The decision of a seat, in a word or two. */
function askWord(ask) {
  return { turn: "to act", drawn: "has drawn", color: "chooses a color", challenge: "may challenge", cheese: "answers a Cheese Touch", swap: "may swap", lap: "on the lap", target: "chooses a player", discard: "may discard", protect: "may protect", stack: "may answer" }[ask] ?? "to act";
}

function drawMiddle(scene) {
  const { table, cards } = scene;
  const drawPile = element("div", { class: "stack draw", "aria-hidden": "true" });
  for (let lying = 0; lying < Math.min(table.draw, 3); lying += 1) drawPile.append(card(null));
  const discard = element("div", { class: "stack" });
  for (const code of [...(scene.beneath ?? []).slice(-2), table.top].filter(Boolean)) discard.append(card(code, { names: cards }));
  // The cards beneath are only visual.
  for (const beneath of [...discard.children].slice(0, -1)) beneath.setAttribute("aria-hidden", "true");
  const turning = element("span", { class: "turning", title: "the direction of play" });
  const arrow = table.dir > 0 ? "M19 12A7 7 0 1 1 12 5M12 1.5V8.5L16.5 5Z" : "M5 12A7 7 0 1 0 12 5M12 1.5V8.5L7.5 5Z";
  turning.append(drawing("0 0 24 24", arrow, outline), table.dir > 0 ? "to the left" : "to the right");
  return element(
    "div",
    { class: "middle" },
    element("div", { class: "piles" }, element("div", { class: "pile" }, drawPile, `${table.draw} to draw`), element("div", { class: "pile" }, discard, `${table.pile} discarded`)),
    element("div", { class: "state" }, swatch(table.color), turning),
  );
}

/** The time in which a card travels, in milliseconds. */
const FLIGHT = 320;

/** Moves a copy of a card from one box to another one. Only the eye needs it. */
function flyCard(from, to, code, names, delay) {
  if (!from || !to) return;
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const ghost = element("span", { class: "ghost", "aria-hidden": "true" }, card(code, { names }));
  ghost.style.left = `${a.left + a.width / 2}px`;
  ghost.style.top = `${a.top + a.height / 2}px`;
  document.body.append(ghost);
  const way = `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px)`;
  const flight = ghost.animate([{ transform: "none", opacity: 1 }, { transform: way, opacity: 0.9 }], { duration: FLIGHT, delay, easing: "ease-in-out" });
  flight.onfinish = () => ghost.remove();
  flight.oncancel = () => ghost.remove();
}

/** Shows how the cards of a frame traveled on the table that is drawn: drawn, played, swapped, passed on, and reshuffled. */
function flyCards(root, frame, names) {
  for (const ghost of document.querySelectorAll(".ghost")) ghost.remove();
  if (frame.deal || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const seat = (number) => root.querySelector(`.seat[data-seat="${number}"]`);
  const [draw, discard] = [root.querySelector(".stack.draw"), root.querySelector(".stack:not(.draw)")];
  (frame.got ?? []).slice(0, 8).forEach(([to, code], index) => flyCard(draw, seat(to), code, names, 90 * index));
  if (frame.move) for (const code of codes(frame.put).slice(0, 8)) flyCard(seat(frame.move.seat), discard, code, names, 0);
  if (frame.marks?.includes("reshuffle")) for (const delay of [0, 90, 180]) flyCard(discard, draw, null, names, delay);
  if (!frame.marks?.includes("swap")) return;
  const two = (frame.words ?? []).map((words) => /^<s(\d+)> and <s(\d+)> swap/.exec(words)).find(Boolean);
  const seats = [...root.querySelectorAll(".seat")].map((one) => Number(one.dataset.seat)).sort((a, b) => a - b);
  const pairs = two ? [[two[1], two[2]], [two[2], two[1]]] : seats.map((one, index) => [one, seats[(index + frame.table.dir + seats.length) % seats.length]]);
  for (const [from, to] of pairs) flyCard(seat(from), seat(to), null, names, 0);
}
