import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { decodedBytes } from "../../Sources/Interfaces/Pages/Web/blocks.js";
import { Depth } from "../../Sources/Interfaces/Pages/Web/depth.js";
import { Camera } from "../../Sources/Interfaces/Pages/Web/camera.js";
import { decodeGrayPNG } from "../../Sources/Interfaces/Pages/Web/png.js";
import { expectedPlane, image } from "./images.js";

const tool = process.env.ISOBATH;
const skip = tool ? false : "ISOBATH names no tool";

/** The depth and the camera of a photo's page, decoded by the scripts of the page. */
async function opened(name) {
    const html = execFileSync(tool, ["view", image(name), "--quiet", "-o", "-"], { encoding: "utf8", maxBuffer: 1 << 26 });
    const blocks = new Map([...html.matchAll(/<script type="[^"]*" id="([^"]*)">([^<]*)<\/script>/g)].map(match => [match[1], match[2]]));
    const scene = JSON.parse(blocks.get("scene")), png = await decodeGrayPNG(decodedBytes(blocks.get("depth-0")));
    return { depth: new Depth(scene.depth, png), camera: new Camera(scene.camera) };
}

for (const [name, kind] of [
    ["portrait.heic", "disparity"], ["portrait-rotated.heic", "disparity"], ["absolute-depth.heic", "depth"],
    ["depth.dng", "disparity"], ["lossless-jpeg-depth.heic", "depth"],
]) {
    test(`the page of ${name} has the ${kind} of expected.json`, { skip }, async () => {
        const plane = expectedPlane(name, kind);
        const { depth } = await opened(name);
        assert.equal(depth.record.quantity, kind);
        // Half a code of the file: the page has the file's codes, or 16 bits over their range.
        const tolerance = (plane.maximum - plane.minimum) / (2 ** plane.bitDepth - 1) / 2 + 1e-9;
        const pixels = plane.pixels.filter(({ meters }) => meters);
        assert.ok(pixels.length >= 10);
        for (const { name: place, upright: [column, row], meters } of pixels) {
            const expected = kind === "depth" ? meters : 1 / meters;
            const value = depth.value((column + 0.5) / depth.width, (row + 0.5) / depth.height);
            assert.ok(Math.abs(value - expected) <= tolerance, `${place}: ${value} is not ${expected} ± ${tolerance}`);
        }
    });
}

test("rays of the page of portrait.heic go to the points of the scene", { skip }, async () => {
    const plane = expectedPlane("portrait.heic", "disparity");
    const { camera } = await opened("portrait.heic");
    for (const { name, upright: [column, row], scenePoint: [x, y, z] } of plane.pixels) {
        const [u, v] = [(column + 0.5) / plane.width, (row + 0.5) / plane.height];
        const ray = camera.ray(u, v);
        // A tenth of a pixel of the photo, whose focal length is 1200 pixels.
        assert.ok(Math.hypot(ray[0] - x / z, ray[1] - y / z) <= 0.1 / 1200, `${name}: ${ray} is not ${[x / z, y / z]}`);
    }
});
