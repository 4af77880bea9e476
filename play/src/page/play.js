// A person's seat at a table of this server. The page receives only information that the seat may see.

const at = (id) => document.getElementById(id);
const base = location.pathname;
let now = null;
let shown = null;
let player = null;
let picked = null;
/** Whether the last answer came from a card or a button that had the focus. */
let hadFocus = false;
/** The requests for values; moves wait for their answers, because they are about the position before the move. */
let judging = Promise.resolve();
/** The last move or wish; the next person sits down after its answer. */
let sending = Promise.resolve();
/** Whether the player has pressed UNO before playing the next-to-last card. */
let isCalling = false;

async function ask(path, body) {
  const wanted = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(base + path, { cache: "no-store", ...wanted });
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(found.error ?? answer.statusText), { status: answer.status });
  return found;
}

/** The number of pages of a browser that wait for news at the same time. A browser opens only six connections to a server. */
const WAITING_PAGES = 3;

/** Calls `work` with whether this page may wait for news. Addresses on a local network have no locks, and few pages. */
function withConnection(work, place = 0) {
  if (!navigator.locks) return work(true);
  if (place === WAITING_PAGES) return work(false);
  return navigator.locks.request(`news ${place}`, { ifAvailable: true }, (lock) =>
    lock ? work(true) : withConnection(work, place + 1));
}

/** The state of the game as soon as it differs from `since`. Pages that may not wait ask every second, hidden pages not at all. */
async function news(since) {
  for (;;) {
    if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
    const found = await withConnection(async (waits) => {
      if (!waits && since) await new Promise((go) => setTimeout(go, 1000));
      return ask(`state?player=${player}&since=${waits ? since : 0}`);
    });
    if (found.version !== since) return found;
  }
}

/** Takes news in an endless loop. */
async function listen() {
  let since = 0;
  for (;;) {
    try {
      if (player === null) {
        const { people, asks } = await ask("state?player=99&since=0");
        if (people.length === 1) player = people[0].player;
        else await pass(asks ?? people[0].player, people);
        since = 0;
      }
      const found = await news(since);
      since = found.version;
      document.querySelector("main").inert = false;
      await take(found);
      if (found.people.length > 1 && found.asks !== null && found.asks !== player) {
        await new Promise((go) => setTimeout(go, 2 * pace()));
        await pass(found.asks, found.people);
        await sending;
        since = 0;
      }
    } catch (error) {
      // Without a server no button has an effect. The page continues when the server answers again.
      if (!error.status) document.querySelector("main").inert = true;
      notice(error.status ? error.message : "The game does not answer; this page tries again. If it has stopped, `unolab play --resume FILE` continues a game saved with --record FILE.");
      since = 0;
      await new Promise((go) => setTimeout(go, 1500));
    }
  }
}

/** Removes the previous person's hand from the page before the next one takes the seat. */
function pass(next, people) {
  now = null;
  shown = null;
  for (const id of ["table", "said", "actions", "prompt", "judged", "rules", "end"]) at(id).replaceChildren();
  for (const id of ["judged", "rules", "end"]) at(id).hidden = true;
  // A question to the previous person is not the next person's.
  at("sure").close();
  at("pass-title").textContent = `${people.find((one) => one.player === next).name}, it is your turn`;
  at("pass").showModal();
  return new Promise((go) => {
    at("pass").addEventListener("close", () => {
      player = next;
      go();
    }, { once: true });
  });
}

function notice(text) {
  at("notice").textContent = text;
  at("notice").hidden = !text;
}

const pace = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 20 : Number(at("speed").value));

