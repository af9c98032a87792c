// Scenes of the data sets, drawn beside what is so in them.

import {element} from "./dom.js";

const perPage = 6;
// The data set that belongs to a folder of examples.
const setOf = {kandinsky: "kandinsky", clevr_hans: "clevr-hans", lists: "clevr-list", behind_the_scenes: "behind-the-scenes"};

export function scenesView(context) {
    const {request, failure, datasets, use, exampleId} = context;
    const dataset = element("select", {"aria-label": "Data set"}, datasets.map((one) => element("option", {value: one.name}, one.name)));
    const pattern = element("select", {"aria-label": "Pattern"});
    const seed = element("input", {type: "number", value: 1, min: 0, "aria-label": "Seed"});
    const grid = element("div", {class: "scenes"});
    const beside = element("div");
    const summary = element("p", {class: "note"});
    const info = () => datasets.find((one) => one.name === dataset.value);
    const patterns = () => {
        pattern.replaceChildren(...info().patterns.map((one) => element("option", {value: one}, one)));
        pattern.parentElement.hidden = info().patterns.length === 0;
        summary.textContent = info().summary;
    };
    const set = () => ({dataset: dataset.value, pattern: pattern.value || undefined, seed: Number(seed.value), count: perPage, split: "train"});
    const picture = async (of, name, width) => {
        const {png} = await request({do: "draw", ...of, image: name, width}, {channel: `draw ${name} ${width}`});
        return element("img", {src: `data:image/png;base64,${png}`, alt: `The scene ${name}`});
    };
    const choose = (made, example, thumb) => {
        for (const one of grid.children) one.setAttribute("aria-pressed", String(one === thumb));
        const line = JSON.parse(made.lines.split("\n").find((text) => text && JSON.parse(text).id === JSON.parse(quoted(example.id))) ?? "{}");
        const atoms = Object.entries(example.atoms).filter(([, value]) => value > 0.5);
        const label = line.label ?? line.answer ?? Object.entries(line.targets ?? {}).map(([atom, truth]) => `${atom}: ${truth}`).join(", ");
        beside.replaceChildren(element("div", {class: "card beside"}, element("div", {}, [...thumb.querySelectorAll("img")].map((one) => one.cloneNode())),
            element("div", {}, element("h2", {}, `Example ${example.id}`), element("p", {class: "note"}, label === undefined || label === "" ? "" : `Label: ${label}`),
                element("div", {class: "scroll", style: "max-height:16rem"}, atoms.map(([atom]) => element("div", {class: "atom"}, atom))),
                made.program ? element("button", {type: "button", onclick: () => use(made.program, JSON.stringify(line))}, "Reason about it") : null)));
    };
    const run = async () => {
        try {
            grid.replaceChildren();
            beside.replaceChildren();
            const of = set();
            const made = await request({do: "generate", ...of});
            for (const example of made.examples.slice(0, perPage)) {
                const thumb = element("button", {type: "button", class: "scene", "aria-pressed": "false", onclick: () => choose(made, example, thumb)});
                grid.append(thumb);
                for (const image of example.images) thumb.append(await picture(of, image, 160));
                thumb.append(element("span", {class: "note"}, `${example.id}`));
            }
        } catch (error) {
            failure(error);
        }
    };
    const form = element("form", {class: "row", onsubmit: (event) => {
        event.preventDefault();
        run();
    }}, element("label", {}, "Data set", dataset), element("label", {}, "pattern", pattern), element("label", {}, "seed", seed), element("button", {class: "main"}, "Draw scenes"));
    dataset.addEventListener("change", patterns);
    const [folder, name] = (exampleId ?? "").split("/");
    if (folder in setOf) dataset.value = setOf[folder];
    patterns();
    for (const one of info().patterns) if (one.replaceAll("-", "_") === name) pattern.value = one;
    run();
    return element("div", {}, element("div", {class: "card"}, element("h2", {}, "Scenes"), summary, form, grid), beside);
}

// Names of examples are texts; where they are written as JSON, they are that already.
function quoted(id) {
    return /^("|-?\d)/.test(id) ? id : JSON.stringify(id);
}
