// @ts-check
import { fillHoles } from "./depth.js";
import { coveringTriangle } from "./graphics.js";
import { clamped } from "./numbers.js";

/** The least difference of nearness at an edge, as a fraction of the scene's range: smaller steps are stretched, not torn. */
const leastJump = 0.08;

/** The least size of a surface that is continued behind others and is not background, as a fraction of the picture. */
const leastSurface = 0.02;

/** The maximum number of triangles of both layers. */
const mostTriangles = 300000;

/** The largest value around each sample, in a square window of 2 · reach + 1 samples. */
export function maxima(values, width, height, reach) {
    const across = slid(values, width, height, 1, width, reach);
    return slid(across, height, width, width, 1, reach);
}

/** The smallest value around each sample. */
export const minima = (values, width, height, reach) => maxima(values.map(value => -value), width, height, reach).map(value => -value);

/** Maxima along lines of `length` samples `step` apart. The queue has the indices of falling values. */
function slid(values, length, lines, step, lineStep, reach) {
    const result = new Float32Array(values.length), queue = new Int32Array(length);
    for (let line = 0; line < lines; line++) {
        const start = line * lineStep;
        let first = 0, end = 0;
        for (let index = 0; index < length + reach; index++) {
            if (index < length) {
                const value = values[start + index * step];
                while (end > first && values[start + queue[end - 1] * step] <= value) end--;
                queue[end++] = index;
            }
            if (index < reach) continue;
            if (queue[first] < index - 2 * reach) first++;
            result[start + (index - reach) * step] = values[start + queue[first] * step];
        }
    }
    return result;
}

/**
 * Splits a scene into a front and a back layer, which together look as the photo from its camera. From beside it, the back layer shows
 * through where the front is torn: at edges of depth, and in the soft edges of a matte.
 *
 * `nearness` is 0 far … 1 near; `coverage` is the subject's, 0…1, or undefined. All maps are row-major. Returned are
 *
 * - `front`: the nearness of the front, which continues near surfaces a little beyond their edges, where they are transparent;
 * - `back`: the nearness of the back, which continues far surfaces under nearer ones;
 * - `low`, `high`: the nearness on both sides of an edge around each sample;
 * - `soft`: 1 where the matte is the front's opacity, not the depth;
 * - `under`: 1 where the back is hidden by the front and must be guessed;
 * - `sources`: 1 where the back shows light of the back alone, from which it is continued;
 * - `inner`: 1 where the front shows its own light alone, beside an edge;
 * - `reach`: how far the front is continued, in samples.
 */
