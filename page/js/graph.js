// The reasoning graph: atoms, and the ground clauses that lead from one to the other. Drag, zoom, choose an atom.

import {counted, drawn, element, shown} from "./dom.js";
import {atomOf, isNegated, layout, neighbourhood, withBodies} from "./graph_layout.js";

const mostAtoms = 160;
const readable = 0.6;  // of full size

function path(from, to) {
    const middle = (from.y + to.y) / 2;
    return `M${from.x},${from.y} C${from.x},${middle} ${to.x},${middle} ${to.x},${to.y}`;
}

// Moves and scales what is drawn: by dragging, by two fingers, by the wheel, by keys and by buttons.
class Camera {
    constructor(holder, svg, content, bounds) {
        Object.assign(this, {holder, svg, content, bounds, x: 0, y: 0, scale: 1, touches: new Map()});
        holder.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
        }, {passive: false});
        holder.addEventListener("pointerdown", (event) => {
            if (event.target.closest("button")) return;
            this.touches.set(event.pointerId, event);
            this.moved = 0;
        });
        holder.addEventListener("pointermove", (event) => this.#drag(event));
        for (const end of ["pointerup", "pointercancel", "pointerleave"]) holder.addEventListener(end, (event) => this.touches.delete(event.pointerId));
        holder.addEventListener("keydown", (event) => this.#key(event));
    }

    #drag(event) {
        const before = this.touches.get(event.pointerId);
        if (!before) return;
        const others = [...this.touches.values()].filter((one) => one.pointerId !== event.pointerId);
        this.touches.set(event.pointerId, event);
        if (others.length > 0) {
            const far = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
            const box = this.holder.getBoundingClientRect();
            this.zoom(far(event) / Math.max(1, far(before)), (event.clientX + others[0].clientX) / 2 - box.left, (event.clientY + others[0].clientY) / 2 - box.top);
            return;
        }
        this.x += event.clientX - before.clientX;
        this.y += event.clientY - before.clientY;
        this.moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
        this.apply();
    }

    #key(event) {
        const step = {ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40]}[event.key];
        if (step) [this.x, this.y] = [this.x + step[0], this.y + step[1]];
        else if (event.key === "+" || event.key === "=") this.zoom(1.2);
        else if (event.key === "-") this.zoom(1 / 1.2);
        else if (event.key === "0") this.fit();
        else return;
        event.preventDefault();
        this.apply();
    }

    zoom(factor, x = this.holder.clientWidth / 2, y = this.holder.clientHeight / 2) {
        const next = Math.min(4, Math.max(0.04, this.scale * factor));
        this.x = x - ((x - this.x) * next) / this.scale;
        this.y = y - ((y - this.y) * next) / this.scale;
        this.scale = next;
        this.apply();
    }

    fit() {
        const {left, top, right, bottom} = this.bounds;
        const [width, height] = [this.holder.clientWidth || 600, this.holder.clientHeight || 400];
        this.scale = Math.min(1.4, Math.max(0.12, 0.92 * Math.min(width / (right - left), height / (bottom - top))));
        this.x = width / 2 - (this.scale * (left + right)) / 2;
        this.y = height / 2 - (this.scale * (top + bottom)) / 2;
        this.apply();
    }

    // All of it where that can be read, else the part around a place.
    begin(x, y) {
        this.fit();
        if (this.scale >= readable) return;
        this.scale = readable;
        this.x = this.holder.clientWidth / 2 - this.scale * x;
        this.y = this.holder.clientHeight / 3 - this.scale * y;
        this.apply();
    }

    apply() {
        this.content.setAttribute("transform", `translate(${this.x.toFixed(1)},${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})`);
    }
}

function edgesOf(graph, placed, where) {
    return placed.rules.flatMap(({number, x, y}) => {
        const {head, body} = graph.conjunctions[number];
        const rule = {x, y};
        return [drawn("path", {class: "edge", d: path(rule, {x: where.get(head).x, y: where.get(head).y + 17}), "data-rule": number}),
            ...body.map((literal) => drawn("path", {class: `edge${isNegated(literal) ? " not" : ""}`,
                d: path({x: where.get(atomOf(literal)).x, y: where.get(atomOf(literal)).y - 17}, rule), "data-rule": number}))];
    });
}