/** Shows new frames one by one, and then the question. */
async function take(found) {
  const isNew = now === null;
  const isOther = isNew || !isStillTheStory(found);
  now = found;
  if (isOther) {
    // A person who sits down has already seen everything up to their own last move.
    shown = isNew ? Math.max(0, found.frames.findLastIndex((frame) => frame.move && frame.move.seat === found.seat)) : 0;
    at("judged").hidden = true;
    at("said").replaceChildren();
    found.frames.slice(0, shown).forEach(tell);
  }
  picked = null;
  document.body.dataset.idle = "false";
  notice(found.notice);
  while (shown < found.frames.length) {
    const frame = found.frames[shown];
    drawFrame(frame, false);
    if (pace() > FLIGHT) flyCards(at("table"), frame, now.cards);
    if (at("sounds").checked) soundOf(frame);
    tell(frame);
    shown += 1;
    const isShort = frame.deal || frame.move?.seat === found.seat;
    if (shown < found.frames.length) await new Promise((go) => setTimeout(go, isShort ? pace() / 2 : pace()));
  }
  drawFrame(found.frames[shown - 1], true);
  drawDecision();
  if (found.question?.kind === "call" && isCalling) {
    isCalling = false;
    return answer("uno");
  }
  if (hadFocus && document.activeElement === document.body) {
    (document.querySelector("button.in-hand:not(:disabled)") ?? at("actions").querySelector("button"))?.focus();
  }
  document.body.dataset.idle = "true";
  document.body.dataset.number = found.question?.number ?? "";
}

/** The sound of a frame: the most important event in it. */
function soundOf(frame) {
  if (frame.over) sound("fanfare");
  else if (frame.move?.text.startsWith("catch")) sound("caught");
  else if (frame.marks?.includes("uno")) sound("uno");
  else if (frame.put) sound("card");
  else if (frame.got?.length) sound("draw");
}

/** Whether the new frames continue the shown ones. They do not after a move was taken back, or after a new deal. */
function isStillTheStory(found) {
  const told = (frames) => JSON.stringify(frames.slice(0, shown).map((frame) => [frame.deal, frame.move?.text, frame.move?.seat]));
  const isLonger = found.frames.length >= shown && told(found.frames) === told(now.frames);
  return isLonger && JSON.stringify(found.frames[0].table) === JSON.stringify(now.frames[0].table);
}

function nameOf(seat) {
  const players = now.frames[0].deal.players;
  const name = now.players[players[seat]] ?? `seat ${seat}`;
  if (players[seat] === now.you) return name;
  return now.players.filter((other) => other === name).length > 1 ? `${name} · ${seat}` : name;
}

/** Whether the player has a hand; a player who is out has none. */
const holdsHand = (frame) => now.seat !== null && frame.table.hands[now.seat] !== null;

function drawFrame(frame, isLast) {
  const start = now.frames[0].deal;
  const number = now.frames.indexOf(frame);
  const beneath = now.frames.slice(0, number).map((other) => other.table.top).filter((top, index, all) => index === 0 || top !== all[index - 1]);
  const opened = isLast && frame.over ? now.opened : null;
  const hands = frame.table.hands.map((hand, seat) => (hand === null ? null : opened?.find((one) => one.seat === seat)?.cards.map(([code]) => code).join(" ") ?? hand));
  drawTable(at("table"), {
    table: { ...frame.table, hands },
    names: start.players.map((_, seat) => nameOf(seat)),
    scores: now.unit === "match" || frame.over ? start.players.map((one) => (frame.over?.scores ?? start.scores)[one]) : undefined,
    dealer: start.dealer,
    // A player who is out of the round or the match watches from a remaining seat.
    own: holdsHand(frame) ? now.seat : frame.table.hands.findIndex((hand) => hand !== null),
    did: frame.move?.seat,
    beneath: beneath.slice(-2),
    cards: now.cards,
    over: frame.over !== undefined,
    hand: !holdsHand(frame) ? undefined : (root, seat) => drawOwnHand(root, frame.table.hands[seat], isLast),
  });
  const canDraw = isLast && now.question?.actions.includes("draw");
  const pile = at("table").querySelector(".stack.draw");
  pile.classList.toggle("can-draw", Boolean(canDraw));
  if (canDraw) pile.addEventListener("click", () => answer("draw"));
  drawRules(frame);
  drawEnd(isLast ? frame : null);
  at("facts").textContent = `${now.variant}, ${now.unit === "match" ? `round ${start.round} of a match` : "a round"}${now.seed !== null ? `, seed ${now.seed}` : ""}`;
}

