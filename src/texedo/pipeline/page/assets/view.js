// A place on the page where a robot is seen, painted with what the browser has.

function colourOf(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);
}

// Colours follow the style sheet, and so the reader's choice of light or dark.
function sceneColours() {
  return {
    back: colourOf("--back"),
    floor: colourOf("--floor"),
    grid: colourOf("--grid"),
    ghost: colourOf("--ghost"),
  };
}

// Whether WebGL is done by a graphics card. Without one it works, but at a few pictures a
// second, while lines on a flat canvas are as quick as ever.
function graphicsCard() {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return false;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

const HAS_CARD = graphicsCard();

// A painter on a fresh canvas: one that has seen WebGL never paints flat again.
function paintOn(host, solid = HAS_CARD) {
  const attempt = (make) => {
    const canvas = document.createElement("canvas");
    const painter = make(canvas);
    host.replaceChildren(canvas);
    return painter;
  };
  try {
    if (solid) return attempt((canvas) => new SolidPainter(canvas, HAS_CARD));
  } catch {
    // Whatever the reason is, the flat picture needs none of it.
  }
  return attempt((canvas) => new FlatPainter(canvas));
}

class View {
  constructor(host, onTurn) {
    this.host = host;
    this.camera = new Camera();
    this.onTurn = onTurn;
    this.text = "";
    this.paintWith(HAS_CARD);
    new ResizeObserver(() => this.resize()).observe(host);
  }

  get isFlat() {
    return this.painter instanceof FlatPainter;
  }

  paintWith(solid) {
    const old = this.painter;
    this.painter = paintOn(this.host, solid);
    old?.release();
    const { canvas } = this.painter;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.addEventListener("webglcontextlost", () => {
      if (this.painter.canvas === canvas) this.paintWith(false);
    });
    this.listen(canvas);
    this.label(this.text);
    this.resize();
  }

  resize() {
    const { canvas } = this.painter;
    const sharp = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.max(Math.round(this.host.clientWidth * sharp), 1);
    canvas.height = Math.max(Math.round(this.host.clientHeight * sharp), 1);
    this.onTurn();
  }

  label(text) {
    this.text = text;
    this.painter.canvas.setAttribute("aria-label", text);
  }

  draw(figures) {
    this.painter.draw(this.camera, figures, sceneColours());
  }

  listen(canvas) {
    const { camera } = this;
    const moved = (change) => {
      change();
      this.onTurn();
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      moved(() => camera.turn(-event.movementX / 150, event.movementY / 200));
    });
    // The wheel belongs to the page until somebody has clicked into the picture.
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== canvas) return;
        event.preventDefault();
        moved(() => camera.zoom(Math.exp(event.deltaY / 700)));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const change = {
        ArrowLeft: () => camera.turn(-0.12, 0),
        ArrowRight: () => camera.turn(0.12, 0),
        ArrowUp: () => camera.turn(0, 0.1),
        ArrowDown: () => camera.turn(0, -0.1),
        "+": () => camera.zoom(0.9),
        "=": () => camera.zoom(0.9),
        "-": () => camera.zoom(1 / 0.9),
      }[event.key];
      if (!change || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      moved(change);
    });
  }
}
