/** The maximum number of triangles. */
const mostTriangles = 300000;

/**
 * The surface of the depth with the photo on it: one vertex for every n-th sample in rows and columns, in the camera's coordinates (x
 * right, y down, z forward). There are two lists of triangles: `cut`, without those at depth edges and flying samples, and `whole`, with all.
 */
class Mesh {
    constructor(graphics, camera) {
        this.graphics = graphics;
        const { depth, gl } = graphics;
        const stride = this.stride = Math.max(1, Math.ceil(Math.sqrt(2 * depth.width * depth.height / mostTriangles)));
        const columns = this.columns = Math.floor((depth.width - 1) / stride) + 1;
        const rows = this.rows = Math.floor((depth.height - 1) / stride) + 1;
        this.nearest = 1 / depth.high;
        this.farthest = Math.min(1 / Math.max(depth.low, 1e-4), this.nearest * 40);
        const vertices = new Float32Array(columns * rows * 5);
        const z = new Float32Array(columns * rows), isKnown = new Uint8Array(columns * rows);
        for (let row = 0, vertex = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++, vertex++) {
                const [i, j] = [Math.min(column * stride, depth.width - 1), Math.min(row * stride, depth.height - 1)];
                const sample = j * depth.width + i;
                const [u, v] = [(i + 0.5) / depth.width, (j + 0.5) / depth.height];
                const [x, y] = camera.ray(u, v);
                const distance = Math.min(Math.max(1 / Math.max(depth.disparity[sample], 1e-6), this.nearest * 0.5), this.farthest);
                z[vertex] = distance;
                isKnown[vertex] = depth.known[sample] && distance < this.farthest ? 1 : 0;
                vertices.set([x * distance, y * distance, distance, u, v], vertex * 5);
            }
        }
        this.array = gl.createVertexArray();
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 20, 0);
        gl.enableVertexAttribArray(1);
        gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 20, 12);
        const ratio = 1 + Math.min(Math.max(Math.tan(82 * Math.PI / 180) / (camera.focalLength * columns), 0.03), 1);
        this.whole = this.indices(this.triangles(z, () => true));
        removeFlyingSamples(z, isKnown, columns, rows, ratio);
        this.cut = this.indices(this.triangles(z, (a, b, c) => {
            if (!isKnown[a] || !isKnown[b] || !isKnown[c]) return false;
            const [low, high] = [Math.min(z[a], z[b], z[c]), Math.max(z[a], z[b], z[c])];
            return high <= low * ratio;
        }));
        gl.bindVertexArray(graphics.nothing);
        const known = [...percentiles(z.filter((_, index) => isKnown[index]), [0.3])];
        this.pivot = known[0] || this.nearest * 2;
        this.camera = camera;
        this.reset();
    }

    /** The triangles of all cells whose corners `isSurface` accepts. Each cell is split along the diagonal with the smaller change. */
    triangles(z, isSurface) {
        const { columns, rows } = this, list = new Uint32Array((columns - 1) * (rows - 1) * 6);
        let count = 0;
        const add = (a, b, c) => { if (isSurface(a, b, c)) { list[count++] = a; list[count++] = b; list[count++] = c; } };
        for (let row = 0; row + 1 < rows; row++) {
            for (let column = 0; column + 1 < columns; column++) {
                const a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
                if (Math.abs(z[a] - z[d]) <= Math.abs(z[b] - z[c])) { add(a, c, d); add(a, d, b); } else { add(a, c, b); add(b, c, d); }
            }
        }
        return list.subarray(0, count);
    }

    indices(list) {
        const { gl } = this.graphics, buffer = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list, gl.STATIC_DRAW);
        return { buffer, count: list.length };
    }

    /** The view of the camera that took the photo. */
    reset() { [this.yaw, this.pitch, this.zoom] = [0, 0, 1]; }

    turn(yaw, pitch) {
        this.yaw = Math.min(Math.max(this.yaw + yaw, -1.4), 1.4);
        this.pitch = Math.min(Math.max(this.pitch + pitch, -1.2), 1.2);
    }

    scale(factor) { this.zoom = Math.min(Math.max(this.zoom * factor, 0.3), 6); }

    /** Draws the surface, viewed from a point around the pivot, in one call. */
    draw(isColored) {
        const { pivot } = this;
        const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
        const back = pivot / this.zoom;
        // Columns of the matrix: rotates around the pivot, then moves it `back` in front of the viewer.
        const view = [
            cy, sp * sy, -cp * sy, 0, 0, cp, sp, 0, sy, -sp * cy, cp * cy, 0,
            -pivot * sy, pivot * sp * cy, back - pivot * cp * cy, 1,
        ];
        this.render(multiplied(this.projection(1), view), this.cut, isColored, 1);
    }

    /** Draws the surface, stretched across edges, from beside the camera. The pivot does not move. */
    drawBeside(x, y, strength) {
        const shift = 0.06 * this.pivot * strength;
        const [dx, dy] = [x * shift, y * shift];
        const view = [1, 0, 0, 0, 0, 1, 0, 0, dx / this.pivot, dy / this.pivot, 1, 0, -dx, -dy, 0, 1];
        this.render(multiplied(this.projection(1 + 0.1 * strength), view), this.whole, false, 0);
    }

    /** The camera's projection, enlarged, for coordinates with y down and z forward. */
    projection(scale) {
        const { scaleX, scaleY, centerX, centerY } = this.camera;
        const [near, far] = [this.nearest * 0.05, this.farthest * 4 + this.pivot * 4];
        return [
            scaleX * 2 * scale, 0, 0, 0, 0, -scaleY * 2 * scale, 0, 0, (centerX * 2 - 1) * scale, (1 - centerY * 2) * scale,
            (far + near) / (far - near), 1, 0, 0, -2 * far * near / (far - near), 0,
        ];
    }

    render(matrix, list, isColored, dark) {
        const { graphics } = this, { gl, depth } = graphics;
        graphics.resize(1600);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, graphics.canvas.width, graphics.canvas.height);
        gl.clearColor(0.07 * dark, 0.08 * dark, 0.09 * dark, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, list.buffer);
        graphics.use(graphics.program("mesh", meshVertex, meshFragment), {
            matrix, photo: graphics.photo, colors: graphics.colors, isColored: isColored ? 1 : 0, low: depth.low, high: depth.high,
        });
        gl.drawElements(gl.TRIANGLES, list.count, gl.UNSIGNED_INT, 0);
        gl.bindVertexArray(graphics.nothing);
    }
}

