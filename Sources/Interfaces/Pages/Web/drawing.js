// @ts-check
const fragmentHead = `#version 300 es
precision highp float;
precision highp int;
vec3 coded(vec3 light) {
    light = clamp(light, 0.0, 1.0);
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}
`;

/** WebGL 2 on one canvas, and its programs. */
export class Drawing {
    constructor(canvas, { alpha, antialias }) {
        this.canvas = canvas;
        const gl = canvas.getContext("webgl2", { alpha, premultipliedAlpha: true, antialias, preserveDrawingBuffer: true });
        if (!gl) throw new Error("no WebGL 2");
        this.gl = gl;
        this.largest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
        this.programs = new Map();
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
}
