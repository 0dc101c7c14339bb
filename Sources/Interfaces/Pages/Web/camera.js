// @ts-check
import { clamped } from "./numbers.js";

/**
 * The camera as stored in the page: focal lengths and center as fractions of the picture's width and height, and for a lens with distortion a
 * grid of corrected rays over the picture.
 */
export class Camera {
    constructor({ source, scaleX, scaleY, centerX, centerY, columns, rows, x, y }) {
        this.source = source;
        this.scaleX = scaleX;
        this.scaleY = scaleY;
        this.centerX = centerX;
        this.centerY = centerY;
        this.grid = x && { columns, rows, x, y };
    }

    /** X / Z and Y / Z at a point of the picture, in a grid interpolated between the rays through the centers of its cells. */
    ray(u, v) {
        if (!this.grid) return [(u - this.centerX) / this.scaleX, (v - this.centerY) / this.scaleY];
        const { columns, rows, x, y } = this.grid, [p, q] = [u * columns - 0.5, v * rows - 0.5];
        const i = clamped(Math.floor(p), 0, columns - 2), j = clamped(Math.floor(q), 0, rows - 2);
        const [a, b, index] = [p - i, q - j, j * columns + i];
        const mean = list => (list[index] * (1 - a) + list[index + 1] * a) * (1 - b)
            + (list[index + columns] * (1 - a) + list[index + columns + 1] * a) * b;
        return [mean(x), mean(y)];
    }
}
