// The page: the program on the left, what follows from it on the right.

import {answerGroups, answersView} from "./answers.js";
import {compareView} from "./compare.js";
import {byId, counted, element, later, toast} from "./dom.js";
import {Engine, Stopped, isNative} from "./engine.js";
import {explainView} from "./explain.js";
import {graphView} from "./graph.js";
import {historyView} from "./history.js";
import {Editor, problemList} from "./language.js";
import {learnView} from "./learn.js";
import {scenesView} from "./scenes.js";
import {picturesView} from "./pictures.js";
import {pack, unpack} from "./share.js";
import {whatIfView} from "./whatif.js";
import {Workspace, download} from "./workspace.js";

const name = "program.nm";
const views = {
    answers: {title: "Answers", make: answersView},
    explain: {title: "Why", make: explainView},
    whatif: {title: "What if", make: whatIfView},
    history: {title: "Steps", make: historyView},
    graph: {title: "Graph", make: graphView},
    compare: {title: "Compare", make: compareView},
    learn: {title: "Learn", make: learnView, alone: true},
    scenes: {title: "Scenes", make: scenesView, alone: true},
    pictures: {title: "Pictures", make: picturesView, alone: true},
};

const checker = new Engine();
const engine = new Engine();
const state = {view: "answers", files: {}, worlds: [], world: 0, train: "", test: "", result: null, good: false, about: null, atom: null,
    pictured: {chosen: [], network: "auto", together: false, ask: "", seen: null, result: null}};
const workspace = new Workspace();
let examples = [];
let editor = null;

const ownSentence = "Your own program. It is kept in this browser.";

// What every request about the program says.
function program() {
    const steps = byId("steps").value ? Number(byId("steps").value) : undefined;
    const query = byId("query").value.trim().replace(/\.$/, "");
    return {program: editor.text, files: state.files, name, semantics: byId("semantics").value, gamma: Number(byId("gamma").value), steps,
        queries: query ? [query] : [], given: state.worlds[state.world]?.atoms};
}

const semanticsNow = () => state.about.semantics.find((one) => one.name === byId("semantics").value);

function failure(error) {
    if (error instanceof Stopped) return;
    byId("failure").hidden = false;
    byId("failure").replaceChildren(error.message, ...remedies(error.message));
}

// Evidence about derived atoms needs a semantics of random worlds: the page offers it in the place of the advice.
function remedies(message) {
    if (!/evidence/.test(message) || semanticsNow()?.evidence) return [];
    const name = state.about.semantics.find((one) => one.evidence && one.exact)?.name;
    return name ? [element("button", {type: "button", onclick: () => {
        byId("semantics").value = name;
        ask();
    }}, `Answer with ${name}`)] : [];
}

function request(more, how) {
    byId("failure").hidden = true;
    return engine.ask({...program(), ...more}, how);
}

function context() {
    return {result: state.result, example: 0, asked: {...program(), ...semanticsNow()}, atom: state.atom, program: editor.text,
        data: {train: state.train, test: state.test}, semantics: state.about.semantics, datasets: state.about.datasets,
        exampleId: byId("example").value, base: state.worlds[state.world]?.atoms ?? {}, request, failure, answerGroups,
        expected: expected(), isNative: isNative(), pictured: state.pictured, picturedWorld: state.worlds[state.world]?.pictured, explain: (atom) => {
            state.atom = atom;
            show("explain");
        }, use: (text, world) => {
            keepVersion();
            open({program: text, examples: world ?? "", train: state.train, test: state.test, files: world ? {} : state.files});
            edited();
            show("answers");
        }, reasonAbout: (worlds, number, atom) => {
            Object.assign(state, {worlds, world: number, atom});
            showData();
            ask().then(() => show(atom ? "explain" : "answers"));
        }};
}

// Whether an atom is the answer that the example expects: answer(red) for "red".
function expected() {
    const answer = state.worlds[state.world]?.answer;
    return answer === undefined ? undefined : (atom) => atom.endsWith(`(${answer})`);
}

