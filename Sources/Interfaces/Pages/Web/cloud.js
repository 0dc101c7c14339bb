// @ts-check
import { element } from "./blocks.js";
import { Drawing } from "./drawing.js";
import { cross, dot, multiplied, plus, projectionOf, unit, viewFrom } from "./matrices.js";
import { fusedShape } from "./shape.js";
import { tabs } from "./stage.js";
import { TurningView } from "./turning.js";

/** A camera's right, down and forward direction and its position, from a pose. */
const axesOf = pose => [0, 3, 6, 9].map(start => pose.slice(start, start + 3));

/**
 * The fused surface of a recording or its points, the path of its camera, and the camera's pose at a frame. World coordinates, meters.
 */
export class CloudView extends TurningView {
    looksThrough = false;
    /** @type {Promise<void> | undefined} Resolved once pictures are decoded. */
    ready;

    /** `shape` is the result of `fusedShape`. */
    constructor(page, shape) {
        super("The surface of the recording", "cloud", {
            tilt: 0.25, gain: { yaw: -4, pitch: 3 }, limits: { yaw: Infinity, pitch: 1.5, zoom: [0.2, 20] },
        }, " The line is the path of the camera; the pyramid is its view.");
        this.page = page;
        this.record = page.scene.cloud;
        this.drawing = new Drawing(element("cloud"), { alpha: false, antialias: true });
        const { gl } = this.drawing;
        this.count = shape.triangles?.length ?? 0;
        this.vertices = this.array(shape);
        /** The pictures of frames as textures, once they are decoded. */
        this.pictures = new Map();
        this.lines = gl.createVertexArray();
        gl.bindVertexArray(this.lines);
        this.lineBuffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
        const posed = page.frames.filter(frame => frame.pose);
        const sum = start => posed.reduce((sum, { pose }) => plus(sum, pose.slice(start, start + 3)), [0, 0, 0]);
        // The view's up direction is the mean of the cameras'.
        this.up = unit(sum(3).map(value => -value));
        this.ahead = unit(sum(6));
        element("cloud-controls").hidden = false;
        element("shape-label").hidden = this.count === 0;
        for (const name of ["shape", "point-size"]) element(name).addEventListener("input", () => this.stage.draw());
        element("through").addEventListener("click", () => { this.looksThrough = !this.looksThrough; this.stage.draw(); });
    }

    enter() { this.ready ??= this.loadPictures(); }

    depart() { this.looksThrough = false; }

    /** Decodes the pictures that the surface shows. */
    async loadPictures() {
        for (const [index, { pose, camera }] of this.page.frames.entries()) {
            if (!this.record.triangles[index + 1] || !pose || !camera) continue;
            const picture = new Image();
            picture.src = this.page.pictureOf(index);
            await picture.decode();
            this.pictures.set(index, { texture: this.drawing.pictureTexture(picture), width: picture.naturalWidth });
        }
        this.stage.draw();
    }

