// @ts-check
import { element } from "./blocks.js";
import { Drawing } from "./drawing.js";

/** A triangle that covers the target. `at` is 0…1 from the top left corner of the picture. Textures store the top row first. */
export const coveringTriangle = `#version 300 es
uniform bool isTexture;
out vec2 at;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
    at = corner * 0.5 + 0.5;
    if (!isTexture) at.y = 1.0 - at.y;
    gl_Position = vec4(corner, 0, 1);
}`;

/** The picture of a frame and its maps as textures, and what is drawn from them. */
export class Graphics extends Drawing {
    constructor(page) {
        super(element("graphics"), { alpha: true, antialias: false });
        const { gl } = this, { matte, lamps } = page;
        this.page = page;
        this.targets = new Map();
        this.canBeFloat = gl.getExtension("EXT_color_buffer_float") !== null;
        gl.bindVertexArray(this.nothing = gl.createVertexArray());
        if (matte) this.matte = this.texture(gl.R8, gl.RED, gl.UNSIGNED_BYTE, matte.width, matte.height, matte.samples);
        /** How much brighter than stored clipped pixels are, as powers of 2 in steps of 1/32. */
        this.lamps = this.texture(gl.R8, gl.RED, gl.UNSIGNED_BYTE, lamps.width, lamps.height, lamps.samples);
        this.show();
    }

    /** Takes the picture and the depth of the page's frame. */
    show() {
        const { gl } = this, { depth, picture } = this.page;
        for (const texture of [this.photo, this.disparity]) gl.deleteTexture(texture ?? null);
        this.photoSize = [picture.naturalWidth, picture.naturalHeight];
        this.aspect = picture.naturalWidth / picture.naturalHeight;
        this.photo = this.pictureTexture(picture);
        this.depth = depth;
        this.isGuided = false;
        if (!depth) return;
        this.disparity = this.texture(gl.R16F, gl.RED, gl.FLOAT, depth.width, depth.height, Float32Array.from(
            depth.disparity, value => Math.min(Math.max((value - depth.low) / (depth.high - depth.low), 0), 1)));
    }

