import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import { Depth, fillHoles, percentiles, short, withoutSteps } from "../../Sources/Interfaces/Pages/Web/depth.js";
import { decodeGrayPNG } from "../../Sources/Interfaces/Pages/Web/png.js";
import { expectedPlane, image } from "./images.js";


const metric = { quantity: "depth", unit: "m", scale: "absolute", accuracy: "absolute", minimum: 0, step: 1, first: 0, coarse: false };

function depth(width, height, samples, changes = {}) {
    return new Depth({ ...metric, ...changes }, { width, height, samples });
}

/** Asserts that a number differs from another by at most this. */
function near(value, expected, tolerance, message) {
    assert.ok(Math.abs(value - expected) <= tolerance, `${message ?? "value"}: ${value} is not ${expected} ± ${tolerance}`);
}

test("codes of a plane become the values of expected.json", async () => {
    // pair_depth.png has the codes of the disparity of portrait.heic; see TestImages/README.md.
    const plane = expectedPlane("portrait.heic", "disparity");
    const png = await decodeGrayPNG(fs.readFileSync(image("pair_depth.png")));
    const step = (plane.maximum - plane.minimum) / 255;
    const record = { quantity: "disparity", unit: "1/m", scale: "relative", accuracy: "relative", minimum: plane.minimum, step, first: 0 };
    const map = new Depth({ ...record, coarse: true }, png);
    assert.ok(plane.pixels.length >= 10);
    for (const { name, upright: [column, row], value } of plane.pixels) {
        const [x, y] = [(column + 0.5) / plane.width, (row + 0.5) / plane.height];
        // expected.json has nine decimals.
        near(map.value(x, y), value, 1e-9, name);
        // What is drawn differs by at most half a step, and by the rounding of binary32.
        near(map.disparity[map.index(x, y)], value, step / 2 + 1e-7, `${name}, drawn`);
    }
});

test("codes below the first are unknown, and drawn as their surroundings", () => {
    const map = depth(2, 2, [0, 5, 5, 5], { minimum: 2, step: 0.5, first: 1 });
    assert.deepEqual([...map.values], [NaN, 4, 4, 4]);
    assert.deepEqual([...map.known], [0, 1, 1, 1]);
    assert.deepEqual([...map.disparity], [0.25, 0.25, 0.25, 0.25]);
    assert.equal(map.describe(0.25, 0.25), "unknown");
});

test("distances that are not positive are unknown when drawn", () => {
    const map = depth(2, 2, [0, 2, 2, 2]);
    assert.deepEqual([...map.known], [0, 1, 1, 1]);
    assert.equal(map.disparity[0], 0.5);
});

test("points of the picture are those of the sample below them, also at its edges", () => {
    const map = depth(3, 2, [1, 2, 3, 4, 5, 6]);
    const points = { "0 0": 1, "0.34 0.1": 2, "0.99 0.49": 3, "0.1 0.5": 4, "1 1": 6, "-1 2": 4, "7 -3": 3 };
    for (const [point, value] of Object.entries(points)) assert.equal(map.value(...point.split(" ").map(Number)), value, point);
});

test("the focus at a point is the median around it, which outliers do not change", () => {
    const samples = new Array(25).fill(4);
    [samples[11], samples[12]] = [8, 1];
    assert.equal(depth(5, 5, samples).focus(0.5, 0.5), 0.25);
});

test("maps of several frames have one range, with and without a unit", () => {
    // Distances of 1 to 4 m; the range of the recording is 0.2 to 2.
    const metric = new Depth({ ...depth(1, 1, [1]).record }, { width: 4, height: 1, samples: [1, 2, 3, 4] }, [0.2, 2]);
    assert.deepEqual([metric.low, metric.high], [0.2, 2]);
    near(metric.disparity[1], 0.5, 1e-7);
    const unitless = new Depth({ ...metric.record, unit: null, scale: "unitless" }, { width: 4, height: 1, samples: [1, 2, 3, 4] }, [0.2, 2]);
    assert.deepEqual([unitless.low, unitless.high], [0.1, 1]);
    near(unitless.disparity[1], 0.25, 1e-7);
});

test("a frame without depth is unknown", () => {
    const map = new Depth({ ...metric }, { width: 1, height: 1, samples: [-1] }, [0.2, 2]);
    assert.equal(map.describe(0.3, 0.7), "unknown");
    assert.deepEqual([...map.known], [0]);
});

