// The picture without WebGL: every shape is a thick line, the farthest drawn first.

const css = (colour, light = 1, alpha = 1) =>
  `rgba(${colour.map((c) => Math.round(255 * Math.min(c * light, 1))).join()},${alpha})`;

class FlatPainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    if (!this.context) throw new Error("no canvas");
  }

  draw(camera, figures, colours) {
    const { context, canvas } = this;
    const frame = camera.frame();
    const focal = canvas.height / 2 / Math.tan(OPENING / 2);
    // Pixel, depth, and pixels of a metre there.
    const project = (point) => {
      const arm = point.map((c, i) => c - frame.eye[i]);
      const depth = Math.max(dot(arm, frame.forward), 0.05);
      const size = focal / depth;
      return {
        x: canvas.width / 2 + size * dot(arm, frame.right),
        y: canvas.height / 2 - size * dot(arm, frame.up),
        depth,
        size,
      };
    };
    context.fillStyle = css(colours.back);
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.lineCap = "round";
    this.drawFloor(camera, project, colours);
    for (const { placed, ghost } of figures) {
      if (!ghost) this.drawShadow(placed, project);
    }
    // The ghost stands behind, paler, so that it never hides the robot.
    const pale = colours.ghost.map((c, i) => 0.45 * c + 0.55 * colours.back[i]);
    for (const { placed, ghost } of figures) {
      if (ghost) this.drawFigure(placed, project, pale);
    }
    for (const { placed, ghost } of figures) {
      if (!ghost) this.drawFigure(placed, project, null);
    }
  }

  line(a, b, width, colour) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(width, 1);
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
  }

  drawFloor(camera, project, colours) {
    const [mx, my] = camera.target.map(Math.round);
    for (let k = -3; k <= 3; k++) {
      const colour = css(colours.grid, 1, 1 - Math.abs(k) / 5);
      const lines = [
        [[mx + k, my - 3, 0], [mx + k, my + 3, 0]],
        [[mx - 3, my + k, 0], [mx + 3, my + k, 0]],
      ];
      for (const [a, b] of lines) this.line(project(a), project(b), 1, colour);
    }
  }

  // The longest axis of a shape, and how thick it is across it.
  bone({ size, place, turn }) {
    const half = [size[0], size[1], size[2] + size[3]];
    const long = half.indexOf(Math.max(...half));
    const radius = Math.min(...half.filter((_, i) => i !== long));
    const along = [0, 0, 0];
    along[long] = Math.max(half[long] - radius, 0);
    const arm = rotate(turn, along);
    return { a: add(place, arm), b: add(place, scaled(arm, -1)), radius };
  }

  drawShadow(placed, project) {
    const { context } = this;
    const fallen = (p) => {
      const down = p[2] / LIGHT[2];
      return project([p[0] - LIGHT[0] * down, p[1] - LIGHT[1] * down, 0]);
    };
    context.globalAlpha = 0.05;
    for (const shape of placed) {
      const { a, b, radius } = this.bone(shape);
      const [p, q] = [fallen(a), fallen(b)];
      this.line(p, q, 2 * radius * p.size, "#000");
    }
    context.globalAlpha = 1;
  }

  drawFigure(placed, project, tint) {
    const lines = placed.map((shape) => {
      const { a, b, radius } = this.bone(shape);
      const [p, q] = [project(a), project(b)];
      return { p, q, radius, colour: shape.colour, depth: (p.depth + q.depth) / 2 };
    });
    lines.sort((one, other) => other.depth - one.depth);
    for (const { p, q, radius, colour } of lines) {
      const width = radius * (p.size + q.size);
      // A darker edge and a lighter middle: lines that look round.
      this.line(p, q, width, css(tint ?? colour, 0.72));
      this.line(p, q, 0.66 * width, css(tint ?? colour, 0.95));
    }
  }

  release() {}
}
