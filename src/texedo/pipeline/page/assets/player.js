// The player: one candidate at a time, at any time, from any side.

const HINT =
  "Drag to look around; click into the picture and turn the wheel to come closer. " +
  "Keys: space plays, n and p change the candidate, arrows in the picture turn it.";
const FLAT_HINT = "This browser has no WebGL: the robot is drawn with lines. ";

class Player {
  constructor(run, robot, onTime) {
    this.run = run;
    this.robot = robot;
    this.onTime = onTime;
    this.seconds = 0;
    this.playing = false;
    this.pending = false;
    this.element = (id) => document.getElementById(id);
    this.view = new View(this.element("scene"), () => this.refresh());
    this.wire();
  }

  wire() {
    const { element } = this;
    element("hint").textContent = HINT;
    element("drawing").value = this.view.isFlat ? "lines" : "solid";
    element("drawing").addEventListener("change", (event) => this.redraw(event.target));
    element("play").addEventListener("click", () => this.toggle());
    element("scrub").addEventListener("input", (event) => {
      this.pause();
      this.seek(Number(event.target.value));
    });
    element("home").addEventListener("click", () => this.home());
    for (const id of ["follow", "performed"]) {
      element(id).addEventListener("change", () => this.refresh());
    }
    // A page in the background, or a player out of sight, costs nothing.
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.refresh();
    }).observe(element("scene"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      this.refresh(),
    );
  }

  // What was asked for, or lines where it cannot be had.
  redraw(choice) {
    const solid = choice.value === "solid";
    this.view.paintWith(solid);
    const refused = solid && this.view.isFlat;
    if (refused) choice.value = "lines";
    this.element("hint").textContent = (refused ? FLAT_HINT : "") + HINT;
    this.refresh();
  }

  load(index) {
    const candidate = this.run.candidates[index];
    this.clip = new Clip(candidate.motion);
    this.executed = candidate.executed ? new Clip(candidate.executed) : null;
    this.element("performed-label").hidden = !this.executed;
    this.element("scrub").max = this.duration;
    this.view.camera.base = this.clip.heading;
    this.view.label(`The robot in candidate ${index}: ${candidate.outcome}`);
    this.seek(0);
  }

  get duration() {
    return this.clip.duration;
  }

  home() {
    this.view.camera.home();
    this.refresh();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.seconds >= this.duration) this.seconds = 0;
    this.playing = true;
    this.element("play").textContent = "Pause";
    this.last = null;
    this.refresh();
  }

  pause() {
    this.playing = false;
    this.element("play").textContent = "Play";
  }

  seek(seconds) {
    this.seconds = clamp(seconds, 0, this.duration);
    this.refresh();
  }

  // At most one picture per screen refresh, however many things have changed.
  refresh() {
    if (this.pending || !this.clip) return;
    this.pending = true;
    requestAnimationFrame((now) => {
      this.pending = false;
      this.step(now);
    });
  }

  step(now) {
    if (this.playing) {
      const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.2);
      this.last = now;
      this.seconds += passed * Number(this.element("speed").value);
      // A moment at the end before it starts again.
      if (this.seconds > this.duration + 0.6) this.seconds = 0;
    }
    this.paint();
    if (this.playing && this.visible !== false) this.refresh();
    else this.last = null;
  }

  paint() {
    const seconds = Math.min(this.seconds, this.duration);
    const { element, view } = this;
    const showsPerformance = this.executed && element("performed").checked;
    const main = showsPerformance ? this.executed : this.clip;
    const middle = element("follow").checked ? main.middle(seconds) : main.middle(0);
    view.camera.target = [middle[0], middle[1], 0.72];
    const figures = [{ placed: this.robot.placed(main.pose(seconds)), ghost: false }];
    if (showsPerformance) {
      figures.push({ placed: this.robot.placed(this.clip.pose(seconds)), ghost: true });
    }
    view.draw(figures);
    element("scrub").value = seconds;
    element("time").textContent =
      `${seconds.toFixed(2)} of ${this.duration.toFixed(2)} s`;
    this.onTime(seconds);
  }
}
