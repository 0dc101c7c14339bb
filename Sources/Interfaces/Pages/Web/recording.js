// @ts-check
import { blockBytes, element } from "./blocks.js";
import { short } from "./depth.js";
import { clamped, parsedColors } from "./numbers.js";
import { decodeGrayPNG } from "./png.js";
import { FusedScene } from "./points.js";
import { paintMap, ReadingView } from "./reading.js";
import { baseName, canvasFile, movieFile } from "./saving.js";
import { scene } from "./scene.js";
import { fusedShape } from "./shape.js";
import { Stage, View } from "./stage.js";
import { TurningView } from "./turning.js";

/** A view of the chosen frame; the picture is shown below its canvas. */
class FrameView extends ReadingView {
    constructor(page, name, label, changes = {}) {
        super(name, label, { ...page.motion, ...changes });
        this.page = page;
    }

    describe({ x, y }) { return this.page.describe(x, y); }

    key(event, x, y) {
        if (event.key !== " ") return super.key(event, x, y);
        this.page.play(!this.page.isPlaying);
        return true;
    }
}

/** Depth in colors that mean the same in all frames. */
class FrameDepthView extends FrameView {
    constructor(page) {
        super(page, "depth", "Depth of a frame in colors", { surface: "flat" });
        element("opacity").addEventListener("input", () => this.stage.draw());
    }

    draw() {
        const { page } = this, { flat } = this.stage, { depth, values } = page.shown, { colors } = page;
        element("opacity-text").textContent = `${element("opacity").value} %`;
        flat.style.opacity = element("opacity").value / 100;
        if (values) paintMap(flat, depth.width, depth.height, colors, index => values[index] > 0 ? page.nearness(values[index]) : NaN);
        else [flat.width, flat.height] = [1, 1];
    }
}

/** What is nearer than a distance. */
class FrameCutoutView extends FrameView {
    constructor(page) {
        super(page, "cutout", "What is near in a frame", { surface: "flat" });
        element("cut").addEventListener("input", () => this.stage.draw());
        this.mask = document.createElement("canvas");
    }

    enter() { this.stage.stage.classList.add("is-covered", "is-clear"); }

    draw() {
        const { page, mask } = this, { flat, photo } = this.stage, { depth, values } = page.shown, cut = element("cut").value / 1000;
        const limit = 1 / (scene.low + cut * (scene.high - scene.low));
        element("cut-text").textContent = scene.unit === null ? `${short(limit)} (no unit)` : `${short(limit)} m`;
        flat.style.opacity = 1;
        [flat.width, flat.height] = [photo.naturalWidth, photo.naturalHeight];
        if (!values) return;
        [mask.width, mask.height] = [depth.width, depth.height];
        const context = mask.getContext("2d"), image = context.createImageData(depth.width, depth.height);
        for (let index = 0; index < values.length; index++) {
            image.data[4 * index + 3] = values[index] > 0 ? 255 * clamped((page.nearness(values[index]) - cut) * 20 + 0.5, 0, 1) : 0;
        }
        context.putImageData(image, 0, 0);
        const target = flat.getContext("2d");
        target.imageSmoothingQuality = "high";
        target.drawImage(mask, 0, 0, flat.width, flat.height);
        target.globalCompositeOperation = "source-in";
        target.drawImage(photo, 0, 0);
    }

    file() { return canvasFile(this.stage.flat, "image/png"); }
}

/** The surface of all frames, with the path of the camera. */
class CloudView extends TurningView {
    constructor(page, cloud) {
        super("3d", "The surface of the recording", page.motion, " The line is the path of the camera; the pyramid is its view.");
        this.page = page;
        this.cloud = cloud;
        element("shape-label").hidden = !cloud.hasSurface;
        element("shape").addEventListener("input", () => this.stage.draw());
        element("through").addEventListener("click", () => { cloud.looksThrough = !cloud.looksThrough; this.stage.draw(); });
        element("reset").addEventListener("click", () => this.reset());
        element("point-size").addEventListener("input", () => { cloud.share = element("point-size").value / 100; this.stage.draw(); });
    }

    draw() {
        const { cloud, stage } = this;
        cloud.showsSurface = cloud.hasSurface && element("shape").value === "surface";
        element("point-size").parentElement.hidden = cloud.showsSurface;
        element("through").setAttribute("aria-pressed", cloud.looksThrough);
        cloud.draw(this.page.frame, cloud.looksThrough ? stage.box : stage.stage.getBoundingClientRect());
    }

    turn(right, down) {
        this.cloud.turn(-4 * right, 3 * down);
        this.stage.draw();
    }

    scale(factor) {
        this.cloud.scale(factor);
        this.stage.draw();
    }

    reset() {
        this.cloud.reset();
        this.stage.draw();
    }

    file() { return canvasFile(this.stage.canvas, "image/jpeg"); }
}

/** The page of a recording: its frames with their depth, and the fused cloud with the camera's path. */
class RecordingPage {
    constructor() {
        this.frames = scene.frames;
        this.photo = element("photo");
        this.first = this.photo.src;
        this.depths = new Map();
        this.index = 0;
        this.colors = parsedColors(scene.colors);
    }

