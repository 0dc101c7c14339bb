// @ts-check
import { blockBytes, element } from "./blocks.js";
import { Camera } from "./camera.js";
import { Depth, percentiles } from "./depth.js";
import { clamped, pause } from "./numbers.js";
import { decodeGrayPNG } from "./png.js";
import { ReadingView } from "./reading.js";
import { baseName, movieFile } from "./saving.js";
import { scene } from "./scene.js";
import { Stage, tabs, View } from "./stage.js";

/** A matte in the page: its picture, and its samples, 0…255. */
async function blockMatte(name) {
    const picture = await createImageBitmap(new Blob([blockBytes(name)], { type: "image/jpeg" })), { width, height } = picture;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    return { width, height, picture, samples: Uint8Array.from({ length: width * height }, (_, index) => pixels[4 * index]) };
}

/** The address of a JPEG in the page. */
const address = name => `data:image/jpeg;base64,${element(name).textContent.trim()}`;

/** The page of a photo, which has one frame, or of frames of a recording. Views read what it has of the frame that is shown. */
class Page {
    scene = scene;
    frames = scene.frames.map(frame => ({ ...frame, camera: frame.camera && { ...scene.camera, ...frame.camera } }));
    index = 0;
    photo = element("photo");
    first = this.photo.src;
    depths = new Map();
    /** @type {import("./graphics.js").Graphics | undefined} */
    graphics;

    async open() {
        await this.photo.decode().catch(() => {});
        await pause();
        this.mattes = await Promise.all(scene.mattes.map(async (matte, index) => ({ ...matte, ...await blockMatte(`matte-${index}`) })));
        this.matte = this.mattes.find(matte => matte.kind === "matte");
        /** What graphics are made of: the photo, or the picture from before the camera's blur. */
        this.picture = this.photo;
        if (scene.hasSharp) {
            this.picture = new Image();
            this.picture.src = address("sharp");
            await this.picture.decode();
        }
        this.lamps = scene.hasLamps ? await decodeGrayPNG(blockBytes("lamps")) : { width: 1, height: 1, samples: new Uint8Array(1) };
        this.depth = await this.depthOf(0);
        await pause();
        const { depth } = this;
        if (depth) {
            this.focus = scene.focus ?? percentiles(depth.disparity, [0.9])[0];
            this.pivot = 1 / Math.max(this.focus, depth.low, 1e-4);
        }
        await this.begin();
    }

    async begin() {
        const { views, lacking } = await this.views(), names = views.map(view => view.name);
        const stage = this.stage = new Stage(views, baseName(JSON.parse(element("json").textContent).path));
        addEventListener("beforeprint", () => {
            if (!names.includes("depth")) return;
            this.view("depth").paint();
            this.flat.hidden = false;
        });
        addEventListener("afterprint", () => stage.show(stage.current));
        for (const name of ["graphics", "cloud"]) {
            element(name).addEventListener("webglcontextlost", () => {
                stage.show("record");
                stage.say("The browser reset the graphics. Reload the page to continue.");
            });
        }
        element("number").max = this.frames.length - 1;
        element("scrubber").hidden = this.frames.length === 1;
        element("number").addEventListener("input", () => { this.play(false); this.go(Number(element("number").value)); });
        stage.begin(names.includes("move") ? "move" : "picture");
        if (lacking.length) stage.read(`This browser has no WebGL 2, so these are not available: ${lacking.join(", ")}.`);
        if (this.frames.length > 1) await this.go(0);
    }

    /** The views of what the page has, and the titles of others, which this browser cannot show. The facts say why a view is not offered. */
    async views() {
        /** @type {View[]} */
        const views = [new ReadingView(this, "Picture", "The picture with its distances")], lacking = [];
        for (const [title, make] of tabs) {
            try {
                const view = await make(this);
                if (typeof view === "string") element("facts").append(`, ${view}`);
                else if (view) views.push(view);
            } catch (error) {
                if (error.message !== "no WebGL 2") console.error(error);
                lacking.push(title);
            }
            await pause();
        }
        // Frames move by themselves, and the photo is in all other views of a moving photo.
        if (this.frames.length > 1) for (const view of views) Object.assign(view, this.motion);
        if (views.some(view => view.name === "move")) views.shift();
        return { views: [...views, new View("Record", undefined, {})], lacking };
    }

    get camera() {
        const { camera } = this.frames[this.index];
        return camera && new Camera(camera);
    }

    /** The address of a frame's picture. */
    pictureOf(index) { return index === 0 ? this.first : address(`picture-${index}`); }

    /** Shows a frame once it is decoded, unless another was requested meanwhile. */
    async go(index) {
        const frame = this.frames[this.index = index], text = `${frame.index + 1} of ${scene.total}, ${frame.time.toFixed(2)} s`;
        element("number").value = index;
        element("number-text").textContent = text;
        element("number").setAttribute("aria-valuetext", text);
        this.photo.src = this.pictureOf(index);
        const [depth] = await Promise.all([this.depthOf(index), this.photo.decode().catch(() => {})]);
        if (this.index !== index) return;
        this.depth = depth;
        this.graphics?.show();
        this.stage.drawNow();
    }

    /** The depth of a frame; one unknown sample if others have depth. Only a few are cached. */
    async depthOf(index) {
        const { depth } = this.frames[index], range = scene.low === null ? undefined : [scene.low, scene.high];
        if (!scene.depth || this.depths.has(index)) return this.depths.get(index);
        const png = depth ? await decodeGrayPNG(blockBytes(`depth-${index}`)) : { width: 1, height: 1, samples: [-1] };
        this.depths.set(index, new Depth({ ...scene.depth, ...depth }, png, range));
        if (this.depths.size > 64) this.depths.delete(this.depths.keys().next().value);
        return this.depths.get(index);
    }

    /** Plays frames at the recording's speed, at most ten per second. */
    play(isWanted) {
        this.isPlaying = isWanted;
        this.stage.showPlaying(isWanted);
        clearTimeout(this.timer);
        if (!isWanted) return;
        const step = async () => {
            const next = (this.index + 1) % this.frames.length, gap = this.frames[next].time - this.frames[this.index].time;
            await this.go(next);
            if (this.isPlaying) this.timer = setTimeout(step, clamped(gap * 1000, 100, 1000));
        };
        this.timer = setTimeout(step, 100);
    }

    /** How views play several frames, and save a movie of them. */
    get motion() { return { hasMotion: true, play: isWanted => this.play(isWanted), movie: () => this.movie() }; }

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

    // For scripts: isobath.go(3), isobath.depth.value(x, y), isobath.show("focus"), isobath.drawNow().
    get tabs() { return this.stage.tabs; }
    get canvas() { return this.stage.canvas; }
    get flat() { return this.stage.flat; }
    /** @returns {any} */
    view(name) { return this.stage.views.get(name); }
    show(name) { this.stage.show(name); }
    drawNow(isQuick) { this.stage.drawNow(isQuick); }
}

const page = new Page();
page.open().then(() => {
    Object.assign(window, { isobath: page });
    document.documentElement.dataset.state = "ready";
}, error => {
    element("readout").textContent = `Only the picture can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
