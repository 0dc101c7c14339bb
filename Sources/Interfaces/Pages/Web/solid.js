// @ts-check
import { element } from "./blocks.js";
import { multiplied } from "./matrices.js";
import { clamped } from "./numbers.js";
import { TurningView } from "./turning.js";

/** The scene from other sides, on a dark stage. It turns on after a drag, and a double tap returns to the camera. */
export class SolidView extends TurningView {
    speed = { yaw: 0, pitch: 0 };

    constructor(parts) {
        super("3d", "The scene from other sides");
        this.parts = parts;
        this.home();
        element("reset").addEventListener("click", () => this.reset());
        element("mesh-colors").addEventListener("input", () => this.stage.draw());
    }

    home() {
        this.yaw = this.pitch = 0;
        this.zoom = 1;
    }

    leave() { cancelAnimationFrame(this.frame); }

    reset() {
        this.speed = { yaw: 0, pitch: 0 };
        this.isReturning = true;
        this.animate();
    }

    turn(right, down) {
        const [yaw, pitch] = [1.2 * right, -0.9 * down], now = performance.now(), seconds = Math.max(now - (this.turned ?? 0), 8) / 1000;
        this.speed = { yaw: 0.5 * (this.speed.yaw + yaw / seconds), pitch: 0.5 * (this.speed.pitch + pitch / seconds) };
        this.turned = now;
        this.rotate(yaw, pitch);
    }

    rotate(yaw, pitch) {
        this.isReturning = false;
        this.yaw = clamped(this.yaw + yaw, -0.5, 0.5);
        this.pitch = clamped(this.pitch + pitch, -0.35, 0.35);
        this.stage.draw();
    }

    scale(factor) {
        this.zoom = clamped(this.zoom * factor, 0.4, 5);
        this.stage.draw();
    }

    press() { this.speed = { yaw: 0, pitch: 0 }; }

    release() {
        if (performance.now() - (this.turned ?? 0) > 80 || matchMedia("(prefers-reduced-motion: reduce)").matches) this.speed = { yaw: 0, pitch: 0 };
        this.animate();
    }

    /** Turns on with falling speed, or returns to the camera. */
    animate() {
        cancelAnimationFrame(this.frame);
        let last = performance.now();
        const step = () => {
            const now = performance.now(), seconds = Math.min(now - last, 100) / 1000, fading = Math.exp(-4 * seconds);
            last = now;
            if (this.isReturning) {
                const rest = Math.exp(-9 * seconds);
                [this.yaw, this.pitch, this.zoom] = [this.yaw * rest, this.pitch * rest, this.zoom ** rest];
                if (Math.abs(this.yaw) + Math.abs(this.pitch) + Math.abs(Math.log(this.zoom)) < 0.003) {
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

    draw() {
        const { graphics, mesh, pivot } = this.parts, frame = this.stage.stage.getBoundingClientRect(), { box } = this.stage;
        graphics.resize(1600, frame);
        const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
        // Columns of the matrix: rotates around the pivot, then moves it in front of the viewer.
        const view = [
            cy, sp * sy, -cp * sy, 0, 0, cp, sp, 0, sy, -sp * cy, cp * cy, 0,
            -pivot * sy, pivot * sp * cy, pivot / this.zoom - pivot * cp * cy, 1,
        ];
        const projection = mesh.projection(box.width / frame.width, box.height / frame.height);
        mesh.draw(multiplied(projection, view), {
            // What is very far away would fly past.
            most: 4 * pivot, border: 0.012, ground: [0.0056, 0.0065, 0.008], isColored: element("mesh-colors").checked,
        });
    }
}
