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
  const clauses = [...page.querySelectorAll("#rules p")];
  for (const clause of clauses) check(/^\d+\.\d+\S+/.test(clause.textContent), `move ${number}: a clause with its text`);
  if (clauses.length) found.push(`clauses: #${number}`);
  const rows = [...page.querySelectorAll("#decision tbody tr")];
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
    const numbers = buttons.map((button) => Number(button.dataset.move)).sort((a, b) => a - b);
    check(page.getElementById("slider").value === String(numbers[0]), "W goes to the first of them");
    check(page.querySelector("#worst button[aria-current]"), "and marks it");
    found.push(`worst: ${buttons.length}`);
  }
}

function look(page, width, isNarrow) {
  const root = page.documentElement;
  check(root.scrollWidth <= width, `the page is no wider than ${width}: ${root.scrollWidth}`);
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
    if (!isNarrow) told(page, number);
    if (!isNarrow && page.querySelector("#decision button") && number % 3 === 1) {
      page.querySelector("#decision button").click();
      const text = page.getElementById("scenario-text").value;
      page.getElementById("scenario").close();
      const name = /name = "(.*)"/.exec(text)?.[1];
      if (text.startsWith("#") === false && !seen.has(name)) found.push(`scenario: ${text.replaceAll("\n", "\u0001")}`);
      seen.add(name);
    }
    press(page, "ArrowRight");
  }
  press(page, "ArrowLeft");
  check(Number(slider.value) === last - 1, "back by the arrow");
  if (!isNarrow) worst(page);
  press(page, "End");
  check(page.getElementById("next").disabled, "the end is the end");
  for (const button of page.querySelectorAll("button, input, select")) {
    check((button.getAttribute("aria-label") ?? button.textContent ?? "").trim() !== "" || button.closest("label"), `a name for ${button.outerHTML.slice(0, 80)}`);
  }
}

window.addEventListener("load", () => {
  try {
    for (const [index, frame] of [...document.querySelectorAll("iframe")].entries()) look(frame.contentDocument, frame.clientWidth, index === 0);
    const page = document.querySelector("iframe").contentDocument;
    const games = page.querySelectorAll("#games tbody button");
    if (games.length) {
      found.push(`games: ${games.length}`);
      games[1].click();
      check(page.defaultView.location.hash === "#game=1&move=0", `the link of the second game: ${page.defaultView.location.hash}`);
    }
    found.push("done");
  } catch (error) {
    found.push(`wrong: ${error.stack}`, "done");
  }
  document.getElementById("found").textContent = found.join("\n");
});
