// @ts-check
"use strict";

const element = name => document.getElementById(name);
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
    newest: (a, b) => (a.time < b.time) - (a.time > b.time) || orders.name(a, b),
    oldest: (a, b) => !a.time - !b.time || (a.time > b.time) - (a.time < b.time) || orders.name(a, b),
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

for (const name of ["text", "kind", "order"]) element(name).addEventListener("input", choose);
element("choice").addEventListener("submit", event => event.preventDefault());
element("choice").hidden = false;
choose();
document.documentElement.dataset.state = "ready";
