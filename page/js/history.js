// The values at every step: a table of heat, and one step at a time.

import {element, meter, shown} from "./dom.js";

const mostAtoms = 200;  // shown
const mostForAll = 400;  // of the graph: of larger ones only the answers' values are asked for

function shade(value) {
    return `background: color-mix(in srgb, var(--fill) ${Math.round(value * 55)}%, var(--card))`;
}

export function historyView({result, example, request, failure, asked}) {
    if (asked.worlds) return element("p", {class: "card note"}, "Under this semantics probabilities are not reached step by step.");
    const place = element("div");
    request({do: "reason", history: true, history_of_all: result.atoms <= mostForAll})
        .then((answer) => place.replaceChildren(...cards(answer.examples[example].history)), failure);
    return place;
}

function cards(steps) {
    const last = steps.at(-1);
    const still = (atom) => Number(last[atom] === steps[0][atom]);  // behind those that something is derived for
    const atoms = Object.keys(last).sort((a, b) => still(a) - still(b) || last[b] - last[a]).slice(0, mostAtoms);
    const bars = element("div", {class: "answers"});
    const told = element("output", {});
    const show = (step) => {
        told.textContent = step === 0 ? "before the first step" : `after step ${step} of ${steps.length - 1}`;
        bars.replaceChildren(...atoms.slice(0, 16).map((atom) => element("div", {class: "answer"},
            element("span", {class: "atom"}, atom), meter(steps[step][atom]),
            element("span", {class: "value"}, shown(steps[step][atom])))));
    };
    const slider = element("input", {type: "range", min: 0, max: steps.length - 1, value: steps.length - 1, "aria-label": "Step",
        oninput: () => show(Number(slider.value))});
    show(steps.length - 1);
    const columns = steps.map((_, step) => step);
    const table = element("table", {class: "heat"},
        element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "atom"), columns.map((step) => element("th", {scope: "col"}, `${step}`)))),
        element("tbody", {}, atoms.map((atom) => element("tr", {}, element("td", {class: "atom"}, atom),
            columns.map((step) => element("td", {style: shade(steps[step][atom])}, steps[step][atom] === 0 ? "" : steps[step][atom].toFixed(2)))))));
    return [element("div", {class: "card"}, element("h2", {}, "Step by step"), element("div", {class: "row"}, told), slider, bars),
        element("div", {class: "card"}, element("h2", {}, "All steps"), element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Values at every step"}, table))];
}
