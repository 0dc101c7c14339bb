// @ts-check
import { blockBytes } from "./blocks.js";
import { cross, plus } from "./matrices.js";
import { decodeGrayPNG } from "./png.js";

/** Unit normals of a surface at its points, in 127ths, four bytes each: means of the normals of their triangles, by area. */
export function normalsOf(positions, extent, triangles) {
    const sums = new Float32Array(positions.length / 3 * 4);
    const place = point => extent.map((length, axis) => positions[3 * point + axis] * length);
    for (let index = 0; index < triangles.length; index += 3) {
        const points = triangles.subarray(index, index + 3), [a, b, c] = [...points].map(place);
        const normal = cross(plus(b, a, -1), plus(c, a, -1));
        for (const point of points) {
            for (let axis = 0; axis < 3; axis++) sums[4 * point + axis] += normal[axis];
        }
    }
    for (let start = 0; start < sums.length; start += 4) {
        const length = Math.hypot(...sums.subarray(start, start + 3)) || 1;
        for (let axis = 0; axis < 3; axis++) sums[start + axis] *= 127 / length;
    }
    return Int8Array.from(sums, Math.round);
}

/** The fused points of a recording; with their triangles and normals, if they are a surface. */
export async function fusedShape({ extent, triangles: counts }) {
    const samples = async name => (await decodeGrayPNG(blockBytes(`cloud-${name}`))).samples;
    const [positions, colors] = await Promise.all(["positions", "colors"].map(samples));
    if (counts.every(count => count === 0)) return { positions, colors };
    const triangles = await samples("triangles");
    return { positions, colors, triangles, normals: normalsOf(positions, extent, triangles) };
}
