/** Frames of a recording with their depth, and the fused cloud with the camera's path. */
class RecordingView {
    constructor() {
        [this.stage, this.photo, this.flat, this.canvas] = ["stage", "photo", "flat", "graphics"].map(element);
        this.frames = scene.frames;
        this.first = this.photo.src;
        this.depths = new Map();
        [this.view, this.index, this.point] = ["photo", 0, { x: 0.5, y: 0.5 }];
        this.colors = Uint8Array.from({ length: 768 }, (_, index) => parseInt(scene.colors.substr(2 * index, 2), 16));
    }

    begin() {
        // Frames are small, so enlarge them if the window is large enough.
        const aspect = this.photo.naturalWidth / this.photo.naturalHeight || 4 / 3;
        this.photo.style.width = `min(100%, 46rem, ${(66 * aspect).toFixed(1)}vh)`;
        const hasDepth = this.frames.some(frame => frame.depth);
        if (scene.cloud) {
            try {
                this.cloud = new PointView(this.canvas, scene.cloud, scene.path, this.frames);
            } catch (error) {
                if (error.message !== "no WebGL 2") console.error(error);
                element("readout").textContent = "This browser has no WebGL 2, so the cloud is not available.";
            }
        }
        this.tabs = ["photo", ...hasDepth ? ["depth"] : [], ...this.cloud ? ["cloud"] : []];
        for (const name of this.tabs) element(`tab-${name}`).hidden = false;
        element("tabs").hidden = this.tabs.length < 2;
        element("time").hidden = this.frames.length < 2;
        this.listen();
        element("json").textContent = JSON.stringify(JSON.parse(element("json").textContent), null, 2);
        this.show(this.tabs.includes(location.hash.slice(1)) ? location.hash.slice(1) : "photo");
        return this.go(0);
    }

    get frame() { return this.frames[this.index]; }

    /** Shows a frame once it is decoded, unless another was requested meanwhile. */
    async go(index) {
        this.index = index;
        const text = `${this.frame.index + 1} of ${scene.total}, ${this.frame.time.toFixed(2)} s`;
        element("frame").value = index;
        element("frame-text").textContent = text;
        element("frame").setAttribute("aria-valuetext", text);
        this.photo.src = index === 0 ? this.first : `data:image/jpeg;base64,${element(`frame-${index}`).textContent.trim()}`;
        await Promise.all([this.photo.decode().catch(() => {}), this.decode(index)]);
        if (this.index === index) this.drawNow();
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

    show(name) {
        this.view = name;
        for (const tab of this.tabs) {
            const isShown = tab === name, button = element(`tab-${tab}`);
            button.setAttribute("aria-selected", isShown);
            button.tabIndex = isShown ? 0 : -1;
            element(`panel-${tab}`).hidden = !isShown;
        }
        this.flat.hidden = name !== "depth";
        this.canvas.hidden = name !== "cloud";
        this.stage.tabIndex = 0;
        this.stage.setAttribute("role", "application");
        this.stage.setAttribute("aria-label", stageNames[name]);
        this.stage.style.touchAction = name === "cloud" ? "none" : "pan-y pinch-zoom";
        this.stage.style.cursor = name === "cloud" ? "grab" : "crosshair";
        element("help").textContent = stageHelps[name];
        if (name === "cloud") element("readout").textContent = "";
        this.drawNow();
    }

    drawNow() {
        if (this.view === "depth") this.paintDepth();
        if (this.view === "cloud") this.cloud.draw(this.frame);
        element("through").setAttribute("aria-pressed", Boolean(this.cloud?.looksThrough));
    }

    /** Depth in colors that mean the same in all frames. */
    paintDepth() {
        const { depth } = this.frame, values = this.depths.get(this.index);
        const context = this.flat.getContext("2d");
        element("opacity-text").textContent = `${element("opacity").value} %`;
        this.flat.style.opacity = element("opacity").value / 100;
        if (!depth || !values) {
            [this.flat.width, this.flat.height] = [1, 1];
            return;
        }
        [this.flat.width, this.flat.height] = [depth.width, depth.height];
        const image = context.createImageData(depth.width, depth.height);
        for (let index = 0; index < values.length; index++) {
            const share = (1 / values[index] - scene.low) / Math.max(scene.high - scene.low, 1e-9);
            const color = 3 * Math.min(Math.max(Math.floor(share * 256), 0), 255), isKnown = values[index] > 0;
            for (let channel = 0; channel < 3; channel++) image.data[4 * index + channel] = isKnown ? this.colors[color + channel] : 0;
            image.data[4 * index + 3] = 255;
        }
        context.putImageData(image, 0, 0);
    }

    /** The stored value at a point of the frame, both coordinates 0…1; NaN where unknown. */
    value(x, y) {
        const { depth } = this.frame, values = this.depths.get(this.index);
        if (!depth || !values) return NaN;
        const column = Math.min(Math.max(Math.floor(x * depth.width), 0), depth.width - 1);
        const row = Math.min(Math.max(Math.floor(y * depth.height), 0), depth.height - 1);
        return values[row * depth.width + column];
    }

    describe(x, y) {
        const value = this.value(x, y);
        if (value !== value) return "unknown";
        return scene.unit === null
            ? `${short(value)} (no unit, ${scene.accuracy} accuracy)`
            : `${short(value)} m, stored to ±${short(this.frame.depth.step / 2)} m, accuracy ${scene.accuracy}`;
    }

    /** Plays frames at the recording's speed, at most ten per second. */
    play(isWanted) {
        this.isPlaying = isWanted;
        element("play").setAttribute("aria-pressed", isWanted);
        element("play").textContent = isWanted ? "Stop" : "Play";
        clearTimeout(this.timer);
        if (!isWanted) return;
        const step = async () => {
            const next = (this.index + 1) % this.frames.length, gap = this.frames[next].time - this.frame.time;
            await this.go(next);
            if (this.isPlaying) this.timer = setTimeout(step, Math.min(Math.max(gap * 1000, 100), 1000));
        };
        this.timer = setTimeout(step, 100);
    }

    listen() {
        const { stage } = this, pointers = new Map();
        const place = event => {
            const box = this.photo.getBoundingClientRect();
            return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
        };
        stage.addEventListener("pointerdown", event => {
            pointers.set(event.pointerId, place(event));
            if (this.view === "cloud") stage.setPointerCapture(event.pointerId);
        });
        stage.addEventListener("pointermove", event => {
            const [before, now] = [pointers.get(event.pointerId), place(event)];
            if (this.view !== "cloud") element("readout").textContent = this.describe(now.x, now.y);
            else if (before) this.drag(pointers, event.pointerId, before, now);
            if (before) pointers.set(event.pointerId, now);
        });
        for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, event => pointers.delete(event.pointerId));
        stage.addEventListener("click", event => { if (this.view !== "cloud") this.choose(place(event)); });
        stage.addEventListener("wheel", event => {
            if (this.view !== "cloud") return;
            event.preventDefault();
            this.cloud.scale(Math.exp(-event.deltaY / 600));
            this.drawNow();
        }, { passive: false });
        stage.addEventListener("keydown", event => this.press(event));
        element("frame").addEventListener("input", () => { this.play(false); this.go(Number(element("frame").value)); });
        element("play").addEventListener("click", () => this.play(!this.isPlaying));
        element("opacity").addEventListener("input", () => this.drawNow());
        element("through").addEventListener("click", () => {
            const wish = !this.cloud.looksThrough;
            this.cloud.reset();
            this.cloud.looksThrough = wish;
            this.drawNow();
        });
        element("reset").addEventListener("click", () => { this.cloud.reset(); this.drawNow(); });
        element("point-size").addEventListener("input", () => { this.cloud.share = element("point-size").value / 100; this.drawNow(); });
        element("tabs").addEventListener("click", event => {
            const tab = event.target.closest("[role=tab]");
            if (tab) this.show(tab.id.slice(4));
        });
        element("tabs").addEventListener("keydown", event => {
            const next = walked(this.tabs, this.view, event.key);
            if (!next) return;
            event.preventDefault();
            this.show(next);
            element(`tab-${next}`).focus();
        });
        new ResizeObserver(() => this.drawNow()).observe(this.photo);
    }