export function splitLayers(nearness, coverage, width, height) {
    const reach = Math.max(2, Math.round(0.012 * Math.max(width, height))), count = width * height;
    const none = new Float32Array(count);
    const { settled, subject, soft, isOwn, isKnown } = coverage
        ? settledSubject(nearness, coverage, width, height, reach) : { settled: nearness, subject: nearness, soft: none, isOwn: none, isKnown: none };
    const around = (find, distance) => find(settled, width, height, distance);
    const [high, low] = [around(maxima, reach), around(minima, reach)];
    // Beside a larger step, only a smaller window has the contrast of a step.
    const half = Math.max(1, reach >> 1), narrow = maxima(edges(settled, width, height, half), width, height, reach - half);
    const isEdge = edges(settled, width, height, reach).map((value, index) => value || narrow[index]);
    const farthest = around(minima, Math.round(0.2 * width)), nearby = around(maxima, 4 * reach), beside = around(maxima, 2);
    const isNearEdge = maxima(isEdge, width, height, 4 * reach);
    const stray = coverage && maxima(coverage, width, height, 2);
    const front = new Float32Array(count), back = new Float32Array(count), under = new Float32Array(count), sources = new Float32Array(count), behind = new Float32Array(count);
    /** The mean of the near side around a sample at an edge. */
    const meanOfNearSide = index => {
        const least = low[index] + 0.85 * (high[index] - low[index]), column = index % width, row = (index - column) / width;
        let sum = 0, weight = 0;
        for (let j = Math.max(row - reach, 0); j <= Math.min(row + reach, height - 1); j++) {
            for (let i = Math.max(column - reach, 0); i <= Math.min(column + reach, width - 1); i++) {
                const value = settled[j * width + i];
                if (value >= least) { sum += value; weight++; }
            }
        }
        return sum / weight;
    };
    for (let index = 0; index < count; index++) {
        const value = settled[index], share = isEdge[index] ? (value - low[index]) / (high[index] - low[index]) : 1;
        front[index] = share < 0.85 ? meanOfNearSide(index) : value;
        if (isOwn[index] && !isKnown[index] && coverage[index] < 0.9) front[index] = subject[index];
        const isFarSide = isNearEdge[index] && nearby[index] - value > leastJump && (isKnown[index] || value - low[index] <= leastJump / 2);
        const isBackground = value <= farthest[index] + leastJump || isFarSide;
        const isMixed = isEdge[index] && share > 0.15 || isOwn[index] && coverage[index] > 0.02;
        under[index] = isMixed && !isKnown[index] || !isBackground ? 1 : 0;
        sources[index] = !under[index] && beside[index] - value <= leastJump && (!(stray?.[index] > 0.2) || isKnown[index]) ? 1 : 0;
        behind[index] = isBackground && !isFarSide ? 1 : 0;
    }
    // The subject of a matte alone has hollows.
    dropHollows(sources, behind.map((value, index) => value || isKnown[index] || coverage?.[index] < 0.02 ? 1 : 0), width, height);
    // Away from the subject, the front shows a known surface, and the back what is behind it.
    for (let index = 0; index < count; index++) {
        if (isKnown[index] && !isOwn[index]) [under[index], sources[index]] = [1, 0];
        back[index] = sources[index] ? settled[index] : NaN;
    }
    for (let pass = 0; pass < 2; pass++) front.set(smoothed(front, isNearEdge, width, height, reach));
    const filled = fillHoles(back, width, height);
    // The opacity of the front is 0 at least as far as its nearness is continued.
    const isTorn = maxima(isEdge, width, height, 2), [far, near] = [around(minima, reach + 2), around(maxima, reach + 2)];
    for (let index = 0; index < count; index++) {
        back[index] = Math.min(filled[index], front[index]);
        // Parts of a near surface that have nearer ones beside them have no light for what is far behind them.
        if (!sources[index] && settled[index] - back[index] > leastJump) under[index] = 1;
        // Between two parts of a near object, the back continues another surface than the far side: there, the front is whole.
        const isWhole = (coverage?.[index] ?? 1) > 0.9 && isTorn[index] && far[index] - back[index] > leastJump;
        if (isWhole) front[index] = settled[index];
        if (!isTorn[index] || isWhole) far[index] = near[index] = settled[index];
    }
    const isNear = settled.map((value, index) => isTorn[index] && value - far[index] > 0.85 * (near[index] - far[index]) ? 1 : 0);
    const inner = minima(isNear, width, height, 1);
    // The front shows a known surface where it is, up to its own edge. Beside the subject, it is torn, and the back shows the surface.
    const touching = around(maxima, 1);
    for (let index = 0; index < count; index++) {
        const value = settled[index];
        if (!isKnown[index] || value - far[index] <= leastJump) continue;
        if (beside[index] - value > leastJump) far[index] = value;
        else near[index] = value;
        if (touching[index] - value <= leastJump) front[index] = value;
    }
    return { front, back, under, sources, inner, reach, soft, low: far, high: near };
}

/** 1 at samples of a surface that is flat there or beside: `isPart` tells that by a sample's index and the range of values around it. */
function flat(values, width, height, isPart) {
    const [high, low] = [maxima(values, width, height, 1), minima(values, width, height, 1)];
    const inner = maxima(values.map((_, index) => isPart(index, high[index] - low[index]) ? 1 : 0), width, height, 1);
    return inner.map((value, index) => value && isPart(index, 0) ? 1 : 0);
}

