/** A picture in the page, decoded. */
async function blockPicture(name, type) { return createImageBitmap(new Blob([blockBytes(name)], { type })); }

/** The samples of a gray picture in the page, 0…255. */
async function blockMatte(name) {
    const picture = await blockPicture(name, "image/jpeg");
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const pixels = context.getImageData(0, 0, picture.width, picture.height).data;
    const samples = new Uint8Array(picture.width * picture.height);
    for (let index = 0; index < samples.length; index++) samples[index] = pixels[4 * index];
    return { width: picture.width, height: picture.height, samples, picture };
}

/** A color map of the page as 256 colors. */
function colorsOf(name) {
    const text = scene.colorMaps[name];
    return Uint8Array.from({ length: 768 }, (_, index) => parseInt(text.substr(2 * index, 2), 16));
}

/** The page: its state and its views. */
class Page {
    constructor(depth, mattes) {
        this.depth = depth;
        this.mattes = mattes;
        this.stage = element("stage");
        this.photo = element("photo");
        [this.flat, this.canvas] = [element("flat"), element("graphics")];
        this.point = { x: 0.5, y: 0.5 };
        this.view = "photo";
        this.milliseconds = 0;
    }

    /** Shows the tabs of the available views, and adds event listeners. */
    begin() {
        const matte = this.mattes.find(matte => matte.kind === "matte");
        const hasGraphics = this.openGraphics(matte);
        const available = {
            photo: true, refocus: hasGraphics && this.depth && scene.hasPhoto, depth: this.depth, mattes: this.mattes.length > 0,
            background: hasGraphics && scene.hasPhoto && (matte || this.depth), mesh: hasGraphics && this.depth && scene.camera,
            parallax: hasGraphics && this.depth && scene.camera,
        };
        this.tabs = Object.keys(available).filter(name => available[name]);
        for (const name of this.tabs) element(`tab-${name}`).hidden = false;
        element("tabs").hidden = this.tabs.length < 2;
        if (!hasGraphics && this.depth) {
            element("readout").textContent = "This browser has no WebGL 2, so refocusing and the 3D view are not available.";
        }
        this.listen();
        if (this.depth) this.prepareDepth();
        if (this.mattes.length) this.prepareMattes();
        if (available.refocus) this.prepareRefocus();
        if (available.background) this.prepareBackground();
        if (available.mesh) this.prepareMesh();
        this.prepareCopy();
        const wanted = location.hash.slice(1);
        this.show(this.tabs.includes(wanted) ? wanted : "photo");
    }

    openGraphics(matte) {
        if (!this.depth && !matte) return false;
        try {
            this.graphics = new Graphics(this.canvas, this.sharp ?? this.photo, this.depth, matte);
        } catch (error) {
            if (error.message !== "no WebGL 2") console.error(error);
            return false;
        }
        this.canvas.addEventListener("webglcontextlost", () => {
            this.say("The browser reset the graphics. Reload the page to continue.");
            this.graphics = undefined;
            this.show("photo");
        });
        return true;
    }

    // Views

    show(name) {
        this.view = name;
        for (const tab of this.tabs) {
            const isShown = tab === name, button = element(`tab-${tab}`);
            button.setAttribute("aria-selected", isShown);
            button.tabIndex = isShown ? 0 : -1;
            element(`panel-${tab}`).hidden = !isShown;
        }
        const isFlat = name === "depth" || name === "mattes";
        this.flat.hidden = !isFlat;
        this.canvas.hidden = isFlat || name === "photo";
        const isPointed = this.depth && ["photo", "refocus", "depth"].includes(name);
        element("mark").hidden = !(this.depth && (name === "refocus" || name === "depth"));
        const isActive = name !== "mattes" && (name !== "photo" || Boolean(this.depth));
        this.stage.tabIndex = isActive ? 0 : -1;
        if (isActive) {
            this.stage.setAttribute("role", "application");
            this.stage.setAttribute("aria-label", names[name]);
        } else {
            for (const attribute of ["role", "aria-label", "tabindex"]) this.stage.removeAttribute(attribute);
        }
        this.stage.style.touchAction = name === "mesh" || name === "parallax" ? "none" : isPointed ? "pan-y pinch-zoom" : "auto";
        this.stage.style.cursor = name === "mesh" ? "grab" : isPointed ? "crosshair" : "auto";
        element("help").textContent = this.depth || name === "background" ? helps[name] : "";
        element("readout").textContent = "";
        this.swing(false);
        if (name === "depth") this.paintDepth();
        if (name === "mattes") this.paintMatte();
        this.draw();
        this.placeMark();
    }

