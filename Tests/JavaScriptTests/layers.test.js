import assert from "node:assert/strict";
import test from "node:test";
import { averaged, maxima, medians, minima, splitLayers } from "../../Sources/Interfaces/Pages/Web/layers.js";


const [width, height] = [80, 60];

/** A map by a function of column and row. */
const map = value => Float32Array.from({ length: width * height }, (_, index) => value(index % width, Math.floor(index / width)));

test("extremes are those of a square window, also at borders", () => {
    const values = Float32Array.of(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8);
    // 4 × 3; brute force.
    for (const reach of [1, 2, 5]) {
        const around = index => values.filter((_, other) =>
            Math.abs(other % 4 - index % 4) <= reach && Math.abs(Math.floor(other / 4) - Math.floor(index / 4)) <= reach);
        assert.deepEqual([...maxima(values, 4, 3, reach)], [...values].map((_, index) => Math.max(...around(index))), `${reach}`);
        assert.deepEqual([...minima(values, 4, 3, reach)], [...values].map((_, index) => Math.min(...around(index))), `${reach}`);
    }
});

test("medians remove a spike, and keep an edge", () => {
    assert.deepEqual([...medians(Float32Array.of(1, 1, 1, 1, 9, 1, 1, 1, 1), 3, 3)], new Array(9).fill(1));
    const edge = Float32Array.from({ length: 16 }, (_, index) => index % 4 < 2 ? 0 : 1);
    assert.deepEqual([...medians(edge, 4, 4)], [...edge]);
});

test("behind a near square, the far wall goes on, and the square goes on a little beyond its edge", () => {
    const isInside = (column, row) => column >= 30 && column < 50 && row >= 20 && row < 40;
    const layers = splitLayers(map((column, row) => isInside(column, row) ? 0.9 : 0.2), undefined, width, height);
    for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
            const index = row * width + column;
            // The wall is known to be flat, so the continued back is exact.
            assert.ok(Math.abs(layers.back[index] - 0.2) < 1e-6, `back at ${column}, ${row}`);
            assert.equal(layers.under[index], isInside(column, row) ? 1 : 0, `under at ${column}, ${row}`);
            if (isInside(column, row)) assert.ok(Math.abs(layers.front[index] - 0.9) < 1e-6, `front at ${column}, ${row}`);
        }
    }
    // Two samples: 1.2 % of 80, at least 2.
    assert.ok(Math.abs(layers.front[30 * width + 28] - 0.9) < 1e-6);
    assert.ok(Math.abs(layers.front[30 * width + 27] - 0.2) < 1e-6);
    // The front is transparent there: nearness 0.2 is the low end of the edge.
    assert.ok(Math.abs(layers.low[30 * width + 27] - 0.2) < 1e-6 && Math.abs(layers.high[30 * width + 27] - 0.9) < 1e-6);
    // Only light that is not beside the edge is a source.
    assert.equal(layers.sources[30 * width + 29], 0);
    assert.equal(layers.sources[30 * width + 20], 1);
});

test("what is far behind the front is guessed from the background, also behind a hollow of the near surface", () => {
    // A body at 0.9 before a wall at 0.1, with a hollow at 0.6, as eyes have beside a nose.
    const nearness = map((column, row) => {
        if (column < 26 || column >= 54 || row < 10) return 0.1;
        return column >= 36 && column < 44 && row >= 26 && row < 34 ? 0.6 : 0.9;
    });
    const layers = splitLayers(nearness, undefined, width, height);
    let count = 0;
    for (let index = 0; index < width * height; index++) {
        if (nearness[index] - layers.back[index] <= 0.08) continue;
        assert.equal(layers.under[index], 1, `at ${index % width}, ${Math.floor(index / width)}`);
        assert.ok(Math.abs(layers.back[index] - 0.1) < 0.02, `back at ${index % width}, ${Math.floor(index / width)}: ${layers.back[index]}`);
        count++;
    }
    assert.ok(count > 1200);
});

test("a slope has no edges", () => {
    // The whole range in 80 columns: five columns change by 6 %, and a window of 5 % of the width by more than an edge of 8 % would.
    const slope = map(column => column / 79 * 2 - 0.5);
    const layers = splitLayers(slope, undefined, width, height);
    assert.deepEqual([...layers.front], [...slope]);
    assert.deepEqual([...layers.low], [...layers.high]);
});

test("samples at a matte's edge belong to its subject where it covers more than half, and to the wall elsewhere", () => {
    // The map of depth is two samples too wide on the left, and two too narrow on the right.
    const nearness = map((column, row) => column >= 28 && column < 48 && row >= 10 ? 0.8 : 0.1);
    const coverage = map((column, row) => row >= 10 ? Math.min(Math.max((column - 29) / 2, 0), Math.max((51 - column) / 2, 0), 1) : 0);
    const layers = splitLayers(nearness, coverage, width, height);
    const at = 40 * width;
    for (let column = 31; column < 50; column++) assert.ok(Math.abs(layers.front[at + column] - 0.8) < 1e-6, `front at ${column}`);
    for (const column of [26, 28, 29, 52, 54]) assert.ok(Math.abs(layers.back[at + column] - 0.1) < 1e-6, `back at ${column}`);
    // The matte is the front's opacity around the edge only.
    assert.equal(layers.soft[at + 30], 1);
    assert.equal(layers.soft[at + 40], 0);
    assert.equal(layers.soft[at + 5], 0);
});

test("mattes are averaged", () => {
    const samples = Uint8Array.of(255, 255, 0, 0, 255, 0, 0, 0);
    assert.deepEqual([...averaged({ samples, width: 4, height: 2 }, 2, 1)], [0.75, 0]);
});

