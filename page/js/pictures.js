// Pictures: what networks see in them, drawn into them, and what the program makes of it. Networks need `neumann page`.

import {answerGroups} from "./answers.js";
import {counted, drawn, element, meter, shown} from "./dom.js";

const mostBytes = 22_000_000;  // of all pictures; a request has half as much again
const leastShown = 0.005;  // atoms that are less probable are left out
const mostAnswers = 8;

async function readFile(file) {
    const data = await new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(file);
    });
    return {title: file.name, data: data.slice(data.indexOf(",") + 1), bytes: file.size,
        address: `data:${file.type === "image/jpeg" ? "image/jpeg" : "image/png"};base64,${data.slice(data.indexOf(",") + 1)}`};
}

const attributesOf = (object) => Object.entries(object).filter(([, value]) => value?.value !== undefined);

const nameOf = (object) => attributesOf(object).map(([, {value}]) => value).join(" ");

// A numbered box around each object.
function overlay(picture, image) {
    const made = drawn("svg", {class: "boxes", "aria-hidden": "true"});
    const draw = () => {
        const [width, height] = [image.naturalWidth, image.naturalHeight];
        if (!width) return;
        const unit = Math.max(width, height) / 100;
        made.setAttribute("viewBox", `0 0 ${width} ${height}`);
        made.replaceChildren(...picture.objects.flatMap((object, number) => {
            const [x, y] = [(object.x - object.width / 2) * width, (object.y - object.height / 2) * height];
            const box = {x, y, width: object.width * width, height: object.height * height, "data-object": number, "stroke-width": unit * 0.6};
            return [drawn("rect", {...box, class: "rim"}), drawn("rect", {...box, class: "box"}),
                drawn("text", {x: x + unit * 0.8, y: Math.max(y, unit * 5) - unit * 0.8, "font-size": unit * 5, "stroke-width": unit * 0.8}, `${number}`)];
        }));
    };
    image.addEventListener("load", draw);
    draw();
    return made;
}

function seenPicture(picture, address) {
    const image = element("img", {src: address, alt: `${picture.title}: ${counted(picture.objects.length, "object")}`});
    const rows = picture.objects.map((object, number) => element("tr", {}, element("td", {}, `${number}`), element("td", {}, nameOf(object)),
        element("td", {title: attributesOf(object).map(([name, {value, probability}]) => `${name} ${value}: ${probability.toFixed(3)}`).join("\n")},
            shown(Math.min(...attributesOf(object).map(([, {probability}]) => probability)))), element("td", {}, shown(object.presence))));
    return element("div", {class: "card beside seen"}, element("div", {class: "with-boxes"}, image, overlay(picture, image)),
        element("div", {}, element("h2", {}, picture.title), element("p", {class: "note"}, [counted(picture.objects.length, "object"), ...picture.notes].join("; ")),
            element("div", {class: "scroll", style: "max-height:14rem"}, element("table", {},
                element("thead", {}, element("tr", {}, ["object", "what it is", "sure", "there"].map((text) => element("th", {}, text)))), element("tbody", {}, rows)))));
}

// What the program says about what was seen, and what it was given to say so.
function concluded(example, result, number, why) {
    const answers = answerGroups(result, number).flatMap((group) => group.answers).sort((a, b) => b.value - a.value).slice(0, mostAnswers);
    const atoms = Object.entries(example.atoms).filter(([, value]) => value >= leastShown).sort(([, a], [, b]) => b - a);
    return element("div", {class: "card", "data-pictured": number}, element("h2", {}, example.id),
        element("div", {class: "answers"}, answers.map((one) => element("button", {type: "button", class: "answer", title: "Why?", "data-atom": one.atom, onclick: () => why(number, one.atom)},
            element("span", {class: "atom"}, one.atom), meter(one.value, one), element("span", {class: "value"}, shown(one.value))))),
        element("details", {}, element("summary", {}, `${counted(atoms.length, "atom")} as the networks see them`),
            element("div", {class: "scroll", style: "max-height:16rem"}, atoms.map(([atom, value]) => element("div", {class: "atom"}, `${shown(value)}  ${atom}`)))),
        element("button", {type: "button", onclick: () => why(number, null)}, "Reason about it"));
}

