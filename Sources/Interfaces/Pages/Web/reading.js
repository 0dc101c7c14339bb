// @ts-check
import { clamped } from "./numbers.js";
import { View } from "./stage.js";

/** A view whose points have values: under the pointer, at a tap, and by arrow keys. `describe` gives a value as text. */
export class ReadingView extends View {
    constructor(name, label, changes) {
        super(name, label, {
            cursor: "crosshair",
            texts: {
                mouse: "Point at the picture to read its distance.", touch: "Tap the picture to read its distance.",
                keyboard: "Arrow keys on the picture read its distance; Shift makes larger steps.",
            },
            ...changes,
        });
    }

    describe(_point) { return ""; }

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

/** Paints a map in colors: `shareOf` is 0…1 of a sample, or NaN where it is unknown, which is black. */
export function paintMap(canvas, width, height, colors, shareOf) {
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    for (let index = 0; index < width * height; index++) {
        const share = shareOf(index), color = 3 * clamped(Math.floor(share * 256), 0, 255);
        for (let channel = 0; channel < 3; channel++) image.data[4 * index + channel] = share === share ? colors[color + channel] : 0;
        image.data[4 * index + 3] = 255;
    }
    context.putImageData(image, 0, 0);
}
