// @ts-check
import { coveringTriangle } from "./graphics.js";

/**
 * The photo as a lens of wide aperture would take it. A blur disc has the radius f² · 43.2666 / (2000 · N · d) · |1/Z − 1/Z_f| pixels, f being
 * the focal length and d the diagonal in pixels, as in `isobath blur`, and at most 3 % of the diagonal.
 *
 * For each pixel, nearer surfaces are blurred separately from its own surface and composited over it, weighted by the fraction of the
 * disc that they cover. Farther surfaces do not spread over it. This is done at half the size; a pixel in focus keeps its color. Lamps out
 * of focus are brighter than white. Of the five passes of a frame, two are at a size of 1/8, and one is at full size.
 */
export class Refocus {
    /** The disparity in focus. */
    focus = 0;
    fNumber = 4.5;

    constructor(graphics, focalLength) {
        this.graphics = graphics;
        this.focalLength = focalLength;
    }

    draw(isQuick) {
        const { graphics } = this, { depth } = graphics;
        graphics.resize(1600);
        const { width, height } = graphics.canvas, range = depth.high - depth.low;
        const diagonal = Math.hypot(width, height);
        const focalLength = this.focalLength * width / graphics.photoSize[0];
        const perDisparity = focalLength * (focalLength * 43.2666 / diagonal / this.fNumber / 1000) / 2;
        const limit = diagonal * 0.03;
        const values = {
            photo: graphics.photo, guided: graphics.guided(), lamps: graphics.lamps, perShare: perDisparity * range,
            focus: (this.focus - depth.low) / range, limit, size: [width, height],
        };
        const run = (name, fragment, target, more = {}) =>
            graphics.fill(graphics.program(name, coveringTriangle, defocus + fragment), target, { ...values, ...more });
        const cell = 8;
        const near = graphics.target("near", Math.ceil(width / cell), Math.ceil(height / cell));
        const wide = graphics.target("wide", near.width, near.height);
        const half = graphics.target("half", Math.ceil(width / 2), Math.ceil(height / 2), 4);
        const blurred = graphics.target("blurred", half.width, half.height, 4);
        run("near", nearFragment, near);
        run("wide", wideFragment, wide, { cells: near.texture, reach: Math.ceil(limit / cell) + 1, cell });
        run("half", halfFragment, half, { level: graphics.level(width / 2) });
        run("blur", blurFragment, blurred, { small: half.texture, wide: wide.texture, most: isQuick ? 16 : 64 });
        run("focus", focusFragment, null, { wide: wide.texture, blurred: blurred.texture, level: graphics.level(width) });
    }
}

/** The signed radius of blur at a point, as a fraction of the limit: positive before the focus. */
const defocus = `
uniform sampler2D guided;
uniform vec2 size;
uniform float perShare, focus, limit, level;
in vec2 at;
out vec4 result;
float radiusAt(vec2 place) {
    return clamp((texture(guided, place).r - focus) * perShare / limit, -1.0, 1.0);
}
`;

/** The largest radius of pixels nearer than the focus in each cell of 8 × 8 pixels, as a fraction of the limit. */
const nearFragment = `
void main() {
    float radius = 0.0;
    for (int index = 0; index < 16; index++) radius = max(radius, radiusAt(at + (vec2(index & 3, index >> 2) - 1.5) * 2.0 / size));
    result = vec4(radius, 0, 0, 1);
}`;

/** The largest of these radii among the discs that reach a cell. */
const wideFragment = `
uniform sampler2D cells;
uniform int reach;
uniform float cell;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(cells, 0) - 1;
    float largest = 0.0;
    for (int j = -reach; j <= reach; j++) {
        for (int i = -reach; i <= reach; i++) {
            float radius = texelFetch(cells, clamp(here + ivec2(i, j), ivec2(0), last), 0).r;
            if (radius * limit + 1.5 * cell > length(vec2(i, j)) * cell) largest = max(largest, radius);
        }
    }
    result = vec4(largest, 0, 0, 1);
}`;