    drag(pointers, id, before, now) {
        const other = [...pointers].find(([key]) => key !== id)?.[1];
        if (other) {
            const gap = point => Math.hypot(point.x - other.x, point.y - other.y);
            this.cloud.scale(gap(now) / Math.max(gap(before), 0.01));
        } else this.cloud.turn((before.x - now.x) * 4, (now.y - before.y) * 3);
        this.drawNow();
    }

    choose(point) {
        this.point = { x: Math.min(Math.max(point.x, 0), 1), y: Math.min(Math.max(point.y, 0), 1) };
        const text = this.describe(this.point.x, this.point.y);
        element("readout").textContent = text;
        element("spoken").textContent = text;
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const [x, y] = arrows[event.key] ?? [0, 0], size = event.shiftKey ? 0.05 : 0.01;
        if (this.view !== "cloud") {
            if (!(event.key in arrows)) return;
            this.choose({ x: this.point.x + x * size, y: this.point.y + y * size });
        } else if (event.key in arrows) this.cloud.turn(-x * 10 * size, y * 10 * size);
        else if (event.key === "+" || event.key === "=") this.cloud.scale(1.1);
        else if (event.key === "-") this.cloud.scale(1 / 1.1);
        else if (event.key === "Home") this.cloud.reset();
        else return;
        this.drawNow();
        event.preventDefault();
    }
}

const stageNames = { photo: "A frame with depth under the pointer", depth: "Depth of a frame in colors", cloud: "3D view of the cloud" };
const stageHelps = {
    photo: "Move the slider to go through the recording. Point at the picture to read its distance; with the keyboard: Tab to the picture, then arrow keys.",
    depth: "Colors have the same meaning in all frames; red is near. Point at the picture to read the stored value.",
    cloud: "Drag to turn, wheel or two fingers to zoom. With the keyboard: arrow keys, + and −, Home. The line is the path of the camera; the pyramid is its view at the chosen frame.",
};

const recording = new RecordingView();
recording.begin().then(() => {
    // For scripts: isobath.go(3), isobath.value(x, y), isobath.show("cloud"), isobath.drawNow().
    window.isobath = recording;
    document.documentElement.dataset.state = "ready";
}).catch(error => {
    element("readout").textContent = `Only the first frame can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