test("the front at edges is smooth where samples of the near side are not, and steps between surfaces stay", () => {
    // Rows of a post are alternately 3 % nearer and farther than its middle, and beside it is a second one.
    const layers = splitLayers(
        map((column, row) => column >= 30 && column < 40 ? 0.9 + (row % 2 - 0.5) * 0.06 : column >= 40 && column < 50 ? 0.6 : 0.1), undefined, width, height);
    for (let row = 10; row < 50; row++) {
        const [here, below] = [0, 1].map(step => layers.front[(row + step) * width + 31]);
        // Twice the mean of five rows of ± 0.03: at most 0.03 / 25 from the middle.
        assert.ok(Math.abs(here - 0.9) < 0.0013 && Math.abs(here - below) < 0.0025, `front in row ${row}: ${here}, ${below}`);
        assert.ok(Math.abs(layers.front[row * width + 46] - 0.6) < 1e-6, `second post in row ${row}`);
    }
});

test("between two parts of a subject, the front is whole, and at its outline it is torn", () => {
    // A face with a chin before its neck, before a wall.
    const nearness = map((column, row) => column < 20 || column >= 60 ? 0.1 : row < 30 ? 0.9 : 0.6);
    const covered = splitLayers(nearness, map(column => column < 20 || column >= 60 ? 0 : 1), width, height);
    const bare = splitLayers(nearness, undefined, width, height);
    const contrast = ({ low, high }, column, row) => high[row * width + column] - low[row * width + column];
    for (const row of [29, 30]) {
        assert.equal(contrast(covered, 40, row), 0, `row ${row}`);
        assert.equal(contrast(bare, 40, row), 0, `row ${row}, without a matte`);
        assert.equal(covered.front[row * width + 40], nearness[row * width + 40], `front in row ${row}`);
    }
    assert.ok(contrast(covered, 19, 10) > 0.7);
});

test("a flat surface between a subject and a wall keeps its depth, and is continued behind the subject", () => {
    // A head before a headrest before a wall. The matte has an edge of two samples, and covers a little of the headrest.
    const isHead = column => column >= 34 && column < 46, isRest = (column, row) => column >= 18 && column < 62 && row >= 20;
    const nearness = map((column, row) => isHead(column) ? 0.9 : isRest(column, row) ? 0.4 : 0.1);
    const coverage = map(column => Math.max(Math.min((column - 32) / 2, (47 - column) / 2, 1), column >= 18 && column < 62 ? 0.3 : 0));
    const { front, back, soft, sources } = splitLayers(nearness, coverage, width, height), row = 45 * width;
    for (const column of [20, 24, 28, 51, 55, 59]) {
        const index = row + column;
        assert.ok(Math.abs((sources[index] ? back : front)[index] - 0.4) < 1e-6, `column ${column}: ${front[index]}, ${back[index]}`);
        assert.equal(soft[index], 0, `column ${column}`);
    }
    assert.ok(Math.abs(back[row + 33] - 0.4) < 0.1, `behind the head: ${back[row + 33]}`);
    assert.ok(Math.abs(front[row + 40] - 0.9) < 1e-6);
});

test("away from the subject, a known surface is in front, also where the matte covers some of it, and the wall is behind", () => {
    // A head beside a headrest, of which the matte covers two fifths, before a wall.
    const isHead = column => column >= 60, isRest = (column, row) => column >= 20 && row >= 20;
    const nearness = map((column, row) => isHead(column) ? 0.9 : isRest(column, row) ? 0.4 : 0.1);
    const coverage = map((column, row) => isHead(column) ? 1 : isRest(column, row) ? 0.4 : 0);
    const { front, back, soft, sources, under } = splitLayers(nearness, coverage, width, height), row = 45 * width;
    for (let column = 22; column < 50; column++) {
        const index = row + column;
        assert.ok(Math.abs(front[index] - 0.4) < 1e-6, `front at ${column}: ${front[index]}`);
        assert.deepEqual([soft[index], sources[index], under[index]], [0, 0, 1], `column ${column}`);
    }
    assert.ok(back[row + 22] < 0.2, `behind its outline: ${back[row + 22]}`);
    // Beside the head, the front goes on as the head, and the back is the headrest.
    assert.ok(Math.abs(back[row + 57] - 0.4) < 1e-6 && sources[row + 57] === 1, `beside the head: ${back[row + 57]}`);
});

test("a hollow of a near surface at its outline stays in the front, and has an edge of its own", () => {
    // A body at 0.9 before a wall at 0, with a flat hollow at 0.3 that reaches its right edge.
    const isHollow = (column, row) => column >= 42 && column < 56 && row >= 24 && row < 36;
    const { front, low, high, sources } = splitLayers(
        map((column, row) => isHollow(column, row) ? 0.3 : column >= 26 && column < 56 && row >= 10 ? 0.9 : 0), undefined, width, height);
    for (const column of [47, 50, 53, 55]) {
        const index = 30 * width + column;
        assert.ok(Math.abs(front[index] - 0.3) < 1e-6, `front at ${column}: ${front[index]}`);
        assert.ok(Math.abs(high[index] - 0.3) < 1e-6, `high at ${column}: ${high[index]}`);
        assert.equal(sources[index], 0, `column ${column}`);
    }
    // Beside it, the front goes on at its depth, where it is transparent.
    const beside = 30 * width + 56;
    assert.ok(Math.abs(front[beside] - 0.3) < 1e-6 && low[beside] === 0 && high[beside] > 0.29, `${front[beside]}`);
});
