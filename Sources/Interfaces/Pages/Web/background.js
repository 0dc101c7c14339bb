// @ts-check
import { element } from "./blocks.js";
import { coveringTriangle, graphicsOf } from "./graphics.js";
import { clamped } from "./numbers.js";
import { tabs, View } from "./stage.js";

/** The subject before another background. To the left of a line is the photo. */
export class BackgroundView extends View {
    wipe = 0;
    cut = 0.5;

    constructor(page) {
        super("Background", "The subject before another background", {
            surface: "graphics", isOwner: true, cursor: "ew-resize",
            texts: {
                mouse: "Drag across the picture to compare. Drop a picture on it to put it behind.", touch: "Drag across the picture to compare.",
                keyboard: "Arrow keys on the picture compare before and after.",
            },
        });
        this.page = page;
        for (const name of ["wipe", "color", "backdrop", "cut"]) element(name).addEventListener("input", () => this.update());
        element("picture").addEventListener("change", () => this.take(element("picture").files[0]));
        const frame = element("frame");
        frame.addEventListener("dragover", event => event.preventDefault());
        frame.addEventListener("drop", event => {
            event.preventDefault();
            if (event.dataTransfer?.files[0]) this.take(event.dataTransfer.files[0]);
        });
        const { depth, focus } = page;
        if (graphicsOf(page).matte) return;
        element("cut-label").hidden = false;
        if (page.frames.length > 1) element("backdrop").value = "none";
        element("cut").value = 1000 * Math.max((focus - depth.low) / (depth.high - depth.low) * 0.7, 0.1);
    }

    get backdrop() { return element("backdrop").value; }

    enter() { this.update(); }

    update() {
        const { depth, graphics } = this.page;
        element("color-label").hidden = this.backdrop !== "color";
        element("picture-label").hidden = this.backdrop !== "picture";
        this.color = [1, 3, 5].map(place => parseInt(element("color").value.substr(place, 2), 16) / 255);
        [this.wipe, this.cut] = ["wipe", "cut"].map(name => element(name).value / 1000);
        if (!graphics.matte) element("cut-text").textContent = depth.text(depth.low + (depth.high - depth.low) * this.cut);
        this.stage.stage.classList.toggle("is-clear", this.backdrop === "none");
        this.stage.draw();
    }

    /** Puts a picture behind the subject. */
    async take(file) {
        if (!file) return;
        try {
            const picture = await createImageBitmap(file), { graphics } = this.page;
            if (this.picture) graphics.gl.deleteTexture(this.picture);
            this.picture = graphics.pictureTexture(picture);
            this.pictureAspect = picture.width / picture.height;
        } catch {
            return this.stage.say("That file is not a picture that this browser can show.");
        }
        element("backdrop").value = "picture";
        if (this.stage.view === this) this.update();
        else this.stage.open("background");
    }

    setWipe(x) {
        element("wipe").value = 1000 * clamped(x, 0, 1);
        this.update();
    }

    press(point) { this.setWipe(point.x); }
    drag(_from, to) { this.setWipe(to.x); }
    reset() { this.setWipe(0); }

    key(event, x, y) {
        if (x || y) this.setWipe(this.wipe + (x - y) * (event.shiftKey ? 0.05 : 0.01));
        return x !== 0 || y !== 0;
    }

    /** Without the line that compares; transparent if there is no background. */
    async file() {
        const { wipe } = this;
        this.wipe = 0;
        try {
            return await this.stage.graphicsFile(this.backdrop === "none" ? "image/png" : "image/jpeg");
        } finally {
            this.wipe = wipe;
        }
    }

    draw() {
        const { graphics, layers } = this.page;
        graphics.resize(1600);
        const { width } = graphics.canvas, isPicture = this.backdrop === "picture" && this.picture;
        const wider = isPicture ? this.pictureAspect / graphics.aspect : 1;
        graphics.fill(graphics.program("background", coveringTriangle, backgroundFragment), null, {
            photo: graphics.photo, opacity: graphics.matte ?? graphics.guided(), hasMatte: graphics.matte ? 1 : 0,
            light: layers?.light ?? graphics.photo, picture: isPicture ? this.picture : graphics.photo,
            kind: this.backdrop === "none" ? 3 : isPicture ? 2 : this.backdrop === "blur" ? 1 : 0,
            color: this.color, wipe: this.wipe, cut: this.cut, line: 1 / width,
            cover: wider > 1 ? [1 / wider, 1] : [1, wider], fine: graphics.level(width), haze: graphics.level(24),
        });
    }
}

const backgroundFragment = `
uniform sampler2D photo, opacity, light, picture;
uniform bool hasMatte;
uniform int kind;
uniform vec3 color;
uniform vec2 cover;
uniform float wipe, cut, line, fine, haze;
in vec2 at;
out vec4 result;
vec3 lightOf(vec3 code) { return mix(code / 12.92, pow((code + 0.055) / 1.055, vec3(2.4)), step(0.04045, code)); }
void main() {
    vec3 own = textureLod(photo, at, fine).rgb;
    float share = 1.0;
    if (at.x > wipe) {
        share = texture(opacity, at).r;
        if (!hasMatte) share = smoothstep(cut - 0.02, cut + 0.02, share);
        // What remains of the photo without the light behind soft edges.
        if (share < 1.0) own = clamp(own - (1.0 - share) * texture(light, at).rgb, vec3(0), vec3(share));
        vec3 behind = lightOf(color);
        if (kind == 2) behind = texture(picture, (at - 0.5) * cover + 0.5).rgb;
        if (kind == 1) {
            behind = vec3(0);
            for (int index = 0; index < 16; index++) {
                float angle = float(index) * 2.39996;
                vec2 place = at + 0.05 * sqrt(float(index) / 16.0) * vec2(cos(angle), sin(angle));
                behind += textureLod(light, place, max(haze - 1.5, 0.0)).rgb / 16.0;
            }
        }
        if (kind != 3) {
            own += (1.0 - share) * behind;
            share = 1.0;
        }
    }
    if (abs(at.x - wipe) < line && wipe > 0.0 && wipe < 1.0) { own = vec3(1); share = 1.0; }
    result = vec4(coded(own / max(share, 1e-4)) * share, share);
}`;

tabs.set("Background", page => new BackgroundView(page));