// On narrow screens tabs are wider than the page; its own place must stay.
function intoView(tab) {
    const tabs = tab.parentElement;
    const [left, right] = [tab.offsetLeft - tabs.offsetLeft, tab.offsetLeft - tabs.offsetLeft + tab.offsetWidth];
    if (left < tabs.scrollLeft || right > tabs.scrollLeft + tabs.clientWidth) tabs.scrollLeft = left - (tabs.clientWidth - tab.offsetWidth) / 2;
    byId("views").setAttribute("aria-labelledby", tab.id);
}

function show(view) {
    state.view = view;
    for (const tab of document.querySelectorAll(".tabs button")) {
        const chosen = tab.dataset.view === view;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        if (chosen) intoView(tab);
    }
    byId("failure").hidden = true;
    const {make, alone} = views[view];
    if (!state.about || (!alone && !state.result)) {
        byId("views").replaceChildren();
        return;
    }
    byId("views").replaceChildren(make(context()));
}

async function ask() {
    if (!state.good) return;
    const semantics = semanticsNow();
    keepWork();
    byId("meaning").textContent = semantics.summary;
    byId("gamma-label").hidden = !semantics.gamma;
    if (semantics.needs_steps && !byId("steps").value) byId("steps").value = 10;
    try {
        state.result = await request({do: "reason"});
        const atoms = answerGroups(state.result, 0).flatMap((group) => group.answers.map((one) => one.atom));
        byId("atoms").replaceChildren(...atoms.slice(0, 300).map((atom) => element("option", {value: atom})));
        if (state.atom && !atoms.includes(state.atom)) state.atom = null;
        byId("status").textContent = `${counted(state.result.atoms, "atom")}, ${counted(state.result.ground_clauses, "ground clause")}, ${(1000 * state.result.seconds).toFixed(0)} ms; ${state.result.engine}`;
        byId("views").classList.remove("stale");
        if (!views[state.view].alone) show(state.view);
        performance.mark("answered");
    } catch (error) {
        if (error instanceof Stopped) return;
        state.result = null;
        byId("status").textContent = "";
        byId("views").classList.remove("stale");
        if (!views[state.view].alone) byId("views").replaceChildren();
        failure(error);
    }
}

async function check() {
    // What runs or waits is about the program as it was.
    if (engine.busy) engine.stop();
    try {
        const found = await checker.ask({do: "check", program: editor.text, files: state.files, name});
        state.good = found.good;
        editor.show(found, name);
        byId("problems").replaceChildren(...(found.problems.length > 0 ? problemList(found.problems, (place) => editor.goTo(place))
            : [element("div", {class: "fine"}, `✓ ${counted(found.predicates.length, "predicate")}, ${counted(found.facts, "fact")}, ${counted(found.clauses, "clause")}`)]));
        if (found.good) ask();
        else if (state.result) byId("status").textContent = "This is about the last program without a mistake.";
    } catch (error) {
        failure(error);
    }
}
const checkSoon = later(250, check);

// Whatever is shown is about another program from the first change on.
function edited() {
    if (!state.changed) {
        state.changed = true;
        byId("example").value = "";
        byId("sentence").textContent = ownSentence;
        byId("task").hidden = byId("steps-list").hidden = true;
    }
    byId("views").classList.toggle("stale", !views[state.view].alone);
    byId("status").textContent = "";
    byId("failure").hidden = true;
    checkSoon();
}

function work() {
    const {queries, semantics, gamma, steps} = program();
    return {title: byId("title").value.trim(), program: editor.text, files: state.files, train: state.train, test: state.test,
        examples: state.worlds.map((world) => JSON.stringify({...world, pictured: undefined})).join("\n"),
        query: queries[0] ?? "", semantics, gamma, steps, view: state.view};
}

const keepWork = later(400, () => {
    if (state.changed) workspace.keep(work());
});

function keepVersion() {
    if (!state.changed) return;
    workspace.keepVersion(work());
    listVersions();
}

function listVersions() {
    byId("versions").replaceChildren(element("option", {value: ""}, `Versions (${workspace.versions.length})`),
        ...workspace.versions.map((one, place) => element("option", {value: place}, `${new Date(one.time).toLocaleString()} ${one.title}`)));
    byId("versions").disabled = workspace.versions.length === 0;
}

function openWork(found) {
    Object.assign(state, {changed: true});
    byId("title").value = found.title ?? "";
    byId("example").value = "";
    byId("sentence").textContent = ownSentence;
    byId("task").hidden = byId("steps-list").hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
    open(found);
    show(found.view in views ? found.view : "answers");
}

