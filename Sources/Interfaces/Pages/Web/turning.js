// @ts-check
import { View } from "./stage.js";

/** A view that turns: by one finger or the mouse, nearer by the wheel or two fingers, and by keys. */
export class TurningView extends View {
    constructor(name, label, changes = {}, more = "") {
        super(name, label, {
            surface: "graphics", isOwner: true, canZoom: true, cursor: "grab",
            texts: {
                mouse: `Drag to turn, turn the wheel to come nearer, double-click to go back.${more}`,
                touch: `Drag to turn, pinch to come nearer, tap twice to go back.${more}`,
                keyboard: "Arrow keys on the picture turn, + and − come nearer, Home goes back.",
            },
            ...changes,
        });
    }

    /** Turns by parts of the picture's width and height. */
    turn(_right, _down) {}

    drag(from, to, other) {
        if (!other) return this.turn(to.x - from.x, to.y - from.y);
        const gap = point => Math.hypot(point.x - other.x, point.y - other.y);
        this.scale(gap(to) / Math.max(gap(from), 0.01));
    }

    key(event, x, y) {
        const step = event.shiftKey ? 0.2 : 0.04;
        if (x || y) this.turn(x * step, y * step);
        else if (event.key === "+" || event.key === "=") this.scale(1.1);
        else if (event.key === "-") this.scale(1 / 1.1);
        else if (event.key === "Home") this.reset();
        else return false;
        return true;
    }
}
