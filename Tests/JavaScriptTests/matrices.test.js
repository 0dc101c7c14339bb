import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../../Sources/Interfaces/Pages/Web/camera.js";
import { CloudView } from "../../Sources/Interfaces/Pages/Web/cloud.js";
import { cross, dot, multiplied, plus, projectionOf, unit, viewFrom } from "../../Sources/Interfaces/Pages/Web/matrices.js";
import { cellTriangles, Mesh } from "../../Sources/Interfaces/Pages/Web/mesh.js";


/** A point through a column-major matrix, with W. */
const transformed = (matrix, [x, y, z]) => [0, 1, 2, 3].map(row => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row]);

/** A point on the screen: 0…1 from the left and from the top, as in photos, and −1…1 from the near to the far plane. */
function shown(matrix, point) {
    const [x, y, z, w] = transformed(matrix, point);
    return [(x / w + 1) / 2, (1 - y / w) / 2, z / w];
}

/** Compares numbers; matrices are binary32, whose rounding is below 1e-6 for numbers of this size. */
function close(actual, expected, message) {
    assert.equal(actual.length, expected.length);
    expected.forEach((value, index) => {
        assert.ok(Math.abs(actual[index] - value) <= 1e-6, `${message ?? ""} ${[...actual]} is not ${expected}`);
    });
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

test("a product applies the right matrix first", () => {
    const moved = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1];
    // A quarter turn about z: x becomes y.
    const turned = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    close(transformed(multiplied(moved, turned), [1, 0, 0]), [5, 7, 7, 1]);
    close(transformed(multiplied(turned, moved), [1, 0, 0]), [-6, 6, 7, 1]);
    close(multiplied(identity, moved), moved);
    close(multiplied(moved, identity), moved);
});

test("vectors", () => {
    assert.deepEqual(plus([1, 2, 3], [10, 20, 30]), [11, 22, 33]);
    assert.deepEqual(plus([1, 2, 3], [10, 20, 30], -0.5), [-4, -8, -12]);
    assert.equal(dot([1, 2, 3], [4, -5, 6]), 12);
    assert.deepEqual(cross([1, 0, 0], [0, 1, 0]), [0, 0, 1]);
    assert.deepEqual(cross([1, 2, 3], [4, 5, 6]), [-3, 6, -3]);
    close(unit([3, 0, 4]), [0.6, 0, 0.8]);
    assert.deepEqual(unit([0, 0, 0]), [0, 0, 0]);
});

test("a viewer is at the origin and looks along negative z", () => {
    // Looks along the world's x, with its z to the right and its y up.
    const view = viewFrom([1, 2, 3], [0, 0, 1], [0, 1, 0], [1, 0, 0]);
    close(transformed(view, [1, 2, 3]), [0, 0, 0, 1]);
    close(transformed(view, [6, 2, 3]), [0, 0, -5, 1], "ahead");
    close(transformed(view, [1, 2, 4]), [1, 0, 0, 1], "right");
    close(transformed(view, [1, 3, 3]), [0, 1, 0, 1], "above");
});

// x = fx · X / Z + cx, y = fy · Y / Z + cy with Y downward, as fractions of width and height.
const camera = [1.25, 1.5, 0.5, 0.4], [scaleX, scaleY, centerX, centerY] = camera;
const points = [[0, 0, 2], [0.4, -0.2, 2], [-1, 1, 4]];
const pinhole = ([x, y, z]) => [camera[0] * x / z + camera[2], camera[1] * y / z + camera[3]];

test("a projection shows points where the camera has them", () => {
    const projection = projectionOf(camera, 0.5, 20);
    for (const [x, y, z] of points) close(shown(projection, [x, -y, -z]).slice(0, 2), pinhole([x, y, z]), `${[x, y, z]}`);
    close(shown(projection, [0.1, 0.2, -0.5]).slice(2), [-1], "near");
    close(shown(projection, [0.1, 0.2, -20]).slice(2), [1], "far");
});

test("looking through a camera of a recording shows points where the camera has them", () => {
    // Axes right, down and forward of a camera that looks along the world's −x, and its position.
    const pose = [0, 1, 0, 0, 0, -1, -1, 0, 0, 3, 2, 1];
    const view = { record: { radius: 2, low: [0, 0, 0], extent: [0, 0, 0] }, looksThrough: true };
    const matrix = CloudView.prototype.matrix.call(view, { pose, camera: { scaleX, scaleY, centerX, centerY } });
    for (const [x, y, z] of points) close(shown(matrix, [3 - z, 2 + x, 1 - y]).slice(0, 2), pinhole([x, y, z]), `${[x, y, z]}`);
});

