"use strict";
// The heads of tables become buttons that sort by their column: numbers from the largest at first, words from A.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  heads.forEach((head, column) => {
    const isNumeric = head.classList.contains("numbers");
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = isNumeric ? "descending" : "ascending";
      const second = isNumeric ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const key = (row) => row.cells[column].dataset.key;
      const compare = (a, b) => (isNumeric ? a - b : a.localeCompare(b, "en", { numeric: true }));
      // Undefined values come last, in either order.
      const inOrder = (a, b) => (key(a) === "") - (key(b) === "") || sign * compare(key(a), key(b));
      body.append(...[...body.rows].sort(inOrder));
    });
  });
}
