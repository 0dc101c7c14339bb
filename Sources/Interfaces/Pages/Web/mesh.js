// @ts-check
import { coveringTriangle, graphicsOf } from "./graphics.js";
import { Layers } from "./layers.js";
import { parsedColors, pause } from "./numbers.js";

/**
 * The surfaces of the front and the back layer, in the camera's coordinates (x right, y down, z forward): one vertex for each sample of the
 * layers. The front's opacity determines outlines.
 */
export class Mesh {
    constructor(graphics, layers, camera) {
        this.graphics = graphics;
        this.layers = layers;
        this.camera = camera;
        const { gl, depth } = graphics, { columns, rows } = layers, { front, back } = layers.maps, range = depth.high - depth.low;
        this.nearest = 1 / depth.high;
        this.farthest = Math.min(1 / Math.max(depth.low, 1e-4), this.nearest * 200);
        const vertices = new Float32Array(columns * rows * 6);
        for (let row = 0, vertex = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++, vertex++) {
                // The outermost vertices are at the picture's edges.
                const [u, v] = [column / (columns - 1), row / (rows - 1)];
                vertices.set([...camera.ray(u, v), u, v, depth.low + front[vertex] * range, depth.low + back[vertex] * range], vertex * 6);
            }
        }
        this.array = gl.createVertexArray();
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
        for (let place = 0; place < 3; place++) {
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 24, 8 * place);
        }
        const list = cellTriangles(front, columns, rows);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list, gl.STATIC_DRAW);
        gl.bindVertexArray(graphics.nothing);
        this.count = list.length;
    }

    /** Takes 256 colors of the depth, from far to near. */
    takeColors(colors) {
        const { graphics } = this, { gl } = graphics, pixels = new Uint8Array(1024).fill(255);
        for (let index = 0; index < 256; index++) pixels.set(colors.subarray(3 * index, 3 * index + 3), 4 * index);
        this.colors = graphics.texture(gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, 256, 1, pixels);
    }

    /** The camera's projection for coordinates with y down and z forward, enlarged. */
    projection(scaleX, scaleY = scaleX) {
        const camera = this.camera, [near, far] = [this.nearest * 0.05, this.farthest * 8];
        return [
            camera.scaleX * 2 * scaleX, 0, 0, 0, 0, -camera.scaleY * 2 * scaleY, 0, 0, (camera.centerX * 2 - 1) * scaleX, (1 - camera.centerY * 2) * scaleY,
            (far + near) / (far - near), 1, 0, 0, -2 * far * near / (far - near), 0,
        ];
    }

    /**
     * Draws both layers through a matrix, the front over the back. `most` limits distances, `border` is the width of the soft edge of the
     * picture, and `ground` is the light around it.
     */
    draw(matrix, { most = this.farthest, border = 0, ground = [0, 0, 0], isColored = false } = {}) {
        const { graphics, layers } = this, { gl, canvas, depth } = graphics;
        const target = graphics.target("view", canvas.width, canvas.height, 3, true);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.buffer);
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.clearColor(...ground, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.bindVertexArray(this.array);
        const program = graphics.program("mesh", meshVertex, meshFragment);
        for (const isFront of [0, 1]) {
            graphics.use(program, {
                matrix, photo: graphics.photo, coverage: layers.coverage, light: layers.light, colors: this.colors, isFront, border,
                isColored: isColored ? 1 : 0, low: depth.low, high: depth.high, least: 1 / most,
            });
            gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0);
        }
        gl.bindVertexArray(graphics.nothing);
        graphics.fill(graphics.program("shown", coveringTriangle, shownFragment), null, { light: target.texture });
    }
}

/** The layers of a page's photo as a mesh, made once. */
export async function meshOf(page) {
    if (page.mesh) return page.mesh;
    const graphics = graphicsOf(page);
    graphics.guided();
    await pause();
    page.layers = new Layers(graphics, page.depth, page.matte);
    await pause();
    page.mesh = new Mesh(graphics, page.layers, page.camera);
    page.mesh.takeColors(parsedColors(page.scene.colorMaps.turbo));
    return page.mesh;
}

/** Two triangles for each cell of a grid, split along the diagonal with the smaller change. */
export function cellTriangles(values, columns, rows) {
    const list = new Uint32Array((columns - 1) * (rows - 1) * 6);
    let count = 0;
    for (let row = 0; row + 1 < rows; row++) {
        for (let column = 0; column + 1 < columns; column++) {
            const a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
            const isFalling = Math.abs(values[a] - values[d]) <= Math.abs(values[b] - values[c]);
            for (const corner of isFalling ? [a, c, d, a, d, b] : [a, c, b, b, c, d]) list[count++] = corner;
        }
    }
    return list;
}

const meshVertex = `#version 300 es
layout(location = 0) in vec2 ray;
layout(location = 1) in vec2 place;
layout(location = 2) in vec2 disparities;
uniform mat4 matrix;
uniform bool isFront;
uniform float least;
out vec2 at;
out float disparity;
void main() {
    at = place;
    disparity = isFront ? disparities.x : disparities.y;
    float z = 1.0 / max(disparity, least);
    gl_Position = matrix * vec4(ray * z, z, 1);
    // What both layers show at the same place is the front's.
    if (!isFront) gl_Position.z += 2e-5 * gl_Position.w;
}`;

const meshFragment = `
uniform sampler2D photo, coverage, light, colors;
uniform bool isFront, isColored;
uniform float low, high, border;
in vec2 at;
in float disparity;
out vec4 result;
void main() {
    float opacity = isFront ? texture(coverage, at).r : 1.0;
    vec3 behind = texture(light, at).rgb, shown = behind;
    // The front's own light in soft edges is what remains of the photo without the light behind it.
    if (isFront) shown = clamp(texture(photo, at).rgb - (1.0 - opacity) * behind, vec3(0), vec3(opacity));
    if (isColored) shown = opacity * texture(colors, vec2((disparity - low) / (high - low), 0.5)).rgb;
    vec2 inside = smoothstep(vec2(0), vec2(border), min(at, 1.0 - at) + 1e-6);
    float share = inside.x * inside.y;
    if (opacity * share < 0.02) discard;
    result = vec4(shown, opacity) * share;
}`;

const shownFragment = `
uniform sampler2D light;
in vec2 at;
out vec4 result;
void main() { result = vec4(coded(texture(light, vec2(at.x, 1.0 - at.y)).rgb), 1); }`;
