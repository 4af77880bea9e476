"use strict";
// Steps through the page with its keys, in two frames, and writes down its content.
const found = [];
const check = (isRight, what) => { if (!isRight) found.push(`wrong: ${what}`); };
const press = (page, key) => page.body.dispatchEvent(new page.defaultView.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

function counts(page) {
  const table = page.getElementById("table");
  const seats = [...table.querySelectorAll(".seat")].sort((a, b) => a.dataset.seat - b.dataset.seat);
  const all = [];
  for (const seat of seats) all[Number(seat.dataset.seat)] = seat.dataset.cards;
  for (const seat of seats) {
    const drawn = seat.querySelectorAll(".hand .card").length;
    check(String(drawn) === seat.dataset.cards, `seat ${seat.dataset.seat} shows ${drawn} cards of ${seat.dataset.cards}`);
  }
  const line = Array.from(all, (count) => count ?? "-").join(" ");
  return `${line} · draw pile ${table.dataset.draw} · discard pile ${table.dataset.pile}`;
}

/** The notes, faults, clauses and judged decisions of a move. */
function told(page, number) {
  const note = page.querySelector("#decision .quote");
  if (note) found.push(`note: #${number} ${note.textContent}`);
  const fault = page.querySelector("#said .fault");
  if (fault) {
    found.push(`fault: #${number} ${fault.textContent.trim()}`);
    check(page.querySelector(".plate .tag.fault"), `move ${number}: the plate of the seat shows that it has lost`);
    check(page.querySelector(`#marks button[data-kind="fault"]`), "the slider has a mark for the fault");
  }
  found.push(`said: ${page.getElementById("said").textContent}`);
  const clauses = [...page.querySelectorAll("#rules p")];
  for (const clause of clauses) check(/^\d+\.\d+\S+/.test(clause.textContent), `move ${number}: a clause with its text`);
  if (clauses.length) found.push(`clauses: #${number}`);
  const rows = [...page.querySelectorAll("#decision tbody tr")];
  for (const row of rows) if (row.textContent.startsWith("choose ")) found.push(`option: ${row.firstChild.textContent}`);
  check(rows.length === 0 || page.querySelectorAll("#decision tr.chosen").length === 1, `move ${number}: the chosen action is marked`);
  if (page.querySelector("#decision .bar")) found.push(`judged: #${number}`);
}

/** The worst moves are one click away, worst first, and a key steps through them. */
function worst(page) {
  const buttons = [...page.querySelectorAll("#worst button")];
  const regrets = buttons.map((button) => Number(/([\d.]+) ±/.exec(button.querySelector(".regret").textContent)[1]));
  check(regrets.length <= 10 && regrets.every((regret, index) => index === 0 || regret <= regrets[index - 1]), `worst first: ${regrets}`);
  for (const [index, button] of buttons.entries()) {
    button.click();
    check(page.defaultView.location.hash.endsWith(`move=${button.dataset.move}`), "a click leads there");
    const chosen = page.querySelector("#decision tr.chosen .number:nth-child(4)").textContent;
    check(chosen.startsWith(String(regrets[index].toFixed(2)).slice(0, 3)), `the same regret beside the table: ${chosen}, ${regrets[index]}`);
  }
  if (buttons.length) {
    press(page, "Home");
    press(page, "w");
    check(page.getElementById("slider").value === buttons[0].dataset.move, "W goes to the costliest of them");
    check(page.querySelector("#worst button[aria-current]"), "and marks it");
    found.push(`worst: ${buttons.length}`);
  }
}

/** The mistakes, the curve, the keys, and the link of a player. */
function ofOnePlayer(page) {
  const view = page.defaultView;
  const select = page.getElementById("player");
  for (const name of [...select.options].map((option) => option.value).filter(Boolean)) {
    select.value = name;
    select.dispatchEvent(new view.Event("change"));
    check(new URLSearchParams(view.location.hash.slice(1)).get("player") === name, `the link names ${name}: ${view.location.hash}`);
    const buttons = [...page.querySelectorAll("#worst button")];
    for (const button of buttons) check(button.querySelector(".who").textContent.startsWith(name), `a mistake of ${name}: ${button.textContent}`);
    if (page.querySelector("#chart polyline")) check(page.querySelector("#chart polyline.mine"), `the curve of ${name}`);
    press(page, "Home");
    press(page, "n");
    const who = page.querySelector("#said .who")?.textContent ?? "";
    if (view.location.hash.endsWith("move=0") === false) check(who.startsWith(name), `N goes to a decision of ${name}, not of ${who}`);
    const rows = [...page.querySelectorAll("#balance tr.chosen")];
    for (const row of rows) {
      const [won, fair, cost, luck] = [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent.replace("−", "-").replace("+", "").split(" ")[0]));
      if (!Number.isNaN(cost)) check(Math.abs(fair + cost + luck - won) < 0.21, `won = fair share − mistakes + luck: ${row.textContent}`);
    }
    found.push(`player: ${name} ${buttons.length}`);
  }
  select.value = "";
  select.dispatchEvent(new view.Event("change"));
}

