// @ts-check
import { BackgroundView } from "./background.js";
import { blockBytes, element } from "./blocks.js";
import { Depth, percentiles } from "./depth.js";
import { DepthView } from "./depthview.js";
import { FocusView } from "./focus.js";
import { Graphics } from "./graphics.js";
import { Layers } from "./layers.js";
import { MeasureView } from "./measure.js";
import { Camera, Mesh } from "./mesh.js";
import { MoveView } from "./move.js";
import { parsedColors, pause } from "./numbers.js";
import { decodeGrayPNG } from "./png.js";
import { baseName } from "./saving.js";
import { scene } from "./scene.js";
import { SolidView } from "./solid.js";
import { Stage, View } from "./stage.js";

/** A picture in the page, decoded. */
async function blockPicture(name, type) { return createImageBitmap(new Blob([blockBytes(name)], { type })); }

/** A matte in the page: its picture, and its samples, 0…255. */
async function blockMatte(name) {
    const picture = await blockPicture(name, "image/jpeg"), { width, height } = picture;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    return { width, height, picture, samples: Uint8Array.from({ length: width * height }, (_, index) => pixels[4 * index]) };
}

/** The median disparity of a matte's subject; undefined if it covers less than 0.5 % of the picture. */
function middleOf(matte, depth) {
    const inside = [];
    for (let index = 0; index < depth.disparity.length; index += 3) {
        const [column, row] = [index % depth.width, Math.floor(index / depth.width)];
        const place = Math.floor((row + 0.5) / depth.height * matte.height) * matte.width + Math.floor((column + 0.5) / depth.width * matte.width);
        if (matte.samples[place] >= 128) inside.push(depth.disparity[index]);
    }
    return inside.length * 600 > depth.disparity.length ? percentiles(inside, [0.5])[0] : undefined;
}

/** The page of a photo. */
class ScenePage {
    /** The part of a depth map that must be known for its scene to look right from other sides. */
    static leastKnown = 0.8;

    async open() {
        const photo = element("photo");
        await photo.decode().catch(() => {});
        await pause();
        this.depth = scene.depth ? new Depth(scene.depth, await decodeGrayPNG(blockBytes("depth"))) : undefined;
        await pause();
        this.mattes = await Promise.all(scene.mattes.map(async (matte, index) => ({ ...matte, ...await blockMatte(`matte-${index}`) })));
        if (scene.hasSharp) {
            this.sharp = new Image();
            this.sharp.src = `data:image/jpeg;base64,${element("sharp").textContent.trim()}`;
            await this.sharp.decode();
        }
        await pause();
        const matte = this.mattes.find(matte => matte.kind === "matte"), { depth } = this;
        const graphics = this.graphics = this.openGraphics(matte);
        this.camera = scene.camera ? new Camera(scene.camera) : undefined;
        if (depth) {
            this.focus = scene.focus ? depth.focus(...scene.focus) : matte && middleOf(matte, depth) || percentiles(depth.disparity, [0.9])[0];
            this.pivot = 1 / Math.max(this.focus, depth.low, 1e-4);
        }
        await this.prepareLayers(matte);
        const views = this.views(matte), { mesh } = this;
        const stage = this.stage = new Stage(Object.values(views).filter(Boolean), baseName(JSON.parse(element("json").textContent).path));
        stage.graphics = graphics;
        if (graphics) graphics.stage = stage;
        if (!graphics && depth) stage.read("This browser has no WebGL 2, so Focus, Background, Move and 3D are not available.");
        addEventListener("beforeprint", () => {
            if (!views.depth) return;
            views.depth.paint();
            this.flat.hidden = false;
        });
        addEventListener("afterprint", () => stage.show(stage.current));
        stage.begin(mesh ? "move" : "photo");
    }

    async prepareLayers(matte) {
        const { graphics, depth, camera } = this;
        if (!graphics || !depth || !scene.hasPhoto) return;
        graphics.guided();
        await pause();
        this.layers = new Layers(graphics, depth, matte);
        graphics.lamps = await this.lamps();
        await pause();
        if (!camera) return;
        const pixels = new Uint8Array(1024).fill(255), colors = parsedColors(scene.colorMaps.turbo), { gl } = graphics;
        for (let index = 0; index < 256; index++) pixels.set(colors.subarray(3 * index, 3 * index + 3), 4 * index);
        graphics.colors = graphics.texture(gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, 256, 1, pixels);
        this.mesh = new Mesh(graphics, this.layers, camera);
    }

    async lamps() {
        const { gl } = this.graphics;
        const { width, height, samples } = scene.hasLamps ? await decodeGrayPNG(blockBytes("lamps")) : { width: 1, height: 1, samples: new Uint8Array(1) };
        return this.graphics.texture(gl.R8, gl.RED, gl.UNSIGNED_BYTE, width, height, samples);
    }

    /** The views of what the page has, in the order of their tabs. */
    views(matte) {
        const { depth, mattes, graphics, layers, mesh } = this;
        const wantsMotion = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        const isWhole = depth && depth.known.reduce((sum, value) => sum + value, 0) >= ScenePage.leastKnown * depth.known.length;
        return {
            photo: !mesh && new View("photo", undefined, {}),
            depth: (depth || mattes.length > 0) && new DepthView(this),
            focus: layers && new FocusView(this),
            background: graphics && scene.hasPhoto && (matte || layers) && new BackgroundView(this),
            move: mesh && new MoveView(this, { wantsMotion }),
            "3d": mesh && isWhole && new SolidView(this),
            measure: depth?.isMetric && this.camera && new MeasureView(this),
            record: new View("record", undefined, {}),
        };
    }

    openGraphics(matte) {
        if (!this.depth && !matte) return undefined;
        let graphics;
        try {
            graphics = new Graphics(element("graphics"), this.sharp ?? element("photo"), this.depth, matte);
        } catch (error) {
            if (error.message !== "no WebGL 2") console.error(error);
            return undefined;
        }
        graphics.canvas.addEventListener("webglcontextlost", () => {
            this.stage.show("record");
            this.stage.say("The browser reset the graphics. Reload the page to continue.");
        });
        return graphics;
    }

    // For scripts: isobath.depth.value(x, y), isobath.show("focus"), isobath.drawNow().
    get tabs() { return this.stage.tabs; }
    get canvas() { return this.stage.canvas; }
    get flat() { return this.stage.flat; }
    view(name) { return this.stage.views.get(name); }
    show(name) { this.stage.show(name); }
    drawNow(isQuick) { this.stage.drawNow(isQuick); }
}

const page = new ScenePage();
page.open().then(() => {
    Object.assign(window, { isobath: page });
    document.documentElement.dataset.state = "ready";
}, error => {
    element("readout").textContent = `Only the photo can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
