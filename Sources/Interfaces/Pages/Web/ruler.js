// @ts-check
import { dot, plus, unit } from "./matrices.js";

/** Distances between points of the picture. */
export class Ruler {
    /** `source` is where the camera's focal length is from, as in `isobath info`. */
    constructor(depth, camera, source) {
        this.depth = depth;
        this.camera = camera;
        this.source = source;
    }

    /** The point in meters (right, down, forward), and the error of its distance by the steps of stored values; undefined where unknown. */
    at({ x, y }) {
        const { depth, camera } = this, value = depth.value(x, y), { quantity, step } = depth.record;
        const z = quantity === "depth" ? value : 1 / value;
        if (!(z > 0 && z < 1e6)) return undefined;
        const [right, down] = camera.ray(x, y);
        return { place: [right * z, down * z, z], ray: [right, down, 1], z, error: quantity === "depth" ? step / 2 : step / 2 * z * z };
    }

    /**
     * The length between two points and its error, in meters. Errors are the roots of sums of squares: of both distances along their rays,
     * of half a sample across the picture at both ends, and of the focal length if it is a rounded number of millimeters.
     */
    between(first, second) {
        const [a, b] = [this.at(first), this.at(second)];
        if (!a || !b) return undefined;
        const line = plus(b.place, a.place, -1), length = Math.hypot(...line), along = unit(line);
        const across = Math.hypot(along[0], along[1]), { camera, depth } = this;
        const sample = end => end.z * across / 2 / camera.scaleX / depth.width;
        const focal = this.source.name === "focalLength35mm" ? 0.5 / this.source.millimeters * length * across * across : 0;
        return { length, error: Math.hypot(dot(along, a.ray) * a.error, dot(along, b.ray) * b.error, sample(a), sample(b), focal) };
    }

    /** What the errors do not contain. */
    get reservations() {
        const { scale } = this.depth.record, list = [];
        if (scale === "relative") list.push("The camera calls its scale relative: all lengths may be off by tens of percent.");
        if (scale === "unknown") list.push("The file declares no unit; meters are assumed.");
        if (this.source.name === "assumed") list.push("The focal length is assumed, so lengths across the picture are rough.");
        return list;
    }
}
