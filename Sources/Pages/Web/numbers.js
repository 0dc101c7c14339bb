// @ts-check
"use strict";

/** A number limited to a range. */
const clamped = (value, low, high) => Math.min(Math.max(value, low), high);

/** A color map of six hexadecimal digits a color as 256 colors, three bytes each. */
const parsedColors = text => Uint8Array.from({ length: 768 }, (_, index) => parseInt(text.substr(2 * index, 2), 16));

/** Lets the browser draw and answer before work goes on. */
const pause = () => new Promise(resolve => setTimeout(resolve));
