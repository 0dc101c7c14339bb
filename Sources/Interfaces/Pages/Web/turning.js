// @ts-check
import { element } from "./blocks.js";
import { clamped } from "./numbers.js";
import { View } from "./stage.js";

/**
 * A view that turns: by one finger or the mouse, nearer by the wheel or two fingers, and by keys. It turns on after a drag, and a double tap
 * returns to the start.
 */
export class TurningView extends View {
    speed = { yaw: 0, pitch: 0 };

    /** `gain` are the angles of a drag over the picture, `limits` those of both angles and of the zoom, and `tilt` is the first pitch. */
    constructor(label, surface, { gain, limits, tilt = 0 }, more = "") {
        super("3D", label, {
            surface, isOwner: true, canZoom: true, cursor: "grab",
            texts: {
                mouse: `Drag to turn, turn the wheel to come nearer, double-click to go back.${more}`,
                touch: `Drag to turn, pinch to come nearer, tap twice to go back.${more}`,
                keyboard: "Arrow keys on the picture turn, + and − come nearer, Home goes back.",
            },
        });
        this.gain = gain;
        this.limits = limits;
        this.tilt = tilt;
        this.home();
        element("reset").addEventListener("click", () => this.reset());
    }

    home() { [this.yaw, this.pitch, this.zoom] = [0, this.tilt, 1]; }
    leave() { cancelAnimationFrame(this.frame); }
    /** Called before it moves. */
    depart() {}

    reset() {
        this.depart();
        this.press();
        this.isReturning = true;
        this.animate();
    }

    /** Turns by parts of the picture's width and height. */
    turn(right, down) {
        const [yaw, pitch] = [this.gain.yaw * right, this.gain.pitch * down], now = performance.now();
        const seconds = Math.max(now - (this.turned ?? 0), 8) / 1000;
        this.speed = { yaw: 0.5 * (this.speed.yaw + yaw / seconds), pitch: 0.5 * (this.speed.pitch + pitch / seconds) };
        this.turned = now;
        this.rotate(yaw, pitch);
    }

    rotate(yaw, pitch) {
        const { limits } = this;
        this.depart();
        this.isReturning = false;
        this.yaw = clamped(this.yaw + yaw, -limits.yaw, limits.yaw);
        this.pitch = clamped(this.pitch + pitch, -limits.pitch, limits.pitch);
        this.stage.draw();
    }

    scale(factor) {
        this.depart();
        this.zoom = clamped(this.zoom * factor, ...this.limits.zoom);
        this.stage.draw();
    }

    press() { this.speed = { yaw: 0, pitch: 0 }; }

    release() {
        if (performance.now() - (this.turned ?? 0) > 80 || matchMedia("(prefers-reduced-motion: reduce)").matches) this.press();
        this.animate();
    }

    /** Turns on with falling speed, or returns to the start. */
    animate() {
        cancelAnimationFrame(this.frame);
        let last = performance.now();
        const step = () => {
            const now = performance.now(), seconds = Math.min(now - last, 100) / 1000, fading = Math.exp(-4 * seconds);
            last = now;
            if (this.isReturning) {
                const rest = Math.exp(-9 * seconds), pitch = this.pitch - this.tilt;
                [this.yaw, this.pitch, this.zoom] = [this.yaw * rest, this.tilt + pitch * rest, this.zoom ** rest];
                if (Math.abs(this.yaw) + Math.abs(pitch) + Math.abs(Math.log(this.zoom)) < 0.003) {
                    this.home();
                    this.isReturning = false;
                }
                this.stage.drawNow();
            } else {
                this.speed = { yaw: this.speed.yaw * fading, pitch: this.speed.pitch * fading };
                if (Math.hypot(this.speed.yaw, this.speed.pitch) < 0.02) return;
                this.rotate(this.speed.yaw * seconds, this.speed.pitch * seconds);
            }
            this.frame = requestAnimationFrame(step);
        };
        this.frame = requestAnimationFrame(step);
    }

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
