// @ts-check
/** A view of the chosen frame; the picture is shown below its canvas. */
class FrameView extends View {
    constructor(page, name, label, changes = {}) {
        super(name, label, {
            cursor: "crosshair",
            texts: {
                mouse: "Point at the picture to read its distance.", touch: "Tap the picture to read its distance.",
                keyboard: "Arrow keys on the picture read its distance.",
            },
            play: isWanted => page.play(isWanted), ...changes,
        });
        this.page = page;
    }

    hover({ x, y }) { this.stage.read(x >= 0 && y >= 0 && x <= 1 && y <= 1 ? this.page.describe(x, y) : ""); }

    tap(point) {
        this.stage.choose(point);
        this.stage.say(this.page.describe(point.x, point.y));
    }

    key(event, x, y) {
        if (event.key === " ") this.page.play(!this.page.isPlaying);
        else if (x || y) this.tap(this.stage.moved(event, x, y));
        else return false;
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
        [flat.width, flat.height] = depth ? [depth.width, depth.height] : [1, 1];
        if (!values) return;
        const context = flat.getContext("2d"), image = context.createImageData(depth.width, depth.height);
        for (let index = 0; index < values.length; index++) {
            const color = 3 * clamped(Math.floor(page.nearness(values[index]) * 256), 0, 255), isKnown = values[index] > 0;
            for (let channel = 0; channel < 3; channel++) image.data[4 * index + channel] = isKnown ? colors[color + channel] : 0;
            image.data[4 * index + 3] = 255;
        }
        context.putImageData(image, 0, 0);
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

/** The cloud of all frames, with the path of the camera. */
class CloudView extends View {
    constructor(page, cloud) {
        super("3d", "The cloud of the recording", {
            surface: "graphics", isOwner: true, isWide: true, cursor: "grab", play: isWanted => page.play(isWanted),
            texts: {
                mouse: "Drag to turn, turn the wheel to come nearer, double-click to go back. The line is the path of the camera; the pyramid is its view.",
                touch: "Drag to turn, pinch to come nearer, tap twice to go back. The line is the path of the camera; the pyramid is its view.",
                keyboard: "Arrow keys on the picture turn, + and − come nearer, Home goes back.",
            },
        });
        Object.assign(this, { page, cloud });
        element("through").addEventListener("click", () => { cloud.looksThrough = !cloud.looksThrough; this.stage.draw(); });
        element("reset").addEventListener("click", () => this.reset());
        element("point-size").addEventListener("input", () => { cloud.share = element("point-size").value / 100; this.stage.draw(); });
    }

    draw() {
        element("through").setAttribute("aria-pressed", this.cloud.looksThrough);
        const { cloud, stage } = this;
        cloud.draw(this.page.frame, cloud.looksThrough ? stage.box : stage.stage.getBoundingClientRect());
    }

    turn(yaw, pitch) {
        this.cloud.turn(yaw, pitch);
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

    drag(from, to, other) {
        if (!other) return this.turn(4 * (from.x - to.x), 3 * (to.y - from.y));
        const gap = point => Math.hypot(point.x - other.x, point.y - other.y);
        this.scale(gap(to) / Math.max(gap(from), 0.01));
    }

    key(event, x, y) {
        const step = event.shiftKey ? 0.5 : 0.1;
        if (x || y) this.turn(-x * step, y * step);
        else if (event.key === "+" || event.key === "=") this.scale(1.1);
        else if (event.key === "-") this.scale(1 / 1.1);
        else if (event.key === "Home") this.reset();
        else return false;
        return true;
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
        const hasDepth = this.frames.some(frame => frame.depth), views = [new FrameView(this, "picture", "A frame of the recording")];
        if (hasDepth) views.push(new FrameDepthView(this), new FrameCutoutView(this));
        let problem;
        if (scene.cloud) {
            try {
                this.cloud = new PointCloud(element("graphics"), scene.cloud, scene.path, this.frames);
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

    // For scripts: isobath.go(3), isobath.value(x, y), isobath.show("3d"), isobath.drawNow().
    get tabs() { return this.stage.tabs; }
    get canvas() { return this.stage.canvas; }
    get flat() { return this.stage.flat; }
    show(name) { this.stage.show(name); }
    drawNow() { this.stage.drawNow(); }
}

const page = new RecordingPage();
page.open().then(() => {
    window.isobath = page;
    document.documentElement.dataset.state = "ready";
}, error => {
    element("readout").textContent = `Only the first frame can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
