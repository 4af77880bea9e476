// Clicks the tools of the table one after the other; returns the failed checks.
(async () => {
  const wrong = [];
  const check = (isRight, what) => { if (!isRight) wrong.push(what); };
  const until = async (holds, what) => {
    for (let waited = 0; waited < 4000; waited += 1) {
      if (holds()) return;
      await new Promise((go) => setTimeout(go, 5));
    }
    throw new Error(`waited in vain for ${what}`);
  };
  const by = (id) => document.getElementById(id);
  const idle = (what) => until(() => now && document.body.dataset.idle === "true" && now.question, what);
  const click = (id) => {
    document.body.dataset.idle = "false";
    by(id).click();
    if (by("sure").open) by("sure-yes").click();
  };
  const judged = () => until(() => by("judged").querySelector("tbody tr"), "a judgment");
  const hand = () => now.frames.at(-1).table.hands[now.seat];
  try {
    await idle("the first question");
    const [number, first, deal] = [now.question.number, hand(), JSON.stringify(now.frames[0])];
    check(by("back").disabled && by("mistake").disabled, "nothing can be taken back at the deal");
    by("hint").click();
    await judged();
    check(by("judged").querySelectorAll("tbody tr").length === now.question.actions.length, "a value for every action");
    check(/best/.test(by("judged").textContent), "the best is named");
    document.body.dataset.idle = "false";
    document.querySelector('[data-action="draw"]').click();
    await until(() => now.can_take_back && document.body.dataset.idle === "true", "the draw");
    check(!by("back").disabled && !by("mistake").disabled, "a move can be taken back and judged");
    by("judged").replaceChildren();
    by("mistake").click();
    await judged();
    check(/mistake/i.test(by("judged").textContent), "a verdict");
    check(by("judged").querySelectorAll("tr.chosen").length === 1, "the player's move is marked");
    await until(() => document.body.dataset.idle === "true", "rest");
    click("back");
    await until(() => document.body.dataset.idle === "true" && now.question?.number === number && !now.can_take_back, "the move back");
    check(hand() === first, "the hand as it was");
    document.body.dataset.idle = "false";
    document.querySelector('[data-action="draw"]').click();
    await until(() => now.can_take_back && document.body.dataset.idle === "true", "the draw");
    click("again");
    await until(() => document.body.dataset.idle === "true" && !now.can_take_back && now.question, "the deal");
    check(JSON.stringify(now.frames[0]) === deal, "the same cards");
    click("new");
    await until(() => document.body.dataset.idle === "true" && JSON.stringify(now.frames[0]) !== deal, "other cards");
    // With the keyboard.
    by("judged").replaceChildren();
    await idle("a question");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    await judged();
    const names = [...document.querySelectorAll("button, a.button, select")].filter((one) => !one.hidden);
    for (const one of names) check((one.getAttribute("aria-label") ?? one.textContent).trim() !== "" || one.closest("label"), `a name for ${one.outerHTML}`);
    check(by("prompt").getAttribute("aria-live") !== null && by("said").getAttribute("aria-live") !== null, "what happens is told");
  } catch (error) {
    wrong.push(`${error.stack} ${JSON.stringify(now?.question)} ${document.body.dataset.idle} ${by("notice").textContent}`);
  }
  return wrong;
})()