/** No box covers another one, and on a screen all of them are in the window. */
function boxes(page, width, height, number) {
  const all = [...page.querySelectorAll("header, .match, .seat, .middle, #said, #controls, #chart-box")].filter((one) => one.getClientRects().length > 0);
  const placed = all.map((one) => [one.dataset.seat ?? (one.id || one.className || one.tagName), one.getBoundingClientRect()]);
  for (const [index, [name, a]] of placed.entries()) {
    for (const [other, b] of placed.slice(index + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const isSticky = other === "controls" && width < 960;
      check(isSticky || wide <= 1 || high <= 1, `move ${number}, ${width}x${height}: ${name} and ${other} cover each other`);
    }
    const seats = page.querySelectorAll(".seat").length;
    const mustFit = width >= 960 || (height > 800 && name !== "chart-box" && seats <= 5);
    check(!mustFit || a.bottom <= height + 1, `move ${number}, ${width}x${height}: ${name} ends below the window, at ${a.bottom}`);
  }
}

function look(page, width, isNarrow) {
  const root = page.documentElement;
  check(root.scrollWidth <= width, `the page is at most as wide as ${width}: ${root.scrollWidth}`);
  check(page.defaultView.performance.getEntriesByType("resource").length === 0, "nothing was loaded");
  const slider = page.getElementById("slider");
  const last = Number(slider.max);
  press(page, "Home");
  const seen = new Set();
  for (let number = 0; number <= last; number += 1) {
    check(page.defaultView.location.hash.endsWith(`move=${number}`), `the link of move ${number}`);
    const line = counts(page);
    if (!isNarrow) found.push(`counts: ${line}`);
    check(page.getElementById("said").textContent.trim().length > 3, `move ${number} in words`);
    check(/move \d+: ./.test(slider.getAttribute("aria-valuetext")), `move ${number} for screen readers`);
    const table = page.getElementById("table").getBoundingClientRect();
    for (const seat of page.querySelectorAll(".seat, .middle")) {
      const box = seat.getBoundingClientRect();
      check(box.left >= table.left - 1 && box.right <= table.right + 1 && box.top >= table.top - 1 && box.bottom <= table.bottom + 1, `move ${number}: seat ${seat.dataset.seat} is on the table`);
    }
    boxes(page, width, page.defaultView.innerHeight, number);
    if (!isNarrow) told(page, number);
    if (!isNarrow && page.querySelector("#decision button")) {
      page.querySelector("#decision button").click();
      const text = page.getElementById("scenario-text").value;
      page.getElementById("scenario").close();
      const name = /name = "(.*)"/.exec(text)?.[1];
      if (text.includes("[[scenario]]") && !seen.has(name)) found.push(`scenario: ${text.replaceAll("\n", "\u0001")}`);
      seen.add(name);
    }
    press(page, "ArrowRight");
  }
  press(page, "ArrowLeft");
  check(Number(slider.value) === last - 1, "back by the arrow");
  if (!isNarrow) {
    worst(page);
    ofOnePlayer(page);
  }
  press(page, "End");
  check(page.getElementById("next").disabled, "the end is the end");
  for (const button of page.querySelectorAll("button, input, select")) {
    check((button.getAttribute("aria-label") ?? button.textContent ?? "").trim() !== "" || button.closest("label"), `a name for ${button.outerHTML.slice(0, 80)}`);
  }
}

window.addEventListener("load", () => {
  try {
    const frames = [...document.querySelectorAll("iframe")];
    for (const [index, frame] of frames.slice(0, 2).entries()) look(frame.contentDocument, frame.clientWidth, index === 0);
    for (const frame of frames.slice(2)) {
      const last = Number(frame.contentDocument.getElementById("slider").max);
      const slider = frame.contentDocument.getElementById("slider");
      for (let number = 0; number <= last; number += Math.ceil(last / 25)) {
        slider.value = number;
        slider.dispatchEvent(new frame.contentWindow.Event("input"));
        boxes(frame.contentDocument, frame.clientWidth, frame.clientHeight, number);
      }
    }
    const page = document.querySelector("iframe").contentDocument;
    if (!page.getElementById("open-list").hidden) {
      page.getElementById("open-list").click();
      const games = page.querySelectorAll("#games tbody button");
      found.push(`games: ${games.length}`);
      const records = [...games].map((button) => button.textContent);
      page.querySelector("#games thead button").click();
      const turned = [...page.querySelectorAll("#games tbody button")].map((button) => button.textContent);
      check(String(turned.reverse()) === String(records), `a second click turns the order of ${records}: ${turned}`);
      page.querySelector("#games thead button").click();
      page.querySelectorAll("#games tbody button")[1].click();
      check(!page.getElementById("list").open, "the list closes on a choice");
      check(page.defaultView.location.hash === "#game=1&move=0", `the link of the second game: ${page.defaultView.location.hash}`);
    }
    found.push("done");
  } catch (error) {
    found.push(`wrong: ${error.stack}`, "done");
  }
  document.getElementById("found").textContent = found.join("\n");
});
