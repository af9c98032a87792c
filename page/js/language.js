// The language in the editor: colours, what is wrong as one types, and completion of the names that the program knows.

import {byId, element} from "./dom.js";
import {languageMode} from "./mode.js";
import {directives, keywords, tokens} from "./neumann_tokens.js";

const words = [...directives, ...keywords];

// The name before the cursor, and those of the program that begin like it. Unasked, a whole name is left alone.
function hints(known, unasked) {
    return (editor) => {
        const {line, ch} = editor.getCursor();
        const before = editor.getLine(line).slice(0, ch).match(/[A-Za-z_]\w*$/)?.[0] ?? "";
        const whole = unasked && (before === "" || known.includes(before));
        const list = whole ? [] : known.filter((name) => name.startsWith(before) && name !== before);
        const from = {line, ch: ch - before.length};
        return {list, from, to: {line, ch}};
    };
}

export class Editor {
    #editor;
    #marks = [];
    #known = words;

    constructor(onchange, ontell) {
        CodeMirror.defineMode("neumann", () => languageMode(tokens));
        this.#editor = CodeMirror.fromTextArea(byId("text"), {
            mode: "neumann", theme: "neumann", lineNumbers: true, matchBrackets: true, autoCloseBrackets: true,
            lineWrapping: true, indentUnit: 4, inputStyle: "contenteditable",
            extraKeys: {
                "Ctrl-Space": () => this.complete(),
                "Ctrl-Enter": ontell,
                "Cmd-Enter": ontell,
                Esc: (editor) => byId("query").focus(editor.getInputField().blur()),
                Tab: false, "Shift-Tab": false,  // so that the keyboard leads on
            },
        });
        this.#editor.getInputField().setAttribute("aria-label", "Program");
        this.#editor.on("change", (_, change) => onchange(change.origin === "setValue"));
        this.#editor.on("inputRead", (editor, change) => {
            if (/^[a-z_]$/i.test(change.text[0]) && editor.getTokenAt(editor.getCursor()).string.length >= 2)
                this.complete(true);
        });
    }

    get text() {
        return this.#editor.getValue();
    }

    set text(text) {
        this.#editor.setValue(text);
    }

    focus() {
        this.#editor.focus();
    }

    complete(only = false) {
        const hint = hints(this.#known, only);
        if (only && hint(this.#editor).list.length === 0) return;
        this.#editor.showHint({hint, completeSingle: !only, closeCharacters: /[^\w]/});
    }

    // What the core says about the program: places are underlined, names are completed from now on.
    show(check, name) {
        for (const mark of this.#marks) mark.clear();
        this.#marks = [];
        for (const problem of check.problems) {
            const {line, column, end_line, end_column, file} = problem.place;
            if (!line || file !== name) continue;
            const from = {line: line - 1, ch: unit(this.#editor, line - 1, column - 1)};
            const to = {line: end_line - 1, ch: unit(this.#editor, end_line - 1, end_column)};
            if (from.line === to.line && from.ch === to.ch) from.ch = Math.max(0, from.ch - 1);
            this.#marks.push(this.#editor.markText(from, to, {className: `mark-${problem.severity}`, attributes: {title: problem.message}}));
        }
        if (!check.good) return;
        const names = new Set(words);
        for (const predicate of check.predicates) names.add(predicate.text.replace(/\(.*/, ""));
        for (const type of check.types) {
            names.add(type.name);
            for (const one of [...type.constants, ...type.functors]) names.add(one.replace(/\(.*/, ""));
        }
        this.#known = [...names].filter((one) => /^[a-z]\w*$/.test(one)).sort();
    }

    goTo(place) {
        this.#editor.focus();
        this.#editor.setCursor({line: place.line - 1, ch: unit(this.#editor, place.line - 1, place.column - 1)});
    }

    refresh() {
        this.#editor.refresh();
    }
}

// Columns count characters, the editor counts units of UTF-16.
function unit(editor, line, characters) {
    return [...(editor.getLine(line) ?? "")].slice(0, characters).join("").length;
}

export function problemList(problems, goTo) {
    return problems.slice(0, 20).map((problem) => element("button",
        {type: "button", class: `problem ${problem.severity}`, onclick: () => problem.place.line && goTo(problem.place)},
        element("b", {}, problem.place.line ? `Line ${problem.place.line}: ` : ""), problem.message,
        problem.advice ? element("small", {}, problem.advice) : null));
}