    /** Draws the WebGL view: a sketch immediately while something moves, and the complete picture a little later. */
    draw(isQuick = false) {
        if (this.canvas.hidden || !this.graphics) return;
        clearTimeout(this.completion);
        if (isQuick) this.completion = setTimeout(() => this.draw(), 200);
        if (this.request) return void (this.isQuick &&= isQuick);
        this.isQuick = isQuick;
        this.request = requestAnimationFrame(() => {
            this.request = undefined;
            const began = performance.now();
            this.drawNow(this.isQuick);
            this.milliseconds = performance.now() - began;
        });
    }

    drawNow(isQuick) {
        if (!this.graphics) return;
        switch (this.view) {
        case "refocus": this.refocus.draw(isQuick); break;
        case "background": this.cutout.draw(); break;
        case "mesh": this.mesh.draw(element("mesh-colors").checked); break;
        case "parallax": this.mesh.drawBeside(this.side.x, this.side.y, element("strength").value / 100); break;
        }
    }

    // Depth

    prepareDepth() {
        const select = element("colormap");
        for (const name of Object.keys(scene.colorMaps)) select.add(new Option(name, name));
        for (const name of ["colormap", "near", "far", "opacity"]) element(name).addEventListener("input", () => this.paintDepth());
        this.paintDepth();
    }

    /** The disparity at a position of the sliders, 0 far … 1000 near. */
    disparityAt(place) { return this.depth.low + (this.depth.high - this.depth.low) * place / 1000; }

    paintDepth() {
        const { depth, flat } = this;
        let [far, near] = [element("far"), element("near")].map(input => Number(input.value));
        if (near <= far) near = far + 1;
        const [low, high] = [this.disparityAt(far), this.disparityAt(near)];
        element("near-text").textContent = depth.text(high);
        element("far-text").textContent = depth.text(low);
        element("opacity-text").textContent = `${element("opacity").value} %`;
        const colors = colorsOf(element("colormap").value);
        [flat.width, flat.height] = [depth.width, depth.height];
        const context = flat.getContext("2d"), image = context.createImageData(depth.width, depth.height);
        for (let index = 0; index < depth.disparity.length; index++) {
            const share = (depth.disparity[index] - low) / (high - low);
            const color = 3 * Math.min(Math.max(Math.floor(share * 256), 0), 255);
            const isKnown = depth.known[index] === 1;
            for (let channel = 0; channel < 3; channel++) image.data[4 * index + channel] = isKnown ? colors[color + channel] : 0;
            image.data[4 * index + 3] = 255;
        }
        context.putImageData(image, 0, 0);
        flat.style.opacity = this.view === "depth" ? element("opacity").value / 100 : 1;
        flat.style.mixBlendMode = "normal";
        this.paintLegend(colors, low, high);
        this.painted = "depth";
    }

