// @ts-check
import { element } from "./blocks.js";
import { graphicsOf } from "./graphics.js";
import { Refocus } from "./refocus.js";
import { scene } from "./scene.js";
import { tabs, View } from "./stage.js";

/** The photo as a lens of wide aperture would take it, focused by a tap. */
export class FocusView extends View {
    constructor(page) {
        super("Focus", "The photo to focus", {
            surface: "graphics", hasMark: true, cursor: "crosshair",
            texts: {
                mouse: "Click what you want in focus.", touch: "Tap what you want in focus.",
                keyboard: "Arrow keys on the picture move the focus; Shift makes larger steps.",
            },
        });
        this.page = page;
        this.lens = new Refocus(graphicsOf(page), scene.focalLength);
        this.lens.focus = page.focus;
        element("aperture").value = Math.round(1000 * Math.log2(scene.aperture) / 5);
        element("aperture").addEventListener("input", () => this.setAperture(true));
    }

    enter() {
        if (!this.isPlaced && scene.mark) this.stage.choose({ x: scene.mark[0], y: scene.mark[1] });
        this.isPlaced = true;
        this.setAperture();
    }

    draw(isQuick) { this.lens.draw(isQuick); }

    setFocus(disparity) {
        this.lens.focus = disparity;
        this.stage.draw(true);
    }

    setAperture(isQuick) {
        this.lens.fNumber = 2 ** (element("aperture").value / 200);
        const text = `f/${this.lens.fNumber.toFixed(1)}`;
        element("aperture-text").textContent = text;
        element("aperture").setAttribute("aria-valuetext", text);
        this.stage.draw(isQuick);
    }

    tap(point) {
        const { depth } = this.page, { stage } = this;
        stage.choose(point);
        this.setFocus(depth.focus(stage.point.x, stage.point.y));
        stage.say(`Focus at ${depth.text(this.lens.focus)}`);
    }

    key(event, x, y) {
        if (!(x || y || event.key === "Enter" || event.key === " ")) return false;
        this.tap(this.stage.moved(event, x, y));
        return true;
    }
}

tabs.set("Focus", page => new FocusView(page));
