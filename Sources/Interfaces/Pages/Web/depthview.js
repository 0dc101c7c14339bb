// @ts-check
import { element } from "./blocks.js";
import { clamped, parsedColors } from "./numbers.js";
import { ReadingView } from "./reading.js";
import { scene } from "./scene.js";
import { tabs } from "./stage.js";

/** Depth in colors, or a matte, over the photo. */
export class DepthView extends ReadingView {
    constructor(page) {
        super(page, "Depth", "Depth in colors", { surface: "flat", hasMark: Boolean(page.depth) });
        if (page.depth) element("plane").add(new Option("depth", ""));
        const names = Object.keys(scene.colorMaps);
        this.hasOneMap = names.length === 1;
        element("plane").parentElement.hidden = page.mattes.length === 0;
        for (const [index, { label }] of page.mattes.entries()) {
            element("plane").add(new Option(`${label.toLowerCase()}, over the photo`, `over ${index}`));
            element("plane").add(new Option(`${label.toLowerCase()}, alone`, `alone ${index}`));
        }
        for (const name of names) element("colormap").add(new Option(name, name));
        for (const name of ["plane", "colormap", "near", "far", "opacity"]) element(name).addEventListener("input", () => this.paint());
    }

    draw() { this.paint(); }

    paint() {
        const chosen = element("plane").value;
        for (const name of ["colormap", "near", "far", "opacity", "legend"]) element(name).parentElement.hidden = chosen !== "" || name === "colormap" && this.hasOneMap;
        if (chosen) this.paintMatte(...chosen.split(" "));
        else this.paintDepth();
    }

    paintDepth() {
        const { depth } = this.page, { flat } = this.stage;
        let [far, near] = [element("far"), element("near")].map(input => Number(input.value));
        if (near <= far) near = far + 1;
        // The positions of the sliders are 0 far … 1000 near.
        const [low, high] = [far, near].map(place => depth.low + (depth.high - depth.low) * place / 1000);
        element("near-text").textContent = depth.text(high);
        element("far-text").textContent = depth.text(low);
        element("opacity-text").textContent = `${element("opacity").value} %`;
        const colors = parsedColors(scene.colorMaps[element("colormap").value]);
        paintMap(flat, depth.width, depth.height, colors, index => depth.known[index] ? (depth.disparity[index] - low) / (high - low) : NaN);
        flat.style.opacity = element("opacity").value / 100;
        flat.style.mixBlendMode = "normal";
        this.paintLegend(colors, low, high);
    }

    paintLegend(colors, low, high) {
        const canvas = element("legend"), scale = window.devicePixelRatio || 1;
        const [width, height] = [Math.round((canvas.clientWidth || 320) * scale), Math.round((canvas.clientHeight || 48) * scale)];
        [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d");
        for (let x = 0; x < width; x++) {
            const color = 3 * Math.min(Math.floor(x / width * 256), 255);
            context.fillStyle = `rgb(${colors[color]} ${colors[color + 1]} ${colors[color + 2]})`;
            context.fillRect(x, 0, 1, height * 0.45);
        }
        context.fillStyle = getComputedStyle(document.body).color;
        context.font = `${Math.round(13 * scale)}px system-ui, sans-serif`;
        context.textBaseline = "bottom";
        const marks = [0, 1].map(share => ({ share, text: this.page.depth.text(low + (high - low) * share) }));
        for (const { share, text } of marks) {
            context.textAlign = share === 0 ? "left" : "right";
            context.fillText(text, share * width, height);
        }
        canvas.setAttribute("aria-label", `The colors, from far to near: ${marks.map(mark => mark.text).join(", ")}`);
    }

    paintMatte(style, index) {
        const { flat } = this.stage, matte = this.page.mattes[index];
        [flat.width, flat.height] = [matte.width, matte.height];
        flat.getContext("2d").drawImage(matte.picture, 0, 0);
        flat.style.opacity = 1;
        flat.style.mixBlendMode = style === "over" ? "multiply" : "normal";
    }
}

/** Paints a map in colors: `shareOf` is 0…1 of a sample, or NaN where it is unknown, which is black. */
function paintMap(canvas, width, height, colors, shareOf) {
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    for (let index = 0; index < width * height; index++) {
        const share = shareOf(index), color = 3 * clamped(Math.floor(share * 256), 0, 255);
        for (let channel = 0; channel < 3; channel++) image.data[4 * index + channel] = share === share ? colors[color + channel] : 0;
        image.data[4 * index + 3] = 255;
    }
    context.putImageData(image, 0, 0);
}

tabs.set("Depth", page => new DepthView(page));
