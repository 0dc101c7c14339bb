/** The photo over another background: unchanged to the left of a line, composited to the right. */
class Cutout {
    constructor(graphics) {
        this.graphics = graphics;
        [this.wipe, this.color, this.backdrop, this.cut] = [0.5, [0.16, 0.44, 0.59], "color", 0.5];
    }

    /** Sets a picture as the background. */
    setPicture(source) {
        if (this.picture) this.graphics.gl.deleteTexture(this.picture);
        this.picture = this.graphics.pictureTexture(source);
        this.pictureAspect = source.width / source.height;
    }

    draw() {
        const { graphics } = this;
        graphics.resize(1600);
        const { width, height } = graphics.canvas;
        const isPicture = this.backdrop === "picture" && this.picture;
        const wider = isPicture ? this.pictureAspect / graphics.aspect : 1;
        graphics.fill(graphics.program("cutout", coveringTriangle, cutoutFragment), null, {
            photo: graphics.photo, matte: graphics.matte ?? graphics.guided(), hasMatte: graphics.matte ? 1 : 0,
            picture: isPicture ? this.picture : graphics.photo, kind: isPicture ? 2 : this.backdrop === "blur" ? 1 : 0,
            color: this.color, wipe: this.wipe, cut: this.cut, line: 1 / width,
            cover: wider > 1 ? [1 / wider, 1] : [1, wider],
            fine: Math.max(0, Math.log2(graphics.photoSize[0] / width)), haze: Math.log2(graphics.photoSize[0] / 24),
        });
    }
}

const cutoutFragment = `
uniform sampler2D photo, matte, picture;
uniform bool hasMatte;
uniform int kind;
uniform vec3 color;
uniform vec2 cover;
uniform float wipe, cut, line, fine, haze;
in vec2 at;
out vec4 result;
vec3 lightOf(vec3 code) { return mix(code / 12.92, pow((code + 0.055) / 1.055, vec3(2.4)), step(0.04045, code)); }
void main() {
    vec3 light = textureLod(photo, at, fine).rgb;
    if (at.x > wipe) {
        float coverage = texture(matte, at).r;
        if (!hasMatte) coverage = smoothstep(cut - 0.02, cut + 0.02, coverage);
        vec3 behind = lightOf(color);
        if (kind == 2) behind = texture(picture, (at - 0.5) * cover + 0.5).rgb;
        if (kind == 1) {
            behind = vec3(0);
            for (int index = 0; index < 16; index++) {
                float angle = float(index) * 2.39996;
                vec2 place = at + 0.05 * sqrt(float(index) / 16.0) * vec2(cos(angle), sin(angle));
                behind += textureLod(photo, place, max(haze - 1.5, 0.0)).rgb / 16.0;
            }
        }
        light = mix(behind, light, coverage);
    }
    if (abs(at.x - wipe) < line && wipe > 0.0 && wipe < 1.0) light = vec3(1);
    result = vec4(coded(light), 1);
}`;
