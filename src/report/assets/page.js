// What folding by the browser alone cannot do. Without this script everything is shown, one thing below the other.
"use strict";

document.documentElement.classList.add("js");

// Expand all, collapse all.
for (const button of document.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => {
        const tree = document.getElementById(button.dataset.tree);
        for (const details of tree.querySelectorAll("details")) details.open = button.dataset.fold === "open";
    });
}

// One proof at a time.
function showProof(choice) {
    for (const radio of choice.querySelectorAll("input")) {
        document.getElementById(radio.value).classList.toggle("away", !radio.checked);
    }
}
for (const choice of document.querySelectorAll("[data-switch]")) {
    choice.addEventListener("change", () => showProof(choice));
    showProof(choice);
}

// The heat map over the picture, as strong as one likes.
for (const views of document.querySelectorAll("[data-views]")) {
    const overlay = views.querySelector("[data-overlay]");
    if (!overlay) continue;
    const strength = views.querySelector("[data-strength]");
    const heat = views.querySelector(".heat img");
    const show = () => {
        views.classList.toggle("overlaid", overlay.checked);
        strength.disabled = !overlay.checked;
        heat.style.opacity = overlay.checked ? strength.value / 100 : "";
    };
    overlay.addEventListener("change", show);
    strength.addEventListener("input", show);
    show();
}

// One explanation at a time, that of the address; what a link leads to is unfolded.
const articles = [...document.querySelectorAll("article")];
function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const within = target && target.closest("article");
    if (within || !articles.some((article) => !article.classList.contains("away"))) {
        const shown = within || articles[0];
        for (const article of articles) article.classList.toggle("away", article !== shown);
        for (const link of document.querySelectorAll("a.to")) {
            const current = link.getAttribute("href") === "#" + shown.id;
            if (current) link.setAttribute("aria-current", "true");
            else link.removeAttribute("aria-current");
        }
    }
    if (!within) return;
    const panel = target.closest(".panel.away");
    if (panel) {
        const radio = document.querySelector('input[value="' + panel.id + '"]');
        radio.checked = true;
        showProof(radio.closest("[data-switch]"));
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
}
for (const article of articles) article.classList.add("away");
addEventListener("hashchange", follow);
follow();

// On paper nothing can be unfolded.
let folded = [];
addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
});