    /**
     * A texture to render to: one channel or four of numbers, or three of light in the codes of sRGB. Each name has one; it is made again
     * when its size changes. `hasDepth` adds a depth buffer.
     */
    target(name, width, height, channels = 1, hasDepth = false) {
        const gl = this.gl, known = this.targets.get(name);
        if (known?.width === width && known.height === height) return known;
        if (known) { gl.deleteTexture(known.texture); gl.deleteFramebuffer(known.buffer); gl.deleteRenderbuffer(known.distances); }
        const isFloat = this.canBeFloat && channels !== 3;
        const [internal, format] = {
            1: [isFloat ? gl.R16F : gl.R8, gl.RED], 3: [gl.SRGB8_ALPHA8, gl.RGBA], 4: [isFloat ? gl.RGBA16F : gl.RGBA8, gl.RGBA],
        }[channels];
        const texture = this.texture(internal, format, isFloat ? gl.HALF_FLOAT : gl.UNSIGNED_BYTE, width, height, null);
        const buffer = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        let distances = null;
        if (hasDepth) {
            gl.bindRenderbuffer(gl.RENDERBUFFER, distances = gl.createRenderbuffer());
            gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, distances);
        }
        const target = { width, height, texture, buffer, distances };
        this.targets.set(name, target);
        return target;
    }

    /** Runs a program for every pixel of a target, or of the canvas. */
    fill(program, target, values) {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, target?.buffer ?? null);
        gl.viewport(0, 0, target?.width ?? this.canvas.width, target?.height ?? this.canvas.height);
        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.BLEND);
        gl.bindVertexArray(this.nothing);
        this.use(program, { ...values, isTexture: target ? 1 : 0 });
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    /** The level of the photo's mipmaps for a picture of this width. */
    level(width) { return Math.max(0, Math.log2(this.photoSize[0] / width)); }

    /**
     * Sets the canvas's size to its size on the screen, limited to that of the photo and to `longest`, or to the photo's to be saved. Sides
     * are even, as movies need them.
     */
    resize(longest, box = this.page.stage.box) {
        const aspect = box.width / box.height, [most] = this.photoSize, { isFullSize } = this.page.stage;
        const limit = isFullSize ? Math.min(4096, this.largest) : longest;
        const wanted = isFullSize ? most : Math.max(box.width * (window.devicePixelRatio || 1), 64);
        const width = Math.min(wanted, most * Math.max(1, aspect / this.aspect), aspect >= 1 ? limit : limit * aspect);
        const [w, h] = [width, width / aspect].map(side => Math.max(2, 2 * Math.round(side / 2)));
        if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    }

    /**
     * The disparity with the photo's edges, once for each frame, at most 1024 pixels wide or high: each pixel is the mean of the surrounding 4 × 4
     * samples that have a similar color and matte value.
     */
    guided() {
        const scale = Math.min(1, 1024 / Math.max(...this.photoSize)), [width, height] = this.photoSize.map(side => Math.round(side * scale));
        const target = this.target("guided", width, height);
        if (this.isGuided) return target.texture;
        const size = [this.depth.width, this.depth.height];
        const samples = this.target("samples", ...size, 4), covered = this.target("covered", ...size);
        this.fill(this.program("samples", coveringTriangle, samplesFragment), samples, {
            photo: this.photo, disparity: this.disparity, level: this.level(size[0]),
        });
        if (this.matte) this.fill(this.program("covered", coveringTriangle, coveredFragment), covered, { matte: this.matte });
        this.fill(this.program("guided", coveringTriangle, guidedFragment), target, {
            photo: this.photo, samples: samples.texture, covered: covered.texture, matte: this.matte ?? covered.texture,
            hasMatte: this.matte ? 1 : 0, level: this.level(width),
        });
        this.isGuided = true;
        return target.texture;
    }
}

/** The graphics of a page, made once. Throws without WebGL 2. */
export const graphicsOf = page => page.graphics ??= new Graphics(page);

/** The photo's color and the disparity at each sample of depth. */
const samplesFragment = `
uniform sampler2D photo, disparity;
uniform float level;
in vec2 at;
out vec4 result;
void main() { result = vec4(sqrt(textureLod(photo, at, level).rgb), texture(disparity, at).r); }`;

/** The matte's coverage at each sample of depth. */
const coveredFragment = `
uniform sampler2D matte;
in vec2 at;
out vec4 result;
void main() { result = vec4(texture(matte, at).r, 0, 0, 1); }`;

const guidedFragment = `
uniform sampler2D photo, samples, covered, matte;
uniform bool hasMatte;
uniform float level;
in vec2 at;
out vec4 result;
void main() {
    vec3 color = sqrt(textureLod(photo, at, level).rgb);
    float coverage = hasMatte ? texture(matte, at).r : 0.0;
    ivec2 last = textureSize(samples, 0) - 1;
    vec2 place = at * vec2(last + 1) - 0.5;
    ivec2 base = ivec2(floor(place));
    float sum = 0.0, weights = 0.0;
    for (int j = -1; j <= 2; j++) {
        for (int i = -1; i <= 2; i++) {
            ivec2 spot = clamp(base + ivec2(i, j), ivec2(0), last);
            vec2 offset = vec2(base + ivec2(i, j)) - place;
            vec4 there = texelFetch(samples, spot, 0);
            vec3 change = there.rgb - color;
            float weight = exp(-0.5 * dot(offset, offset) - 80.0 * dot(change, change)) + 1e-5;
            if (hasMatte) {
                float other = texelFetch(covered, spot, 0).r - coverage;
                weight *= exp(-16.0 * other * other);
            }
            sum += weight * there.a;
            weights += weight;
        }
    }
    result = vec4(sum / weights, 0, 0, 1);
}`;