/** Adds the latest event on top of the list. */
function tell(frame) {
  const words = frame.deal ? [`Round ${frame.deal.round}: <s${frame.deal.dealer}> deals`] : [];
  for (const word of [...words, ...wordsOf(frame)]) at("said").prepend(element("p", {}, drawnWords(word, nameOf, now.cards)));
}

/** The clauses of the rules that applied to the last move. */
function drawRules(frame) {
  const clauses = (frame.clauses ?? []).map((clause) => element("p", {}, element("b", {}, clause), ` ${now.clauses[clause] ?? ""}`));
  at("rules").hidden = clauses.length === 0;
  at("rules").replaceChildren(...(clauses.length ? [element("h2", {}, "Rules that applied"), ...clauses] : []));
}

/** The cards that are left at the end of a round, with their points, and the scores. */
function drawEnd(frame) {
  const isOver = Boolean(frame?.over && now.opened);
  at("end").hidden = !isOver;
  if (!isOver) return at("end").replaceChildren();
  const players = now.frames[0].deal.players;
  const isMatch = now.unit === "match";
  const rows = now.opened.map(({ seat, cards, sum }) => {
    const left = element("td", {});
    for (const [code, points] of cards) left.append(chip(code, now.cards), ` ${points} `);
    const numbers = [sum, frame.over.points[seat] ?? 0, ...(isMatch ? [now.scores[players[seat]] ?? 0] : [])];
    return element("tr", {}, element("th", { scope: "row" }, nameOf(seat)), left, ...numbers.map((value) => element("td", { class: "number" }, `${value}`)));
  });
  const heads = ["player", "cards left", "sum", "scored", ...(isMatch ? ["total"] : [])];
  const table = element("table", { class: "judged" }, element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, ...rows));
  at("end").replaceChildren(element("h2", {}, `End of round ${now.frames[0].deal.round}`), table, ...(isMatch ? [drawStandings()] : []));
}

/** The scores after each round of the match, latest first. */
function drawStandings() {
  const row = (scores, index) => element("tr", {}, element("th", { scope: "row" }, `${index + 1}`), ...scores.map((score) => element("td", { class: "number" }, `${score}`)));
  const head = ["round", ...now.players].map((text) => element("th", { scope: "col" }, text));
  return element("table", { class: "judged standings" }, element("caption", {}, "Scores after each round"), element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...now.standings.map(row).reverse()));
}

/** What a card of the player's hand does, by the rules. */
function showHelp(code) {
  const clauses = now.help[code] ?? [];
  if (clauses.length === 0) return;
  const rows = clauses.map((clause) => element("p", {}, element("b", {}, clause), ` ${now.clauses[clause] ?? ""}`));
  const reason = whyNot(code);
  at("rules").hidden = false;
  at("rules").replaceChildren(element("h2", {}, cardName(code, now.cards)), ...(reason ? [element("p", {}, `Not now: it ${reason}`)] : []), ...rows);
}

/** Why a card cannot be played now; empty if it can. */
function whyNot(code) {
  const { question, frames } = now;
  if (!question || question.seat !== now.seat || actionsOf(code).length > 0) return "";
  const { top, color } = frames[frames.length - 1].table;
  if (question.kind === "turn" && COLORS[code[0]]) return `is not ${COLORS[color] ?? "of the color"} and does not match ${cardName(top, now.cards)}`;
  return { turn: "is not allowed now", drawn: "only the drawn card may be played", stack: "only a draw card may answer" }[question.kind] ?? "another decision is pending";
}

/** The offered actions that play or discard this card. */
const actionsOf = (code) => (now.question?.actions ?? []).filter((action) => ["play", "protect", "discard-all"].includes(action.split(" ")[0]) && action.split(" ")[1] === code);

