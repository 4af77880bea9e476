(async () => {
  const pause = () => new Promise((go) => setTimeout(go, 5));
  let [clicks, hidden, handed] = [0, 0, 0];
  for (let turns = 0; turns < 120000; turns += 1) {
    const pass = document.getElementById("pass");
    if (pass.open) {
      // The machine changes hands: no cards are shown.
      if (now || document.querySelector("#table [data-code], #said [data-code], #actions button, #judged table, #rules *, #end *")) hidden += 1;
      handed += 1;
      document.getElementById("pass-go").click();
    } else if (document.body.dataset.idle === "true" && now) {
      for (const frame of now.frames) {
        frame.table.hands.forEach((hand, seat) => { if (seat !== now.seat && typeof hand === "string") hidden += 1; });
        if (frame.move && frame.move.seat !== now.seat && frame.move.choice) hidden += 1;
        for (const [seat, code] of frame.got ?? []) if (seat !== now.seat && code) hidden += 1;
      }
      if (now.seed !== null && !now.over) hidden += 1;
      if (document.querySelector('[data-action="new-game"]')) return { clicks, hidden, handed, stored: localStorage.length + sessionStorage.length, prompt: document.getElementById("prompt").textContent };
      const color = document.querySelector("#actions button.color");
      const cards = document.querySelectorAll("button.in-hand:not(:disabled)");
      const target = color ?? cards[clicks % Math.max(1, cards.length)] ?? document.querySelector("#actions button");
      if (target) { clicks += 1; document.body.dataset.idle = color || !target.classList.contains("in-hand") ? "false" : "true"; target.focus(); target.click(); }
    }
    await pause();
  }
  return { stuck: document.getElementById("prompt").textContent };
})()
