// Making elements, and telling people.

// element("p", {class: "note", onclick: f}, "text", child, …)
export function element(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

export function drawn(name, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(made, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value === true) made.setAttribute(key, "");
        else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((one) => one !== null && one !== undefined));
    return made;
}

export const byId = (id) => document.getElementById(id);

export const shown = (value) => (value === 0 ? "0" : value === 1 ? "1" : value.toFixed(4));

// 1 fact, 2 facts
export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

export const later = (milliseconds, call) => {
    let timer = 0;
    return (...given) => {
        clearTimeout(timer);
        timer = setTimeout(() => call(...given), milliseconds);
    };
};

export function toast(text) {
    const made = element("div", {class: "toast", role: "status"}, text);
    document.body.append(made);
    setTimeout(() => made.remove(), 2500);
}

// A bar of a value in [0,1]: bounds and what is exact are marked on it.
export function meter(value, {low, high, exact} = {}) {
    const percent = (x) => `${(100 * Math.min(1, Math.max(0, x))).toFixed(2)}%`;
    const bar = element("span", {class: "meter", "aria-hidden": "true"});
    const level = element("i");
    level.style.width = percent(value);
    bar.append(level);
    if (low !== undefined) {
        const range = element("b");
        range.style.left = percent(low);
        range.style.width = percent(high - low);
        bar.append(range);
    }
    if (exact !== undefined) {
        const mark = element("u");
        mark.style.left = `calc(${percent(exact)} - 1px)`;
        bar.append(mark);
    }
    return bar;
}