/** Removes small areas of a mask without background: hollows of a near surface. */
function dropHollows(mask, background, width, height) {
    const isFound = new Uint8Array(mask.length);
    for (let start = 0; start < mask.length; start++) {
        if (!mask[start] || isFound[start]) continue;
        const area = [start];
        let isBehind = false;
        isFound[start] = 1;
        for (let next = 0; next < area.length; next++) {
            const index = area[next], column = index % width;
            isBehind ||= background[index] > 0;
            for (const other of [column > 0 ? index - 1 : -1, column + 1 < width ? index + 1 : -1, index - width, index + width]) {
                if (!mask[other] || isFound[other]) continue;
                isFound[other] = 1;
                area.push(other);
            }
        }
        if (!isBehind && area.length < leastSurface * width * height) for (const index of area) mask[index] = 0;
    }
}

/** Means of a map around each sample of a mask, of what is on the same surface: else steps of samples would be combs beside the camera. */
function smoothed(values, mask, width, height, reach) {
    return values.map((value, index) => {
        if (!mask[index]) return value;
        const column = index % width, row = (index - column) / width;
        let sum = 0, weight = 0;
        for (let j = Math.max(row - reach, 0); j <= Math.min(row + reach, height - 1); j++) {
            for (let i = Math.max(column - reach, 0); i <= Math.min(column + reach, width - 1); i++) {
                const other = values[j * width + i];
                if (Math.abs(other - value) > leastJump) continue;
                sum += other;
                weight++;
            }
        }
        return sum / weight;
    });
}

/** 1 at edges of depth, 0 on slopes: across an edge, twice the window has the same contrast, and on a slope it has twice as much. */
function edges(values, width, height, reach) {
    const contrast = distance => {
        const low = minima(values, width, height, distance);
        return maxima(values, width, height, distance).map((value, index) => value - low[index]);
    };
    const wider = contrast(2 * reach);
    return contrast(reach).map((value, index) => 2 * value - wider[index] > leastJump ? 1 : 0);
}

/** Moves samples at the edge of a matte to its subject or to what is behind it: maps of depth are coarser than mattes. */
function settledSubject(nearness, coverage, width, height, reach) {
    const around = maxima(coverage, width, height, 3), least = minima(coverage, width, height, 1);
    const subject = fillHoles(nearness.map((value, index) => least[index] > 0.9 ? value : NaN), width, height);
    const behind = fillHoles(nearness.map((value, index) => around[index] < 0.02 ? value : NaN), width, height);
    // Far from its subject, a matte is noise.
    const solid = maxima(least, width, height, 6 * reach);
    // A flat surface between the subject and what is behind it, such as a headrest, is known as it is, and so is its own edge.
    const isKnown = flat(nearness, width, height, (index, range) => {
        const quarter = (subject[index] - behind[index]) / 4;
        const isBetween = nearness[index] < subject[index] - quarter && nearness[index] > behind[index] + Math.max(quarter, leastJump);
        return coverage[index] < 0.9 && isBetween && range < leastJump / 2;
    });
    const isOther = maxima(isKnown, width, height, reach), isAtSubject = maxima(least, width, height, reach);
    const rim = coverage.map((_, index) => subject[index] - behind[index] > leastJump && around[index] > 0.02 && least[index] < 0.98
        && solid[index] > 0.9 && (!isOther[index] || isAtSubject[index] > 0.9) ? 1 : 0);
    const isOwn = maxima(rim, width, height, reach);
    const farther = fillHoles(nearness.map((value, index) => around[index] < 0.02 || isKnown[index] ? value : NaN), width, height);
    const settled = nearness.map((value, index) => {
        if (!isOwn[index] || isKnown[index]) return value;
        return coverage[index] > 0.5 ? Math.max(value, subject[index]) : Math.min(value, farther[index]);
    });
    const isBesideKnown = maxima(isKnown, width, height, 1);
    const soft = maxima(rim, width, height, reach + 3).map((value, index) => isBesideKnown[index] ? 0 : value);
    return { settled, subject, soft, isOwn, isKnown };
}

