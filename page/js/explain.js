// Explanations, with the look of the pages that `neumann explain --html` writes.

import {element} from "./dom.js";

// The page follows the system's colours; here it follows this page's. What it may do is said by this page's policy.
function themed(html) {
    const dark = document.documentElement.dataset.theme === "dark";
    return html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
        .replaceAll("@media (prefers-color-scheme: dark)", dark ? "@media all" : "@media not all");
}

export function explanationFrame(html) {
    const frame = element("iframe", {class: "why", title: "Explanation"});
    frame.srcdoc = themed(html);
    frame.addEventListener("load", () => {
        const body = frame.contentDocument.documentElement;
        const fit = () => { frame.style.height = `${body.scrollHeight + 4}px`; };
        fit();
        new ResizeObserver(fit).observe(frame.contentDocument.body);
    });
    return frame;
}

export function explainView(context) {
    const {result, example, asked, atom, request, failure, answerGroups, picturedWorld} = context;
    const atoms = answerGroups(result, example).flatMap((group) => group.answers.map((one) => one.atom));
    const chosen = atom ?? atoms[0] ?? "";
    const place = element("div");
    const input = element("input", {type: "text", value: chosen, list: "atoms", spellcheck: "false", "aria-label": "Atom to explain"});
    const proofs = element("select", {"aria-label": "How many proofs"}, [1, 3, 10].map((n) => element("option", {value: n, selected: n === 3}, `${n}`)));
    const run = async () => {
        if (!input.value.trim()) return;
        try {
            const answer = await request({do: "explain", ...picturedWorld, atoms: [input.value.trim()], proofs: Number(proofs.value), html: true, history: !asked.worlds});
            place.replaceChildren(explanationFrame(answer.html));
        } catch (error) {
            failure(error);
        }
    };
    const form = element("form", {class: "row", onsubmit: (event) => {
        event.preventDefault();
        run();
    }}, element("label", {class: "grow"}, "Why", input), element("label", {}, "proofs", proofs), element("button", {class: "main"}, "Explain"));
    input.style.flex = "1";
    input.style.fontFamily = "var(--mono)";
    proofs.addEventListener("change", run);
    run();
    return element("div", {}, element("div", {class: "card"}, form), place);
}
