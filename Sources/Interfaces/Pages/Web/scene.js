// @ts-check
import { element } from "./blocks.js";

/** The parameters of the page's data. */
export const scene = JSON.parse(element("scene").textContent);
