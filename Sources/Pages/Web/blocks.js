const element = name => document.getElementById(name);
const scene = JSON.parse(element("scene").textContent);

/** The decoded bytes of a base64 block in the page. */
function blockBytes(name) {
    return Uint8Array.from(atob(element(name).textContent.trim()), character => character.charCodeAt(0));
}

/** The name of the tab that an arrow key selects; undefined for other keys. */
function walked(tabs, current, key) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (key in steps) return tabs[(tabs.indexOf(current) + steps[key] + tabs.length) % tabs.length];
    return key === "Home" ? tabs[0] : key === "End" ? tabs[tabs.length - 1] : undefined;
}