function nodeOf(graph, values, asked, {atom, x, y, width}, choose) {
    const name = graph.atoms[atom].atom;
    const value = values?.[atom] ?? graph.atoms[atom].initial;
    const node = drawn("g", {class: `node${asked.has(atom) ? " asked" : ""}`, transform: `translate(${x - width / 2},${y - 17})`,
        tabindex: 0, role: "button", "aria-label": `${name}, ${shown(value)}`, "data-atom": name},
        drawn("rect", {width, height: 34}),
        drawn("rect", {class: "level", x: 5, y: 26, height: 4, width: Math.max(0, (width - 10) * value)}),
        drawn("text", {x: width / 2, y: 18, "text-anchor": "middle"}, name),
        drawn("title", {}, `${name}: ${shown(value)}`));
    node.addEventListener("click", () => choose(atom, node));
    node.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            choose(atom, node);
        }
    });
    return node;
}

function drawing(graph, values, asked, near, chosen) {
    const placed = layout(graph, near);
    const where = new Map(placed.atoms.map((one) => [one.atom, one]));
    const holder = element("div", {class: "graph", tabindex: 0, role: "application", "aria-label": "Reasoning graph: arrows move it, plus and minus scale it"});
    const content = drawn("g");
    const svg = drawn("svg", {}, content);
    const xs = placed.atoms.flatMap((one) => [one.x - one.width / 2, one.x + one.width / 2]);
    const ys = placed.atoms.map((one) => one.y);
    const camera = new Camera(holder, svg, content, {left: Math.min(...xs) - 20, right: Math.max(...xs) + 20, top: Math.min(...ys) - 40, bottom: Math.max(...ys) + 40});
    const choose = (atom, node) => {
        if (camera.moved > 6) return;
        for (const one of content.querySelectorAll(".chosen, .lit")) one.classList.remove("chosen", "lit");
        node.classList.add("chosen");
        for (const {number} of placed.rules) if (graph.conjunctions[number].head === atom)
            for (const edge of content.querySelectorAll(`[data-rule="${number}"]`)) edge.classList.add("lit");
        chosen(atom);
    };
    camera.moved = 0;
    content.append(...edgesOf(graph, placed, where),
        ...placed.rules.map(({number, x, y}) => drawn("g", {class: "rule"}, drawn("circle", {cx: x, cy: y, r: 4}), drawn("title", {}, graph.clauses[graph.conjunctions[number].clause].text))),
        ...placed.atoms.map((one) => nodeOf(graph, values, asked, one, choose)));
    const tool = (text, label, call) => element("button", {type: "button", "aria-label": label, title: label, onclick: call}, text);
    holder.append(svg, element("div", {class: "tools"}, tool("+", "Larger", () => camera.zoom(1.3)), tool("−", "Smaller", () => camera.zoom(1 / 1.3)), tool("⤢", "All of it", () => camera.fit())));
    const first = placed.atoms.find((one) => asked.has(one.atom)) ?? placed.atoms[0];
    requestAnimationFrame(() => camera.begin(first.x, first.y));
    return holder;
}

export function graphView(context) {
    const {request, failure, result, example, answerGroups, explain} = context;
    const place = element("div", {class: "card"}, element("h2", {}, "The reasoning graph"));
    const proofs = element("div", {"aria-live": "polite"});
    const show = async (graph, atom) => {
        const name = graph.atoms[atom].atom;
        try {
            const {explanations} = await request({do: "explain", atoms: [name], proofs: 3});
            proofs.replaceChildren(element("div", {class: "card"}, element("div", {class: "row"}, element("h2", {}, element("code", {}, name)),
                element("button", {type: "button", onclick: () => explain(name)}, "Explain at length")),
            element("pre", {class: "proof"}, explanations[0]?.text ?? "")));
        } catch (error) {
            failure(error);
        }
    };
    (async () => {
        try {
            const {graph, values, sizes, too_large} = await request({do: "graph"});
            const told = `${counted(sizes.atoms, "atom")}, ${counted(sizes.clauses, "ground clause")}, ${counted(sizes.edges, "edge")}.`;
            if (too_large) {
                place.append(element("p", {class: "note"}, `${told} Too large to draw: ask for less.`));
                return;
            }
            withBodies(graph);
            const numbers = new Map(graph.atoms.map((one, number) => [one.atom, number]));
            const wanted = answerGroups(result, example).flatMap((group) => group.answers).map((one) => numbers.get(one.atom)).filter((one) => one !== undefined);
            const near = neighbourhood(graph, wanted.length > 0 ? wanted : graph.atoms.keys(), mostAtoms);
            const left = near.left > 0 ? ` Shown are ${near.atoms.length} atoms that the answers depend on, the nearest first.` : "";
            place.append(element("p", {class: "note"}, `${told}${left} Premises are below what they lead to, dots are ground clauses. Drag, zoom, choose an atom to see its proofs.`),
                drawing(graph, values, new Set(wanted), near, (atom) => show(graph, atom)));
        } catch (error) {
            failure(error);
        }
    })();
    return element("div", {}, place, proofs);
}
