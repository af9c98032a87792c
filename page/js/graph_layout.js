// Where the atoms and ground clauses of a graph are drawn: in layers, premises below what they lead to.

const rowHeight = 92;
const gap = 18;

// At most so many atoms: those that the asked ones depend on, nearest first.
export function neighbourhood(graph, asked, most) {
    const of = new Map();
    graph.conjunctions.forEach((one, number) => {
        if (!of.has(one.head)) of.set(one.head, []);
        of.get(one.head).push(number);
    });
    const atoms = new Set();
    const rules = new Set();
    const queue = [...asked];
    for (let at = 0; at < queue.length && atoms.size < most; ++at) {
        if (atoms.has(queue[at])) continue;
        atoms.add(queue[at]);
        for (const number of of.get(queue[at]) ?? []) {
            rules.add(number);
            queue.push(...graph.conjunctions[number].body.map(atomOf));
        }
    }
    const whole = [...rules].filter((number) => graph.conjunctions[number].body.every((literal) => atoms.has(atomOf(literal))));
    return {atoms: [...atoms], rules: whole, left: graph.atoms.length - atoms.size};
}

// Bodies as one list: atoms, and {not: atom} for those that are negated.
export function withBodies(graph) {
    for (const one of graph.conjunctions) one.body = [...one.body, ...(one.negated ?? []).map((atom) => ({not: atom}))];
    return graph;
}
export const isNegated = (literal) => typeof literal === "object";
export const atomOf = (literal) => (isNegated(literal) ? literal.not : literal);

// The layer of an atom: one above the highest premise; what depends on itself counts as seen from where it was entered.
function layers(graph, atoms, rules) {
    const by = new Map(atoms.map((atom) => [atom, []]));
    for (const number of rules) by.get(graph.conjunctions[number].head).push(graph.conjunctions[number].body.map(atomOf));
    const layer = new Map();
    const open = new Set();
    const visit = (start) => {
        const stack = [[start, false]];
        while (stack.length > 0) {
            const [atom, done] = stack.pop();
            if (done) {
                const below = by.get(atom).flat().filter((one) => layer.has(one)).map((one) => layer.get(one));
                layer.set(atom, below.length > 0 ? Math.max(...below) + 1 : 0);
                continue;
            }
            if (layer.has(atom) || open.has(atom)) continue;
            open.add(atom);
            stack.push([atom, true]);
            for (const body of by.get(atom)) for (const one of body) stack.push([one, false]);
        }
    };
    atoms.forEach(visit);
    return layer;
}

// {atoms: [{atom, x, y, width}], rules: [{number, x, y}], width, height}
export function layout(graph, {atoms, rules}) {
    const layer = layers(graph, atoms, rules);
    const rows = [];
    for (const atom of atoms) (rows[layer.get(atom)] ??= []).push(atom);
    const place = new Map();
    const width = (atom) => Math.max(46, 7.3 * graph.atoms[atom].atom.length + 18);
    const spread = (row) => {
        let x = -row.reduce((sum, atom) => sum + width(atom) + gap, -gap) / 2;
        for (const atom of row) {
            place.set(atom, x + width(atom) / 2);
            x += width(atom) + gap;
        }
    };
    rows.forEach(spread);
    const around = new Map(atoms.map((atom) => [atom, []]));
    for (const number of rules) {
        const {head, body} = graph.conjunctions[number];
        for (const literal of body) {
            around.get(head).push(atomOf(literal));
            around.get(atomOf(literal)).push(head);
        }
    }
    const middle = (atom) => {
        const near = around.get(atom).map((one) => place.get(one));
        return near.length > 0 ? near.reduce((sum, x) => sum + x, 0) / near.length : place.get(atom);
    };
    for (let pass = 0; pass < 8; ++pass) {
        for (const row of pass % 2 === 0 ? rows : [...rows].reverse()) {
            const wanted = new Map(row.map((atom) => [atom, middle(atom)]));
            row.sort((a, b) => wanted.get(a) - wanted.get(b));
            spread(row);
        }
    }
    const high = (atom) => (rows.length - 1 - layer.get(atom)) * rowHeight;
    const drawnRules = rules.map((number) => {
        const {head, body} = graph.conjunctions[number];
        const x = (2 * place.get(head) + body.reduce((sum, one) => sum + place.get(atomOf(one)), 0)) / (2 + body.length);
        return {number, x, y: high(head) + rowHeight * 0.45};
    });
    drawnRules.sort((a, b) => a.y - b.y || a.x - b.x);
    drawnRules.forEach((one, i) => {  // none on top of another
        const last = drawnRules[i - 1];
        if (last && last.y === one.y && one.x - last.x < 12) one.x = last.x + 12;
    });
    return {atoms: atoms.map((atom) => ({atom, x: place.get(atom), y: high(atom), width: width(atom)})), rules: drawnRules};
}
