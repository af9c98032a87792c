// What if an input were more probable? Sliders for the values that nothing derives, in the order of how much the answer
// depends on them, and for the weights of clauses.

import {element, later, meter, shown} from "./dom.js";

const mostInputs = 40;

function pull(gradient) {
    if (gradient === undefined || Math.abs(gradient) < 5e-5) return element("span", {class: "pull"}, "–");
    const text = `${gradient > 0 ? "▲" : "▼"} ${Math.abs(gradient).toFixed(3)}`;
    return element("span", {class: `pull ${gradient > 0 ? "up" : "down"}`, title: "Derivative of the answer by this value"}, text);
}

function slider(name, value, gradient, moved) {
    const told = element("output", {}, shown(value));
    const input = element("input", {type: "range", min: 0, max: 1, step: 0.01, value, "aria-label": name, "data-input": name,
        oninput: () => {
            told.textContent = shown(Number(input.value));
            moved(name, Number(input.value));
        }});
    return element("div", {class: "slider"}, element("span", {class: "atom"}, name), input, told, pull(gradient));
}

export function whatIfView(context) {
    const {result, example, request, failure, answerGroups, base} = context;
    const groups = answerGroups(result, example);
    const atoms = groups.flatMap((group) => group.answers.map((one) => one.atom));
    if (atoms.length === 0) return element("p", {class: "card note"}, "There is no answer that could change.");
    const given = {...base};
    const weights = result.clauses.map((clause) => clause.weight);
    let moved = false;
    const bars = element("div", {class: "answers", "aria-live": "polite"});
    const inputs = element("div");
    const clauses = element("div");
    const target = element("select", {"aria-label": "Answer", onchange: () => ask(true)}, atoms.slice(0, 200).map((atom) => element("option", {value: atom}, atom)));
    const before = Object.fromEntries(groups.flatMap((group) => group.answers.map((one) => [one.atom, one.value])));

    const show = (answer, sliders) => {
        const now = answer.examples[0];
        if (!now.values) {
            failure(new Error(answer.limit ?? "Only bounds are known, which nothing can be derived by."));
            return;
        }
        const listed = [target.value, ...atoms.filter((atom) => atom !== target.value)].slice(0, 8);
        bars.replaceChildren(...listed.map((atom) => element("div", {class: "answer", "data-result": atom},
            element("span", {class: "atom"}, atom), meter(now.values[atom] ?? 0, {exact: before[atom]}),
            element("span", {class: "value"}, shown(now.values[atom] ?? 0)))));
        if (!sliders) return;
        const gradient = now.gradients?.[target.value];
        const names = Object.keys(answer.inputs ?? {});
        const by = (name) => Math.abs(gradient?.inputs?.[name] ?? 0);
        names.sort((a, b) => by(b) - by(a));
        inputs.replaceChildren(...names.slice(0, mostInputs).map((name) =>
            slider(name, given[name] ?? answer.inputs[name], gradient?.inputs?.[name], (of, value) => {
                given[of] = value;
                moved = true;
                quick();
            })));
        if (names.length > mostInputs)
            inputs.append(element("p", {class: "note"}, `and ${names.length - mostInputs} on which it depends less`));
        clauses.replaceChildren(...answer.clauses.slice(0, mostInputs).map((clause, place) =>
            slider(clause.text.replace(/^[\d.]+::/, ""), weights[place], gradient?.weights?.[place], (_, value) => {
                weights[place] = value;
                moved = true;
                quick();
            })));
    };
    const ask = async (sliders) => {
        try {
            const wanted = {do: "reason", gradients: true, given: Object.keys(given).length > 0 ? given : undefined,
                weights: moved ? weights : undefined, examples: undefined};
            show(await request(wanted), sliders);
        } catch (error) {
            failure(error);
        }
    };
    const quick = later(15, () => ask(false));
    const reset = element("button", {type: "button", onclick: () => {
        for (const name of Object.keys(given)) delete given[name];
        Object.assign(given, base);
        result.clauses.forEach((clause, place) => { weights[place] = clause.weight; });
        moved = false;
        ask(true);
    }}, "As it was");
    ask(true);
    return element("div", {},
        element("div", {class: "card"}, element("div", {class: "row"}, element("label", {}, "What changes", target), reset),
            element("p", {class: "note"}, "The mark is the value as the program has it."), bars),
        element("div", {class: "card"}, element("h2", {}, "Inputs"), element("p", {class: "note"}, "The arrow is the derivative of the answer by the value, before it is moved."), inputs),
        element("div", {class: "card"}, element("h2", {}, "Weights of clauses"), clauses));
}