    array({ positions, colors, normals, triangles }) {
        const { gl } = this.drawing, array = gl.createVertexArray();
        gl.bindVertexArray(array);
        const parts = [{ values: positions, type: gl.UNSIGNED_SHORT, stride: 6 }, { values: colors, type: gl.UNSIGNED_BYTE, stride: 3 }];
        if (triangles) parts.push({ values: normals, type: gl.BYTE, stride: 4 });
        for (const [place, { values, type, stride }] of parts.entries()) {
            gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, 3, type, true, stride, 0);
        }
        if (triangles) {
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
        }
        return array;
    }

    /** The transform from the world to the canvas, at a frame. */
    matrix(frame) {
        const { radius, low, extent } = this.record, reach = radius * 20;
        if (this.looksThrough && frame.pose && frame.camera) {
            const [right, down, forward, eye] = axesOf(frame.pose), { scaleX, scaleY, centerX, centerY } = frame.camera;
            const projection = projectionOf([scaleX, scaleY, centerX, centerY], radius * 0.005, reach);
            return multiplied(projection, viewFrom(eye, right, down.map(value => -value), forward));
        }
        const level = unit(plus(this.ahead, this.up, -dot(this.ahead, this.up)));
        const side = unit(cross(level, this.up));
        const turned = plus(level.map(value => value * Math.cos(this.yaw)), side, Math.sin(this.yaw));
        const forward = unit(plus(turned.map(value => value * Math.cos(this.pitch)), this.up, -Math.sin(this.pitch)));
        const right = unit(cross(forward, this.up)), up = cross(right, forward);
        // From here, the complete extent is visible.
        const distance = 1.9 * radius / this.zoom, middle = plus(low, extent, 0.5);
        const { width, height } = this.drawing.canvas, aspect = width / height;
        const projection = projectionOf([1 / Math.max(aspect, 1), Math.min(aspect, 1), 0.5, 0.5], distance * 0.01, distance + reach);
        return multiplied(projection, viewFrom(plus(middle, forward, -distance), right, up, forward));
    }

    draw() {
        const { gl, canvas } = this.drawing, { stage, page } = this, frame = page.frames[page.index];
        const box = this.looksThrough ? stage.box : stage.stage.getBoundingClientRect();
        const scale = Math.min(window.devicePixelRatio || 1, 1600 / Math.max(box.width, box.height, 1));
        const [width, height] = [box.width, box.height].map(side => Math.max(64, Math.round(side * scale)));
        if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
        const showsSurface = this.count > 0 && element("shape").value === "surface";
        element("size-label").hidden = showsSurface;
        element("through").setAttribute("aria-pressed", this.looksThrough);
        gl.viewport(0, 0, width, height);
        gl.clearColor(0.067, 0.075, 0.086, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        const matrix = this.matrix(frame);
        gl.bindVertexArray(this.vertices);
        if (showsSurface) this.drawSurface(matrix);
        else this.drawPoints(matrix);
        this.drawLines(gl.LINE_STRIP, matrix, page.scene.path, [1, 0.75, 0.2]);
        if (frame.pose && !this.looksThrough) this.drawLines(gl.LINES, matrix, this.frustum(frame), [0.35, 0.85, 1]);
        gl.bindVertexArray(null);
    }

    drawPoints(matrix) {
        const { drawing } = this, { gl, canvas } = drawing, { low, extent, count, voxel } = this.record, share = element("point-size").value / 100;
        drawing.use(drawing.program("points", pointVertex, pointFragment), { matrix, low, extent, size: voxel * (0.5 + 2.5 * share) * canvas.height });
        gl.drawArrays(gl.POINTS, 0, count);
    }

    /**
     * The triangles of each picture, and those that none shows, in the colors of the fused points. What faces away, such as a room's walls
     * from outside, is not shown.
     */
    drawSurface(matrix) {
        const { drawing } = this, { gl } = drawing, { low, extent, voxel, triangles } = this.record;
        const plain = drawing.program("surface", surfaceVertex, surfaceFragment), pictured = drawing.program("pictured", picturedVertex, picturedFragment);
        // Pictures have shades of their own.
        const shading = triangles.some((count, index) => index > 0 && count > 0) ? 0 : 0.3;
        gl.enable(gl.CULL_FACE);
        let start = 0;
        for (const [index, count] of triangles.entries()) {
            const picture = this.pictures.get(index - 1);
            if (picture) {
                const { pose, camera } = this.page.frames[index - 1], [right, down, forward, eye] = axesOf(pose);
                const { scaleX, scaleY, centerX, centerY } = camera;
                drawing.use(pictured, {
                    matrix, low, extent, right, down, forward, eye, scale: [scaleX, scaleY], center: [centerX, centerY],
                    picture: picture.texture, pixels: voxel * scaleX * picture.width,
                });
            } else drawing.use(plain, { matrix, low, extent, shading });
            if (count > 0) gl.drawElements(gl.TRIANGLES, 3 * count, gl.UNSIGNED_SHORT, 6 * start);
            start += count;
        }
        gl.disable(gl.CULL_FACE);
    }

    drawLines(kind, matrix, coordinates, color) {
        const { drawing } = this, { gl } = drawing;
        drawing.use(drawing.program("lines", lineVertex, lineFragment), { matrix, color });
        gl.bindVertexArray(this.lines);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
        gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(coordinates), gl.STREAM_DRAW);
        gl.drawArrays(kind, 0, coordinates.length / 3);
    }

    /** The edges of the pyramid that a camera sees, as pairs of points. */
    frustum({ pose, camera }) {
        const [right, down, forward, eye] = axesOf(pose), depth = this.record.radius * 0.12;
        const { scaleX, scaleY, centerX, centerY } = camera ?? { scaleX: 1, scaleY: 1, centerX: 0.5, centerY: 0.5 };
        const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([u, v]) =>
            plus(plus(plus(eye, forward, depth), right, depth * (u - centerX) / scaleX), down, depth * (v - centerY) / scaleY));
        return corners.flatMap((corner, index) => [...eye, ...corner, ...corner, ...corners[(index + 1) % 4]]);
    }
}

