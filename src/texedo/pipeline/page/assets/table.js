// A table that is sorted by the column whose name is pressed; the unknown comes last.

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const compare = (a, b, direction) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [Number(a), Number(b)];
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return direction * order;
  };
  heads.forEach((head, column) => {
    // The best first, where a high figure is a good one.
    const first = head.textContent.match(/^(R_|Q|finish|perturbed|quality|robots)/) ? -1 : 1;
    head.querySelector("button").addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const last = { ascending: 1, descending: -1 }[before];
      const direction = last ? -last : first;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.value;
      const rows = [...body.rows];
      rows.sort((a, b) => compare(value(a), value(b), direction));
      body.append(...rows);
    });
  });
}
