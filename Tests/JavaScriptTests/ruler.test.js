import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../../Sources/Interfaces/Pages/Web/camera.js";
import { Depth } from "../../Sources/Interfaces/Pages/Web/depth.js";
import { lengthText } from "../../Sources/Interfaces/Pages/Web/numbers.js";
import { Ruler } from "../../Sources/Interfaces/Pages/Web/ruler.js";

/** A pinhole camera of a picture as wide as it is far away, whose rays are x = u − 1/2 and y = v − 1/2. */
function camera() {
    const [columns, rows] = [4, 4], cells = Array.from({ length: 16 }, (_, index) => [(index % 4 + 0.5) / 4, (Math.floor(index / 4) + 0.5) / 4]);
    return new Camera({ columns, rows, x: cells.map(([u]) => u - 0.5), y: cells.map(([, v]) => v - 0.5), scaleX: 1, scaleY: 1, centerX: 0.5, centerY: 0.5 });
}

function depth(samples, changes = {}) {
    const record = { quantity: "depth", unit: "m", scale: "absolute", accuracy: "absolute", minimum: 0, step: 0.02, first: 1, coarse: false, ...changes };
    return new Depth(record, { width: 100, height: 100, samples });
}

const file = { name: "file", millimeters: null };
const near = (value, expected, message) => assert.ok(Math.abs(value - expected) < 1e-9, `${message}: ${value} is not ${expected}`);

test("a length on a wall is what the pinhole camera says, and its error is that of both ends", () => {
    // A wall at 2 m: code 101, as code 1 is 0 m. The points are 0.3 and 0.4 of 2 m apart: 1 m.
    const ruler = new Ruler(depth(new Array(10000).fill(101)), camera(), file);
    const { length, error } = ruler.between({ x: 0.35, y: 0.3 }, { x: 0.65, y: 0.7 });
    near(length, 1, "length");
    // Half a sample of 2 cm at 2 m is 1 cm at each end. Along the line, rays have ∓(0.15 · 0.6 + 0.2 · 0.8) = ∓0.25: 2.5 mm each.
    near(error, Math.hypot(0.01, 0.01, 0.0025, 0.0025), "error");
});

test("a rounded focal length adds its share across the picture, not along the view", () => {
    const samples = Array.from({ length: 10000 }, (_, index) => index % 100 < 50 ? 101 : 151);
    const source = { name: "focalLength35mm", millimeters: 25 };
    const wall = new Array(10000).fill(101), [a, b] = [{ x: 0.35, y: 0.5 }, { x: 0.65, y: 0.5 }];
    const across = [file, source].map(source => new Ruler(depth(wall), camera(), source).between(a, b));
    near(across[0].length, 0.6, "length");
    // Half a millimeter of 25 is 2 % of 0.6 m.
    near(Math.sqrt(across[1].error ** 2 - across[0].error ** 2), 0.012, "focal length");
    const along = new Ruler(depth(samples), camera(), source).between({ x: 0.499999999, y: 0.5 }, { x: 0.500000001, y: 0.5 });
    assert.ok(Math.abs(along.length - 1) < 1e-6 && Math.abs(along.error - Math.hypot(0.01, 0.01)) < 1e-6, `${along.error}`);
});

test("disparity has errors that grow with the square of the distance", () => {
    // Code 26 is 0.5 1/m with steps of 0.02: ±0.01 1/m is ±4 cm at 2 m.
    const { z, error } = new Ruler(depth(new Array(10000).fill(26), { quantity: "disparity", unit: "1/m" }), camera(), file).at({ x: 0.5, y: 0.5 });
    near(z, 2, "distance");
    near(error, 0.04, "error");
});

test("where depth is unknown there is no length, and reservations are named", () => {
    const ruler = new Ruler(depth(new Array(10000).fill(0), { scale: "relative" }), camera(), { name: "assumed", millimeters: null });
    assert.equal(ruler.between({ x: 0.1, y: 0.1 }, { x: 0.2, y: 0.2 }), undefined);
    assert.equal(ruler.reservations.length, 2);
});

test("lengths have the digits that their error leaves", () => {
    assert.equal(lengthText(1.23456, 0.02), "1.23 m ± 0.02 m");
    assert.equal(lengthText(0.11604, 0.0005), "11.60 cm ± 0.05 cm");
    assert.equal(lengthText(12.3, 3), "12 m ± 3 m");
    assert.equal(lengthText(2, 0), "2.000 m ± 0.000 m");
});
