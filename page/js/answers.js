// What is asked and how probable it is.

import {element, meter, shown} from "./dom.js";

const most = 60;  // of one query, shown at first

function row(answer, explain, right) {
    return element("button", {type: "button", class: "answer", title: "Why?", "data-atom": answer.atom, onclick: () => explain(answer.atom)},
        element("span", {class: `atom${right ? " right-one" : ""}`}, answer.atom + (right ? " ✓" : "")),
        meter(answer.value, answer),
        element("span", {class: `value${answer.value === 0 ? " zero" : ""}`}, shown(answer.value)));
}

function sorted(answers) {
    return answers.map((one, place) => [one, place]).sort(([a, i], [b, j]) => b.value - a.value || i - j).map(([one]) => one);
}

// The answers of one example, query by query: [{query, answers: [{atom, value, low, high, exact}]}].
export function answerGroups(result, number) {
    const example = result.examples[number];
    const all = Object.keys(example.values ?? example.low).map((atom) => {
        const low = example.low?.[atom];
        const high = example.high?.[atom];
        return {atom, value: example.values?.[atom] ?? (low + high) / 2, low, high, exact: example.exact?.[atom]};
    });
    const ends = result.query_ends.at(-1) === all.length ? result.query_ends : [all.length];
    let from = 0;
    return ends.map((end, place) => {
        const group = {query: result.queries[place] ?? "all that rules derive", answers: sorted(all.slice(from, end))};
        from = end;
        return group;
    });
}

// Queries that are answered by themselves stand together.
function joined(groups) {
    const single = groups.filter(({query, answers}) => answers.length === 1 && answers[0].atom === query);
    if (single.length === 0) return groups;
    const others = groups.filter((group) => !single.includes(group));
    return [{query: null, answers: single.flatMap((group) => group.answers)}, ...others];
}

export function answersView(context) {
    const {result, example, explain, expected} = context;
    const made = element("div");
    // Of a query with variables, what is certainly false is no answer.
    const counts = (query) => (one) => one.value > 0 || one.high > 0 || one.atom === query || query === null;
    for (const {query, answers: all} of joined(answerGroups(result, example))) {
        const answers = all.filter(counts(query));
        const list = element("div", {class: "answers"});
        const put = (some) => list.append(...some.map((one) => row(one, explain, expected?.(one.atom))));
        put(answers.slice(0, most));
        const card = element("div", {class: "card"}, query ? element("h2", {}, element("code", {}, query)) : null, list);
        if (answers.length === 0) card.append(element("p", {class: "note"}, "Nothing that is given leads to an answer."));
        if (answers.length > most) {
            const more = element("button", {type: "button", onclick: () => {
                put(answers.slice(most));
                more.remove();
            }}, `Show all ${answers.length}`);
            card.append(more);
        }
        made.append(card);
    }
    if (result.limit) made.prepend(element("p", {class: "card"}, `${result.limit}. What is shown are bounds.`));
    return made;
}
