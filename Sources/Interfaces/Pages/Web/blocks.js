// @ts-check
/**
 * An element of the page, of any kind.
 * @type {(name: string) => any}
 */
export const element = name => document.getElementById(name);

/** The bytes of base64 text. */
export const decodedBytes = text => Uint8Array.from(atob(text.trim()), character => character.charCodeAt(0));

/** The decoded bytes of a base64 block in the page. */
export const blockBytes = name => decodedBytes(element(name).textContent);
