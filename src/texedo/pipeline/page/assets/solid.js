// The picture with WebGL 2: all shapes of one mesh are drawn at once.

const SHAPE_VERTEX = `#version 300 es
in vec3 a_place; in vec3 a_normal; in float a_end;
in vec3 i_place; in vec4 i_turn; in vec4 i_size; in vec3 i_colour;
uniform mat4 u_camera; uniform vec3 u_light; uniform float u_flat;
out vec3 v_normal; out vec3 v_colour; out vec3 v_place;
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v);
}
void main() {
  // The two halves of a ball move apart along z: that makes it a capsule.
  vec3 inside = a_place * i_size.xyz + vec3(0.0, 0.0, a_end * i_size.w);
  vec3 place = i_place + turned(i_turn, inside);
  if (u_flat > 0.5) {
    place -= u_light * (place.z / u_light.z);
    place.z = 0.002;
  }
  v_normal = turned(i_turn, a_normal / i_size.xyz);
  v_colour = i_colour;
  v_place = place;
  gl_Position = u_camera * vec4(place, 1.0);
}`;

const SHAPE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 v_normal; in vec3 v_colour; in vec3 v_place;
uniform vec3 u_light; uniform vec3 u_eye; uniform vec4 u_tint; uniform float u_flat;
out vec4 colour;
void main() {
  if (u_flat > 0.5) { colour = u_tint; return; }
  vec3 n = normalize(v_normal);
  vec3 eye = normalize(u_eye - v_place);
  float sun = max(dot(n, u_light), 0.0);
  float sky = 0.5 + 0.5 * n.z;
  float shine = pow(max(dot(n, normalize(u_light + eye)), 0.0), 40.0);
  float rim = pow(1.0 - max(dot(n, eye), 0.0), 3.0);
  vec3 base = mix(v_colour, u_tint.rgb, u_tint.a < 1.0 ? 0.85 : 0.0);
  vec3 lit = base * (0.34 + 0.26 * sky + 0.52 * sun);
  colour = vec4(lit + 0.12 * shine + 0.10 * rim, u_tint.a);
}`;

const FLOOR_VERTEX = `#version 300 es
in vec2 a_corner; uniform mat4 u_camera; uniform vec2 u_middle; out vec2 v_place;
void main() {
  v_place = u_middle + 24.0 * a_corner;
  gl_Position = u_camera * vec4(v_place, 0.0, 1.0);
}`;

const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_place; uniform vec2 u_middle; uniform vec3 u_floor; uniform vec3 u_grid;
uniform vec3 u_back; out vec4 colour;
float lines(float every) {
  vec2 at = v_place / every;
  vec2 near = abs(fract(at - 0.5) - 0.5) / fwidth(at);
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  float far = smoothstep(2.0, 11.0, distance(v_place, u_middle));
  float line = max(lines(1.0), 0.45 * lines(0.25));
  vec3 seen = mix(u_floor, u_grid, line * (1.0 - far));
  colour = vec4(mix(seen, u_back, far), 1.0);
}`;

const LIGHT = normalized([0.35, -0.5, 0.95]);
const INSTANCE_FLOATS = 14;
const SMALL = 0.02;

// Rings of a ball from pole to pole; the equator is there twice, once for each half.
function ballMesh(around, rings) {
  const vertices = [];
  const faces = [];
  const latitudes = [];
  for (let k = 0; k <= rings; k++) latitudes.push([(k / rings) * (Math.PI / 2), 1]);
  for (let k = 0; k <= rings; k++) {
    latitudes.push([((k + rings) / rings) * (Math.PI / 2), -1]);
  }
  for (const [angle, end] of latitudes) {
    for (let j = 0; j <= around; j++) {
      const turn = (2 * Math.PI * j) / around;
      const ring = Math.sin(angle);
      const point = [ring * Math.cos(turn), ring * Math.sin(turn), Math.cos(angle)];
      vertices.push(...point, ...point, end);
    }
  }
  for (let i = 0; i + 1 < latitudes.length; i++) {
    for (let j = 0; j < around; j++) {
      const a = i * (around + 1) + j;
      const b = a + around + 1;
      faces.push(a, b, a + 1, b, b + 1, a + 1);
    }
  }
  return { vertices, faces };
}

function drumMesh(around) {
  const vertices = [];
  const faces = [];
  for (let j = 0; j <= around; j++) {
    const [x, y] = [
      Math.cos((2 * Math.PI * j) / around),
      Math.sin((2 * Math.PI * j) / around),
    ];
    for (const z of [1, -1]) vertices.push(x, y, z, x, y, 0, 0);
    for (const z of [1, -1]) vertices.push(x, y, z, 0, 0, z, 0);
    if (j === around) break;
    const a = 4 * j;
    faces.push(a, a + 1, a + 4, a + 1, a + 5, a + 4);
    if (j > 0 && j + 1 < around) {
      faces.push(2, a + 2, a + 6, 3, a + 7, a + 3);
    }
  }
  return { vertices, faces };
}

