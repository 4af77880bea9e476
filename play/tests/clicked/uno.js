// Plays until a round ends and presses UNO with two cards; returns the failed checks.
(async () => {
  const wrong = [];
  const check = (isRight, what) => { if (!isRight) wrong.push(what); };
  const by = (id) => document.getElementById(id);
  const pause = () => new Promise((go) => setTimeout(go, 5));
  const size = () => handSize(now.frames.at(-1).table.hands[now.seat]);
  let [pressed, called, warned, ended] = [0, 0, 0, 0];
  try {
    for (let turns = 0; turns < 60000 && !(ended >= 2 && called > 0); turns += 1) {
      await pause();
      if (document.body.dataset.idle !== "true" || !now) continue;
      check(!by("uno").hidden || now.seat === null, "the UNO button is always there");
      check(by("record").hidden, "no record is offered in a match under way");
      called += now.frames.filter((frame) => frame.move?.seat === now.seat && / uno$/.test(frame.move.text)).length;
      if (now.over) break;
      if (now.round_over) {
        ended += 1;
        const rows = [...by("end").querySelectorAll("table:not(.standings) tbody tr")];
        check(rows.length === now.opened.length, "a row for every player");
        check(document.querySelectorAll("#table .seat .card.back").length === 0, "all hands are open");
        const sums = now.opened.map((one) => one.cards.reduce((sum, [, points]) => sum + points, 0));
        check(String(sums) === String(now.opened.map((one) => one.sum)), "the sum of the points of the cards");
        const scored = now.frames.at(-1).over.points;
        check(Math.max(...scored) === sums.reduce((a, b) => a + b, 0), `the winner scores the points of all cards: ${scored}, ${sums}`);
        by("new").click();
        check(by("sure").open && /lost/.test(by("sure").textContent), "a new match is asked for first");
        by("sure-no").click();
        await pause();
        document.body.dataset.idle = "false";
        document.querySelector('[data-action="next-round"]').click();
        continue;
      }
      if (!now.question) continue;
      if (warned === 0 && size() > 2) {
        by("uno").click();
        warned += 1;
        check(/cards/.test(by("notice").textContent), "with many cards the button explains itself");
      }
      if (now.question.kind === "turn" && size() === 2 && by("uno").getAttribute("aria-pressed") === "false") {
        by("uno").click();
        pressed += 1;
        check(by("uno").getAttribute("aria-pressed") === "true", "the press shows");
      }
      const color = document.querySelector("#actions button.color");
      const cards = document.querySelectorAll("button.in-hand:not(:disabled)");
      for (const one of document.querySelectorAll("button.in-hand:disabled")) check(one.title !== "", "a reason at every card that cannot be played");
      const target = color ?? cards[0] ?? document.querySelector("#actions button");
      if (!target) continue;
      document.body.dataset.idle = color || !target.classList.contains("in-hand") || cards[0]?.dataset.code?.startsWith("W") === false ? "false" : "true";
      target.click();
    }
    check(pressed > 0 && called > 0, `UNO pressed ${pressed} times and called ${called} times`);
    check(ended > 0, "a round has ended");
  } catch (error) {
    wrong.push(`${error.stack} ${JSON.stringify(now?.question)}`);
  }
  return [...new Set(wrong)];
})()
