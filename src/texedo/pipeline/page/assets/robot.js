// The robot's kinematics and its motions, as the page carries them.

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new DataView(bytes.buffer);
}

// 16-bit numbers from their text; the view reads little-endian on every machine.
function int16s(text) {
  const view = bytesOf(text);
  return Int16Array.from({ length: view.byteLength / 2 }, (_, i) =>
    view.getInt16(2 * i, true),
  );
}

function uint16s(text) {
  const view = bytesOf(text);
  return Uint16Array.from({ length: view.byteLength / 2 }, (_, i) =>
    view.getUint16(2 * i, true),
  );
}

const WIDTH_OF_A_POSE = 36;

// A motion: poses at any time, interpolated between the frames that are kept.
class Clip {
  constructor(packed) {
    this.packed = packed;
    this.duration = Math.max(packed.frames - 1, 0) / packed.fps;
  }

  // Numbers are unpacked when a motion is first looked at: most never are.
  get numbers() {
    this.unpacked ??= int16s(this.packed.poses);
    return this.unpacked;
  }

  get count() {
    return this.numbers.length / WIDTH_OF_A_POSE;
  }

  number(frame, column) {
    const { reach, angle } = this.packed;
    const full = (column < 3 ? reach : angle) / 32767;
    return this.numbers[frame * WIDTH_OF_A_POSE + column] * full;
  }

  pose(seconds) {
    const { stride, fps, frames } = this.packed;
    const last = this.count - 1;
    const at = clamp(seconds * fps, 0, frames - 1);
    const before = Math.min(Math.floor(at / stride), last);
    const after = Math.min(before + 1, last);
    // The last frame is always kept, so the last step may be a short one.
    const [t0, t1] = [before * stride, Math.min(after * stride, frames - 1)];
    const share = t1 > t0 ? (at - t0) / (t1 - t0) : 0;
    const pose = new Float64Array(WIDTH_OF_A_POSE);
    for (let i = 0; i < WIDTH_OF_A_POSE; i++) {
      pose[i] = this.number(before, i) * (1 - share) + this.number(after, i) * share;
    }
    return pose;
  }

  root(seconds) {
    return Array.from(this.pose(seconds).subarray(0, 3));
  }

  // Where the pelvis is, without its swaying: a mean over a second, for the camera.
  middle(seconds) {
    const sum = [0, 0, 0];
    for (let k = -4; k <= 4; k++) {
      const place = this.root(clamp(seconds + k / 8, 0, this.duration));
      for (let i = 0; i < 3; i++) sum[i] += place[i] / 9;
    }
    return sum;
  }

  get heading() {
    return heading(normalized(Array.from(this.pose(0).subarray(3, 7))));
  }
}

class Robot {
  constructor(description) {
    this.links = description.links;
    this.shapes = description.shapes.map((row) => ({
      body: row[0],
      mesh: row[1],
      size: row.slice(2, 6),
      place: row.slice(6, 9),
      turn: row.slice(9, 13),
      colour: description.colours[row[13]],
    }));
  }

  // Places and orientations of all bodies in a pose.
  bodies(pose) {
    const places = [[pose[0], pose[1], pose[2]]];
    const turns = [normalized([pose[3], pose[4], pose[5], pose[6]])];
    for (const link of this.links) {
      const [parent, joint, axis] = link;
      const hinge = [Math.cos(pose[7 + joint] / 2), 0, 0, 0];
      hinge[axis + 1] = Math.sin(pose[7 + joint] / 2);
      const rest = normalized(link.slice(6, 10));
      places.push(add(places[parent], rotate(turns[parent], link.slice(3, 6))));
      turns.push(multiply(turns[parent], multiply(rest, hinge)));
    }
    return { places, turns };
  }

  // Every shape in the world.
  placed(pose) {
    const { places, turns } = this.bodies(pose);
    return this.shapes.map((shape) => ({
      mesh: shape.mesh,
      size: shape.size,
      colour: shape.colour,
      place: add(places[shape.body], rotate(turns[shape.body], shape.place)),
      turn: multiply(turns[shape.body], shape.turn),
    }));
  }
}