/**
 * The photo at half the size, as the square root of linear light, which can be brighter than white, with the radius of each pixel: 0 farthest
 * behind the focus, 1 nearest before it.
 */
const halfFragment = `
uniform sampler2D photo, lamps;
void main() {
    float radius = radiusAt(at);
    vec3 own = textureLod(photo, at, level).rgb * exp2(texture(lamps, at).r * 255.0 / 32.0 * smoothstep(0.5, 2.0, abs(radius) * limit));
    result = vec4(sqrt(own), radius * 0.5 + 0.5);
}`;

const blurFragment = `
uniform sampler2D small, wide;
uniform int most;
void main() {
    vec2 pixel = 1.0 / vec2(textureSize(small, 0));
    float halfLimit = limit * 0.5;
    vec4 here = texture(small, at);
    float own = (here.a * 2.0 - 1.0) * halfLimit;
    float reach = max(abs(own), texture(wide, at).r * halfLimit);
    vec3 sharp = here.rgb * here.rgb;
    if (reach < 0.3) {
        result = here;
        return;
    }
    int count = int(clamp(reach * reach * 2.0, 8.0, float(most)));
    float turn = 6.28318 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec3 surface = sharp * 0.5, front = vec3(0);
    float surfaceWeight = 0.5, frontWeight = 0.0, covered = 0.0;
    for (int index = 0; index < count; index++) {
        float radius = reach * sqrt((float(index) + 0.5) / float(count));
        float angle = float(index) * 2.39996323 + turn;
        vec4 there = texture(small, at + radius * vec2(cos(angle), sin(angle)) * pixel);
        vec3 light = there.rgb * there.rgb;
        float other = (there.a * 2.0 - 1.0) * halfLimit;
        float nearer = smoothstep(0.4, 1.3, other - own);
        float inFront = nearer * smoothstep(radius - 0.7, radius + 0.7, abs(other));
        front += inFront * light;
        frontWeight += inFront;
        covered += inFront * (reach * reach) / max(other * other, 0.5);
        // Farther pixels spread no wider than this surface.
        float beside = (1.0 - nearer) * smoothstep(radius - 0.7, radius + 0.7, min(abs(other), abs(own)));
        surface += beside * light;
        surfaceWeight += beside;
    }
    vec3 light = surface / surfaceWeight;
    if (frontWeight > 0.0) light = mix(light, front / frontWeight, clamp(covered / float(count), 0.0, 1.0));
    result = vec4(sqrt(light), here.a);
}`;

/**
 * The blurred picture, upsampled from the half-size pixels around with a similar radius, whose noise is different; in focus, the photo itself.
 */
const focusFragment = `
uniform sampler2D photo, wide, blurred;
void main() {
    float own = radiusAt(at), reach = max(abs(own), texture(wide, at).r) * limit;
    vec3 shown = textureLod(photo, at, level).rgb;
    float share = smoothstep(0.6, 2.0, reach);
    if (share > 0.0) {
        ivec2 last = textureSize(blurred, 0) - 1;
        vec2 place = at * vec2(last + 1) - 0.5, base = floor(place + 0.5);
        float width = reach > 6.0 ? 2.0 : 1.0;
        vec3 sum = vec3(0);
        float weights = 0.0;
        for (int index = 0; index < 9; index++) {
            vec2 spot = base + vec2(index % 3 - 1, index / 3 - 1), beside = abs(spot - place) / width;
            vec4 there = texelFetch(blurred, clamp(ivec2(spot), ivec2(0), last), 0);
            float change = (there.a * 2.0 - 1.0 - own) * limit;
            float weight = max(1.0 - beside.x, 0.0) * max(1.0 - beside.y, 0.0) / (1.0 + change * change) + 1e-5;
            sum += weight * there.rgb * there.rgb;
            weights += weight;
        }
        // A pixel in focus only receives blur that spreads over it.
        shown = mix(shown, sum / weights, share);
    }
    result = vec4(coded(shown), 1);
}`;