test("from behind the cameras, the middle is in the middle, up is up, and the complete extent is visible", () => {
    const [low, extent] = [[-0.5, -1, 2.5], [2, 2, 1]];
    const view = {
        record: { radius: 1.5, low, extent }, looksThrough: false, yaw: 0.3, pitch: 0.25, zoom: 1, ahead: [0, 0, 1], up: [0, -1, 0],
        drawing: { canvas: { width: 200, height: 100 } },
    };
    const matrix = CloudView.prototype.matrix.call(view, {});
    close(shown(matrix, [0.5, 0, 3]).slice(0, 2), [0.5, 0.5]);
    const [above] = [shown(matrix, [0.5, -0.5, 3])];
    close(above.slice(0, 1), [0.5]);
    assert.ok(above[1] < 0.5, `${above}`);
    for (let corner = 0; corner < 8; corner++) {
        const place = shown(matrix, low.map((value, axis) => value + (corner >> axis & 1) * extent[axis])).slice(0, 2);
        assert.ok(place.every(value => value > 0 && value < 1), `corner ${corner}: ${place}`);
    }
});

test("a frustum has the edges that the camera sees", () => {
    const pose = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
    const lines = CloudView.prototype.frustum.call({ record: { radius: 1 } }, { pose, camera: { scaleX, scaleY, centerX, centerY } });
    const depth = 0.12;
    // Eye, first corner, and the edge from it to the second: four points a corner.
    const corner = (u, v) => [depth * (u - 0.5) / 1.25, depth * (v - 0.4) / 1.5, depth];
    assert.equal(lines.length, 4 * 4 * 3);
    close(lines.slice(0, 12), [0, 0, 0, ...corner(0, 0), ...corner(0, 0), ...corner(1, 0)]);
    close(lines.slice(36), [0, 0, 0, ...corner(0, 1), ...corner(0, 1), ...corner(0, 0)]);
});

test("the projection of a photo's surface shows points where its camera has them", () => {
    const mesh = { camera: { scaleX, scaleY, centerX, centerY }, nearest: 1, farthest: 10 };
    const projection = Mesh.prototype.projection.call(mesh, 1);
    for (const point of points) close(shown(projection, point).slice(0, 2), pinhole(point), `${point}`);
    close(shown(projection, [0, 0, 0.05]).slice(2), [-1], "near");
    close(shown(projection, [0, 0, 80]).slice(2), [1], "far");
});

test("rays are interpolated between those of a grid", () => {
    // x = u − 1/2 and y = 2 v − 1 at the centers of 4 × 2 cells; linear, so interpolation is exact.
    const [columns, rows] = [4, 2];
    const cells = Array.from({ length: columns * rows }, (_, index) => [(index % columns + 0.5) / columns, (Math.floor(index / columns) + 0.5) / rows]);
    const grid = new Camera({ columns, rows, x: cells.map(([u]) => u - 0.5), y: cells.map(([, v]) => 2 * v - 1) });
    for (const [u, v] of [[0.5, 0.5], [0.125, 0.25], [0.3, 0.6], [0, 1], [1, 0]]) close(grid.ray(u, v), [u - 0.5, 2 * v - 1], `${[u, v]}`);
});

test("rays of a camera without distortion are those of a pinhole camera", () => {
    const lens = new Camera({ scaleX, scaleY, centerX, centerY });
    for (const [x, y, z] of points) close(lens.ray(...pinhole([x, y, z])), [x / z, y / z], `${[x, y, z]}`);
});

test("cells are split along the diagonal with the smaller change, and each has two triangles", () => {
    // a b / c d: from a to d the value stays the same.
    assert.deepEqual([...cellTriangles([1, 5, 9, 1], 2, 2)], [0, 2, 3, 0, 3, 1]);
    assert.deepEqual([...cellTriangles([1, 5, 5, 9], 2, 2)], [0, 2, 1, 1, 2, 3]);
    assert.equal(cellTriangles(new Float32Array(12), 4, 3).length, 3 * 2 * 6);
});
