// @ts-check
import { View } from "./stage.js";

/** A view whose points have distances: under the pointer, at a tap, and by arrow keys. Without depth, there is nothing to read. */
export class ReadingView extends View {
    constructor(page, title, label, changes = {}) {
        const reading = {
            cursor: "crosshair",
            texts: {
                mouse: "Point at the picture to read its distance.", touch: "Tap the picture to read its distance.",
                keyboard: "Arrow keys on the picture read its distance; Shift makes larger steps.",
            },
        };
        super(title, page.depth && label, { ...page.depth && reading, ...changes });
        this.page = page;
    }

    describe({ x, y }) { return this.page.depth?.describe(x, y) ?? ""; }

    hover(point) {
        const isInside = point.x >= 0 && point.y >= 0 && point.x <= 1 && point.y <= 1;
        this.stage.read(isInside ? this.describe(point) : "");
    }

    tap(point) {
        this.stage.choose(point);
        this.stage.say(this.describe(this.stage.point));
    }

    key(event, x, y) {
        if (!(x || y || event.key === "Enter")) return false;
        this.tap(this.stage.moved(event, x, y));
        return true;
    }
}