const pointVertex = `#version 300 es
layout(location = 0) in vec3 share;
layout(location = 1) in vec3 color;
uniform mat4 matrix;
uniform vec3 low, extent;
uniform float size;
out vec3 shade;
void main() {
    shade = color;
    gl_Position = matrix * vec4(low + share * extent, 1);
    gl_PointSize = clamp(size / max(gl_Position.w, 1e-6), 1.0, 40.0);
}`;

const pointFragment = `
in vec3 shade;
out vec4 result;
void main() {
    vec2 from = gl_PointCoord * 2.0 - 1.0;
    if (dot(from, from) > 1.0) discard;
    result = vec4(shade, 1);
}`;

/** The light is at the viewer. */
const surfaceVertex = `#version 300 es
layout(location = 0) in vec3 share;
layout(location = 1) in vec3 color;
layout(location = 2) in vec3 normal;
uniform mat4 matrix;
uniform vec3 low, extent;
uniform float shading;
out vec3 shade;
void main() {
    gl_Position = matrix * vec4(low + share * extent, 1);
    vec3 ahead = normalize(vec3(matrix[0].w, matrix[1].w, matrix[2].w));
    shade = color * (1.0 - shading + shading * abs(dot(normalize(normal), ahead)));
}`;

const surfaceFragment = `
in vec3 shade;
out vec4 result;
void main() { result = vec4(shade, 1); }`;

/** A picture may be brighter or darker than the mean of all pictures, which vertices have: it becomes as bright as they are. */
const picturedVertex = `#version 300 es
layout(location = 0) in vec3 share;
layout(location = 1) in vec3 color;
uniform mat4 matrix;
uniform vec3 low, extent, right, down, forward, eye;
uniform vec2 scale, center;
uniform float pixels;
uniform sampler2D picture;
out vec3 place, gain;
void main() {
    vec3 position = low + share * extent, from = position - eye;
    gl_Position = matrix * vec4(position, 1);
    float distance = dot(from, forward);
    place = vec3(vec2(dot(from, right), dot(from, down)) * scale + center * distance, distance);
    vec3 own = textureLod(picture, place.xy / distance, max(log2(pixels / distance), 0.0)).rgb;
    vec3 light = mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
    gain = clamp(light / max(own, 0.001), 0.5, 2.0);
}`;

const picturedFragment = `
uniform sampler2D picture;
in vec3 place, gain;
out vec4 result;
void main() { result = vec4(coded(gain * texture(picture, place.xy / place.z).rgb), 1); }`;

const lineVertex = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 matrix;
void main() { gl_Position = matrix * vec4(position, 1); }`;

const lineFragment = `
uniform vec3 color;
out vec4 result;
void main() { result = vec4(color, 1); }`;

tabs.set("3D", async page => new CloudView(page, await fusedShape(page.scene.cloud)));
