// @ts-check
import { element } from "./blocks.js";
import { multiplied } from "./matrices.js";
import { meshOf } from "./mesh.js";
import { clamped } from "./numbers.js";
import { movieFile } from "./saving.js";
import { tabs, View } from "./stage.js";

/**
 * The photo from beside its camera, in motion. The pivot stays in place. The strength is the parallax between the nearest and the farthest
 * objects, as a fraction of the width, as in `isobath animate`.
 */
export class MoveView extends View {
    strength = 0.03;
    side = { x: 0, y: 0 };
    kind = "sway";
    /** The number of slow frames in a row, and the longest side of a frame. */
    slow = 0;
    longest = 1280;

    constructor(page) {
        super("Move", "The photo in motion", {
            surface: "graphics", isOwner: true, hasMotion: true,
            texts: {
                mouse: "Drag over the picture to look around.", touch: "Drag over the picture to look around.",
                keyboard: "Arrow keys on the picture look around.",
            },
        });
        this.page = page;
        this.isPlaying = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        element("movement").addEventListener("input", () => this.choose(element("movement").value));
        element("strength").addEventListener("input", () => this.setStrength());
        const hasTilt = "DeviceOrientationEvent" in window && matchMedia("(pointer: coarse)").matches;
        element("movement").querySelector(`[value=${hasTilt ? "follow" : "tilt"}]`).remove();
        this.setStrength();
    }

    /** Seconds of a loop. */
    get seconds() { return this.kind === "orbit" ? 5 : 4; }

    enter() {
        this.began = performance.now();
        this.stage.showPlaying(this.isPlaying);
        this.step();
    }

    leave() { cancelAnimationFrame(this.frame); }

    play(isWanted) {
        this.isPlaying = isWanted;
        this.slow = this.drawn = 0;
        this.longest = 1280;
        this.enter();
        this.stage.draw();
    }

    step() {
        cancelAnimationFrame(this.frame);
        if (!this.isPlaying || !this.isLoop || this.stage.view !== this) return;
        this.frame = requestAnimationFrame(() => {
            this.stage.drawNow(true);
            this.watch();
            this.step();
        });
    }

    /**
     * Draws a movement smaller that this device cannot draw smoothly, and ends it if that does not help: five frames in a row below ten a
     * second.
     */
    watch() {
        const now = performance.now();
        this.slow = this.drawn && now - this.drawn > 100 ? this.slow + 1 : 0;
        this.drawn = now;
        if (this.slow < 5) return;
        this.slow = 0;
        if (this.longest > 400) this.longest /= 2;
        else this.look({ x: 0, y: 0 });
    }

    get isLoop() { return ["sway", "orbit", "dolly"].includes(this.kind); }

    choose(kind) {
        this.kind = kind;
        this.side = { x: 0, y: 0 };
        if (kind === "tilt") this.followTilt();
        this.play(this.isLoop);
    }

    setStrength() {
        this.strength = element("strength").value / 1000;
        element("strength-text").textContent = `${(100 * this.strength).toFixed(0)} %`;
        this.stage?.draw();
    }

    /** Where the camera is at a time of a loop, 0…1: right and down in halves of the full parallax, and back in the full advance. */
    place(phase) {
        const [sine, cosine] = [Math.sin(2 * Math.PI * phase), Math.cos(2 * Math.PI * phase)];
        if (this.kind === "sway") return { x: sine, y: 0, back: 0 };
        if (this.kind === "orbit") return { x: cosine, y: 0.6 * sine, back: 0 };
        return { x: 0, y: 0, back: (1 - cosine) / 2 };
    }

    draw() {
        const phase = (performance.now() - this.began) / 1000 / this.seconds;
        if (this.isPlaying && this.isLoop) this.render(this.place(phase));
        else this.render({ ...this.side, back: 0 });
    }

    render({ x, y, back }) {
        const { graphics, depth, mesh, pivot } = this.page, { camera } = mesh, { strength } = this;
        graphics.resize(this.isPlaying ? this.longest : 1600);
        const range = depth.high - depth.low, full = strength / range / camera.scaleX;
        const [dx, dy] = [x * full / 2, y * full / 2];
        const dz = -back * Math.min(4 * strength / range, 0.5 / depth.high);
        const view = [1, 0, 0, 0, 0, 1, 0, 0, dx / pivot, dy / pivot, 1, 0, -dx, -dy, -dz, 1];
        // Borders that would become visible stay outside.
        mesh.draw(multiplied(mesh.projection((1 + 1.5 * strength) * (pivot - dz) / pivot), view));
    }

    look(side) {
        this.isPlaying = false;
        this.stage.showPlaying(false);
        this.side = { x: clamped(side.x, -1, 1), y: clamped(side.y, -1, 1) };
        this.stage.draw();
    }

    hover(point) { if (this.kind === "follow") this.look({ x: 2 * point.x - 1, y: 2 * point.y - 1 }); }
    drag(from, to) { this.look({ x: this.side.x - 4 * (to.x - from.x), y: this.side.y - 4 * (to.y - from.y) }); }
    reset() { this.look({ x: 0, y: 0 }); }

    key(_event, x, y) {
        if (x || y) this.look({ x: this.side.x + 0.15 * x, y: this.side.y + 0.15 * y });
        return x !== 0 || y !== 0;
    }

    async followTilt() {
        /** @type {any} Only some browsers ask. */
        const event = DeviceOrientationEvent;
        if (event.requestPermission && await event.requestPermission() !== "granted") return;
        let first;
        addEventListener("deviceorientation", ({ beta, gamma }) => {
            if (beta === null || this.kind !== "tilt" || this.stage.view !== this) return;
            first ??= { beta, gamma };
            this.look({ x: (gamma - first.gamma) / 20, y: (beta - first.beta) / 20 });
        });
    }

    /** One loop of the movement. */
    async movie() {
        const wasPlaying = this.isPlaying;
        if (!this.isLoop) this.kind = "sway";
        cancelAnimationFrame(this.frame);
        this.isPlaying = false;
        try {
            return await movieFile(this.stage.canvas, this.seconds, phase => this.render(this.place(phase)));
        } finally {
            element("movement").value = this.kind;
            this.play(wasPlaying);
        }
    }
}

tabs.set("Move", async page => await meshOf(page) && new MoveView(page));
