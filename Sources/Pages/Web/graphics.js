/** A triangle that covers the target. `at` is 0…1 from the top left corner of the picture. Textures store the top row first. */
const coveringTriangle = `#version 300 es
uniform bool isTexture;
out vec2 at;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
    at = corner * 0.5 + 0.5;
    if (!isTexture) at.y = 1.0 - at.y;
    gl_Position = vec4(corner, 0, 1);
}`;

const fragmentHead = `#version 300 es
precision highp float;
precision highp int;
vec3 coded(vec3 light) {
    light = clamp(light, 0.0, 1.0);
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}
`;

/** WebGL 2 on one canvas, with the textures of all views: the photo, the disparity, and the disparity aligned to the photo's edges. */
class Graphics {
    constructor(canvas, photo, depth, matte) {
        this.canvas = canvas;
        const gl = this.gl = canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
        if (!gl) throw new Error("no WebGL 2");
        this.programs = new Map();
        this.targets = new Map();
        this.aspect = photo.naturalWidth / photo.naturalHeight;
        this.photoSize = [photo.naturalWidth, photo.naturalHeight];
        this.canBeFloat = gl.getExtension("EXT_color_buffer_float") !== null;
        this.largest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
        gl.bindVertexArray(this.nothing = gl.createVertexArray());
        this.photo = this.pictureTexture(photo);
        this.depth = depth;
        if (depth) {
            this.disparity = this.texture(gl.R16F, gl.RED, gl.FLOAT, depth.width, depth.height, Float32Array.from(
                depth.disparity, value => Math.min(Math.max((value - depth.low) / (depth.high - depth.low), 0), 1)));
        }
        if (matte) this.matte = this.texture(gl.R8, gl.RED, gl.UNSIGNED_BYTE, matte.width, matte.height, matte.samples);
    }

    /** A texture of a picture in linear light, with mipmaps. */
    pictureTexture(source) {
        const gl = this.gl, texture = gl.createTexture();
        const [width, height] = [source.naturalWidth ?? source.width, source.naturalHeight ?? source.height];
        const shrink = Math.min(1, this.largest / Math.max(width, height));
        if (shrink < 1) {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [Math.floor(width * shrink), Math.floor(height * shrink)];
            canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
            source = canvas;
        }
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, source);
        gl.generateMipmap(gl.TEXTURE_2D);
        this.setSampling(gl.LINEAR_MIPMAP_LINEAR);
        return texture;
    }

    texture(internal, format, type, width, height, samples) {
        const gl = this.gl, texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, samples);
        this.setSampling(gl.LINEAR);
        return texture;
    }

    setSampling(minified) {
        const gl = this.gl;
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, minified);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    }

    /** A texture to render to, with one or four channels. Each name has one; it is made again when its size changes. */
    target(name, width, height, channels = 1) {
        const gl = this.gl, known = this.targets.get(name);
        if (known?.width === width && known.height === height) return known;
        if (known) { gl.deleteTexture(known.texture); gl.deleteFramebuffer(known.buffer); }
        const [internal, format] = channels === 1
            ? [this.canBeFloat ? gl.R16F : gl.R8, gl.RED] : [this.canBeFloat ? gl.RGBA16F : gl.RGBA8, gl.RGBA];
        const texture = this.texture(internal, format, this.canBeFloat ? gl.HALF_FLOAT : gl.UNSIGNED_BYTE, width, height, null);
        const buffer = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        const target = { width, height, texture, buffer };
        this.targets.set(name, target);
        return target;
    }

    /** A program and the locations of its uniforms, made once. */
    program(name, vertex, fragment) {
        const known = this.programs.get(name);
        if (known) return known;
        const gl = this.gl, program = gl.createProgram();
        for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragmentHead + fragment]]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(`${name}: ${gl.getShaderInfoLog(shader)}`);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(`${name}: ${gl.getProgramInfoLog(program)}`);
        const uniforms = {};
        for (let index = 0; index < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); index++) {
            const { name, type } = gl.getActiveUniform(program, index);
            uniforms[name] = { place: gl.getUniformLocation(program, name), type };
        }
        const made = { program, uniforms };
        this.programs.set(name, made);
        return made;
    }

    /** Uses a program with these values. Textures get units in their order. */
    use({ program, uniforms }, values) {
        const gl = this.gl;
        gl.useProgram(program);
        let unit = 0;
        for (const [name, value] of Object.entries(values)) {
            const uniform = uniforms[name];
            if (!uniform) continue;
            const { place, type } = uniform;
            if (type === gl.SAMPLER_2D) {
                gl.activeTexture(gl.TEXTURE0 + unit);
                gl.bindTexture(gl.TEXTURE_2D, value);
                gl.uniform1i(place, unit++);
            } else if (type === gl.FLOAT) gl.uniform1f(place, value);
            else if (type === gl.FLOAT_VEC2) gl.uniform2fv(place, value);
            else if (type === gl.FLOAT_VEC3) gl.uniform3fv(place, value);
            else if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place, false, value);
            else gl.uniform1i(place, value);
        }
        gl.activeTexture(gl.TEXTURE0);
    }

    /** Runs a program for every pixel of a target, or of the canvas. */
    fill(program, target, values) {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, target?.buffer ?? null);
        gl.viewport(0, 0, target?.width ?? this.canvas.width, target?.height ?? this.canvas.height);
        gl.disable(gl.DEPTH_TEST);
        gl.bindVertexArray(this.nothing);
        this.use(program, { ...values, isTexture: target ? 1 : 0 });
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    /** Sets the canvas's size to its size on the screen, limited to that of the photo and to `longest`. */
    resize(longest) {
        const box = this.canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
        const width = Math.min(Math.max(box.width * scale, 64), this.photoSize[0], this.aspect >= 1 ? longest : longest * this.aspect);
        const [w, h] = [Math.round(width), Math.max(1, Math.round(width / this.aspect))];
        if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    }

    /**
     * The disparity at the canvas's size, with the photo's edges: each pixel is the mean of those of the surrounding 4 × 4 samples
     * that have a similar color and matte value.
     */
    guided() {
        const { width, height } = this.canvas;
        const target = this.target("guided", width, height);
        if (target.isDone) return target.texture;
        const size = [this.depth.width, this.depth.height];
        const samples = this.target("samples", ...size, 4), covered = this.target("covered", ...size);
        if (!samples.isDone) {
            this.fill(this.program("samples", coveringTriangle, samplesFragment), samples, {
                photo: this.photo, disparity: this.disparity, level: Math.max(0, Math.log2(this.photoSize[0] / size[0])),
            });
            if (this.matte) this.fill(this.program("covered", coveringTriangle, coveredFragment), covered, { matte: this.matte });
            samples.isDone = true;
        }
        this.fill(this.program("guided", coveringTriangle, guidedFragment), target, {
            photo: this.photo, samples: samples.texture, covered: covered.texture, matte: this.matte ?? covered.texture,
            hasMatte: this.matte ? 1 : 0, level: Math.max(0, Math.log2(this.photoSize[0] / width)),
        });
        target.isDone = true;
        return target.texture;
    }
}

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
