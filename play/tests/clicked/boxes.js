// Finds boxes of the table that cover each other, or that are wider than the window.
(() => {
  const wrong = [];
  // At the end of the page, a bar that sticks to the window is at its own place.
  window.scrollTo(0, document.documentElement.scrollHeight);
  const all = [...document.querySelectorAll(".seat, .middle, .bar")].filter((one) => one.getClientRects().length > 0);
  const placed = all.map((one) => [one.dataset.seat ? `seat ${one.dataset.seat}` : one.className, one.getBoundingClientRect()]);
  for (const [index, [name, a]] of placed.entries()) {
    if (a.left < -1 || a.right > innerWidth + 1) wrong.push(`${name} is wider than the window`);
    for (const [other, b] of placed.slice(index + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1) wrong.push(`${name} and ${other} cover each other`);
    }
  }
  for (const plate of document.querySelectorAll(".plate")) {
    const box = plate.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + 4, box.top + box.height / 2);
    if (box.top >= 0 && box.bottom <= innerHeight && !plate.contains(top) && !plate.parentElement.contains(top)) wrong.push(`the name of ${plate.parentElement.dataset.seat} is covered by ${top?.className}`);
  }
  return wrong;
})()
