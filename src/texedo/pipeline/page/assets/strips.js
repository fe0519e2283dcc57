// Eight pictures of a motion side by side, for the choice and those that came next.

const PICTURES = 8;
const PICTURE = { width: 150, height: 200 };

class Strips {
  constructor(host, run, robot, onPick) {
    this.run = run;
    this.robot = robot;
    this.rows = run.strips.map((index) => this.row(host, index, onPick));
    this.draw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      this.draw(),
    );
  }

  row(host, index, onPick) {
    const candidate = this.run.candidates[index];
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Candidate ${index}`;
    button.addEventListener("click", () => onPick(index, 0));
    const told = document.createElement("span");
    const figures = candidate.facts.slice(0, 2).map((pair) => pair.join(" "));
    told.textContent = [candidate.outcome, ...figures].join(", ");
    caption.append(button, told);
    const canvas = document.createElement("canvas");
    canvas.width = PICTURES * PICTURE.width;
    canvas.height = PICTURE.height;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Candidate ${index} in ${PICTURES} pictures`);
    const clip = new Clip(candidate.motion);
    canvas.addEventListener("click", (event) => {
      const share = event.offsetX / canvas.clientWidth;
      const picture = clamp(Math.floor(share * PICTURES), 0, PICTURES - 1);
      onPick(index, this.time(clip, picture));
    });
    figure.append(caption, canvas);
    host.append(figure);
    return { canvas, clip };
  }

  time(clip, picture) {
    return (clip.duration * picture) / (PICTURES - 1);
  }

  // One painter for all pictures, given back at the end: browsers have few of them. A
  // picture at a time, so that the page answers meanwhile.
  draw() {
    clearTimeout(this.timer);
    this.painter?.release();
    this.painter = paintOn(document.createElement("div"));
    this.painter.canvas.width = PICTURE.width;
    this.painter.canvas.height = PICTURE.height;
    const todo = this.rows.flatMap((row) =>
      Array.from({ length: PICTURES }, (_, picture) => () => this.paint(row, picture)),
    );
    const next = () => {
      if (todo.length) {
        todo.shift()();
        this.timer = setTimeout(next);
      } else {
        this.painter.release();
        this.painter = null;
      }
    };
    next();
  }

  paint({ canvas, clip }, picture) {
    const seconds = this.time(clip, picture);
    const pose = clip.pose(seconds);
    const camera = new Camera(clip.heading);
    camera.distance = 2.7;
    camera.target = [pose[0], pose[1], 0.68];
    const figure = { placed: this.robot.placed(pose), ghost: false };
    this.painter.draw(camera, [figure], sceneColours());
    const context = canvas.getContext("2d");
    context.drawImage(this.painter.canvas, picture * PICTURE.width, 0);
    const style = getComputedStyle(document.documentElement);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillStyle = style.getPropertyValue("--soft");
    const middle = (picture + 0.5) * PICTURE.width;
    context.fillText(`${seconds.toFixed(1)} s`, middle, PICTURE.height - 7);
  }
}