function drawOwnHand(root, hand, isLast) {
  const hasChoice = isLast && seenCards(hand).some(([code]) => code && actionsOf(code).length > 0);
  const row = element("div", { class: `hand ${hasChoice ? "has-choice" : ""}`, role: "group", "aria-label": `Your hand, ${handSize(hand)} cards` });
  for (const [code] of seenCards(hand)) {
    const actions = isLast && code ? actionsOf(code) : [];
    const name = code ? cardName(code, now.cards) : "a hidden card";
    const button = element("button", { type: "button", class: `in-hand ${picked === code && actions.length ? "picked" : ""}`, disabled: actions.length === 0, title: isLast && code && whyNot(code) ? `${name}: ${whyNot(code)}` : name, "data-code": code }, card(code, { names: now.cards }), element("span", { class: "unseen" }, actions.length ? `${name}, can be played` : name));
    button.firstChild.setAttribute("aria-hidden", "true");
    button.firstChild.removeAttribute("title");
    button.addEventListener("click", () => choose(actions, code));
    if (code) for (const look of ["pointerenter", "focus"]) button.addEventListener(look, () => showHelp(code));
    row.append(button);
  }
  if (handSize(hand) === 0) row.append("no cards");
  root.append(row);
}

/** Marks this card of the hand, or none. */
function pick(code) {
  picked = code;
  for (const button of at("table").querySelectorAll(".in-hand")) button.classList.toggle("picked", button.dataset.code === code);
}

function choose(actions, code) {
  if (actions.length === 1) return answer(actions[0]);
  pick(code);
  drawDecision(actions);
  at("actions").querySelector("button")?.focus();
}

function prompt(question) {
  const words = {
    turn: "Your turn: play a card or draw", drawn: "You may play the card you drew, or keep it", color: "Choose a color", challenge: "Challenge, or accept and draw?",
    cheese: "Cheese Touch: play a yellow card, or draw two more", swap: "Swap hands with another player?", lap: "Keep the hand in front of you, or pass all hands on?",
    target: "Choose a player", discard: "Discard the whole color? Choose the card on top", protect: "Play a card as protection", stack: "Answer with a draw card, or draw the sum", choice: "Choose one",
    call: "One card will be left: call UNO?", window: "", "jump-in": "You hold the same card: jump in?",
  };
  if (question.kind === "window") return question.holder === question.seat ? "You have one card and have not called: call UNO?" : `${nameOf(question.holder)} has one card and has not called UNO!`;
  if (question.kind === "challenge" && now.frames.at(-1).table.top === "WV") return "Challenge the Villain Draw 4? If not, you play a card of the button's color or draw";
  if (question.kind === "turn" && !question.actions.includes("draw")) return "Your turn: play a card";
  return words[question.kind] ?? "Your decision";
}

function label(action) {
  const [word, first] = action.split(" ");
  const is = {
    draw: "Draw", keep: "Keep it", pass: "Pass", challenge: "Challenge", accept: "Do not challenge", take: "Draw two more", "no-swap": "Do not swap", "keep-hand": "Keep this hand",
    rotate: "Pass all hands on", "discard-none": "Discard nothing", uno: "Call UNO!", silent: now.question.kind === "call" ? "Say nothing" : "Let it pass",
  };
  if (word === "draw" && now.question.kind === "stack") return "Draw the sum";
  if (word === "swap") return `Swap with ${nameOf(Number(first))}`;
  if (word === "choose") return now.question.options[Number(first)];
  if (word === "target") return nameOf(Number(first));
  if (word === "catch") return `Catch ${nameOf(Number(first))}!`;
  return is[word] ?? action;
}

