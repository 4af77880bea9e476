// My player: its mistakes in all games, luck and mistakes, the rounds of a match, and the list of games.

const playerNames = [...new Set(games.flatMap((one) => one.players))];
const isMine = (one, player) => !mine || one.players[player] === mine;

/** The unit of the values; all games are evaluated by one goal. */
const UNIT = { win: "in chance to win the round", points: "in points", match: "in chance to win the match" }[game.goal];

/** The name of a player; several players may have one agent. */
function playerName(one, player) {
  const name = one.players[player];
  return one.players.filter((other) => other === name).length > 1 ? `${name} · ${player}` : name;
}

/** Every evaluated decision of all games, with the regret of the chosen action. */
const decisions = games.flatMap((one) => one.frames.filter((frame) => frame.move?.choice?.values).map((frame) => {
  const { values, chosen, fair_regret: [fair, fairError] } = frame.move.choice;
  const [, regret, error] = values[chosen];
  return { game: one, frame, player: frame.start.players[frame.move.seat], regret, error, fair, fairError };
}));
/** Is the chosen action worse than the best one, beyond its sampling error? */
const isMistake = (one) => one.regret > 0 && one.regret > 2 * one.error;
const myMistakes = () => decisions.filter((one) => isMistake(one) && isMine(one.game, one.player)).sort((a, b) => b.regret - a.regret);

function choosePlayer(name) {
  mine = name;
  open(games.indexOf(game), current, { isJump: true });
}

const goTo = (one) => {
  if (one.game === game) show(one.frame.number, { isJump: true });
  else open(games.indexOf(one.game), one.frame.number, { isJump: true });
};

/** The next mistake of the list, which begins with the costliest. */
function nextMistake() {
  const all = myMistakes();
  const here = all.findIndex((one) => one.game === game && one.frame.number === current);
  if (all.length) goTo(all[(here + 1) % all.length]);
}

const SHOWN = 10;
let showsAll = false;
function drawMistakes() {
  const all = myMistakes();
  at("worst-box").hidden = decisions.length === 0;
  at("worst-title").textContent = `Mistakes of ${mine || "all players"}${games.length > 1 ? " in all games" : ""}`;
  const judged = decisions.filter((one) => isMine(one.game, one.player)).length;
  const shown = showsAll ? all : all.slice(0, SHOWN);
  at("worst-note").textContent = `${all.length} of ${judged} evaluated decisions lose more than two standard errors${shown.length < all.length ? `; the ${shown.length} costliest` : ""}.`;
  const buttons = shown.map((one) => {
    const names = namesIn(one.frame);
    const where = games.length > 1 ? `${one.game.name} #${one.frame.number}` : `#${one.frame.number}`;
    const cost = element("span", { class: "regret", title: `regret ± standard error, ${UNIT}` }, `−${one.regret.toFixed(2)} ± ${one.error.toFixed(2)}`);
    const button = element("button", { type: "button", "data-move": one.frame.number, "data-game": games.indexOf(one.game) }, element("span", { class: "number" }, where), drawnWords(one.frame.move.words, names, one.game.cards), cost);
    button.addEventListener("click", () => goTo(one));
    return element("li", {}, button);
  });
  at("worst").replaceChildren(...buttons);
  at("worst-more").hidden = all.length <= SHOWN;
  at("worst-more").textContent = showsAll ? "Show fewer" : `Show all ${all.length}`;
}
at("worst-more").addEventListener("click", () => {
  showsAll = !showsAll;
  drawMistakes();
  markCurrent();
});

/**
 * Rounds won, and their parts: the fair share of equal players, the cost of mistakes (the sum of unbiased regrets), and the
 * rest, which is luck and the play of the others.
 */
