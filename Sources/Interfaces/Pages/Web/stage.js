// @ts-check
import { decodedBytes, element } from "./blocks.js";
import { clamped } from "./numbers.js";
import { canvasFile, extensionOf, saveFile } from "./saving.js";
import { walked } from "./walking.js";

/**
 * Makes the views of a page, by the titles of their tabs, in their order. Each is a function of the page, which returns nothing if the page
 * has not what its view needs, or the reason as text. A page has only the scripts of views that its content may need.
 * @type {Map<string, (page: any) => any>}
 */
export const tabs = new Map();

/**
 * A view of the stage, in its tab. Points are fractions of the picture's width and height. Subclasses override what they need.
 */
export class View {
    /** @type {Stage} */
    stage;
    /** The canvas to show over the photo: `flat`, `graphics`, `cloud` or nothing. */
    surface = "";
    /** Whether touches belong to the view, and do not scroll. */
    isOwner = false;
    /** Whether the wheel belongs to it, too. */
    canZoom = false;
    /** Whether the mark is shown at the chosen point. */
    hasMark = false;
    /** Whether it plays, and saves movies. */
    hasMotion = false;
    cursor = "auto";
    /** What to do, by `mouse`, `touch` and `keyboard`. */
    texts = {};

    /** `label` is for screen readers; undefined if there is nothing to do on the stage. `changes` are of the properties above. */
    constructor(title, label, changes) {
        this.title = title;
        this.name = title.toLowerCase();
        this.label = label;
        Object.assign(this, changes);
    }

    enter() {}
    leave() {}
    draw(_isQuick) {}
    hover(_point) {}
    tap(_point) {}
    press(_point) {}
    /** A pointer moved while pressed; `other` is the point of another finger. */
    drag(_from, _to, _other) {}
    release() {}
    reset() {}
    scale(_factor) {}
    play(_isWanted) {}
    /** Whether the view used this key; x and y are −1, 0 or 1 for arrow keys. */
    key(_event, _x, _y) { return false; }

    /**
     * What moves, as a file.
     * @returns {Promise<Blob | undefined>}
     */
    async movie() { return undefined; }

    /** What is shown, as a file; nothing if there is nothing to save. */
    async file() {
        const { stage } = this;
        if (!this.surface) return new Blob([decodedBytes(stage.photo.src.split(",")[1])], { type: "image/jpeg" });
        if (this.surface !== "flat") return stage.graphicsFile("image/jpeg");
        const canvas = document.createElement("canvas"), { photo, flat } = stage, context = canvas.getContext("2d");
        [canvas.width, canvas.height] = [Math.max(photo.naturalWidth, flat.width), Math.max(photo.naturalHeight, flat.height)];
        context.drawImage(photo, 0, 0, canvas.width, canvas.height);
        context.globalAlpha = Number(flat.style.opacity || 1);
        context.globalCompositeOperation = flat.style.mixBlendMode === "multiply" ? "multiply" : "source-over";
        context.drawImage(flat, 0, 0, canvas.width, canvas.height);
        return canvasFile(canvas, "image/png");
    }
}

/** The picture, its tabs, pointers and keys, and saving. */
export class Stage {
    stage = element("stage");
    photo = element("photo");
    flat = element("flat");
    point = { x: 0.5, y: 0.5 };
    /** Whether graphics are drawn at the photo's size, to be saved. */
    isFullSize = false;

    /** @param {View[]} views The available views, in the order of their tabs. */
    constructor(views, title) {
        this.title = title;
        this.views = new Map(views.map(view => [view.name, view]));
        this.input = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
        for (const view of views) {
            view.stage = this;
            const tab = element("tabs").appendChild(document.createElement("button"));
            [tab.id, tab.textContent] = [`tab-${view.name}`, view.title];
            tab.setAttribute("role", "tab");
            tab.setAttribute("aria-controls", `panel-${view.name}`);
        }
    }

    get tabs() { return [...this.views.keys()]; }
    get view() { return this.views.get(this.current); }
    /** The canvas that is shown over the photo. */
    get canvas() { return this.view.surface === "" ? undefined : element(this.view.surface); }

    /** Shows the tab that the address names, or this one. */
    begin(first) {
        element("tabs").hidden = false;
        element("actions").hidden = false;
        this.listen();
        this.prepareJSON();
        this.show(this.wanted ?? first);
    }

    /** The tab that the address names. */
    get wanted() { return this.tabs.find(name => location.hash === `#${name}`); }