function newProgram() {
    keepVersion();
    openWork({title: "", program: "", semantics: state.about.semantics.find((one) => one.exact)?.name});
    workspace.forgetCurrent();
    editor.focus();
}

async function openFile() {
    const [file] = byId("file").files;
    byId("file").value = "";
    if (!file) return;
    keepVersion();
    openWork({title: file.name.replace(/\.\w+$/, ""), program: await file.text(), semantics: byId("semantics").value});
}

// Whether another program may take the place of this one: nothing is lost, but nothing is replaced unasked.
function mayReplace() {
    if (!state.changed) return Promise.resolve(true);
    const dialog = byId("replace");
    dialog.showModal();
    // By its buttons: the event "close" of an earlier question may come when the next one is already open.
    return new Promise((resolve) => {
        for (const button of dialog.querySelectorAll("button")) button.onclick = () => resolve(button.value === "open");
        dialog.oncancel = () => resolve(false);
    });
}

// What comes with a program: tables, and worlds to reason about.
function showData() {
    const files = Object.entries(state.files).map(([file, text]) => element("label", {}, file, area(text, (value) => { state.files[file] = value; })));
    byId("files").replaceChildren(...files);
    byId("data").hidden = files.length === 0;
    const pick = element("select", {"aria-label": "Example of the data", onchange: () => {
        state.world = Number(pick.value);
        ask();
    }}, state.worlds.map((world, i) => element("option", {value: i, selected: i === state.world}, `${world.id ?? i + 1}${world.answer === undefined ? "" : `: ${world.answer}`}`)));
    const count = Object.keys(state.worlds[state.world]?.atoms ?? {}).length;
    byId("world").hidden = state.worlds.length === 0;
    byId("world").replaceChildren(element("span", {}, "Reasoning about example"), pick, element("span", {class: "note"}, `${count} atoms are given`),
        element("button", {type: "button", onclick: () => {
            state.worlds = [];
            showData();
            ask();
        }}, "Without it"));
}

function area(text, changed) {
    const made = element("textarea", {spellcheck: "false", oninput: () => {
        changed(made.value);
        checkSoon();
    }});
    made.value = text;
    return made;
}

function open({program: text, files = {}, examples: lines = "", train = "", test = "", query = "", semantics, gamma, steps}) {
    Object.assign(state, {files: {...files}, train, test, world: 0, atom: null, result: null, good: false,
        worlds: lines.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line))});
    byId("query").value = query;
    if (semantics) byId("semantics").value = semantics;
    if (gamma) byId("gamma").value = gamma;
    byId("steps").value = steps ?? "";
    showData();
    editor.text = text;
    check();
}

function pickExample(id) {
    const found = examples.find((one) => one.id === id) ?? examples[0];
    state.changed = false;
    byId("title").value = found.title;
    byId("example").value = found.id;
    byId("sentence").textContent = found === examples[0] ? document.querySelector('meta[name="description"]').content : found.sentence;
    byId("steps-list").hidden = found !== examples[0];
    byId("task").hidden = !found.task;
    byId("task").textContent = found.task ? `Try it: ${found.task}` : "";
    byId("semantics").value = found.semantics ?? "softor";
    history.replaceState(null, "", found === examples[0] ? location.pathname + location.search : `#example=${found.id}`);
    open(found);
    if (views[state.view].alone || found.train) show(found.train ? "learn" : "answers");
}

async function openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    const shared = link.has("p") ? await unpack(link.get("p")) : null;
    if (!shared && !link.has("example") && workspace.current) {
        openWork(workspace.current);
    } else {
        if (workspace.current) workspace.keepVersion(workspace.current);
        workspace.forgetCurrent();
        listVersions();
        if (shared) openWork({title: "", ...shared});
        else pickExample(link.get("example") ?? examples[0].id);
    }
    if (link.has("p") && !shared) failure(new Error("This link is damaged: no program can be read from it."));
}