/** The layers of the photo as textures: opacity of the front, and light of the back. */
export class Layers {
    constructor(graphics, depth, matte) {
        this.graphics = graphics;
        const scale = Math.min(1, Math.sqrt(mostTriangles / (4 * depth.width * depth.height)));
        const [columns, rows] = [depth.width, depth.height].map(side => Math.max(2, Math.floor(side * scale)));
        this.columns = columns;
        this.rows = rows;
        const nearness = new Float32Array(columns * rows), range = depth.high - depth.low;
        for (let row = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++) {
                const sample = depth.index((column + 0.5) / columns, (row + 0.5) / rows);
                nearness[row * columns + column] = clamped((depth.disparity[sample] - depth.low) / range, 0, 1);
            }
        }
        const coverage = matte && averaged(matte, columns, rows);
        this.maps = splitLayers(medians(nearness, columns, rows), coverage, columns, rows);
        this.prepare();
    }

    prepare() {
        const { graphics, columns, rows } = this, { low, high, soft, under } = this.maps, { gl } = graphics;
        const edges = new Float32Array(columns * rows * 4);
        for (let index = 0; index < columns * rows; index++) edges.set([low[index], high[index], soft[index], under[index]], 4 * index);
        const sources = this.mask(this.maps.sources), beside = this.mask(maxima(this.maps.sources, columns, rows, this.maps.reach));
        const size = longest => graphics.photoSize.map(side => Math.max(1, Math.round(side * Math.min(1, longest / Math.max(...graphics.photoSize)))));
        const values = {
            photo: graphics.photo, guided: graphics.guided(), matte: graphics.matte ?? sources,
            edges: graphics.texture(gl.RGBA16F, gl.RGBA, gl.FLOAT, columns, rows, edges), jump: leastJump,
        };
        const coverage = this.opacity(values, sources, size);
        const filled = this.filled("behind", size(512), { sources, beside, coverage: coverage.texture });
        const back = graphics.target("back", ...size(1024), 3), front = graphics.target("front", back.width, back.height);
        const light = { ...values, coverage: coverage.texture, filled: filled.texture, level: graphics.level(back.width) };
        graphics.fill(graphics.program("back", coveringTriangle, backFragment), back, light);
        graphics.fill(graphics.program("front", coveringTriangle, frontFragment), front, { ...light, back: back.texture });
        this.coverage = front.texture;
        this.light = back.texture;
    }

    /** The opacity of the front: the matte's, or by depth, from which it grows over pixels with the near side's color that the map missed. */
    opacity(values, sources, size) {
        const { graphics, columns, maps: { inner, reach } } = this, [width, height] = size(1024);
        let target = graphics.target("coverage-0", width, height);
        graphics.fill(graphics.program("coverage", coveringTriangle, coverageFragment), target, values);
        // A matte knows more than colors do.
        if (graphics.matte) return target;
        const far = this.filled("far", size(512), { sources }), near = this.filled("near", size(512), { sources: this.mask(inner) });
        for (let pass = 1; pass <= Math.round((reach - 1) * width / columns); pass++) {
            const next = graphics.target(`coverage-${pass % 2}`, width, height);
            graphics.fill(graphics.program("grown", coveringTriangle, grownFragment), next, {
                ...values, coverage: target.texture, near: near.texture, far: far.texture, level: graphics.level(width),
            });
            target = next;
        }
        return target;
    }

    /** A map of 0 and 1 as a texture. */
    mask(values) {
        const { graphics, columns, rows } = this, { gl } = graphics;
        return graphics.texture(gl.R8, gl.RED, gl.UNSIGNED_BYTE, columns, rows, Uint8Array.from(values, value => 255 * value));
    }

    /**
     * The light of the sources continued everywhere, with a pyramid of smaller pictures, whose targets are named after `name`. Pixels of
     * the map `beside` are sources, too, where `coverage` leaves them clear; by default, there are no others. In smaller pictures, a pixel with
     * few sources has the weight of one with many: else large areas would outweigh what is next to a hole.
     */
    filled(name, [width, height], { sources, beside = sources, coverage = sources }) {
        const { graphics } = this, sums = [graphics.target(`${name}-sum-0`, width, height, 4)];
        graphics.fill(graphics.program("sources", coveringTriangle, sourcesFragment), sums[0], {
            photo: graphics.photo, sources, beside, coverage, level: graphics.level(width),
        });
        while (width > 1 || height > 1) {
            [width, height] = [width + 1 >> 1, height + 1 >> 1];
            const sum = graphics.target(`${name}-sum-${sums.length}`, width, height, 4);
            graphics.fill(graphics.program("halved", coveringTriangle, halvedFragment), sum, { sum: sums[sums.length - 1].texture });
            sums.push(sum);
        }
        let filled = sums[sums.length - 1];
        for (let level = sums.length - 1; level >= 0; level--) {
            const target = graphics.target(`${name}-${level}`, sums[level].width, sums[level].height, 4);
            graphics.fill(graphics.program("continued", coveringTriangle, continuedFragment), target, { sum: sums[level].texture, coarse: filled.texture });
            filled = target;
        }
        return filled;
    }
}