    show(name) {
        if (this.current) this.view.leave();
        this.current = name;
        const { view, stage } = this;
        document.documentElement.dataset.view = name;
        for (const tab of this.tabs) {
            const isShown = tab === name, button = element(`tab-${tab}`);
            button.setAttribute("aria-selected", isShown);
            button.tabIndex = isShown ? 0 : -1;
            element(`panel-${tab}`).hidden = !isShown;
        }
        for (const canvas of stage.querySelectorAll("canvas")) canvas.hidden = canvas.id !== view.surface;
        stage.classList.toggle("is-covered", view.surface !== "" && view.surface !== "flat");
        stage.classList.remove("is-clear");
        const isActive = Boolean(view.label);
        stage.tabIndex = isActive ? 0 : -1;
        for (const [attribute, value] of [["role", "application"], ["aria-label", view.label]]) {
            if (isActive) stage.setAttribute(attribute, value);
            else stage.removeAttribute(attribute);
        }
        stage.style.touchAction = view.isOwner ? "none" : "pan-y pinch-zoom";
        stage.style.cursor = view.cursor;
        element("readout").textContent = "";
        element("save-movie").hidden = element("play").hidden = !view.hasMotion;
        element("actions").hidden = name === "record";
        view.enter();
        this.showHelp();
        this.draw();
        this.placeMark();
    }

    showHelp() { element("help").textContent = this.view.texts[this.input] ?? this.view.texts.mouse ?? ""; }

    /** Draws the view: a sketch immediately while something moves, and the complete picture a little later. */
    draw(isQuick = false) {
        clearTimeout(this.completion);
        if (isQuick) this.completion = setTimeout(() => this.draw(), 200);
        if (this.request) return void (this.isQuick &&= isQuick);
        this.isQuick = isQuick;
        this.request = requestAnimationFrame(() => {
            this.request = undefined;
            this.drawNow(this.isQuick);
        });
    }

    drawNow(isQuick = false) { this.view.draw(isQuick); }

    // The picture

    /** The picture's rectangle in the window. */
    get box() {
        const frame = this.stage.getBoundingClientRect(), { photo } = this;
        const aspect = (photo.naturalWidth || photo.width) / (photo.naturalHeight || photo.height);
        const width = Math.min(frame.width, frame.height * aspect), height = width / aspect;
        return { left: frame.left + (frame.width - width) / 2, top: frame.top + (frame.height - height) / 2, width, height };
    }

    placeMark(name = "mark", point = this.point, isShown = this.view.hasMark) {
        const mark = element(name), { box } = this, frame = this.stage.getBoundingClientRect();
        mark.hidden = !isShown;
        [mark.style.left, mark.style.top] = [`${box.left - frame.left + box.width * point.x}px`, `${box.top - frame.top + box.height * point.y}px`];
    }

    /** Moves the mark, within the picture. */
    choose(point) {
        this.point = { x: clamped(point.x, 0, 1), y: clamped(point.y, 0, 1) };
        this.placeMark();
    }

    read(text) { element("readout").textContent = text; }

    say(text) {
        this.read(text);
        element("spoken").textContent = text;
    }

    // Pointer, touch and keyboard

    listen() {
        const { stage } = this, pointers = new Map();
        let lastTap = { time: -1e9, x: 0, y: 0 }, moved = 0;
        const place = event => {
            const { box } = this;
            return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
        };
        stage.addEventListener("pointerdown", event => {
            this.meet(event.pointerType === "touch" ? "touch" : "mouse");
            pointers.set(event.pointerId, place(event));
            moved = 0;
            if (this.view.isOwner) stage.setPointerCapture(event.pointerId);
            this.view.press(place(event));
        });
        stage.addEventListener("pointermove", event => {
            const [before, now] = [pointers.get(event.pointerId), place(event)];
            if (before && this.view.isOwner) {
                moved += Math.hypot(now.x - before.x, now.y - before.y);
                this.view.drag(before, now, [...pointers].find(([key]) => key !== event.pointerId)?.[1]);
            } else this.view.hover(now);
            if (before) pointers.set(event.pointerId, now);
        });
        for (const name of ["pointerup", "pointercancel"]) {
            stage.addEventListener(name, event => {
                if (pointers.delete(event.pointerId) && pointers.size === 0) this.view.release();
            });
        }
        stage.addEventListener("pointerleave", () => { if (!this.view.hasMark && pointers.size === 0) this.read(""); });
        stage.addEventListener("click", event => {
            if (moved > 0.02) return;
            const point = place(event), now = performance.now();
            if (now - lastTap.time < 350 && Math.hypot(point.x - lastTap.x, point.y - lastTap.y) < 0.06) this.view.reset();
            else if (point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1) this.view.tap(point);
            lastTap = { time: now, ...point };
        });
        stage.addEventListener("wheel", event => {
            if (!this.view.canZoom) return;
            event.preventDefault();
            this.view.scale(Math.exp(-event.deltaY / 600));
        }, { passive: false });
        stage.addEventListener("keydown", event => this.press(event));
        addEventListener("keydown", event => { if (event.key === "Tab" || event.key.startsWith("Arrow")) this.meet("keyboard"); });
        element("tabs").addEventListener("click", event => {
            const tab = event.target.closest("[role=tab]");
            if (tab) this.open(tab.id.slice(4));
        });
        element("tabs").addEventListener("keydown", event => this.walk(event));
        addEventListener("hashchange", () => { if (this.wanted && this.wanted !== this.current) this.show(this.wanted); });
        new ResizeObserver(() => { this.draw(); this.placeMark(); }).observe(stage);
        this.listenToActions();
    }