    async open() {
        /** @type {View[]} */
        const views = [new FrameView(this, "picture", "A frame of the recording")];
        if (this.frames.some(frame => frame.depth)) views.push(new FrameDepthView(this), new FrameCutoutView(this));
        let problem;
        if (scene.cloud) {
            try {
                this.cloud = new FusedScene(element("graphics"), scene.cloud, await fusedShape(scene.cloud), scene.path, this.frames);
                views.push(new CloudView(this, this.cloud));
            } catch (error) {
                if (error.message !== "no WebGL 2") console.error(error);
                problem = "This browser has no WebGL 2, so the cloud is not available.";
            }
        }
        views.push(new View("record", undefined, {}));
        this.stage = new Stage(views, baseName(JSON.parse(element("json").textContent).path));
        element("time").hidden = this.frames.length < 2;
        element("number").addEventListener("input", () => { this.play(false); this.go(Number(element("number").value)); });
        this.stage.begin("picture");
        if (problem) this.stage.say(problem);
        await this.go(0);
    }

    get frame() { return this.frames[this.index]; }

    /** The depth of the frame, and its values once they are decoded. */
    get shown() { return { depth: this.frame.depth, values: this.depths.get(this.index) }; }

    /** Where a value lies between the farthest and the nearest of the recording, 0…1. */
    nearness(value) { return (1 / value - scene.low) / Math.max(scene.high - scene.low, 1e-9); }

    /** Shows a frame once it is decoded, unless another was requested meanwhile. */
    async go(index) {
        this.index = index;
        const text = `${this.frame.index + 1} of ${scene.total}, ${this.frame.time.toFixed(2)} s`;
        element("number").value = index;
        element("number-text").textContent = text;
        element("number").setAttribute("aria-valuetext", text);
        this.photo.src = index === 0 ? this.first : `data:image/jpeg;base64,${element(`frame-${index}`).textContent.trim()}`;
        await Promise.all([this.photo.decode().catch(() => {}), this.decode(index)]);
        if (this.index === index) this.stage.drawNow();
    }

    /** The depth of a frame in meters, or in its own unit; NaN where unknown. Only a few are cached. */
    async decode(index) {
        const { depth } = this.frames[index];
        if (!depth || this.depths.has(index)) return;
        const { samples } = await decodeGrayPNG(blockBytes(`depth-${index}`));
        const values = Float64Array.from(samples, code => code < depth.first ? NaN : depth.minimum + (code - depth.first) * depth.step);
        this.depths.set(index, values);
        if (this.depths.size > 64) this.depths.delete(this.depths.keys().next().value);
    }

    /** The stored value at a point of the frame, both coordinates 0…1; NaN where unknown. */
    value(x, y) {
        const { depth, values } = this.shown;
        if (!depth || !values) return NaN;
        const column = clamped(Math.floor(x * depth.width), 0, depth.width - 1), row = clamped(Math.floor(y * depth.height), 0, depth.height - 1);
        return values[row * depth.width + column];
    }

    describe(x, y) {
        const value = this.value(x, y);
        if (value !== value) return this.frame.depth ? "unknown" : "";
        return scene.unit === null
            ? `${short(value)} (no unit, ${scene.accuracy} accuracy)`
            : `${short(value)} m, stored to ±${short(this.frame.depth.step / 2)} m, accuracy ${scene.accuracy}`;
    }

    /** Plays frames at the recording's speed, at most ten per second. */
    play(isWanted) {
        this.isPlaying = isWanted;
        this.stage.showPlaying(isWanted);
        clearTimeout(this.timer);
        if (!isWanted) return;
        const step = async () => {
            const next = (this.index + 1) % this.frames.length, gap = this.frames[next].time - this.frame.time;
            await this.go(next);
            if (this.isPlaying) this.timer = setTimeout(step, clamped(gap * 1000, 100, 1000));
        };
        this.timer = setTimeout(step, 100);
    }

    /** How views play and save a movie; nothing for a single frame. */
    get motion() {
        return this.frames.length > 1 ? { hasMotion: true, play: isWanted => this.play(isWanted), movie: () => this.movie() } : {};
    }

    /** The frames, as they are shown, at the recording's speed. */
    async movie() {
        const pictures = [], ends = [0], { view } = this.stage;
        this.play(false);
        for (const [index, frame] of this.frames.entries()) {
            await this.go(index);
            pictures.push(await createImageBitmap(await view.file()));
            const gap = this.frames[index + 1] ? this.frames[index + 1].time - frame.time : 0.1;
            ends.push(ends[index] + clamped(gap, 0.1, 1));
        }
        const canvas = document.createElement("canvas"), context = canvas.getContext("2d"), seconds = ends[pictures.length];
        [canvas.width, canvas.height] = [pictures[0].width, pictures[0].height].map(side => side & ~1);
        return movieFile(canvas, seconds, phase => {
            const index = ends.filter(end => end <= phase * seconds).length - 1;
            context.fillRect(0, 0, canvas.width, canvas.height);
            context.drawImage(pictures[Math.min(index, pictures.length - 1)], 0, 0);
        });
    }

    // For scripts: isobath.go(3), isobath.value(x, y), isobath.show("3d"), isobath.drawNow().
    get tabs() { return this.stage.tabs; }
    get canvas() { return this.stage.canvas; }
    get flat() { return this.stage.flat; }
    show(name) { this.stage.show(name); }
    drawNow() { this.stage.drawNow(); }
}

const page = new RecordingPage();
page.open().then(() => {
    Object.assign(window, { isobath: page });
    document.documentElement.dataset.state = "ready";
}, error => {
    element("readout").textContent = `Only the first frame can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
