const element = name => document.getElementById(name);
const scene = JSON.parse(element("scene").textContent);

/** The bytes of a block of base64 in the page. */
function blockBytes(name) {
    return Uint8Array.from(atob(element(name).textContent.trim()), character => character.charCodeAt(0));
}

/** Lets arrow keys go from tab to tab: the name of the tab that a key leads to; undefined for other keys. */
function walked(tabs, current, key) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (key in steps) return tabs[(tabs.indexOf(current) + steps[key] + tabs.length) % tabs.length];
    return key === "Home" ? tabs[0] : key === "End" ? tabs[tabs.length - 1] : undefined;
}
