import assert from "node:assert/strict";
import test from "node:test";
import { normalsOf } from "../../Sources/Interfaces/Pages/Web/shape.js";

test("normals are those of the triangles, in the units of the extent, and means by area at edges", () => {
    // A roof: from a ridge along y down to both sides, one side twice as wide as the other, which has the slope 1. Counter-clockwise from above.
    const positions = Uint16Array.from([1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 3, 0, 1, 3, 1, 1]);
    const triangles = Uint16Array.from([0, 1, 2, 2, 1, 3, 0, 4, 1, 1, 4, 5]);
    const normals = normalsOf(positions, [2, 2, 2], triangles);
    const at = point => [...normals.subarray(4 * point, 4 * point + 3)], diagonal = Math.round(127 / Math.sqrt(2));
    assert.deepEqual(at(3), [-diagonal, 0, diagonal]);
    assert.deepEqual(at(5), [0, 0, 127]);
    // At the ridge's first end, the slope has one triangle, with twice its area times its normal (−4, 0, 4), and the flat side one with (0, 0, 8).
    const length = Math.hypot(4, 12);
    assert.deepEqual(at(0), [-4, 0, 12].map(value => Math.round(127 * value / length)));
});

test("an extent that is longer along one axis turns normals", () => {
    // The plane z = x in codes is z = x / 3 in an extent three times as long in x: its normal is (−1, 0, 3).
    const positions = Uint16Array.from([0, 0, 0, 100, 0, 100, 0, 100, 0]), normals = normalsOf(positions, [3, 1, 1], Uint16Array.of(0, 1, 2));
    assert.deepEqual([...normals.subarray(0, 3)], [-1, 0, 3].map(value => Math.round(127 * value / Math.sqrt(10))));
});
