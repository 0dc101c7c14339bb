// @ts-check
/** The depth of the scene: the exact stored values, and the disparity for rendering. */
export class Depth {
    low = 0;
    high = 0;

    /** `range` are the farthest and the nearest reciprocal of a value that are shown; otherwise those of nearly all samples. */
    constructor(record, png, range = undefined) {
        this.record = record;
        this.width = png.width;
        this.height = png.height;
        const { minimum, step, first } = record;
        this.values = Float64Array.from(png.samples, code => code < first ? NaN : minimum + (code - first) * step);
        const stored = record.quantity === "disparity"
            ? Float32Array.from(this.values) : Float32Array.from(this.values, value => value > 0 ? 1 / value : NaN);
        this.known = stored.map(value => value === value ? 1 : 0);
        this.disparity = fillHoles(record.coarse ? withoutSteps(stored, this.width, this.height, step) : stored, this.width, this.height);
        this.normalize(range);
    }

    /** Scales depth without a unit for rendering, so that the nearest point is one meter away. `low` and `high` enclose nearly all samples. */
    normalize(range) {
        const { scale } = this.record, [low, high] = range ?? percentiles(this.disparity, [0.01, 0.99]);
        let [factor, offset] = [1, 0];
        if (scale === "affine" && high > low) [factor, offset] = [1 / (high - low), -low / (high - low)];
        else if (scale === "unitless" && high > 0) factor = 1 / high;
        for (let index = 0; index < this.disparity.length; index++) {
            this.disparity[index] = Math.max(this.disparity[index] * factor + offset, 0);
        }
        [this.low, this.high] = range?.map(end => end * factor + offset) ?? percentiles(this.disparity, [0.002, 0.998]);
        if (!(this.high > this.low)) this.high = this.low + 1e-3;
    }

    get hasUnit() { return this.record.unit !== null; }

    /** The index of the sample at a point of the picture, both coordinates 0…1. */
    index(x, y) {
        const column = Math.min(Math.max(Math.floor(x * this.width), 0), this.width - 1);
        const row = Math.min(Math.max(Math.floor(y * this.height), 0), this.height - 1);
        return row * this.width + column;
    }

    /** The stored value at a point; NaN where unknown. */
    value(x, y) { return this.values[this.index(x, y)]; }

    /** The disparity for rendering at a point: the median of those within 1 % of the diagonal. */
    focus(x, y) {
        const reach = Math.max(1, Math.round(Math.hypot(this.width, this.height) * 0.01));
        const center = this.index(x, y), column = center % this.width, row = (center - column) / this.width;
        const near = [];
        for (let j = Math.max(row - reach, 0); j <= Math.min(row + reach, this.height - 1); j++) {
            for (let i = Math.max(column - reach, 0); i <= Math.min(column + reach, this.width - 1); i++) {
                near.push(this.disparity[j * this.width + i]);
            }
        }
        near.sort((a, b) => a - b);
        return near[near.length >> 1];
    }

    /** A disparity for rendering as text: a distance if depth has a unit, otherwise a percentage from far to near. */
    text(disparity) {
        if (this.hasUnit) return disparity > 0 ? `${short(1 / disparity)} m` : "infinity";
        return `${Math.round((disparity - this.low) / (this.high - this.low) * 100)} % near`;
    }

    /** The stored value at a point and its accuracy, as text. */
    describe(x, y) {
        const value = this.value(x, y);
        if (value !== value) return "unknown";
        const { quantity, unit, step, accuracy } = this.record;
        if (unit === null) return `${short(value)} (no unit, ${accuracy} accuracy)`;
        const [meters, reciprocal] = quantity === "depth" ? [value, 1 / value] : [1 / value, value];
        if (!(meters > 0 && meters < 1e6)) return `beyond measure (${short(reciprocal)} 1/m)`;
        const error = quantity === "depth" ? step / 2 : Math.abs(step / 2 / (value * value));
        return `${short(meters)} m, stored to ±${short(error)} m (${short(reciprocal)} 1/m), accuracy ${accuracy}`;
    }
}

/** A number with three or four digits. */
export function short(value) {
    const size = Math.abs(value);
    if (size >= 1000) return value.toFixed(0);
    return size >= 100 ? value.toFixed(1) : size >= 1 ? value.toFixed(size >= 10 ? 2 : 3) : value.toPrecision(3).replace(/e.*/, match => ` · 10^${match.slice(1)}`);
}

/** The percentiles of all finite values at these fractions, from a sample of them. */
export function percentiles(values, shares) {
    const stride = Math.max(1, Math.floor(values.length / 60000));
    const sample = new Float32Array(Math.ceil(values.length / stride));
    let count = 0;
    for (let index = 0; index < values.length; index += stride) {
        if (Number.isFinite(values[index])) sample[count++] = values[index];
    }
    const sorted = sample.subarray(0, count).sort();
    return shares.map(share => count ? sorted[Math.round(share * (count - 1))] : 0);
}

/** Removes the steps of 8-bit quantization with means of neighbors on the same surface. No value moves by more than half a step. */
export function withoutSteps(stored, width, height, step) {
    let from = stored;
    for (let pass = 0; pass < 3; pass++) {
        const to = new Float32Array(from.length), reach = 2 << pass, limit = 1.6 * step;
        const [x, y] = [[reach, -reach, 0, 0, 1, 1, -1, -1], [0, 0, reach, -reach, 1, -1, 1, -1]];
        for (let row = 0, index = 0; row < height; row++) {
            for (let column = 0; column < width; column++, index++) {
                const value = from[index], own = stored[index];
                let sum = value, weight = 1;
                for (let neighbor = 0; neighbor < 8; neighbor++) {
                    const i = column + x[neighbor], j = row + y[neighbor];
                    if (i < 0 || j < 0 || i >= width || j >= height) continue;
                    const other = from[j * width + i];
                    if (Math.abs(other - value) <= limit) { sum += other; weight++; }
                }
                const mean = sum / weight;
                to[index] = Math.min(Math.max(mean, own - step / 2), own + step / 2);
            }
        }
        from = to;
    }
    return from;
}

/** Fills unknown samples from surrounding known ones, with a pyramid of smaller maps, interpolated between their samples. */
export function fillHoles(samples, width, height) {
    if (!samples.some(value => value !== value) || width * height <= 1) return samples.map(value => value === value ? value : 0);
    const [w, h] = [width + 1 >> 1, height + 1 >> 1];
    const half = new Float32Array(w * h);
    for (let row = 0; row < h; row++) {
        for (let column = 0; column < w; column++) {
            let sum = 0, count = 0;
            for (let j = 2 * row; j < Math.min(2 * row + 2, height); j++) {
                for (let i = 2 * column; i < Math.min(2 * column + 2, width); i++) {
                    const value = samples[j * width + i];
                    if (value === value) { sum += value; count++; }
                }
            }
            half[row * w + column] = count ? sum / count : NaN;
        }
    }
    const coarse = fillHoles(half, w, h);
    return samples.map((value, index) => {
        if (value === value) return value;
        const row = Math.floor(index / width), column = index - row * width, i = column >> 1, j = row >> 1;
        // The next coarse samples, on the side where this one is.
        const across = column & 1 ? Math.min(i + 1, w - 1) : Math.max(i - 1, 0), down = row & 1 ? Math.min(j + 1, h - 1) : Math.max(j - 1, 0);
        return (9 * coarse[j * w + i] + 3 * coarse[j * w + across] + 3 * coarse[down * w + i] + coarse[down * w + across]) / 16;
    });
}
