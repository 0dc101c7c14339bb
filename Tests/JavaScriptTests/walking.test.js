import assert from "node:assert/strict";
import test from "node:test";
import { Stage } from "../../Sources/Interfaces/Pages/Web/stage.js";
import { nextBox, walked } from "../../Sources/Interfaces/Pages/Web/walking.js";

test("an arrow key reaches the next photo in its direction, in the same row or column", () => {
    // Three columns of 100 × 75, and a last row of two.
    const boxes = Array.from({ length: 5 }, (_, index) => ({ left: index % 3 * 110, top: Math.floor(index / 3) * 85, width: 100, height: 75 }));
    const [left, right, up, down] = [[-1, 0], [1, 0], [0, -1], [0, 1]];
    assert.equal(nextBox(boxes, 0, right), 1);
    assert.equal(nextBox(boxes, 1, down), 4);
    assert.equal(nextBox(boxes, 4, up), 1);
    assert.equal(nextBox(boxes, 4, left), 3);
    assert.equal(nextBox(boxes, 0, left), undefined);
    assert.equal(nextBox(boxes, 0, up), undefined);
});

test("arrow keys walk around the tabs", () => {
    const tabs = ["depth", "focus", "record"];
    const keys = { ArrowRight: "focus", ArrowLeft: "record", Home: "depth", End: "record", a: undefined };
    for (const [key, expected] of Object.entries(keys)) assert.equal(walked(tabs, "depth", key), expected, key);
});

test("the address names a tab, and anything else in it is ignored", () => {
    const wanted = Object.getOwnPropertyDescriptor(Stage.prototype, "wanted").get;
    for (const [hash, name] of [["#depth", "depth"], ["", undefined], ["#%", undefined], ["#%E0%A4%A", undefined], ["#none", undefined]]) {
        globalThis.location = { hash };
        assert.equal(wanted.call({ tabs: ["photo", "depth"] }), name, hash);
    }
});
