// @ts-check
import { element } from "./blocks.js";
import { multiplied } from "./matrices.js";
import { meshOf } from "./mesh.js";
import { tabs } from "./stage.js";
import { TurningView } from "./turning.js";

/** The part of a depth map that must be known for its scene to look right from other sides. */
const leastKnown = 0.8;

/** The scene from other sides, on a dark stage. */
export class SolidView extends TurningView {
    constructor(page) {
        super("The scene from other sides", "graphics", {
            gain: { yaw: 1.2, pitch: -0.9 }, limits: { yaw: 0.5, pitch: 0.35, zoom: [0.4, 5] },
        });
        this.page = page;
        element("solid-controls").hidden = false;
        element("mesh-colors").addEventListener("input", () => this.stage.draw());
    }

    draw() {
        const { graphics, mesh, pivot } = this.page, frame = this.stage.stage.getBoundingClientRect(), { box } = this.stage;
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

tabs.set("3D", async page => {
    const { known } = page.depth, share = known.reduce((sum, value) => sum + value, 0) / known.length;
    if (share < leastKnown) return `no 3D view, because only ${Math.floor(100 * share)} % of the depth is known`;
    return await meshOf(page) && new SolidView(page);
});
