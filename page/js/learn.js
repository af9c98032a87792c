// Learning clauses, or probabilities, from labelled examples: curves while it goes on, and the best program so far.

import {drawn, element, shown} from "./dom.js";

// A line over the epochs; y from 0 to the largest.
function curves(series, count) {
    const [width, height, left, bottom] = [560, 190, 42, 24];
    const top = Math.max(1e-9, ...series.flatMap((one) => one.fixed ? [] : one.values));
    const x = (i) => left + ((width - left - 10) * i) / Math.max(1, count - 1);
    const y = (value, fixed) => 10 + (height - bottom - 10) * (1 - value / (fixed ?? top));
    const svg = drawn("svg", {class: "curves", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Learning curves"});
    for (const part of [0, 0.5, 1]) {
        svg.append(drawn("line", {x1: left, x2: width - 10, y1: y(part, 1), y2: y(part, 1), stroke: "var(--line)"}),
            drawn("text", {x: left - 6, y: y(part, 1) + 4, "text-anchor": "end"}, (part * top).toPrecision(2)));
    }
    series.forEach((one, place) => {
        if (one.values.length === 0) return;
        svg.append(drawn("path", {d: one.values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)},${y(value, one.fixed).toFixed(1)}`).join(""), stroke: one.colour, "stroke-dasharray": one.dash ?? "none"}),
            drawn("text", {x: left + 6 + place * 165, y: height - 6, style: `fill: ${one.colour}; font-weight: 600`}, `${one.dash ? "┄" : "─"} ${one.name}`));
    });
    return svg;
}

function told(result) {
    const parts = [["training", result.train_accuracy], ["validation", result.validation_accuracy], ["test", result.test_accuracy]]
        .filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => `${name} ${(100 * value).toFixed(1)} %`);
    return `Right: ${parts.join(", ")}. ${result.clauses_scored} clauses scored in ${result.seconds.toFixed(1)} s.`;
}

export function learnView(context) {
    const {request, failure, data, program, use} = context;
    const parameters = /\bt\(\s*(_|[\d.]+)?\s*\)\s*::/.test(program);
    const train = element("textarea", {rows: 6, spellcheck: "false", "aria-label": "Training examples", style: "width:100%;font:0.75rem/1.5 var(--mono)"});
    train.value = data.train ?? "";
    const test = element("textarea", {rows: 3, spellcheck: "false", "aria-label": "Test examples", style: "width:100%;font:0.75rem/1.5 var(--mono)"});
    test.value = data.test ?? "";
    const seed = element("input", {type: "number", value: 1, min: 0, "aria-label": "Seed"});
    const algorithm = element("select", {"aria-label": "Algorithm"}, ["auto", "search", "gradient"].map((name) => element("option", {value: name}, name)));
    const live = element("div");
    const best = element("div");
    const run = async () => {
        const epochs = [];
        const rounds = [];
        const messages = [];
        const draw = () => {
            const series = parameters ? [{name: "negative log-likelihood", colour: "var(--accent)", values: epochs}]
                : [{name: "training loss", colour: "var(--accent)", values: epochs.map((one) => one.train_loss)},
                    {name: "validation loss", colour: "var(--against)", values: epochs.map((one) => one.validation_loss)},
                    {name: "accuracy (0 to 1)", colour: "var(--good)", dash: "5 3", fixed: 1, values: epochs.map((one) => one.validation_accuracy)}];
            live.replaceChildren(element("div", {class: "card"}, element("h2", {}, "Learning"),
                element("p", {class: "note"}, rounds.length > 0 ? `Round ${rounds.at(-1).round}: ${rounds.at(-1).clauses} clauses scored.` : messages.length > 0 ? "" : "Reading…"),
                messages.slice(-4).map((text) => element("p", {class: "note"}, text)),
                epochs.length > 0 ? curves(series, epochs.length) : null,
                rounds.length > 0 ? element("details", {}, element("summary", {}, "The best clauses of the last round"),
                    rounds.at(-1).best.slice(0, 8).map((one) => element("div", {class: "atom"}, `${one.score.toPrecision(3)}  ${one.clause}`))) : null));
        };
        const news = (one) => {
            if (one.event === "message") messages.push(one.text);
            if (one.event === "round") rounds.push(one);
            if (one.event === "epoch") epochs.push(one);
            if (one.event === "iteration") epochs.push(-one.log_likelihood);
            if (one.event === "program")
                best.replaceChildren(element("div", {class: "card"}, element("h2", {}, "Best program so far"),
                    element("p", {class: "note"}, `${one.clauses} ${one.clauses === 1 ? "clause" : "clauses"}, ${one.wrong} wrong ${one.wrong === 1 ? "label" : "labels"}`), element("div", {class: "program"}, one.first)));
            draw();
        };
        best.replaceChildren();
        draw();
        try {
            const found = await request({do: parameters ? "learn_parameters" : "learn", train: train.value, test: test.value.trim() || undefined,
                seed: Number(seed.value), algorithm: parameters ? undefined : algorithm.value, examples: undefined, given: undefined}, {news});
            if (epochs.length === 0) live.replaceChildren();
            best.replaceChildren(parameters ? learnedParameters(found, use) : learnedClauses(found, use));
        } catch (error) {
            failure(error);
        }
    };
    const form = element("form", {class: "row", onsubmit: (event) => {
        event.preventDefault();
        run();
    }}, element("button", {class: "main"}, parameters ? "Learn the probabilities" : "Learn"), element("label", {}, "seed", seed), parameters ? null : element("label", {}, "by", algorithm));
    const possible = parameters || /:-\s*learn\s*\(/.test(program);
    return element("div", {}, element("div", {class: "card"}, element("h2", {}, "Learn from examples"),
        element("p", {class: "note"}, possible ? "Labelled examples, one object of JSON a line." : "This program does not say what to learn: the examples under “To be learned” do (:- learn, modeh, modeb), or write t(_):: before a fact to learn its probability."),
        element("details", {open: !train.value}, element("summary", {}, "Training examples"), train), element("details", {}, element("summary", {}, "Test examples"), test), form), live, best);
}

function learnedClauses(found, use) {
    const clauses = found.clauses.map((one) => one.text).join("\n");
    return element("div", {class: "card", id: "learned"}, element("h2", {}, found.clauses.length === 1 ? "The clause that was found" : "The clauses that were found"),
        element("div", {class: "program"}, clauses), element("p", {class: "note"}, told(found)),
        found.limits.slice(0, 3).map((limit) => element("p", {class: "note"}, `${limit.what}: ${limit.advice}`)),
        element("button", {type: "button", onclick: () => use(found.program)}, "Put it into the editor"));
}

function learnedParameters(found, use) {
    return element("div", {class: "card", id: "learned"}, element("h2", {}, "The probabilities that were found"),
        element("table", {}, element("tbody", {}, (found.parameters ?? []).map((one) => element("tr", {}, element("td", {class: "atom"}, one.clause), element("td", {}, shown(one.value ?? one.probability)))))),
        element("button", {type: "button", onclick: () => use(found.learned_program)}, "Put them into the editor"));
}
