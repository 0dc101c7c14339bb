import assert from "node:assert/strict";
import test from "node:test";
import { animatedWebP, baseName, extensionOf, imageChunk } from "../../Sources/Interfaces/Pages/Web/saving.js";


const text = bytes => Buffer.from(bytes).toString("latin1");

/** A still WebP file with these chunks; lengths are little endian, and odd contents are padded. */
function still(...chunks) {
    const parts = chunks.map(([name, content]) => {
        const head = Buffer.alloc(8);
        head.write(name, "latin1");
        head.writeUInt32LE(content.length, 4);
        return Buffer.concat([head, Buffer.from(content), Buffer.alloc(content.length & 1)]);
    });
    const body = Buffer.concat([Buffer.from("WEBP"), ...parts]), head = Buffer.alloc(8);
    head.write("RIFF");
    head.writeUInt32LE(body.length, 4);
    return new Uint8Array(Buffer.concat([head, body]));
}

test("the picture's chunk is found among others, with its padding", () => {
    const chunk = imageChunk(still(["VP8X", new Array(10).fill(0)], ["ICCP", [1, 2, 3]], ["VP8L", [7, 8, 9]]));
    assert.deepEqual([...chunk], [...Buffer.from("VP8L"), 3, 0, 0, 0, 7, 8, 9, 0]);
    assert.throws(() => imageChunk(still(["VP8X", new Array(10).fill(0)])), /not a WebP picture/);
});

test("an animation has the layout of the WebP container specification", () => {
    const file = animatedWebP([still(["VP8 ", [1, 2]]), still(["VP8 ", [3, 4]])], 300, 2, 67), view = new DataView(file.buffer);
    assert.equal(text(file.subarray(0, 4)) + text(file.subarray(8, 16)), "RIFFWEBPVP8X");
    assert.equal(view.getUint32(4, true), file.length - 8);
    // Flag A is the second bit; then width − 1 and height − 1 in 24 bits.
    assert.deepEqual([...file.subarray(16, 30)], [10, 0, 0, 0, 2, 0, 0, 0, 0x2b, 1, 0, 1, 0, 0]);
    assert.equal(text(file.subarray(30, 34)), "ANIM");
    const frame = 30 + 8 + 6;
    assert.equal(text(file.subarray(frame, frame + 4)), "ANMF");
    assert.equal(view.getUint32(frame + 4, true), 16 + 10);
    // At 0, 0, of the same size, 67 ms, without blending; then the picture.
    assert.deepEqual([...file.subarray(frame + 8, frame + 24)], [0, 0, 0, 0, 0, 0, 0x2b, 1, 0, 1, 0, 0, 67, 0, 0, 2]);
    assert.deepEqual([...file.subarray(frame + 24, frame + 34)], [...Buffer.from("VP8 "), 2, 0, 0, 0, 1, 2]);
    assert.equal(file.length, frame + 2 * 34);
});

test("files are named after the photo, without what file systems refuse", () => {
    assert.equal(baseName("IMG_0001.HEIC"), "IMG_0001");
    assert.equal(baseName("<b>a:b.jpg"), "_b_a_b");
    assert.equal(baseName(".jpg"), "photo");
    assert.equal(extensionOf("video/mp4;codecs=avc1.640028"), "mp4");
});
