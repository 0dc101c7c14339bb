// @ts-check
/** The product of two column-major matrices. */
export function multiplied(a, b) {
    const result = new Float32Array(16);
    for (let column = 0; column < 4; column++) {
        for (let row = 0; row < 4; row++) {
            for (let k = 0; k < 4; k++) result[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
        }
    }
    return result;
}

// Vectors of three numbers.
export const plus = (a, b, factor = 1) => a.map((value, index) => value + b[index] * factor);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = a => { const length = Math.hypot(...a) || 1; return a.map(value => value / length); };

/** From the world to a viewer at `eye` with these axes, z toward the viewer. */
export function viewFrom(eye, right, up, forward) {
    return [
        right[0], up[0], -forward[0], 0, right[1], up[1], -forward[1], 0, right[2], up[2], -forward[2], 0,
        -dot(right, eye), -dot(up, eye), dot(forward, eye), 1,
    ];
}

/** A projection. Focal lengths and center are fractions of the picture's width and height; y points down in the picture. */
export function projectionOf([fx, fy, cx, cy], near, far) {
    return [
        2 * fx, 0, 0, 0, 0, 2 * fy, 0, 0, 1 - 2 * cx, 2 * cy - 1, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0,
    ];
}