function balanceOf(chosen, name) {
  const sum = { rounds: 0, won: 0, fair: 0, cost: 0, variance: 0, judged: 0 };
  for (const one of chosen) {
    for (const frame of one.frames.filter((other) => other.over)) {
      const seats = frame.table.hands.map((hand, seat) => seat).filter((seat) => frame.table.hands[seat] !== null);
      if (!frame.odds) continue;
      for (const seat of seats.filter((other) => one.players[frame.start.players[other]] === name)) {
        sum.rounds += 1;
        sum.won += frame.odds[seat] / 1000;
        sum.fair += seats.reduce((total, other) => total + frame.odds[other], 0) / 1000 / seats.length;
      }
    }
  }
  for (const one of decisions.filter((other) => chosen.includes(other.game) && other.game.players[other.player] === name)) {
    sum.judged += 1;
    sum.cost += one.fair;
    sum.variance += one.fairError ** 2;
  }
  return sum;
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;

function balanceTable(caption, chosen) {
  const names = [...new Set(chosen.flatMap((one) => one.players))];
  const rows = names.map((name) => [name, balanceOf(chosen, name)]).filter(([, sum]) => sum.rounds > 0).map(([name, sum]) => {
    const cells = [`${sum.won.toFixed(1)} of ${sum.rounds}`, sum.fair.toFixed(1)];
    cells.push(...(sum.judged ? [`${signed(-sum.cost)} ± ${Math.sqrt(sum.variance).toFixed(1)}`, signed(sum.won - sum.fair + sum.cost)] : ["–", "–"]));
    return element("tr", { class: name === mine ? "chosen" : "" }, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", { class: "number" }, cell)));
  });
  if (rows.length === 0) return null;
  const heads = ["", "rounds won", "fair share", "mistakes", "luck"].map((head) => element(head ? "th" : "td", head ? { scope: "col", class: "number" } : {}, head));
  return element("table", { class: "options" }, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

function drawBalance() {
  // Only values of this goal are parts of the rounds won.
  const tables = decisions.length === 0 || game.goal !== "win" ? [] : [balanceTable(`This ${game.unit}`, [game]), games.length > 1 ? balanceTable(`All ${games.length} games`, games) : null];
  const shown = tables.filter(Boolean);
  at("balance-box").hidden = shown.length === 0;
  at("balance").replaceChildren(...shown);
}

/** The rounds of a match as chapters. */
function drawRounds() {
  const deals = game.unit === "match" ? game.frames.filter((frame) => frame.deal) : [];
  at("match-box").hidden = deals.length === 0;
  at("rounds-box").hidden = deals.length === 0;
  if (deals.length === 0) return;
  const players = game.players.map((_, player) => player);
  const ends = deals.map((deal) => game.frames.find((frame) => frame.start === deal.start && frame.over));
  const scoresAt = (index) => ends[index]?.over.scores ?? deals[index].deal.scores;
  const gain = (index, player) => scoresAt(index)[player] - deals[index].deal.scores[player];
  at("chapters").replaceChildren(...deals.map((deal, index) => {
    const best = players.reduce((a, b) => (gain(index, b) > gain(index, a) ? b : a));
    const scored = players.filter((player) => gain(index, player) !== 0).map((player) => `${playerName(game, player)} ${signed(gain(index, player)).replace(/\.0$/, "")}`);
    const label = `Round ${index + 1}: ${scored.join(", ") || "no points"}`;
    const button = element("button", { type: "button", title: label, "aria-label": label, "data-move": deal.number, class: gain(index, best) > 0 ? `line-${best}` : "" });
    if (gain(index, best) > 0 && deals.length <= 40) button.append(letter(best));
    button.addEventListener("click", () => show(deal.number, { isJump: true }));
    return element("li", {}, button);
  }));
  const hasOdds = deals.some((deal) => deal.match_odds);
  const costs = deals.map((deal) => decisions.filter((one) => one.game === game && one.frame.start === deal.start && isMine(game, one.player)).reduce((total, one) => total + one.fair, 0));
  const shown = mine && players.length > 3 ? players.filter((player) => isMine(game, player)) : players;
  const heads = ["round", ...shown.map((player) => playerName(game, player)), ...(decisions.length ? ["mistakes"] : []), ...(hasOdds && mine ? ["match"] : [])];
  const titles = { mistakes: `cost of the mistakes, ${game.goal === "win" ? "in rounds" : UNIT}`, match: "chance to win the match at the deal" };
  const rows = deals.map((deal, index) => {
    const button = element("button", { type: "button", "data-move": deal.number }, `${index + 1}`);
    button.addEventListener("click", () => show(deal.number, { isJump: true }));
    const cells = shown.map((player) => `${scoresAt(index)[player]}${gain(index, player) ? ` (${signed(gain(index, player)).replace(/\.0$/, "")})` : ""}`);
    if (decisions.length) cells.push(signed(-costs[index]).replace("+0.0", "0"));
    if (hasOdds && mine) cells.push(matchChances(deal).filter((_, player) => isMine(game, player)).map((chance) => percent(chance / 1000)).join(", "));
    return element("tr", { "data-round": index + 1 }, element("th", { scope: "row" }, button), ...cells.map((cell) => element("td", { class: "number" }, cell)));
  });
  at("rounds").replaceChildren(element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col", class: head === "round" ? "" : "number", title: titles[head] }, head)))), element("tbody", {}, ...rows));
}

/** The chance of each player to win the match at this deal. */
const matchChances = (deal) => game.players.map((_, player) => deal.match_odds?.[deal.deal.players.indexOf(player)] ?? 0);

/** The score and the chances of the match in the round of this frame. */
function drawMatch(frame) {
  if (game.unit !== "match") return;
  const deal = game.frames.find((other) => other.start === frame.start);
  const scores = frame.over?.scores ?? frame.start.scores;
  at("match-now").replaceChildren(...game.players.map((_, player) => {
    const chance = deal.match_odds ? ` · ${percent(matchChances(deal)[player] / 1000)}` : "";
    return element(mine && isMine(game, player) ? "b" : "span", {}, element("i", { class: `key line-${player}` }), `${letter(player)} ${playerName(game, player)} ${scores[player]}${chance}  `);
  }));
  at("match-now").title = deal.match_odds ? "points, and the chance to win the match at the deal of this round" : "points";
  for (const part of [...at("chapters").querySelectorAll("button"), ...at("rounds").querySelectorAll("tr[data-round]")]) {
    const isHere = part.dataset.round ? Number(part.dataset.round) === frame.start.round : Number(part.dataset.move) === deal.number;
    if (isHere) part.setAttribute("aria-current", "true");
    else part.removeAttribute("aria-current");
  }
}

let sorting = { column: 0, isDown: false };

/** The columns of the list of games: a head, the cell of a game, and the value that sorts it. */
function columns() {
  const order = (one) => one.players.map((_, player) => player).sort((a, b) => one.places[a] - one.places[b]);
  const of = (one) => (mine ? order(one).filter((player) => isMine(one, player)).pop() : order(one).pop());
  const behind = (one) => (of(one) === undefined ? 0 : Math.abs(one.points[order(one)[0]] - one.points[of(one)]));
  const cost = (one) => decisions.filter((other) => other.game === one && isMine(one, other.player)).reduce((total, other) => total + other.fair, 0);
  const faults = (one) => one.frames.filter((frame) => frame.fault).map((frame) => `${one.players[frame.start.players[frame.fault.seat]]}: ${frame.fault.what}`).join("; ");
  const place = (one) => (of(one) === undefined ? "" : `${one.places[of(one)]}. ${playerName(one, of(one))}`);
  return [
    ["record", (one) => one.name, (one) => one.name],
    ...(new Set(games.map((one) => one.variant)).size > 1 ? [["variant", (one) => one.variant, (one) => one.variant]] : []),
    ["result", (one) => one.result, (one) => one.result],
    [mine ? "my player" : "last", place, (one) => one.places[of(one)] ?? 0],
    ["points behind", behind, behind],
    ...(decisions.length ? [["mistakes", (one) => signed(-cost(one)), (one) => -cost(one)]] : []),
    ["moves", (one) => one.frames.length - 1, (one) => one.frames.length],
    ...(games.some(faults) ? [["faults", faults, faults]] : []),
  ];
}

function drawList() {
  const all = columns();
  const column = all[Math.min(sorting.column, all.length - 1)];
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
  const sorted = [...games].sort((a, b) => compare(column[2](a), column[2](b)) * (sorting.isDown ? -1 : 1));
  const heads = all.map(([name], index) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      sorting = { column: index, isDown: sorting.column === index ? !sorting.isDown : index > 0 };
      drawList();
      at("games").querySelectorAll("thead button")[index].focus();
    });
    return element("th", { scope: "col", "aria-sort": all[index] === column ? (sorting.isDown ? "descending" : "ascending") : null }, button);
  });
  const rows = sorted.map((one) => {
    const cells = all.map(([, cell], index) => {
      if (index > 0) return cell(one);
      const button = element("button", { type: "button" }, one.name);
      button.addEventListener("click", () => {
        at("list").close();
        open(games.indexOf(one), 0, { isJump: true });
      });
      return button;
    });
    const isLost = mine && one.players.every((_, player) => !isMine(one, player) || one.places[player] > 1);
    return element("tr", { "data-game": games.indexOf(one), class: isLost ? "lost" : "", "aria-current": one === game ? "true" : null }, ...cells.map((cell) => element("td", {}, cell)));
  });
  at("list-title").textContent = `${games.length} games`;
  at("games").replaceChildren(element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

function openList() {
  if (games.length < 2) return;
  drawList();
  at("list").showModal();
  at("games").querySelector("tbody tr[aria-current] button")?.focus();
}
