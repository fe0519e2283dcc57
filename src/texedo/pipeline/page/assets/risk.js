// The chance to fall near each moment of the candidate that is shown.

const SVG = "http://www.w3.org/2000/svg";
const RISK = { height: 170, left: 56, right: 14, top: 26, bottom: 26 };
const TOPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];
const TIME_STEPS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 3600];

function shape(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

class RiskChart {
  constructor(host, onSeek) {
    this.host = host;
    this.onSeek = onSeek;
    this.seconds = 0;
    // Drawn as wide as there is room, so that its letters keep their size.
    new ResizeObserver(() => {
      if (this.candidate && this.width !== this.room) this.show(this.candidate);
    }).observe(host);
  }

  get room() {
    return Math.max(this.host.clientWidth, 280);
  }

  show(candidate) {
    this.candidate = candidate;
    this.width = this.room;
    this.cursor = null;
    const { risk, fell } = candidate;
    if (!risk && fell === null) {
      const none = document.createElement("p");
      none.className = "soft";
      none.textContent = "Nobody foresaw the risk of this candidate over time.";
      this.host.replaceChildren(none);
      return;
    }
    this.duration = Math.max(new Clip(candidate.motion).duration, 0.02);
    const chart = document.createElementNS(SVG, "svg");
    chart.setAttribute("viewBox", `0 0 ${this.width} ${RISK.height}`);
    chart.setAttribute("role", "img");
    const said = risk ? `Riskiest second: ${risk.said}` : "";
    const ended = fell === null ? "" : `In physics it ends at ${fell.toFixed(2)} s`;
    chart.setAttribute("aria-label", [said, ended].filter(Boolean).join(". "));
    this.axes(chart, risk);
    if (risk) this.curve(chart, risk);
    if (fell !== null) this.fall(chart, fell);
    const edges = { y1: RISK.top, y2: RISK.height - RISK.bottom };
    this.cursor = shape(chart, "line", { class: "cursor", ...edges });
    this.listen(chart);
    this.host.replaceChildren(chart);
    this.at(this.seconds);
  }

  x(seconds) {
    const room = this.width - RISK.left - RISK.right;
    return RISK.left + room * clamp(seconds / this.duration, 0, 1);
  }

  y(share) {
    return RISK.height - RISK.bottom - (RISK.height - RISK.bottom - RISK.top) * share;
  }

  axes(chart, risk) {
    this.top = risk ? (TOPS.find((top) => risk.highest <= top) ?? 1) : 1;
    for (const share of [0, 0.5, 1]) {
      const y = this.y(share);
      const ends = { x1: RISK.left, x2: this.width - RISK.right, y1: y, y2: y };
      shape(chart, "line", { class: "grid", ...ends });
      if (!risk) continue;
      const label = `${Number((100 * share * this.top).toPrecision(3))} %`;
      const place = { x: RISK.left - 7, y: y + 4, "text-anchor": "end" };
      shape(chart, "text", place, label);
    }
    const step = TIME_STEPS.find((s) => this.duration / s <= this.width / 80) ?? 3600;
    for (let t = 0; t <= this.duration + 1e-9; t += step) {
      const place = { x: this.x(t), y: RISK.height - 8, "text-anchor": "middle" };
      shape(chart, "text", place, `${Number(t.toFixed(1))} s`);
    }
  }

  curve(chart, risk) {
    const values = uint16s(risk.near);
    const [first, last] = [risk.riskiest - 0.5, risk.riskiest + 0.5].map((t) => this.x(t));
    const span = { x: first, width: Math.max(last - first, 2), y: RISK.top, rx: 3 };
    shape(chart, "rect", { class: "window", ...span, height: this.y(0) - RISK.top });
    const points = Array.from(values, (value, i) => {
      const x = this.x((i / Math.max(values.length - 1, 1)) * this.duration);
      return `${x.toFixed(1)},${this.y(Math.min(value / 65535 / this.top, 1)).toFixed(1)}`;
    });
    const floor = this.y(0);
    const closed = [`${this.x(0)},${floor}`, ...points, `${this.x(this.duration)},${floor}`];
    shape(chart, "polygon", { class: "area", points: closed.join(" ") });
    shape(chart, "polyline", { class: "curve", points: points.join(" ") });
    const x = this.x(risk.riskiest);
    const share = (x - RISK.left) / (this.width - RISK.left - RISK.right);
    const anchor = share < 0.2 ? "start" : share > 0.8 ? "end" : "middle";
    const place = { x, y: RISK.top - 9, "text-anchor": anchor };
    shape(chart, "text", { class: "mark", ...place }, `riskiest at ${risk.said}`);
  }

  fall(chart, fell) {
    const x = this.x(fell);
    const ends = { x1: x, x2: x, y1: RISK.top, y2: this.y(0) };
    shape(chart, "line", { class: "fell", ...ends });
    const side = x > this.width - 130 ? { x: x - 6, "text-anchor": "end" } : { x: x + 6 };
    const label = `fails here in physics`;
    shape(chart, "text", { class: "fell-label", ...side, y: this.y(0) - 6 }, label);
  }

  listen(chart) {
    const seek = (event) => {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.width;
      const share = (x - RISK.left) / (this.width - RISK.left - RISK.right);
      this.onSeek(clamp(share, 0, 1) * this.duration);
    };
    chart.addEventListener("pointerdown", (event) => {
      chart.setPointerCapture(event.pointerId);
      seek(event);
    });
    chart.addEventListener("pointermove", (event) => {
      if (chart.hasPointerCapture(event.pointerId)) seek(event);
    });
  }

  at(seconds) {
    this.seconds = seconds;
    if (!this.cursor) return;
    const x = this.x(seconds);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }
}
