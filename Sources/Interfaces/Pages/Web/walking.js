// @ts-check
/** The name of the tab that an arrow key selects; undefined for other keys. */
export function walked(tabs, current, key) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (key in steps) return tabs[(tabs.indexOf(current) + steps[key] + tabs.length) % tabs.length];
    return key === "Home" ? tabs[0] : key === "End" ? tabs[tabs.length - 1] : undefined;
}

/** The next of some boxes in a direction, the nearest across it first; undefined at the end. */
export function nextBox(boxes, current, [x, y]) {
    const from = boxes[current], middle = box => [box.left + box.width / 2, box.top + box.height / 2];
    let best, least = Infinity;
    for (const [index, box] of boxes.entries()) {
        const [dx, dy] = [0, 1].map(axis => middle(box)[axis] - middle(from)[axis]);
        const along = dx * x + dy * y, across = Math.abs(dx * y) + Math.abs(dy * x);
        if (along > 1 && along + 4 * across < least) [best, least] = [index, along + 4 * across];
    }
    return best;
}
