// @ts-check
/** A number limited to a range. */
export const clamped = (value, low, high) => Math.min(Math.max(value, low), high);

/** A color map of six hexadecimal digits a color as 256 colors, three bytes each. */
export const parsedColors = text => Uint8Array.from({ length: 768 }, (_, index) => parseInt(text.substr(2 * index, 2), 16));

/** A length in meters with its error, in centimeters below one meter, with the digits that the error leaves. */
export function lengthText(meters, error) {
    const [factor, unit] = meters < 1 ? [100, "cm"] : [1, "m"], digits = clamped(Math.ceil(-Math.log10(error * factor)), 0, 3);
    const [length, least] = [meters, error].map(value => (value * factor).toFixed(digits));
    return `${length} ${unit} ± ${least} ${unit}`;
}

/** Lets the browser draw and answer before work goes on. */
export const pause = () => new Promise(resolve => setTimeout(resolve));