    /** Shows a tab, and names it in the address. */
    open(name) {
        history.replaceState(null, "", `#${name}`);
        this.show(name);
    }

    /** Adapts the texts to how the page is used. */
    meet(input) {
        if (this.input === input) return;
        this.input = input;
        this.showHelp();
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
        const isUsed = this.view.key(event, x, y);
        if (isUsed) event.preventDefault();
        else if (event.key === " " && this.view.hasMotion) {
            event.preventDefault();
            this.play();
        }
    }

    /** The mark's point, moved by an arrow key. */
    moved(event, x, y) {
        const step = event.shiftKey ? 0.05 : 0.01;
        return { x: clamped(this.point.x + x * step, 0, 1), y: clamped(this.point.y + y * step, 0, 1) };
    }

    /** Moves between tabs with arrow keys. */
    walk(event) {
        const next = walked(this.tabs, this.current, event.key);
        if (!next) return;
        event.preventDefault();
        this.open(next);
        element(`tab-${next}`).focus();
    }

    // Saving

    listenToActions() {
        element("save").addEventListener("click", () => this.offer(() => this.view.file()));
        element("save-movie").addEventListener("click", () => this.offer(async () => {
            element("save-movie").textContent = "Saving…";
            try {
                return await this.view.movie();
            } finally {
                element("save-movie").textContent = "Save movie";
            }
        }));
        element("play").addEventListener("click", () => this.play());
        const sample = new File([""], "a.jpg", { type: "image/jpeg" });
        if (navigator.canShare?.({ files: [sample] })) {
            element("share").hidden = false;
            element("share").addEventListener("click", () => this.offer(() => this.view.file(), true));
        }
        const frame = element("frame");
        if (!frame.requestFullscreen) return;
        element("full-screen").hidden = false;
        element("full-screen").addEventListener("click", () => frame.requestFullscreen().catch(() => this.say("This browser does not allow full screen.")));
    }

    /** Makes a file, and saves or shares it. */
    async offer(made, isShared = false) {
        try {
            const blob = await made();
            if (!blob) return;
            const name = `${this.title}-${this.current}.${extensionOf(blob.type)}`;
            if (isShared) await navigator.share({ files: [new File([blob], name, { type: blob.type })] });
            else saveFile(blob, name);
        } catch (error) {
            if (error.name !== "AbortError") this.say(`It cannot be saved: ${error.message}`);
        }
    }

    /** What the graphics show, drawn at the photo's size. */
    async graphicsFile(type) {
        this.isFullSize = true;
        try {
            this.drawNow();
            return await canvasFile(this.canvas, type);
        } finally {
            this.isFullSize = false;
            this.draw();
        }
    }

    prepareJSON() {
        element("json").textContent = JSON.stringify(JSON.parse(element("json").textContent), null, 2);
        element("copy").hidden = false;
        element("copy").addEventListener("click", () => this.copy(element("json"), element("copied")));
    }

    /** Copies an element's text, or selects it where that is not allowed. */
    async copy(source, answer) {
        try {
            await navigator.clipboard.writeText(source.textContent);
            answer.textContent = "Copied.";
        } catch {
            getSelection().selectAllChildren(source);
            answer.textContent = "Selected: copy it with your keyboard.";
        }
    }

    /** Plays, or pauses. */
    play() { this.view.play(element("play").getAttribute("aria-pressed") !== "true"); }

    /** Shows or ends the pressed state of the play button. */
    showPlaying(isPlaying) {
        element("play").setAttribute("aria-pressed", isPlaying);
        element("play").textContent = isPlaying ? "Pause" : "Play";
    }
}
