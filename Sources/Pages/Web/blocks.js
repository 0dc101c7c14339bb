// @ts-check
/** An element of the page. */
const element = name => document.getElementById(name);

/** The parameters of the page's data. */
const scene = JSON.parse(element("scene").textContent);

/** The bytes of base64 text. */
const decodedBytes = text => Uint8Array.from(atob(text.trim()), character => character.charCodeAt(0));

/** The decoded bytes of a base64 block in the page. */
const blockBytes = name => decodedBytes(element(name).textContent);