    paintLegend(colors, low, high) {
        const canvas = element("legend"), scale = window.devicePixelRatio || 1;
        const [width, height] = [Math.round((canvas.clientWidth || 320) * scale), Math.round((canvas.clientHeight || 48) * scale)];
        [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d");
        for (let x = 0; x < width; x++) {
            const color = 3 * Math.min(Math.floor(x / width * 256), 255);
            context.fillStyle = `rgb(${colors[color]} ${colors[color + 1]} ${colors[color + 2]})`;
            context.fillRect(x, 0, 1, height * 0.45);
        }
        context.fillStyle = getComputedStyle(document.body).color;
        context.font = `${Math.round(13 * scale)}px system-ui, sans-serif`;
        context.textBaseline = "bottom";
        const marks = [0, 0.5, 1].map(share => ({ share, text: this.depth.text(low + (high - low) * share) }));
        for (const { share, text } of marks) {
            context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
            context.fillText(text, share * width, height);
        }
        canvas.setAttribute("aria-label", `The colors, from far to near: ${marks.map(mark => mark.text).join(", ")}`);
    }

    // Mattes

    prepareMattes() {
        for (const [index, matte] of this.mattes.entries()) element("matte").add(new Option(matte.label, index));
        for (const name of ["matte", "matte-style"]) element(name).addEventListener("input", () => this.paintMatte());
    }

    paintMatte() {
        const { flat } = this, matte = this.mattes[element("matte").value];
        [flat.width, flat.height] = [matte.width, matte.height];
        flat.getContext("2d").drawImage(matte.picture, 0, 0);
        flat.style.opacity = 1;
        flat.style.mixBlendMode = element("matte-style").value === "over" ? "multiply" : "normal";
        this.painted = "matte";
    }

    // Refocus

    prepareRefocus() {
        this.refocus = new Refocus(this.graphics, scene.focalLength);
        element("aperture").value = this.placeOfAperture(scene.aperture);
        element("focus").addEventListener("input", () => this.setFocus(this.disparityAt(element("focus").value), true));
        element("aperture").addEventListener("input", () => this.setAperture(true));
        element("save").addEventListener("click", () => this.save());
        const matte = this.mattes.find(matte => matte.kind === "matte");
        const subject = matte && this.middleOf(matte);
        this.setFocus(scene.focus ? this.depth.focus(...scene.focus) : subject ?? percentiles(this.depth.disparity, [0.9])[0]);
        if (scene.focus) [this.point.x, this.point.y] = scene.focus;
        this.setAperture();
    }

    /** The median disparity of a matte's subject; undefined if it covers less than 0.5 % of the picture. */
    middleOf(matte) {
        const { depth } = this, inside = [];
        for (let index = 0; index < depth.disparity.length; index += 3) {
            const [column, row] = [index % depth.width, Math.floor(index / depth.width)];
            const place = Math.floor((row + 0.5) / depth.height * matte.height) * matte.width + Math.floor((column + 0.5) / depth.width * matte.width);
            if (matte.samples[place] >= 128) inside.push(depth.disparity[index]);
        }
        return inside.length * 600 > depth.disparity.length ? percentiles(inside, [0.5])[0] : undefined;
    }

    placeOfAperture(fNumber) { return Math.round(1000 * Math.log2(fNumber) / 5); }

    setFocus(disparity, isQuick) {
        this.refocus.focus = disparity;
        const { low, high } = this.depth;
        element("focus").value = 1000 * (disparity - low) / (high - low);
        element("focus-text").textContent = this.depth.text(disparity);
        element("focus").setAttribute("aria-valuetext", this.depth.text(disparity));
        this.draw(isQuick);
    }

    setAperture(isQuick) {
        this.refocus.fNumber = 2 ** (element("aperture").value / 200);
        const text = `f/${this.refocus.fNumber.toFixed(1)}`;
        element("aperture-text").textContent = text;
        element("aperture").setAttribute("aria-valuetext", text);
        this.draw(isQuick);
    }

    save() {
        this.drawNow(false);
        this.canvas.toBlob(blob => {
            const link = document.createElement("a");
            link.href = URL.createObjectURL(blob);
            link.download = "refocused.jpg";
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        }, "image/jpeg", 0.92);
    }

    // Background

    prepareBackground() {
        this.cutout = new Cutout(this.graphics);
        const { cutout } = this;
        const channels = () => [1, 3, 5].map(place => parseInt(element("color").value.substr(place, 2), 16) / 255);
        cutout.color = channels();
        element("wipe").addEventListener("input", () => { cutout.wipe = element("wipe").value / 1000; this.draw(); });
        element("color").addEventListener("input", () => { cutout.color = channels(); this.draw(); });
        element("backdrop").addEventListener("input", () => {
            cutout.backdrop = element("backdrop").value;
            element("color-label").hidden = cutout.backdrop !== "color";
            element("picture-label").hidden = cutout.backdrop !== "picture";
            this.draw();
        });
        element("picture").addEventListener("change", async () => {
            const [file] = element("picture").files;
            if (!file) return;
            try {
                cutout.setPicture(await createImageBitmap(file));
                this.draw();
            } catch {
                this.say("That file is not a picture that this browser can show.");
            }
        });
        if (this.graphics.matte) return;
        element("cut-label").hidden = false;
        const setCut = () => {
            cutout.cut = element("cut").value / 1000;
            element("cut-text").textContent = this.depth.text(this.disparityAt(element("cut").value));
            this.draw();
        };
        element("cut").value = 1000 * Math.max((this.refocus.focus - this.depth.low) / (this.depth.high - this.depth.low) * 0.7, 0.1);
        element("cut").addEventListener("input", setCut);
        setCut();
    }

    // 3D and parallax

    prepareMesh() {
        const { graphics } = this, colors = colorsOf("turbo");
        const pixels = new Uint8Array(1024).fill(255);
        for (let index = 0; index < 256; index++) pixels.set(colors.subarray(3 * index, 3 * index + 3), 4 * index);
        graphics.colors = graphics.texture(graphics.gl.SRGB8_ALPHA8, graphics.gl.RGBA, graphics.gl.UNSIGNED_BYTE, 256, 1, pixels);
        this.side = { x: 0, y: 0 };
        // Make the triangles on first use.
        let mesh;
        Object.defineProperty(this, "mesh", { get: () => mesh ??= new Mesh(graphics, new Camera(scene.camera)) });
        element("reset").addEventListener("click", () => { this.swing(false); this.mesh.reset(); this.draw(); });
        element("turn").addEventListener("click", () => this.swing(!this.isSwinging));
        element("mesh-colors").addEventListener("input", () => this.draw());
        element("strength").addEventListener("input", () => this.draw());
        if ("DeviceOrientationEvent" in window && matchMedia("(pointer: coarse)").matches) {
            element("tilt").hidden = false;
            element("tilt").addEventListener("click", () => this.followTilt());
        }
    }

    /** Swings the surface to and fro until the user does something else. */
    swing(isWanted) {
        this.isSwinging = isWanted;
        element("turn").setAttribute("aria-pressed", isWanted);
        if (!isWanted) return;
        const began = performance.now();
        const step = now => {
            if (!this.isSwinging || this.view !== "mesh" || !this.graphics) return;
            const angle = (now - began) / 1000;
            [this.mesh.yaw, this.mesh.pitch] = [0.5 * Math.sin(angle), 0.12 * Math.sin(angle * 0.7)];
            this.drawNow();
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    }

    async followTilt() {
        if (DeviceOrientationEvent.requestPermission && await DeviceOrientationEvent.requestPermission() !== "granted") return;
        let first;
        addEventListener("deviceorientation", ({ beta, gamma }) => {
            if (beta === null || this.view !== "parallax") return;
            first ??= { beta, gamma };
            const clamped = value => Math.min(Math.max(value / 20, -1), 1);
            this.side = { x: clamped(gamma - first.gamma), y: clamped(beta - first.beta) };
            this.draw();
        });
    }

    // Pointer, touch and keyboard

    listen() {
        const { stage } = this, pointers = new Map();
        const place = event => {
            const box = this.photo.getBoundingClientRect();
            return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
        };
        stage.addEventListener("pointerdown", event => {
            pointers.set(event.pointerId, place(event));
            if (this.view === "mesh" || this.view === "background") stage.setPointerCapture(event.pointerId);
            this.swing(false);
            if (this.view === "background") this.setWipe(place(event).x);
        });
        stage.addEventListener("pointermove", event => {
            const [before, now] = [pointers.get(event.pointerId), place(event)];
            if (this.view === "mesh" && before) this.drag(pointers, event.pointerId, before, now);
            else if (this.view === "background" && before) this.setWipe(now.x);
            else if (this.view === "parallax") {
                this.side = { x: 2 * Math.min(Math.max(now.x, 0), 1) - 1, y: 2 * Math.min(Math.max(now.y, 0), 1) - 1 };
                this.draw();
            } else this.read(now);
            if (before) pointers.set(event.pointerId, now);
        });
        for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, event => pointers.delete(event.pointerId));
        stage.addEventListener("pointerleave", () => { if (this.view === "photo") element("readout").textContent = ""; });
        stage.addEventListener("click", event => this.choose(place(event)));
        stage.addEventListener("wheel", event => {
            if (this.view !== "mesh") return;
            event.preventDefault();
            this.mesh.scale(Math.exp(-event.deltaY / 600));
            this.draw();
        }, { passive: false });
        stage.addEventListener("keydown", event => this.press(event));
        element("tabs").addEventListener("click", event => {
            const tab = event.target.closest("[role=tab]");
            if (tab) this.show(tab.id.slice(4));
        });
        element("tabs").addEventListener("keydown", event => this.walk(event));
        new ResizeObserver(() => { this.draw(); this.placeMark(); }).observe(this.photo);
        addEventListener("beforeprint", () => {
            if (this.depth && this.painted !== "depth") this.paintDepth();
            if (this.depth) this.flat.hidden = false;
        });
        addEventListener("afterprint", () => this.show(this.view));
    }

    /** One finger or the mouse rotates, two fingers zoom. */
    drag(pointers, id, before, now) {
        const other = [...pointers].find(([key]) => key !== id)?.[1];
        if (other) {
            const gap = point => Math.hypot(point.x - other.x, point.y - other.y);
            this.mesh.scale(gap(now) / Math.max(gap(before), 0.01));
        } else this.mesh.turn((now.x - before.x) * 2, (before.y - now.y) * 1.5);
        this.draw();
    }

    setWipe(x) {
        this.cutout.wipe = Math.min(Math.max(x, 0), 1);
        element("wipe").value = 1000 * this.cutout.wipe;
        this.draw();
    }

    /** Shows the stored value at a point. */
    read(point) {
        if (!this.depth || point.x < 0 || point.y < 0 || point.x > 1 || point.y > 1) return;
        if (!["photo", "refocus", "depth"].includes(this.view)) return;
        element("readout").textContent = this.depth.describe(point.x, point.y);
    }

    /** Uses a point as the focus, or reads its value aloud. */
    choose(point) {
        if (!this.depth || !["photo", "refocus", "depth"].includes(this.view)) return;
        this.point = { x: Math.min(Math.max(point.x, 0), 1), y: Math.min(Math.max(point.y, 0), 1) };
        this.placeMark();
        this.read(this.point);
        if (this.view === "refocus") this.setFocus(this.depth.focus(this.point.x, this.point.y));
        const what = this.view === "refocus" ? "Focus at " : "";
        this.say(`${what}${this.depth.describe(this.point.x, this.point.y)}`);
    }

    placeMark() {
        const mark = element("mark");
        [mark.style.left, mark.style.top] = [`${100 * this.point.x}%`, `${100 * this.point.y}%`];
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const [x, y] = arrows[event.key] ?? [0, 0], isArrow = event.key in arrows;
        const size = event.shiftKey ? 0.05 : 0.01;
        if (this.view === "mesh") {
            if (isArrow) this.mesh.turn(x * 10 * size, -y * 10 * size);
            else if (event.key === "+" || event.key === "=") this.mesh.scale(1.1);
            else if (event.key === "-") this.mesh.scale(1 / 1.1);
            else if (event.key === "Home") this.mesh.reset();
            else return;
            this.swing(false);
            this.draw();
        } else if (this.view === "parallax" && isArrow) {
            const clamped = value => Math.min(Math.max(value, -1), 1);
            this.side = { x: clamped(this.side.x + x * 0.1), y: clamped(this.side.y + y * 0.1) };
            this.draw();
        } else if (this.view === "background" && isArrow) {
            this.setWipe(this.cutout.wipe + (x - y) * size);
        } else if (isArrow || event.key === "Enter" || event.key === " ") {
            if (this.view === "mattes") return;
            this.choose({ x: this.point.x + x * size, y: this.point.y + y * size });
        } else return;
        event.preventDefault();
    }

    /** Moves between tabs with arrow keys. */
    walk(event) {
        const next = walked(this.tabs, this.view, event.key);
        if (!next) return;
        event.preventDefault();
        this.show(next);
        element(`tab-${next}`).focus();
    }

    say(text) {
        element("readout").textContent = text;
        element("spoken").textContent = text;
    }

    prepareCopy() {
        element("json").textContent = JSON.stringify(JSON.parse(element("json").textContent), null, 2);
        element("copy").hidden = false;
        element("copy").addEventListener("click", async () => {
            try {
                await navigator.clipboard.writeText(element("json").textContent);
                element("copied").textContent = "Copied.";
            } catch {
                getSelection().selectAllChildren(element("json"));
                element("copied").textContent = "Selected: copy it with your keyboard.";
            }
        });
    }
}

const names = {
    photo: "Photo with depth under the pointer", refocus: "Photo to refocus", depth: "Depth in colors", background: "Photo before another background",
    mesh: "Turning view", parallax: "Parallax view",
};
const helps = {
    photo: "Point at the picture to read its distance. With the keyboard: Tab to the picture, then arrow keys.",
    refocus: "Click, tap, or use arrow keys on the picture to focus there.",
    depth: "Point at the picture to read the stored value. With the keyboard: Tab to the picture, then arrow keys; Shift makes larger steps.",
    mattes: "", background: "Drag across the picture, or use arrow keys, to compare before and after.",
    mesh: "Drag to turn, wheel or two fingers to zoom. With the keyboard: arrow keys, + and −, Home.",
    parallax: "Move the pointer over the picture, or use arrow keys.",
};

async function openPage() {
    const photo = element("photo");
    await photo.decode().catch(() => {});
    const depth = scene.depth ? new Depth(scene.depth, await decodeGrayPNG(blockBytes("depth"))) : undefined;
    const mattes = await Promise.all(scene.mattes.map(async (matte, index) => ({ ...matte, ...await blockMatte(`matte-${index}`) })));
    const page = new Page(depth, mattes);
    if (scene.hasSharp) {
        page.sharp = new Image();
        page.sharp.src = `data:image/jpeg;base64,${element("sharp").textContent.trim()}`;
        await page.sharp.decode();
    }
    page.begin();
    // For scripts: page.depth.value(x, y), page.show("refocus"), page.drawNow().
    window.isobath = page;
    document.documentElement.dataset.state = "ready";
}

openPage().catch(error => {
    element("readout").textContent = `Only the photo can be shown: ${error.message}`;
    document.documentElement.dataset.state = "failed";
    console.error(error);
});
