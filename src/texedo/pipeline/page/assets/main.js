// All parts of the page show the same candidate.

const run = JSON.parse(document.getElementById("run").textContent);
const robot = new Robot(run.robot);
const byId = (id) => document.getElementById(id);
const points = [...document.querySelectorAll("#scatter [data-candidate]")];
const rows = [...document.querySelectorAll("#candidates tr[data-candidate]")];

const chart = new RiskChart(byId("risk"), (seconds) => {
  player.pause();
  player.seek(seconds);
});
const player = new Player(run, robot, (seconds) => chart.at(seconds));
let shown = run.chosen;

function show(index) {
  const count = run.candidates.length;
  shown = ((index % count) + count) % count;
  const candidate = run.candidates[shown];
  byId("shown").textContent = `Candidate ${shown}: ${candidate.outcome}`;
  byId("pick").value = shown;
  byId("reason").textContent = candidate.reason;
  byId("facts").replaceChildren(
    ...candidate.facts.map(([name, figure]) => {
      const pair = document.createElement("div");
      pair.append(
        Object.assign(document.createElement("dt"), { textContent: name }),
        Object.assign(document.createElement("dd"), { textContent: figure }),
      );
      return pair;
    }),
  );
  for (const point of points) {
    const here = Number(point.dataset.candidate) === shown;
    point.classList.toggle("shown", here);
    point.setAttribute("aria-pressed", here);
    point.setAttribute("tabindex", here ? 0 : -1);
  }
  for (const row of rows) {
    row.classList.toggle("shown", Number(row.dataset.candidate) === shown);
  }
  if (points.length && !points.some((point) => point.tabIndex === 0)) {
    points[0].setAttribute("tabindex", 0);
  }
  player.load(shown);
  chart.show(candidate);
}

for (const point of points) {
  point.addEventListener("click", () => show(Number(point.dataset.candidate)));
}

// One stop of the tab key for all points; arrows go from one to the next by R_text.
byId("scatter")?.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const place = (point) => Number(point.querySelector(".mark").getAttribute("cx"));
  const order = [...points].sort((a, b) => place(a) - place(b));
  const now = order.findIndex((point) => Number(point.dataset.candidate) === shown);
  const next = order[clamp(now + step, 0, order.length - 1)];
  show(Number(next.dataset.candidate));
  next.focus();
});

for (const row of rows) {
  row.addEventListener("click", () => show(Number(row.dataset.candidate)));
}
sortable(byId("candidates"));

byId("previous").addEventListener("click", () => show(shown - 1));
byId("next").addEventListener("click", () => show(shown + 1));
byId("pick").addEventListener("change", (event) => {
  const wanted = Math.round(Number(event.target.value));
  show(clamp(Number.isFinite(wanted) ? wanted : shown, 0, run.candidates.length - 1));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Keys that a field or a button understands are its own.
  if (event.target.closest("input, select, button, [role=button]")) return;
  const action = {
    " ": () => player.toggle(),
    n: () => show(shown + 1),
    p: () => show(shown - 1),
    0: () => player.home(),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

show(run.chosen);
new Strips(byId("strips"), run, robot, (index, seconds) => {
  show(index);
  player.pause();
  player.seek(seconds);
  byId("player").scrollIntoView({ block: "nearest" });
});
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();

// For whoever wants to look closer, from the browser's console.
window.texedo = {
  show,
  seek: (seconds) => player.seek(seconds),
  shown: () => shown,
  seconds: () => player.seconds,
  bodies: (index, seconds) =>
    robot.bodies(new Clip(run.candidates[index].motion).pose(seconds)),
};