/** Whether a sample is between a nearer and a farther neighbor: such flying samples belong to no surface. */
function removeFlyingSamples(z, isKnown, columns, rows, ratio) {
    const flying = [];
    const isBetween = (value, first, second) =>
        first < value / ratio && second > value * ratio || second < value / ratio && first > value * ratio;
    for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
            const index = row * columns + column, value = z[index];
            if (column > 0 && column + 1 < columns && isBetween(value, z[index - 1], z[index + 1])
                || row > 0 && row + 1 < rows && isBetween(value, z[index - columns], z[index + columns])) flying.push(index);
        }
    }
    for (const index of flying) isKnown[index] = 0;
}

/** The camera as stored in the page: a grid of rays over the picture, corrected for the lens. */
class Camera {
    constructor({ columns, rows, x, y, scaleX, scaleY, centerX, centerY }) {
        Object.assign(this, { columns, rows, x, y, scaleX, scaleY, centerX, centerY });
    }

    /** The focal length as a fraction of the picture's width. */
    get focalLength() { return this.scaleX; }

    /** X / Z and Y / Z at a point of the picture, interpolated between the rays through the centers of the grid's cells. */
    ray(u, v) {
        const [p, q] = [u * this.columns - 0.5, v * this.rows - 0.5];
        const i = Math.min(Math.max(Math.floor(p), 0), this.columns - 2), j = Math.min(Math.max(Math.floor(q), 0), this.rows - 2);
        const [a, b, index] = [p - i, q - j, j * this.columns + i];
        const mean = list => (list[index] * (1 - a) + list[index + 1] * a) * (1 - b)
            + (list[index + this.columns] * (1 - a) + list[index + this.columns + 1] * a) * b;
        return [mean(this.x), mean(this.y)];
    }
}

const meshVertex = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 place;
uniform mat4 matrix;
out vec2 at;
out float depthHere;
void main() {
    at = place;
    depthHere = position.z;
    gl_Position = matrix * vec4(position, 1);
}`;

const meshFragment = `
uniform sampler2D photo, colors;
uniform bool isColored;
uniform float low, high;
in vec2 at;
in float depthHere;
out vec4 result;
void main() {
    float share = clamp((1.0 / depthHere - low) / (high - low), 0.0, 1.0);
    vec3 light = isColored ? texture(colors, vec2(share, 0.5)).rgb : texture(photo, at).rgb;
    result = vec4(coded(light), 1);
}`;