async function share() {
    const {queries, semantics, gamma, steps} = program();
    const lines = state.worlds.length > 0 ? JSON.stringify({...state.worlds[state.world], pictured: undefined}) : undefined;
    const some = (value) => (value && Object.keys(value).length > 0 ? value : undefined);
    const packed = await pack({program: editor.text, files: some(state.files), examples: lines, train: some(state.train), query: queries[0], semantics, gamma, steps, view: state.view});
    history.replaceState(null, "", `#p=${packed}`);
    try {
        await navigator.clipboard.writeText(location.href);
        toast("The link is copied: it holds the program");
    } catch {
        toast("The link is in the address bar: it holds the program");
    }
}

function makeTabs() {
    const tabs = document.querySelector(".tabs");
    for (const [view, {title}] of Object.entries(views))
        tabs.append(element("button", {type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "views", "data-view": view, onclick: () => show(view)}, title));
    tabs.addEventListener("keydown", (event) => {
        const all = [...tabs.children];
        const now = all.indexOf(document.activeElement);
        const to = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1}[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = all.at(to % all.length);
        next.focus();
        next.click();
    });
}

function listExamples() {
    const groups = new Map();
    for (const one of examples) {
        if (!groups.has(one.group)) groups.set(one.group, element("optgroup", {label: one.group}));
        groups.get(one.group).append(element("option", {value: one.id}, one.title));
    }
    byId("example").append(element("option", {value: "", hidden: true}, "Your program"), ...groups.values());
}

function listen() {
    byId("example").addEventListener("change", async () => {
        const chosen = byId("example").value;
        if (await mayReplace()) {
            keepVersion();
            workspace.forgetCurrent();
            pickExample(chosen);
        } else {
            byId("example").value = "";
        }
    });
    byId("new").addEventListener("click", newProgram);
    byId("save").addEventListener("click", () => {
        edited();
        keepVersion();
        toast("This version is kept in this browser");
    });
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", openFile);
    byId("download").addEventListener("click", () => download(`${byId("title").value.trim() || "program"}.nm`, editor.text));
    byId("title").addEventListener("change", edited);
    byId("versions").addEventListener("change", () => {
        const found = workspace.versions[Number(byId("versions").value)];
        keepVersion();
        openWork(found);
    });
    byId("ask").addEventListener("submit", (event) => {
        event.preventDefault();
        ask();
    });
    for (const id of ["semantics", "gamma", "steps", "query"]) byId(id).addEventListener("change", ask);
    byId("share").addEventListener("click", share);
    byId("theme").addEventListener("click", () => {
        const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        document.documentElement.dataset.theme = next;
        try {
            localStorage.setItem("theme", next);
        } catch {
            // It is kept for this visit only.
        }
        if (state.view === "explain") show("explain");
    });
    byId("stop").addEventListener("click", () => {
        engine.end();
        byId("status").textContent = "Stopped. “Ask” runs it again.";
    });
    window.addEventListener("hashchange", openLink);
    const showBusy = later(200, () => {
        byId("busy").hidden = byId("stop").hidden = !engine.busy;
    });
    engine.onchange = showBusy;
}

// What answers: people must know where their programs and pictures go.
function showEngine() {
    const threads = counted(state.about.threads ?? 1, "thread");
    byId("answering").textContent = isNative() ? `native engine, ${threads}` : "WebAssembly";
    byId("answering").textContent += `, version ${state.about.version}`;
    byId("answering").title = isNative() ? "“neumann page” on this machine answers" : "This browser answers";
    if (isNative()) byId("where").textContent = "This machine's own engine answers, in “neumann page”; nothing leaves it.";
}

// The program can be read while the engine loads.
function prefill() {
    const id = new URLSearchParams(location.hash.slice(1)).get("example");
    const kept = location.hash === "" ? workspace.current : null;
    editor.text = (kept ?? examples.find((one) => one.id === id) ?? examples[0]).program;
}

async function begin() {
    makeTabs();
    listen();
    editor = new Editor((set) => set || edited(), ask);
    const about = engine.ask({do: "about"});
    examples = await (await fetch("examples.json")).json();
    listExamples();
    listVersions();
    prefill();
    fetch("../", {method: "HEAD"}).then((found) => { byId("documentation").hidden = isNative() || !found.ok; }, () => {});
    state.about = await about;
    showEngine();
    byId("semantics").append(...state.about.semantics.map((one) => element("option", {value: one.name, title: one.summary}, one.name)));
    byId("semantics").value = "softor";
    show("answers");
    await openLink();
}

begin().catch(failure);
