import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import zlib from "node:zlib";
import { decodeGrayPNG, paeth } from "../../Sources/Interfaces/Pages/Web/png.js";
import { expectedPlane, image } from "./images.js";


/** A chunk without a checksum, which the decoder does not read. */
function chunk(type, content) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), content, Buffer.alloc(4)]);
}

function header(width, height, bitDepth) {
    const content = Buffer.alloc(13);
    content.writeUInt32BE(width, 0);
    content.writeUInt32BE(height, 4);
    content[8] = bitDepth;
    return chunk("IHDR", content);
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function png(width, height, bitDepth, rows) {
    const data = zlib.deflateSync(Buffer.from(rows));
    return Buffer.concat([signature, header(width, height, bitDepth), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

test("pair_depth.png has the codes of expected.json", async () => {
    const plane = expectedPlane("pair.jpg", "disparity");
    const decoded = await decodeGrayPNG(fs.readFileSync(image("pair_depth.png")));
    assert.deepEqual([decoded.width, decoded.height], [plane.width, plane.height]);
    assert.ok(plane.pixels.length >= 10);
    for (const { name, stored: [column, row], code } of plane.pixels) {
        assert.equal(decoded.samples[row * decoded.width + column], code, name);
    }
});

// The row 30 25 200 below 10 20 40, filtered by hand: the number of the filter, and samples minus predictions, modulo 256.
const filtered = {
    "None": [0, 30, 25, 200],
    "Sub": [1, 30, 251, 175],
    "Up": [2, 20, 5, 160],
    // Predictions: (0 + 10) >> 1, (30 + 20) >> 1, (25 + 40) >> 1.
    "Average": [3, 25, 0, 168],
    // Predictions: 10 (of 0, 10, 0), 30 (of 30, 20, 10), 40 (of 25, 40, 20).
    "Paeth": [4, 20, 251, 160],
};

for (const [name, row] of Object.entries(filtered)) {
    test(`filter ${name} is reversed`, async () => {
        const { samples } = await decodeGrayPNG(png(3, 2, 8, [0, 10, 20, 40, ...row]));
        assert.deepEqual(samples, Uint8Array.of(10, 20, 40, 30, 25, 200));
    });
}

test("samples of 16 bits are big endian, and filters refer to the byte one sample before", async () => {
    // 0x0102, 0x03FF in filter Sub: the second sample's bytes are 0x03 − 0x01 and 0xFF − 0x02.
    const { samples } = await decodeGrayPNG(png(2, 1, 16, [1, 0x01, 0x02, 0x02, 0xfd]));
    assert.deepEqual(samples, Uint16Array.of(0x0102, 0x03ff));
});

test("above the first row and left of the first sample are zeros", async () => {
    for (const filter of [1, 2, 3, 4]) {
        const { samples } = await decodeGrayPNG(png(1, 1, 8, [filter, 77]));
        assert.deepEqual(samples, Uint8Array.of(77), `filter ${filter}`);
    }
});

test("the Paeth predictor prefers left, then up, then the corner", () => {
    // W3C PNG, clause 9.4: p = left + up − corner, and the nearest of the three to p.
    assert.equal(paeth(10, 20, 30), 10);  // p = 0
    assert.equal(paeth(10, 20, 10), 20);  // p = 20
    assert.equal(paeth(1, 3, 2), 2);  // p = 2
    assert.equal(paeth(11, 8, 10), 8);  // p = 9: up and corner are 1 away
    assert.equal(paeth(8, 11, 10), 8);  // p = 9: left and corner are 1 away
});

test("compressed data may be in several chunks, with others between, anywhere in a buffer", async () => {
    const data = zlib.deflateSync(Buffer.from([0, 1, 2, 0, 3, 4]));
    const file = Buffer.concat([
        signature, header(2, 2, 8), chunk("IDAT", data.subarray(0, 5)), chunk("tEXt", Buffer.from("IDAT")),
        chunk("IDAT", data.subarray(5)), chunk("IEND", Buffer.alloc(0)),
    ]);
    const buffer = new Uint8Array(file.length + 9);
    buffer.set(file, 9);
    const { width, height, samples } = await decodeGrayPNG(buffer.subarray(9));
    assert.deepEqual([width, height], [2, 2]);
    assert.deepEqual(samples, Uint8Array.of(1, 2, 3, 4));
});