test("depth without a unit is scaled so that its nearest point is drawn at one meter", () => {
    // 0, 1, … 100: 1 % of them are below 1, and 99 % below 99.
    const samples = Array.from({ length: 101 }, (_, index) => index);
    const record = { quantity: "disparity", unit: null };
    const unitless = depth(101, 1, samples, { ...record, scale: "unitless" });
    near(unitless.disparity[50], 50 / 99, 1e-6);
    const affine = depth(101, 1, samples, { ...record, scale: "affine" });
    near(affine.disparity[50], 49 / 98, 1e-6);
    assert.equal(affine.disparity[0], 0);
    assert.equal(unitless.text(unitless.high), "100 % near");
    assert.equal(unitless.describe(0.999, 0.5), "100.0 (no unit, absolute accuracy)");
});

test("values and their accuracy are described in meters", () => {
    const [x, y] = [0.5, 0.5];
    assert.equal(depth(1, 1, [8], { step: 0.25 }).describe(x, y), "2.000 m, stored to ±0.125 m (0.500 1/m), accuracy absolute");
    // 1 / 0.5 m; half a step of 0.02 1/m is 0.01 / 0.5² = 0.04 m.
    const disparity = { quantity: "disparity", unit: "1/m", minimum: 0.1, step: 0.02, accuracy: "relative" };
    assert.equal(depth(1, 1, [20], disparity).describe(x, y), "2.000 m, stored to ±0.0400 m (0.500 1/m), accuracy relative");
    assert.equal(depth(1, 1, [0], { ...disparity, minimum: 0 }).describe(x, y), "beyond measure (0.00 1/m)");
    assert.equal(depth(1, 1, [4]).text(0.25), "4.000 m");
    assert.equal(depth(1, 1, [4]).text(0), "infinity");
});

test("numbers have three or four digits", () => {
    const texts = { 1234.4: "1234", 123.44: "123.4", 12.344: "12.34", 1.2344: "1.234", 0.12344: "0.123", "-12.344": "-12.34", 1e-8: "1.00 · 10^-8" };
    for (const [number, text] of Object.entries(texts)) assert.equal(short(Number(number)), text);
});

test("percentiles are those of finite values", () => {
    const values = Float32Array.from({ length: 103 }, (_, index) => [NaN, Infinity][index - 101] ?? 100 - index);
    assert.deepEqual(percentiles(values, [0, 0.01, 0.5, 1]), [0, 1, 50, 100]);
    assert.deepEqual(percentiles(Float32Array.of(NaN), [0.5]), [0]);
});

test("steps of a quantized ramp are removed, within half a step", () => {
    const [width, height, slope] = [64, 16, 0.11];
    const exact = (_, index) => index % width * slope;
    const ramp = Float32Array.from({ length: width * height }, exact), coded = ramp.map(Math.round);
    const smooth = withoutSteps(coded, width, height, 1);
    const error = map => map.reduce((sum, value, index) => sum + Math.abs(value - ramp[index]), 0) / map.length;
    // Rounding is off by 1/4 of a step in the mean.
    near(error(coded), 0.25, 0.02);
    assert.ok(error(smooth) < error(coded) / 2, `${error(smooth)} is not half of ${error(coded)}`);
    assert.ok(smooth.every((value, index) => Math.abs(value - coded[index]) <= 0.5));
});

test("removing steps does not mix surfaces", () => {
    const surfaces = Float32Array.from({ length: 400 }, (_, index) => index % 20 < 10 ? 3 : 7);
    assert.deepEqual(withoutSteps(surfaces, 20, 20, 1), surfaces);
});

test("holes are filled with the mean of what is around them", () => {
    assert.deepEqual([...fillHoles(Float32Array.of(1, 2, 6, NaN), 2, 2)], [1, 2, 6, 3]);
    // Nothing is known in the left half of 4 × 1; the pyramid's next level has NaN and 6, and the one after it 6.
    assert.deepEqual([...fillHoles(Float32Array.of(NaN, NaN, 5, 7), 4, 1)], [6, 6, 5, 7]);
    assert.deepEqual([...fillHoles(Float32Array.of(NaN, NaN, NaN), 3, 1)], [0, 0, 0]);
    assert.deepEqual([...fillHoles(Float32Array.of(1, 2, 3), 3, 1)], [1, 2, 3]);
});
