"use strict";
// Examines the frames of the page and writes a line for each check, right or wrong, and "done" at the end.
const found = [];
const check = (isRight, what) => found.push(`${isRight ? "right" : "wrong"}: ${what}`);

function checkPage(page, width) {
  const root = page.documentElement;
  check(root.scrollWidth <= width, `the page is at most as wide as ${width} pixels: ${root.scrollWidth}`);
  check(page.scripts.length === 1 && page.images.length === 0, "one script and no image");
  check(page.defaultView.performance.getEntriesByType("resource").length === 0, "nothing was loaded");
  const anchors = [...page.querySelectorAll("a[href^='#']")];
  check(anchors.every((anchor) => page.getElementById(anchor.hash.slice(1))), "every link leads somewhere");
}

function checkPlots(page, width) {
  const plots = [...page.querySelectorAll("svg.plot")];
  check(plots.length > 0, "there are plots");
  for (const plot of plots) {
    const name = plot.querySelector("title")?.textContent;
    const box = plot.getBoundingClientRect();
    check(box.width > 250 && box.height > 80 && box.right <= width, `${name} is seen at ${box.width} x ${box.height}`);
    const [, , right, bottom] = plot.getAttribute("viewBox").split(" ").map(Number);
    const scale = box.width / right;
    for (const text of plot.querySelectorAll("text")) {
      const { x, y, width, height } = text.getBBox();
      const isInside = x >= -1 && y >= -1 && x + width <= right + 3 && y + height <= bottom + 1;
      check(isInside, `${name}: "${text.textContent}" is inside: ${x} ${y} ${width} ${height}`);
      const size = scale * parseFloat(getComputedStyle(text).fontSize);
      check(size >= 9, `${name}: "${text.textContent}" is legible at ${size} pixels`);
    }
  }
}

function checkTables(page) {
  const tables = [...page.querySelectorAll("table.sortable")];
  check(tables.length > 0, "there are tables");
  for (const table of tables) {
    if (table.tBodies[0].rows.length < 2) continue;
    table.closest("details")?.setAttribute("open", "");
    [...table.tHead.rows[0].cells].forEach((head, column) => checkSort(table, head, column));
  }
}

function checkSort(table, head, column) {
  const name = `${table.parentElement.getAttribute("aria-label")}, ${head.textContent}`;
  const button = head.querySelector("button");
  if (!button) return check(false, `${name}: is a button`);
  button.focus();
  check(table.ownerDocument.activeElement === button, `${name}: its button takes the focus`);
  const isNumeric = head.classList.contains("numbers");
  const rows = table.tBodies[0].rows.length;
  const keys = () => [...table.tBodies[0].rows].map((row) => row.cells[column].dataset.key);
  const before = [...keys()].sort().join("\n");
  for (const order of isNumeric ? ["descending", "ascending"] : ["ascending", "descending"]) {
    button.click();
    check(head.getAttribute("aria-sort") === order, `${name}: aria-sort is ${order}`);
    const sign = order === "ascending" ? 1 : -1;
    const isOrdered = (a, b) => b === "" || (a !== "" && sign * (isNumeric ? a - b : a.localeCompare(b, "en", { numeric: true })) <= 0);
    const now = keys();
    check(now.slice(1).every((key, index) => isOrdered(now[index], key)), `${name}: ${order}: ${now}`);
    check(table.tBodies[0].rows.length === rows && [...now].sort().join("\n") === before, `${name}: the same rows`);
  }
  check(table.querySelectorAll("[aria-sort]").length === 1, `${name}: the only column that is sorted by`);
}

window.addEventListener("load", () => {
  try {
    for (const frame of document.querySelectorAll("iframe")) {
      const page = frame.contentDocument;
      checkPage(page, frame.clientWidth);
      checkPlots(page, frame.clientWidth);
      checkTables(page);
    }
    found.push("done");
  } catch (error) {
    found.push(`wrong: ${error.stack}`);
  }
  document.getElementById("found").textContent = found.join("\n");
});