function drawDecision(only) {
  const box = at("actions");
  box.replaceChildren();
  const question = now.question;
  at("back").disabled = !now.can_take_back;
  at("mistake").disabled = !now.can_take_back;
  at("hint").disabled = !question || ["call", "window", "jump-in"].includes(question.kind);
  at("record").hidden = !now.over;
  at("record").href = `${base}record`;
  drawUno();
  if (!question) return drawWaiting(box);
  at("prompt").textContent = only ? "Which color?" : prompt(question);
  const rest = only ?? question.actions.filter((action) => !["play", "protect", "discard-all"].includes(action.split(" ")[0]));
  for (const action of rest) {
    const color = /^(?:play \S+|color) ([rygb])$/.exec(action)?.[1];
    const button = color
      ? element("button", { type: "button", class: `color ${color}`, "data-action": action }, shape(color), COLORS[color])
      : element("button", { type: "button", class: action === "uno" || action.startsWith("catch") ? "main" : "", "data-action": action }, only ? "As it is" : label(action));
    button.addEventListener("click", () => answer(action));
    box.append(button);
  }
  if (only) {
    const back = element("button", { type: "button" }, "Another card");
    back.addEventListener("click", () => {
      pick(null);
      drawDecision();
    });
    box.append(back);
  }
}

function drawWaiting(box) {
  if (now.over) {
    const winners = now.players.filter((_, one) => now.places[one] === 1);
    at("prompt").textContent = now.places.every((place) => place === now.places[0]) ? "No player has won." : now.places[now.you] === 1 ? "You have won!" : `${winners.join(" and ")} won.`;
    const button = element("button", { type: "button", class: "main", "data-action": "new-game" }, "Play again");
    button.addEventListener("click", () => wish("new"));
    box.append(button);
  } else if (now.round_over) {
    at("prompt").textContent = "The round is over.";
    const button = element("button", { type: "button", class: "main", "data-action": "next-round" }, "Next round");
    button.addEventListener("click", () => wish("next"));
    box.append(button);
  } else at("prompt").textContent = "Waiting for the others.";
}

/** The UNO button is always there: it calls before or after the next-to-last card, and catches a player who has not called. */
function drawUno() {
  const question = now.question;
  at("uno").hidden = !now.calls || !holdsHand(now.frames.at(-1));
  if (!question || !["turn", "drawn", "call", "stack"].includes(question.kind)) isCalling = false;
  at("uno").setAttribute("aria-pressed", String(isCalling));
  at("uno").classList.toggle("main", ["call", "window"].includes(question?.kind));
  at("uno").textContent = question?.kind === "window" && question.holder !== question.seat ? "Catch!" : "UNO!";
}

function callUno() {
  if (document.body.dataset.idle !== "true") return;
  const question = now.question;
  const action = question?.actions.find((one) => one === "uno" || one.startsWith("catch"));
  if (action) return answer(action);
  if (!holdsHand(now.frames.at(-1))) return;
  const size = handSize(now.frames.at(-1).table.hands[now.seat]);
  if (question && size === 2) {
    isCalling = !isCalling;
    at("uno").setAttribute("aria-pressed", String(isCalling));
    return notice(isCalling ? "You call UNO with the next card." : "");
  }
  return notice(size === 1 ? "No call or catch is open now." : `You hold ${size} cards: call UNO when you play the next-to-last card.`);
}

/** Asks before something is lost. */
function ifSure(text, act) {
  if (!text) return act();
  at("sure-text").textContent = text;
  at("sure-yes").onclick = act;
  return at("sure").showModal();
}

function lossOfNew() {
  if (now.over) return "";
  if (now.unit === "match") return `Start a new match? This one is lost: ${now.players.map((name, player) => `${name} ${now.scores[player]}`).join(", ")}.`;
  return now.can_take_back ? "Start a new game? This round is lost." : "";
}
const lossOfAgain = () => (now.can_take_back && !now.over ? "Deal the same cards again? The moves of this round are lost." : "");

