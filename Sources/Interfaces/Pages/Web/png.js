// @ts-check
/**
 * The samples of a gray PNG of 8 or 16 bits, exactly as they are in the file. A canvas does not preserve them: browsers may convert
 * its colors, and some add noise against tracking.
 */
export async function decodeGrayPNG(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const coded = [];
    let width = 0, height = 0, depth = 0;
    for (let place = 8; place + 12 <= bytes.length;) {
        const length = view.getUint32(place), type = view.getUint32(place + 4), start = place + 8;
        if (type === 0x49484452) {
            [width, height, depth] = [view.getUint32(start), view.getUint32(start + 4), bytes[start + 8]];
        } else if (type === 0x49444154) {
            coded.push(bytes.subarray(start, start + length));
        }
        place = start + length + 4;
    }
    /** @type {any} Not in every version of the type checker's library. */
    const { DecompressionStream } = globalThis;
    const stream = new Blob(coded).stream().pipeThrough(new DecompressionStream("deflate"));
    const rows = new Uint8Array(await new Response(stream).arrayBuffer());
    return { width, height, samples: unfilter(rows, width, height, depth / 8) };
}

/** Reverses the row filters (W3C PNG, clause 9) and combines the bytes of samples. */
function unfilter(rows, width, height, size) {
    const length = width * size;
    const samples = size === 1 ? new Uint8Array(width * height) : new Uint16Array(width * height);
    let above = new Uint8Array(length), line = new Uint8Array(length);
    for (let row = 0; row < height; row++) {
        const start = row * (length + 1), filter = rows[start];
        for (let index = 0; index < length; index++) {
            const left = index < size ? 0 : line[index - size], up = above[index];
            let predicted = 0;
            if (filter === 1) predicted = left;
            else if (filter === 2) predicted = up;
            else if (filter === 3) predicted = (left + up) >> 1;
            else if (filter === 4) predicted = paeth(left, up, index < size ? 0 : above[index - size]);
            line[index] = rows[start + 1 + index] + predicted;
        }
        for (let column = 0; column < width; column++) {
            samples[row * width + column] = size === 1 ? line[column] : line[2 * column] << 8 | line[2 * column + 1];
        }
        [above, line] = [line, above];
    }
    return samples;
}

export function paeth(left, up, corner) {
    const value = left + up - corner;
    const [a, b, c] = [Math.abs(value - left), Math.abs(value - up), Math.abs(value - corner)];
    return a <= b && a <= c ? left : b <= c ? up : corner;
}