export function picturesView(context) {
    const {request, failure, isNative, pictured, reasonAbout} = context;
    if (!isNative)
        return element("div", {class: "card"}, element("h2", {}, "Pictures"), element("p", {class: "note"}, "Networks find the objects in pictures, and the program reasons about them. They do not run in a browser: ",
            element("code", {}, "neumann page"), " on your own machine serves this page with them."));
    const status = element("p", {class: "note", role: "status"});
    const results = element("div");
    const input = element("input", {type: "file", multiple: true, accept: "image/png,image/jpeg", "aria-label": "Pictures"});
    const network = element("select", {"aria-label": "Network"}, ["auto", "figures", "solids", "slots"].map((name) => element("option", {value: name, selected: name === pictured.network}, name)));
    const together = element("input", {type: "checkbox", checked: pictured.together});
    const question = element("input", {type: "text", value: pictured.ask, spellcheck: "false", placeholder: "where the program waits for one"});
    const how = () => ({network: network.value, together: together.checked, ask: question.value.trim().replace(/\.$/, "") || undefined});
    const show = () => {
        const {seen, result, chosen} = pictured;
        if (!seen) return;
        const why = (number, atom) => reasonAbout(seen.examples.map((one) => ({id: one.id, atoms: one.atoms,
            pictured: {...pictured.how, pictures: one.pictures.map((place) => ({title: chosen[place].title, data: chosen[place].data}))}})), number, atom);
        // Below the last of their pictures.
        const conclusions = (place) => (result ? seen.examples.map((one, number) => (one.pictures.at(-1) === place ? concluded(one, result, number, why) : null)).filter((one) => one) : []);
        results.replaceChildren(...[seen.notes, seen.problem].filter((text) => text).map((text) => element("p", {class: "failure"}, text.trim())),
            ...seen.pictures.flatMap((one) => [seenPicture(one, chosen[one.image].address), ...conclusions(one.image)]));
    };
    const look = async () => {
        const {chosen} = pictured;
        if (chosen.length === 0) return;
        Object.assign(pictured, {...how(), how: how(), seen: null, result: null});
        results.replaceChildren();
        status.textContent = `Looking at ${counted(chosen.length, "picture")}…`;
        try {
            const news = ({done, total}) => { status.textContent = `Looked at ${done} of ${total}…`; };
            pictured.seen = await request({do: "look", ...how(), pictures: chosen.map(({title, data}) => ({title, data}))}, {news});
            const lines = pictured.seen.examples.map((one) => JSON.stringify({id: one.id, atoms: one.atoms})).join("\n");
            show();
            if (lines) pictured.result = await request({do: "reason", examples: lines, given: undefined}, {channel: "pictures"});
            show();
            status.textContent = "";
        } catch (error) {
            status.textContent = "";
            failure(error);
        }
    };
    const choose = async (files) => {
        try {
            const chosen = await Promise.all([...files].map(readFile));
            if (chosen.reduce((sum, one) => sum + one.bytes, 0) > mostBytes) throw new Error(`These pictures have more than ${mostBytes / 1e6} MB; choose fewer or smaller ones`);
            pictured.chosen = chosen;
            await look();
        } catch (error) {
            failure(error);
        }
    };
    input.addEventListener("change", () => choose(input.files));
    const zone = element("div", {class: "drop"}, element("p", {}, "Drop pictures here, PNG or JPEG, or choose them: "), input);
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
        zone.addEventListener(kind, (event) => {
            event.preventDefault();
            zone.classList.toggle("over", kind === "dragenter" || kind === "dragover");
            if (kind === "drop") choose(event.dataTransfer.files);
        });
    const form = element("form", {class: "row", onsubmit: (event) => {
        event.preventDefault();
        look();
    }}, element("label", {}, "network", network), element("label", {}, together, "one example of all"), element("label", {}, "question", question), element("button", {class: "main"}, "Look again"));
    show();
    return element("div", {}, element("div", {class: "card"}, element("h2", {}, "Pictures"),
        element("p", {class: "note"}, "Networks on this machine find the objects, and the program in the editor reasons about them: examples under “Scenes” have one. Pictures go to “neumann page” alone, and it forgets them."), zone, form, status), results);
}
