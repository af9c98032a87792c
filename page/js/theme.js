// Light or dark before anything is drawn: as it was chosen here, else as the system is.
(() => {
    let kept = null;
    try {
        kept = localStorage.getItem("theme");
    } catch {
        // Storage may be refused: then the system decides.
    }
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const show = () => { document.documentElement.dataset.theme = kept ?? (dark.matches ? "dark" : "light"); };
    dark.addEventListener("change", show);
    show();
})();
