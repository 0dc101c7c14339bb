// @ts-check
import { element } from "./blocks.js";
import { nextBox } from "./walking.js";

const photos = [...element("photos").children];

/** Tests for the kinds of photos that can be selected. */
const isOfKind = {
    "": () => true, depth: data => data.samples > 0, meters: data => data.unit === "m", mattes: data => data.mattes > 0,
    none: data => !(data.samples > 0) && !(data.mattes > 0),
};

const collator = new Intl.Collator(undefined, { numeric: true });
const orders = {
    name: (a, b) => collator.compare(a.name, b.name),
    // ISO 8601 sorts as text; photos without a time come last.
    newest: (a, b) => collator.compare(b.time, a.time) || orders.name(a, b),
    oldest: (a, b) => collator.compare(a.time || "\uffff", b.time || "\uffff") || orders.name(a, b),
    nearest: (a, b) => (a.near || Infinity) - (b.near || Infinity) || orders.name(a, b),
    samples: (a, b) => b.samples - a.samples || orders.name(a, b),
    camera: (a, b) => collator.compare(a.camera || "\uffff", b.camera || "\uffff") || orders.name(a, b),
};

/** Shows the selected photos, in the selected order. */
function choose() {
    const text = element("text").value.toLowerCase(), kind = isOfKind[element("kind").value];
    let count = 0;
    for (const photo of photos) {
        const { name, camera } = photo.dataset;
        photo.hidden = !(kind(photo.dataset) && `${name} ${camera}`.toLowerCase().includes(text));
        if (!photo.hidden) count++;
    }
    const order = orders[element("order").value];
    photos.sort((a, b) => order(a.dataset, b.dataset));
    element("photos").append(...photos);
    element("count").textContent = `${count} of ${photos.length} photos`;
}

/** Moves between photos with arrow keys. */
function walk(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const links = photos.filter(photo => !photo.hidden).map(photo => photo.querySelector("a")).filter(Boolean);
    const current = links.indexOf(document.activeElement);
    if (!direction || current < 0) return;
    const next = nextBox(links.map(link => link.getBoundingClientRect()), current, direction);
    if (next === undefined) return;
    event.preventDefault();
    links[next].focus();
}

/** Shows the depth of a photo while the pointer rests on it or a finger presses it long, or the photo again. */
function showDepth(photo, isWanted) {
    const image = photo?.querySelector("img[data-depth]");
    if (!image) return;
    image.dataset.photo ??= image.getAttribute("src");
    image.src = isWanted ? image.dataset.depth : image.dataset.photo;
}

/** Listens to pointers over photos. */
function listen(list) {
    let pressed, timer, isLong = false;
    const end = () => {
        clearTimeout(timer);
        if (isLong) showDepth(pressed, false);
        pressed = undefined;
    };
    list.addEventListener("pointerover", event => { if (event.pointerType === "mouse") showDepth(event.target.closest("li"), true); });
    list.addEventListener("pointerout", event => {
        const photo = event.target.closest("li");
        if (event.pointerType === "mouse" && !photo?.contains(event.relatedTarget)) showDepth(photo, false);
    });
    list.addEventListener("pointerdown", event => {
        isLong = false;
        if (event.pointerType === "mouse") return;
        pressed = event.target.closest("li");
        timer = setTimeout(() => showDepth(pressed, isLong = true), 400);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) list.addEventListener(name, end);
    // A long press neither opens the photo nor a menu.
    list.addEventListener("click", event => { if (isLong) event.preventDefault(); });
    list.addEventListener("contextmenu", event => { if (pressed) event.preventDefault(); });
}

for (const name of ["text", "kind", "order"]) element(name).addEventListener("input", choose);
element("choice").addEventListener("submit", event => event.preventDefault());
element("captions").addEventListener("input", () => element("photos").classList.toggle("is-bare", !element("captions").checked));
element("photos").addEventListener("keydown", walk);
listen(element("photos"));
element("photos").classList.add("is-bare");
element("choice").hidden = false;
choose();
document.documentElement.dataset.state = "ready";
