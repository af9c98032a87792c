// The same question under every semantics.

import {element, meter, shown} from "./dom.js";
import {Stopped} from "./engine.js";

const mostAtoms = 12;

export function compareView(context) {
    const {result, example, request, semantics, asked, answerGroups} = context;
    const atoms = answerGroups(result, example).flatMap((group) => group.answers.map((one) => one.atom)).slice(0, mostAtoms);
    const body = element("tbody");
    const table = element("table", {}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "semantics"),
        atoms.map((atom) => element("th", {scope: "col", class: "atom"}, atom)))), body);
    const one = async (each) => {
        const row = element("tr", {}, element("td", {title: each.summary}, each.name));
        body.append(row);
        try {
            const steps = each.needs_steps ? asked.steps ?? 10 : asked.steps;
            const answer = await request({do: "reason", semantics: each.name, steps, time_limit: each.compiled ? 10 : undefined}, {channel: `compare ${each.name}`});
            const values = answer.examples[Math.min(example, answer.examples.length - 1)].values;
            row.append(...atoms.map((atom) => element("td", {}, values ? meter(values[atom] ?? 0) : null, " ", values ? shown(values[atom] ?? 0) : "too hard")));
        } catch (error) {
            if (error instanceof Stopped) throw error;
            const reason = !each.evidence && /evidence/.test(error.message) ? "takes no evidence" : error.message.split("\n")[0];
            row.append(element("td", {colspan: atoms.length, class: "note"}, reason));
        }
    };
    (async () => {
        for (const each of semantics) await one(each);
    })().catch(() => {});  // stopped
    return element("div", {class: "card"}, element("h2", {}, "What each semantics makes of it"),
        element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Values by semantics"}, table));
}
