// Vectors are [x, y, z], quaternions [w, x, y, z]; z is up, lengths are metres.

function multiply(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

function rotate(q, v) {
  const [w, x, y, z] = q;
  const a = 2 * (y * v[2] - z * v[1]);
  const b = 2 * (z * v[0] - x * v[2]);
  const c = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * a + y * c - z * b,
    v[1] + w * b + z * a - x * c,
    v[2] + w * c + x * b - y * a,
  ];
}

function normalized(v) {
  const length = Math.hypot(...v) || 1;
  return v.map((component) => component / length);
}

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Where a robot with this orientation is heading, in radians.
function heading(q) {
  const forward = rotate(q, [1, 0, 0]);
  return Math.atan2(forward[1], forward[0]);
}

const OPENING = (40 * Math.PI) / 180;

// A camera that looks at `target` from a distance. The azimuth is where the eye is, seen
// from the target and counted from the heading of the robot at the start.
class Camera {
  constructor(base = 0) {
    this.base = base;
    this.home();
  }

  home() {
    this.azimuth = -0.62;
    this.elevation = 0.2;
    this.distance = 2.9;
    this.target = [0, 0, 0.72];
  }

  turn(sideways, upwards) {
    this.azimuth += sideways;
    this.elevation = clamp(this.elevation + upwards, -0.05, 1.5);
  }

  zoom(factor) {
    this.distance = clamp(this.distance * factor, 0.8, 15);
  }

  // The eye and three unit vectors.
  frame() {
    const around = this.base + this.azimuth;
    const [c, s] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    const back = [c * Math.cos(around), c * Math.sin(around), s];
    const right = [-Math.sin(around), Math.cos(around), 0];
    const up = [-s * Math.cos(around), -s * Math.sin(around), c];
    const eye = add(this.target, scaled(back, this.distance));
    return { eye, right, up, forward: scaled(back, -1) };
  }

  // The matrix from the world to clip space, column by column.
  matrix(aspect) {
    const { eye, right, up, forward } = this.frame();
    const [near, far] = [0.05, 80];
    const f = 1 / Math.tan(OPENING / 2);
    const depth = (far + near) / (far - near);
    const rows = [
      [...scaled(right, f / aspect), (-f / aspect) * dot(right, eye)],
      [...scaled(up, f), -f * dot(up, eye)],
      [
        ...scaled(forward, depth),
        -depth * dot(forward, eye) - (2 * far * near) / (far - near),
      ],
      [...forward, -dot(forward, eye)],
    ];
    return new Float32Array([0, 1, 2, 3].flatMap((j) => rows.map((row) => row[j])));
  }
}