function boxMesh() {
  const vertices = [];
  const faces = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [1, -1]) {
      const first = vertices.length / 7;
      const normal = [0, 0, 0];
      normal[axis] = side;
      // Seen from outside the corners go round to the left, on both sides.
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const point = [0, 0, 0];
        point[axis] = side;
        point[(axis + 1) % 3] = u * side;
        point[(axis + 2) % 3] = v;
        vertices.push(...point, ...normal, 0);
      }
      faces.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { vertices, faces };
}

class SolidPainter {
  constructor(canvas, antialias) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias, stencil: true, alpha: false });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.shapes = this.program(SHAPE_VERTEX, SHAPE_FRAGMENT);
    this.floor = this.program(FLOOR_VERTEX, FLOOR_FRAGMENT);
    // Fingers and shadows need fewer faces: without a graphics card each one counts.
    this.meshes = {
      ball: this.mesh(ballMesh(18, 5)),
      bead: this.mesh(ballMesh(8, 2)),
      drum: this.mesh(drumMesh(18)),
      box: this.mesh(boxMesh()),
    };
    this.corners = gl.createVertexArray();
    gl.bindVertexArray(this.corners);
    this.fill(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.attribute(this.floor, "a_corner", 2, 2, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const gl = this.gl;
    const made = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(made));
    }
    return made;
  }

  fill(numbers) {
    const gl = this.gl;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    return buffer;
  }

  attribute(program, name, width, stride, offset, each = 0) {
    const gl = this.gl;
    const at = gl.getAttribLocation(program, name);
    if (at < 0) return;
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, width, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(at, each);
  }

  mesh({ vertices, faces }) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    this.fill(new Float32Array(vertices));
    this.attribute(this.shapes, "a_place", 3, 7, 0);
    this.attribute(this.shapes, "a_normal", 3, 7, 3);
    this.attribute(this.shapes, "a_end", 1, 7, 6);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(faces), gl.STATIC_DRAW);
    const instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    let offset = 0;
    for (const [name, width] of [
      ["i_place", 3],
      ["i_turn", 4],
      ["i_size", 4],
      ["i_colour", 3],
    ]) {
      this.attribute(this.shapes, name, width, INSTANCE_FLOATS, offset, 1);
      offset += width;
    }
    return { array, instances, count: faces.length };
  }

  uniforms(program, values) {
    const gl = this.gl;
    gl.useProgram(program);
    for (const [name, value] of Object.entries(values)) {
      const at = gl.getUniformLocation(program, name);
      if (typeof value === "number") gl.uniform1f(at, value);
      else if (value.length === 16) gl.uniformMatrix4fv(at, false, value);
      else gl[`uniform${value.length}fv`](at, value);
    }
  }

  drawShapes(placed, coarse = false) {
    const gl = this.gl;
    const meshOf = ({ mesh, size }) =>
      mesh === "ball" && (coarse || size[0] < SMALL) ? "bead" : mesh;
    for (const [name, mesh] of Object.entries(this.meshes)) {
      const numbers = placed
        .filter((shape) => meshOf(shape) === name)
        .flatMap((s) => [...s.place, ...s.turn, ...s.size, ...s.colour]);
      if (!numbers.length) continue;
      gl.bindVertexArray(mesh.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.instances);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
      const instances = numbers.length / INSTANCE_FLOATS;
      gl.drawElementsInstanced(
        gl.TRIANGLES,
        mesh.count,
        gl.UNSIGNED_SHORT,
        0,
        instances,
      );
    }
  }

  // `figures`: {placed, ghost}; `colours`: of the page's style sheet.
  draw(camera, figures, colours) {
    const gl = this.gl;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(...colours.back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const u_camera = camera.matrix(width / height);
    this.uniforms(this.floor, {
      u_camera,
      u_middle: camera.target.slice(0, 2),
      u_floor: colours.floor,
      u_grid: colours.grid,
      u_back: colours.back,
    });
    gl.bindVertexArray(this.corners);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    const common = { u_camera, u_light: LIGHT, u_eye: camera.frame().eye, u_flat: 0 };
    for (const { placed, ghost } of figures) {
      if (!ghost) this.drawShadow(placed, common);
    }
    for (const { placed, ghost } of figures) {
      if (ghost) this.drawGhost(placed, common, colours.ghost);
      else {
        this.uniforms(this.shapes, { ...common, u_tint: [0, 0, 0, 1] });
        this.drawShapes(placed);
      }
    }
  }

  // A stencil keeps shadows of two limbs from being darker than that of one.
  drawShadow(placed, common) {
    const gl = this.gl;
    const tint = [0, 0, 0, 0.28];
    this.uniforms(this.shapes, { ...common, u_flat: 1, u_tint: tint });
    gl.enable(gl.BLEND);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    this.drawShapes(placed, true);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
  }

  // First its depth, then its colour: what is inside it does not shine through.
  drawGhost(placed, common, colour) {
    const gl = this.gl;
    this.uniforms(this.shapes, { ...common, u_tint: [...colour, 0.38] });
    gl.colorMask(false, false, false, false);
    this.drawShapes(placed);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    this.drawShapes(placed);
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
  }

  release() {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
