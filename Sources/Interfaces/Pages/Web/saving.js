// @ts-check
/** Saves a file as a download. */
export function saveFile(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The extension of a media type. */
export function extensionOf(type) {
    return { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "video/mp4": "mp4", "video/webm": "webm" }[type.split(";")[0]] ?? "bin";
}

/** The base name of a photo's file for files made of it. */
export const baseName = path => path.split("/").pop().replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N} ._-]+/gu, "_").slice(0, 60) || "photo";

/** A canvas as a file. */
export function canvasFile(canvas, type, quality = 0.92) {
    return new Promise((resolve, reject) => canvas.toBlob(
        blob => blob ? resolve(blob) : reject(new Error("the browser has too little memory")), type, quality));
}

/**
 * A movie of a canvas: MP4 or WebM where the browser records and draws at least 20 frames a second, an animated WebP otherwise.
 * `draw` draws the canvas at a time from 0 to 1.
 */
export async function movieFile(canvas, seconds, draw) {
    const type = ["video/mp4;codecs=avc1.640028", "video/mp4", "video/webm;codecs=vp9", "video/webm"]
        .find(type => globalThis.MediaRecorder?.isTypeSupported(type));
    return type && millisecondsOfFrame(canvas, draw) < 50 ? recordedMovie(canvas, seconds, draw, type) : animatedPicture(canvas, seconds, draw);
}

/** The time for a frame, until its pixels can be read. */
function millisecondsOfFrame(canvas, draw) {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true }), phases = [0, 0.2, 0.4, 0.6];
    let began = 0;
    for (const phase of phases) {
        draw(phase);
        probe.drawImage(canvas, 0, 0, 1, 1);
        probe.getImageData(0, 0, 1, 1);
        // The first frame may compile programs.
        if (phase === 0) began = performance.now();
    }
    return (performance.now() - began) / (phases.length - 1);
}

async function recordedMovie(canvas, seconds, draw, type) {
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 });
    const parts = [];
    recorder.addEventListener("dataavailable", event => parts.push(event.data));
    const [started, ended] = ["start", "stop"].map(name => new Promise(resolve => recorder.addEventListener(name, resolve, { once: true })));
    recorder.start();
    await started;
    await new Promise(resolve => {
        const began = performance.now();
        const step = () => {
            const phase = (performance.now() - began) / 1000 / seconds;
            draw(Math.min(phase, 1));
            if (phase < 1) requestAnimationFrame(step);
            else resolve(undefined);
        };
        step();
    });
    recorder.stop();
    await ended;
    return new Blob(parts, { type });
}

/** Frames of a canvas as an animated WebP that repeats, 15 a second. */
async function animatedPicture(canvas, seconds, draw) {
    const count = Math.round(seconds * 15), frames = [];
    for (let index = 0; index < count; index++) {
        draw(index / count);
        const blob = await canvasFile(canvas, "image/webp", 0.8);
        if (blob.type !== "image/webp") throw new Error("this browser records no movies");
        frames.push(new Uint8Array(await blob.arrayBuffer()));
    }
    return new Blob([animatedWebP(frames, canvas.width, canvas.height, Math.round(1000 / 15))], { type: "image/webp" });
}

/** Still WebP files of one size as an animation (WebP container specification, "Animation"). `duration` is of a frame, in milliseconds. */
export function animatedWebP(files, width, height, duration) {
    const number = (value, count) => Array.from({ length: count }, (_, index) => value >>> (8 * index) & 255);
    const chunk = (name, content) => [...name].map(letter => letter.charCodeAt(0)).concat(number(content.length, 4));
    const size = [...number(width - 1, 3), ...number(height - 1, 3)];
    const parts = [], add = (name, content) => parts.push(Uint8Array.from(chunk(name, content)), content, new Uint8Array(content.length & 1));
    // The flag of an animation; a background of nothing, repeated without end.
    add("VP8X", Uint8Array.from([2, 0, 0, 0, ...size]));
    add("ANIM", new Uint8Array(6));
    for (const file of files) {
        const image = imageChunk(file);
        add("ANMF", Uint8Array.from([0, 0, 0, 0, 0, 0, ...size, ...number(duration, 3), 2, ...image]));
    }
    const length = parts.reduce((sum, part) => sum + part.length, 4), result = new Uint8Array(8 + length);
    result.set([...chunk("RIFF", { length }), ..."WEBP"].map(value => typeof value === "string" ? value.charCodeAt(0) : value));
    let place = 12;
    for (const part of parts) {
        result.set(part, place);
        place += part.length;
    }
    return result;
}

/** The chunk of a still WebP file that has its pixels, padded. */
export function imageChunk(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    for (let place = 12; place + 8 <= file.length;) {
        const length = view.getUint32(place + 4, true), end = place + 8 + length + (length & 1);
        if ([0x20, 0x4c].includes(file[place + 3]) && file[place] === 0x56) return file.subarray(place, end);
        place = end;
    }
    throw new Error("a frame is not a WebP picture");
}
