"use strict";

const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../..");

/**
 * Declarations in scripts of pages, by name. The scripts are not modules: a page contains them as one script, as `load` does.
 * `globals` are variables that only browsers have.
 */
function load(files, names, globals = {}) {
    const code = files.map(file => fs.readFileSync(path.join(root, "Sources/Pages/Web", file), "utf8")).join("\n");
    return new Function(...Object.keys(globals), `${code}\nreturn { ${names.join(", ")} };`)(...Object.values(globals));
}

/** The path of a test image. */
const image = name => path.join(root, "TestImages", name);

/** The planes of a test image of this kind, computed by a second implementation of the formulas. */
function expectedPlane(name, kind) {
    const { files } = JSON.parse(fs.readFileSync(image("expected.json"), "utf8"));
    return files[name].planes.find(plane => plane.kind === kind);
}

module.exports = { load, image, expectedPlane };