/** Medians of 3 × 3 samples, which remove spikes. */
export function medians(values, width, height) {
    const around = new Float32Array(9);
    return values.map((_, index) => {
        const column = index % width, row = (index - column) / width;
        for (let place = 0; place < 9; place++) {
            const i = clamped(column + place % 3 - 1, 0, width - 1), j = clamped(row + Math.floor(place / 3) - 1, 0, height - 1);
            around[place] = values[j * width + i];
        }
        return around.sort()[4];
    });
}

/** A matte at the size of a smaller map, 0…1. */
export function averaged({ samples, width, height }, columns, rows) {
    const sums = new Float32Array(columns * rows), counts = new Float32Array(columns * rows);
    for (let row = 0; row < height; row++) {
        const line = Math.floor(row * rows / height) * columns;
        for (let column = 0; column < width; column++) {
            const cell = line + Math.floor(column * columns / width);
            sums[cell] += samples[row * width + column];
            counts[cell]++;
        }
    }
    return sums.map((sum, index) => counts[index] ? sum / counts[index] / 255 : 0);
}

/**
 * The opacity of the front: the matte's around its subject, elsewhere by the depth on both sides of an edge. Pixels beside an edge belong to
 * the front, because they have some of its color.
 */
const coverageFragment = `
uniform sampler2D guided, edges, matte;
uniform float jump;
in vec2 at;
out vec4 result;
void main() {
    vec4 edge = texture(edges, at);
    vec2 pixel = 1.0 / vec2(textureSize(guided, 0));
    float contrast = edge.g - edge.r, sum = 0.0;
    for (int index = 0; index < 9; index++) {
        vec2 place = at + (vec2(index % 3, index / 3) - 1.0) * pixel;
        sum += clamp((texture(guided, place).r - edge.r) / max(contrast, 1e-4), 0.0, 1.0) / 9.0;
    }
    float opacity = mix(1.0, smoothstep(0.3, 0.6, sum), smoothstep(jump, 1.5 * jump, contrast));
    result = vec4(mix(opacity, texture(matte, at).r, smoothstep(0.0, 0.5, edge.b)), 0, 0, 1);
}`;

/** The largest value of a map at a point and at eight others around it, `step` pixels away. */
const largestFunction = `
float largest(sampler2D map, vec2 at, float step) {
    vec2 distance = step / vec2(textureSize(map, 0));
    float result = 0.0;
    for (int index = 0; index < 9; index++) result = max(result, texture(map, at + (vec2(index % 3, index / 3) - 1.0) * distance).r);
    return result;
}`;

