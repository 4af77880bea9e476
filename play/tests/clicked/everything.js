// Clicks everything that is enabled, in an order drawn from a seed, and collects what the page says went wrong.
(async (seed, clicks) => {
  const pause = () => new Promise((go) => setTimeout(go, 5));
  const draw = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const isShown = (one) => one.getClientRects().length > 0 && !one.closest("[hidden]");
  const [wrong, clicked, last] = [[], {}, []];
  const request = window.fetch;
  window.fetch = async (path, wanted) => {
    const answer = await request(path, wanted);
    if (!answer.ok) wrong.push(`${wanted?.body}: ${await answer.clone().text()}, after ${last.slice(-6).join(", ")}`);
    return answer;
  };
  for (let done = 0; done < clicks; ) {
    await pause();
    const dialog = document.querySelector("dialog[open]");
    if (!dialog && (document.body.dataset.idle !== "true" || !now)) continue;
    // A link to the record leaves the page.
    const all = [...(dialog ?? document).querySelectorAll("button:not(:disabled), input, select")].filter(isShown);
    const target = all[draw(all.length)];
    const name = target.id || target.dataset.action?.split(" ")[0] || target.className;
    clicked[name] = (clicked[name] ?? 0) + 1;
    done += 1;
    last.push(`${player} ${name}`);
    if (target.matches("select")) {
      target.value = "20";
      target.dispatchEvent(new Event("change"));
    } else target.click();
    await pause();
    const said = document.getElementById("notice").textContent;
    if (said && !/^(You hold|You call|No call)| (took back a move|dealt the same cards again|started a new game)\.$/.test(said)) wrong.push(`${name}: ${said}`);
    const page = document.querySelector("main").innerText;
    if (/undefined|NaN|\[object/.test(page)) wrong.push(`${name}: ${page}`);
  }
  return { wrong, clicked };
})
