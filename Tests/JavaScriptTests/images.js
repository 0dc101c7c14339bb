import fs from "node:fs";

/** The path of a test image. */
export const image = name => new URL(`../../TestImages/${name}`, import.meta.url).pathname;

/** The planes of a test image of this kind, computed by a second implementation of the formulas. */
export function expectedPlane(name, kind) {
    const { files } = JSON.parse(fs.readFileSync(image("expected.json"), "utf8"));
    return files[name].planes.find(plane => plane.kind === kind);
}