/** The opacity where it is, and beside opaque pixels that of pixels with the color of the near side of an edge. */
const grownFragment = `${largestFunction}
uniform sampler2D photo, edges, coverage, near, far;
uniform float jump, level;
in vec2 at;
out vec4 result;
void main() {
    vec4 edge = texture(edges, at);
    float own = texture(coverage, at).r, beside = largest(coverage, at, 1.0);
    vec3 behind = sqrt(texture(far, at).rgb), change = sqrt(texture(near, at).rgb) - behind, color = sqrt(textureLod(photo, at, level).rgb) - behind;
    float contrast = dot(change, change), share = dot(color, change) / max(contrast, 1e-4);
    float rest = length(color - share * change) / sqrt(max(contrast, 1e-4));
    float isLike = smoothstep(0.25, 0.75, share) * smoothstep(0.02, 0.06, contrast) * (1.0 - smoothstep(0.3, 0.6, rest));
    float isTorn = smoothstep(jump, 1.5 * jump, edge.g - edge.r);
    result = vec4(max(own, min(beside, isLike) * isTorn), 0, 0, 1);
}`;

/** What is continued behind the front, and up to a pixel beside it, where the photo has some of its light; elsewhere the photo. */
const backFragment = `${largestFunction}
uniform sampler2D photo, edges, coverage, filled;
uniform float jump, level;
in vec2 at;
out vec4 result;
void main() {
    vec4 edge = texture(edges, at);
    float isEdge = max(smoothstep(0.0, 0.5, edge.b), smoothstep(jump, 1.5 * jump, edge.g - edge.r));
    float hidden = mix(smoothstep(0.4, 0.9, edge.a), smoothstep(0.04, 0.25, largest(coverage, at, 1.0)), isEdge);
    result = vec4(mix(textureLod(photo, at, level).rgb, texture(filled, at).rgb, hidden), 1);
}`;

/** The opacity of the front, at least that with which light of the front, 0…1, makes the photo together with the back. */
const frontFragment = `
uniform sampler2D photo, coverage, back;
uniform float level;
in vec2 at;
out vec4 result;
void main() {
    vec3 own = textureLod(photo, at, level).rgb, behind = texture(back, at).rgb;
    vec3 least = max(behind - own, 0.0) / max(behind, 1e-3) + max(own - behind, 0.0) / max(1.0 - behind, 1e-3);
    result = vec4(max(texture(coverage, at).r, clamp(max(least.r, max(least.g, least.b)), 0.0, 1.0)), 0, 0, 1);
}`;

/** The photo's light where `sources` is 1, and beside where the front is transparent, and the weight of that light. */
const sourcesFragment = `${largestFunction}
uniform sampler2D photo, sources, beside, coverage;
uniform float level;
in vec2 at;
out vec4 result;
void main() {
    float isClear = 1.0 - smoothstep(0.01, 0.05, largest(coverage, at, 2.0));
    float weight = max(smoothstep(0.6, 1.0, texture(sources, at).r), smoothstep(0.6, 1.0, texture(beside, at).r) * isClear);
    result = vec4(textureLod(photo, at, level).rgb * weight, weight);
}`;

const halvedFragment = `
uniform sampler2D sum;
out vec4 result;
void main() {
    ivec2 from = 2 * ivec2(gl_FragCoord.xy), last = textureSize(sum, 0) - 1;
    result = vec4(0);
    for (int index = 0; index < 4; index++) {
        vec4 part = texelFetch(sum, min(from + ivec2(index & 1, index >> 1), last), 0);
        result += part / max(part.a, 0.25) * 0.25;
    }
}`;

const continuedFragment = `
uniform sampler2D sum, coarse;
in vec2 at;
out vec4 result;
void main() {
    vec4 own = texelFetch(sum, ivec2(gl_FragCoord.xy), 0);
    vec3 around = texture(coarse, at).rgb;
    result = vec4(own.a > 1e-3 ? mix(around, own.rgb / own.a, min(own.a * 4.0, 1.0)) : around, 1);
}`;
