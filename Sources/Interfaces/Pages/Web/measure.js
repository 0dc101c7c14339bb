// @ts-check
import { element } from "./blocks.js";
import { clamped, lengthText } from "./numbers.js";
import { ReadingView } from "./reading.js";
import { Ruler } from "./ruler.js";
import { canvasFile } from "./saving.js";
import { tabs } from "./stage.js";

/** The distance under the pointer, and the length between two points. */
export class MeasureView extends ReadingView {
    /** @type {{ x: number, y: number }[]} */
    points = [];

    constructor(page) {
        super(page, "Measure", "The picture to measure", {
            hasMark: true,
            texts: {
                mouse: "Point at the picture to read its distance. Click two points for the length between them.",
                touch: "Tap a point for its distance, and another for the length between them.",
                keyboard: "Arrow keys move the point; Enter sets it, and a second one for the length between them.",
            },
        });
        element("clear-measured").addEventListener("click", () => this.clear());
        element("copy-measured").addEventListener("click", () => this.stage.copy(element("measured"), element("spoken")));
    }

    get ruler() { return new Ruler(this.page.depth, this.page.camera, this.page.camera.source); }

    leave() {
        element("mark-2").hidden = true;
        element("line").hidden = true;
    }

    clear() {
        this.points = [];
        this.show();
    }

    describe(point) {
        const end = this.ruler.at(point);
        return end ? `${lengthText(end.z, end.error)} away` : "distance unknown";
    }

    tap(point) {
        this.points = this.points.length === 1 ? [...this.points, point] : [point];
        this.stage.choose(point);
        this.show();
        this.stage.say(element("measured").textContent.split("\n")[0]);
    }

    key(event, x, y) {
        if (event.key === "Enter" || event.key === " ") this.tap(this.stage.point);
        else if (event.key === "Escape") this.clear();
        else if (x || y) {
            this.stage.choose(this.stage.moved(event, x, y));
            this.stage.say(this.describe(this.stage.point));
        } else return false;
        return true;
    }

    draw() { this.show(); }

    placeMarks() {
        const [first, second] = this.points;
        this.stage.placeMark("mark-2", first ?? this.stage.point, Boolean(second));
        this.stage.placeMark("mark", second ?? first ?? this.stage.point, true);
        const [from, to] = ["mark-2", "mark"].map(name => ["left", "top"].map(side => parseFloat(element(name).style[side]))), line = element("line");
        line.hidden = !second;
        [line.style.left, line.style.top] = [`${from[0]}px`, `${from[1]}px`];
        line.style.width = `${Math.hypot(to[0] - from[0], to[1] - from[1])}px`;
        line.style.rotate = `${Math.atan2(to[1] - from[1], to[0] - from[0])}rad`;
    }

    show() {
        const [first, second] = this.points, { ruler } = this;
        const parts = this.points.map((point, index) => `${second ? `Point ${index + 1}: ` : ""}${this.describe(point)}`);
        const line = second && ruler.between(first, second);
        if (line) parts.unshift(lengthText(line.length, line.error));
        element("measured").textContent = [...parts, ...parts.length ? ruler.reservations : []].join("\n");
        for (const name of ["copy-measured", "clear-measured"]) element(name).disabled = !first;
        this.placeMarks();
    }

    /** The photo with the marked points. */
    async file() {
        const canvas = document.createElement("canvas"), { photo } = this.stage, context = canvas.getContext("2d");
        [canvas.width, canvas.height] = [photo.naturalWidth, photo.naturalHeight];
        context.drawImage(photo, 0, 0);
        const places = this.points.map(({ x, y }) => [x * canvas.width, y * canvas.height]), size = Math.max(canvas.width, canvas.height) / 100;
        const text = element("measured").textContent.split("\n")[0];
        for (const { color, width } of [{ color: "#000", width: size / 2 }, { color: "#fff", width: size / 4 }]) {
            context.strokeStyle = color;
            context.lineWidth = width;
            context.beginPath();
            for (const [x, y] of places) context.lineTo(x, y);
            context.stroke();
            for (const [x, y] of places) {
                context.beginPath();
                context.arc(x, y, size, 0, 7);
                context.stroke();
            }
        }
        if (places.length) {
            const [x, y] = [0, 1].map(axis => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
            context.font = `600 ${3 * size}px system-ui, sans-serif`;
            [context.strokeStyle, context.lineWidth, context.fillStyle, context.lineJoin] = ["#000", size, "#fff", "round"];
            const left = clamped(x + 2 * size, 0, canvas.width - context.measureText(text).width - size);
            context.strokeText(text, left, y - 2 * size);
            context.fillText(text, left, y - 2 * size);
        }
        return canvasFile(canvas, "image/jpeg");
    }
}

tabs.set("Measure", page => new MeasureView(page));