async function send(body) {
  document.body.dataset.idle = "false";
  // Before the buttons are disabled: a disabled button loses the focus.
  hadFocus = at("table").contains(document.activeElement) || at("actions").contains(document.activeElement);
  for (const button of document.querySelectorAll("button.in-hand")) button.disabled = true;
  if (body.do === "answer") at("prompt").textContent = "Sending your move …";
  at("actions").replaceChildren();
  try {
    const answer = judging.then(() => ask("do", body));
    sending = answer.catch(() => {});
    return await answer;
  } catch (error) {
    if (error.status !== 409) notice(error.message);
    drawFrame(now.frames[now.frames.length - 1], true);
    drawDecision();
    document.body.dataset.idle = "true";
    return null;
  }
}

const answer = (action) => send({ do: "answer", player, number: now.question.number, action });
const wish = (what) => send({ do: what, player });

async function judge(what) {
  const box = at("judged");
  box.hidden = false;
  box.replaceChildren("Playing it out …");
  try {
    const answer = ask("do", { do: what, player });
    judging = Promise.all([judging, answer.catch(() => {})]);
    const found = await answer;
    const rows = found.values.map((one) => {
      const behind = one.regret > 0 ? `${(100 * one.regret).toFixed(1)} ± ${(100 * one.error).toFixed(1)}` : "best";
      return element("tr", { class: one.action === found.chosen ? "chosen" : "" }, element("td", {}, actionText(one.action, found.options)), element("td", {}, `${(100 * one.value).toFixed(1)}%`), element("td", {}, behind));
    });
    const own = found.values.find((one) => one.action === found.chosen);
    const verdict = !found.chosen ? "By search:" : own.regret <= 2 * own.error ? "No clear mistake." : `Probably a mistake: ${inWords(found.values[0].action, found.options)} wins ${(100 * own.regret).toFixed(1)} percentage points more often.`;
    box.replaceChildren(
      element("p", { class: "note" }, verdict),
      element("table", { class: "judged" }, element("thead", {}, element("tr", {}, element("th", {}, "action"), element("th", {}, "wins the round"), element("th", {}, "behind the best"))), element("tbody", {}, ...rows)),
    );
  } catch (error) {
    box.replaceChildren(error.message);
  }
}

/** An action in the notation, with the name of a chosen option. */
const inWords = (action, options) => action.replace(/^choose (\d+)$/, (_, number) => `choose ${options[Number(number)] ?? number}`);

function actionText(action, options) {
  if (action.startsWith("choose ")) return element("span", { class: "words" }, inWords(action, options));
  const [word, ...rest] = action.split(" ");
  const made = element("span", { class: "words" }, `${word} `);
  for (const part of rest) made.append(COLORS[part] ? swatch(part) : /^\d$/.test(part) ? nameOf(Number(part)) : chip(part, now.cards), " ");
  return made;
}

at("hint").addEventListener("click", () => judge("hint"));
at("mistake").addEventListener("click", () => judge("mistake"));
at("back").addEventListener("click", () => wish("back"));
at("again").addEventListener("click", () => ifSure(lossOfAgain(), () => wish("again")));
at("new").addEventListener("click", () => ifSure(lossOfNew(), () => wish("new")));
at("uno").addEventListener("click", callUno);
// The address keeps the pace and the sounds: this page stores nothing.
const kept = new URLSearchParams(location.hash.slice(1));
if ([...at("speed").options].some((option) => option.value === kept.get("pace"))) at("speed").value = kept.get("pace");
at("sounds").checked = kept.get("sounds") === "on";
const keep = () => history.replaceState(null, "", `#pace=${at("speed").value}${at("sounds").checked ? "&sounds=on" : ""}`);
at("speed").addEventListener("change", keep);
at("sounds").addEventListener("change", keep);
document.addEventListener("pointerdown", allowSound);
document.addEventListener("keydown", allowSound);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const act = { h: "hint", m: "mistake", Backspace: "back", u: "uno" }[event.key];
  if (act && !at(act).disabled && !at(act).hidden) {
    event.preventDefault();
    at(act).click();
  }
});
listen();
