#!/usr/bin/env python3
"""The page of explanations in a real browser: report_browser_test.py NEUMANN EXAMPLES [FAKE]

Opens what `neumann explain --html` writes in Chromium, without a window, and uses it as people do: with the keyboard,
in the dark, on a narrow screen. FAKE is a component that sees pictures without a network. Skipped (77) where there is
no Chromium or no chromedriver. NEUMANN_SCREENSHOTS names a folder to leave pictures of the pages in.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from browser import ENTER, LEFT, RIGHT, SPACE, TAB, Browser, is_installed
from perceive_test import weights

SKIPPED = 77
PATIENCE = 300

# Texts that people see whose contrast with what is behind them is too low, after the rule of WCAG 2.
LOW_CONTRAST = """
const parse = (text) => {
    const scale = text.startsWith("color(") ? 255 : 1;  // color(srgb 0.5 0.5 0.5), of mixed colours
    const parts = text.match(/[\\d.]+/g).map((part, place) => Number(part) * (place < 3 ? scale : 1));
    return parts.length === 4 ? parts : [...parts, 1];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((v) => v / 255).map((v) =>
        v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const low = [];
let seen = 0;
for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(".unseen, script")) continue;
    const style = getComputedStyle(element);
    const behind = ground(element);
    const colour = over(parse(element.namespaceURI.includes("svg") ? style.fill : style.color), behind);
    const [a, b] = [luminance(colour), luminance(behind)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    ++seen;
    const text = element.textContent.trim().slice(0, 30);
    if (ratio < 4.5) low.push(`${element.tagName}.${element.getAttribute("class")} ${text}: ${ratio.toFixed(2)}`);
}
return {seen, low: low.slice(0, 10)};
"""


class Test:
    def __init__(self, neumann, examples, fake, folder, browser):
        self.neumann, self.examples, self.folder, self.browser = neumann, examples, folder, browser
        self.fake = fake
        self.failed = 0
        self.where = ""
        self.checks = 0

    def expect(self, holds, what):
        self.checks += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {self.where}: {what}")

    def js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def explain(self, name, *arguments):
        page = self.folder / f"{name}.html"
        weights = self.folder / "weights"
        environment = dict(os.environ)
        if self.fake:
            environment |= {"NEUMANN_PERCEPTION_LIBRARY": str(self.fake), "NEUMANN_WEIGHTS": str(weights)}
        command = [self.neumann, "explain", *arguments, "--html", page]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE,
                              env=environment, cwd=self.folder)
        if done.returncode != 0:
            raise SystemExit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return page

    def tab_to(self, selector, most=400):
        """With the keyboard alone, from the beginning of the page; whether it can be reached."""
        self.js("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
        for _ in range(most):
            self.browser.press(TAB)
            if self.js("return document.activeElement.matches(arguments[0])", selector):
                return True
        return False

    def check_any(self, name, page):
        """What holds for every page."""
        self.where = name
        browser = self.browser
        browser.set_size(1280)
        browser.set_scheme("light")
        browser.open(page)
        self.expect(self.js("return document.readyState") == "complete", "did not load")
        self.expect(self.js("return document.documentElement.classList.contains('js')"), "the script did not run")
        self.expect(self.js("return document.styleSheets[0].cssRules.length") > 50, "no style")
        asked = [address for address in browser.addresses() if not address.startswith(("file:", "data:"))]
        self.expect(not asked, f"asked the network for {asked}")
        loaded = self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        loaded = [address for address in loaded if not address.startswith("data:")]
        self.expect(not loaded, f"loaded {loaded}")
        levels = self.js("return [...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))")
        self.expect(levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"headings {levels}")
        self.expect(self.js("return [...document.querySelectorAll('table')].every((t) => t.caption)"),
                    "a table without a caption")
        self.expect(self.js("return [...document.images].every((i) => i.alt && i.complete && i.naturalWidth > 0)"),
                    "a picture that is not shown or has no text")
        lost = self.js("return [...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href'))"
                       ".filter((h) => !document.getElementById(h.slice(1)))")
        self.expect(not lost, f"links that lead nowhere: {lost[:3]}")
        for width in (360, 768, 1600):
            browser.set_size(width)
            wide = self.js("return document.documentElement.scrollWidth")
            self.expect(wide <= width, f"scrolls sideways at {width} px: {wide}")
        for scheme in ("light", "dark"):
            browser.set_scheme(scheme)
            found = self.js(LOW_CONTRAST)
            self.expect(found["seen"] > 10 and not found["low"], f"{scheme}: contrast {found['low']}")
            for width in (360, 1280):
                self.keep_screenshot(f"{name}-{scheme}-{width}", width)
        grounds = []
        for scheme in ("light", "dark"):
            browser.set_scheme(scheme)
            grounds.append(self.js("return getComputedStyle(document.documentElement).backgroundColor"))
        self.expect(grounds[0] != grounds[1], "looks the same in the dark")
        browser.set_scheme("light")
        browser.set_size(1280)
        self.expect(not (said := browser.messages()), f"the console says {said}")

    def keep_screenshot(self, name, width):
        if "NEUMANN_SCREENSHOTS" in os.environ:
            self.browser.set_size(width)
            self.browser.screenshot(pathlib.Path(os.environ["NEUMANN_SCREENSHOTS"]) / f"{name}.png")

    def check_proof(self, name, page):
        self.where = name
        browser = self.browser
        browser.open(page)
        self.expect(self.js("return document.querySelector('.holds').textContent").endswith("holds"), "no verdict")
        self.expect(self.js("return document.querySelectorAll('.sentences li').length") > 0, "no sentences")

        # Folding, by keyboard.
        self.expect(self.tab_to(".tree summary"), "the tree cannot be reached with Tab")
        is_open = "return document.activeElement.parentElement.open"
        before = self.js(is_open)
        browser.press(ENTER)
        self.expect(self.js(is_open) != before, "Enter does not fold")
        browser.press(ENTER)
        self.expect(self.js(is_open) == before, "Enter does not unfold")

        # All at once.
        folds = "return [...document.querySelectorAll('#e1-p1-tree details')].map((d) => d.open)"
        self.expect(self.tab_to("[data-fold=close]"), "Collapse all cannot be reached with Tab")
        browser.press(SPACE)
        self.expect(not any(self.js(folds)), "Collapse all leaves something open")
        browser.click("[data-fold=open]")
        self.expect(self.js(folds) and all(self.js(folds)), "Expand all leaves something folded")

        # From a step to its rule.
        target = self.js("return document.querySelector('#e1-p1-tree a.place').getAttribute('href').slice(1)")
        browser.click("#e1-p1-tree a.place")
        shown = self.js("const line = document.querySelector(':target'), box = line.getBoundingClientRect();"
                        "return {id: line.id, used: line.matches('.program .used'),"
                        " seen: box.top >= 0 && box.bottom <= innerHeight}")
        self.expect(shown == {"id": target, "used": True, "seen": True}, f"the link leads to {shown}, not to {target}")

        # A folded step that a link leads to unfolds.
        browser.click("[data-fold=close]")
        deepest = self.js("return [...document.querySelectorAll('#e1-p1-tree li[id]')].pop().id")
        self.js("location.hash = arguments[0]", deepest)
        visible = "return document.getElementById(arguments[0]).checkVisibility({contentVisibilityAuto: true})"
        self.expect(self.js("return new Promise((done) => setTimeout(() => done(document.getElementById(arguments[0])"
                            ".getBoundingClientRect().height > 0), 100))", deepest) and self.js(visible, deepest),
                    "a link does not unfold what it leads to")
        self.expect(not (said := browser.messages()), f"the console says {said}")

    def check_switch(self, name, page):
        """Several proofs."""
        self.where = name
        browser = self.browser
        browser.open(page)
        panels = "return [...document.querySelectorAll('#e1 .panel')].map((p) => p.checkVisibility())"
        first = self.js(panels)
        self.expect(len(first) > 1 and first == [True] + [False] * (len(first) - 1), f"panels {first}")
        self.expect(self.tab_to("[data-switch] input"), "the switch of proofs cannot be reached with Tab")
        browser.press(RIGHT)
        self.expect(self.js(panels)[:2] == [False, True], "the arrow key does not switch to the second proof")
        browser.press(LEFT)
        self.expect(self.js(panels) == first, "nor back")
        # On paper nothing can be switched.
        browser.protocol("Emulation.setEmulatedMedia", media="print")
        self.expect(all(self.js(panels)), "not all proofs are printed")
        self.expect(not self.js("return document.querySelector('.buttons').checkVisibility()"), "buttons are printed")
        browser.set_scheme("light")

    def check_several(self, name, page, count):
        self.where = name
        browser = self.browser
        browser.open(page)
        articles = "return [...document.querySelectorAll('article')].map((a) => a.checkVisibility())"
        self.expect(self.js(articles) == [True] + [False] * (count - 1), f"explanations: {self.js(articles)}")
        browser.click("nav a[href='#e2']")
        self.expect(self.js("return new Promise((done) => setTimeout(done, 100)).then(() => "
                            "document.getElementById('e2').checkVisibility())"), "the second cannot be chosen")
        self.expect(sum(self.js(articles)) == 1, "more than one is shown")
        self.expect(self.js("return document.querySelector('a.to[aria-current]').getAttribute('href')") == "#e2",
                    "the contents do not say which is shown")
        browser.open(page, f"#e{count}-program")
        self.expect(self.js(articles) == [False] * (count - 1) + [True], "an address leads to another explanation")

    def check_why_not(self, name, page):
        self.where = name
        self.browser.open(page)
        self.expect("does not hold" in self.js("return document.querySelector('.holds').textContent"), "it holds")
        self.expect(self.js("return document.querySelector('#e1-why-not') !== null"), "does not say why not")

    def check_pictures(self, name, page):
        self.where = name
        browser = self.browser
        browser.open(page)
        boxes = ("return [...document.querySelectorAll('.views img')].slice(0, 2).map((i) => "
                 "{const b = i.getBoundingClientRect(); return [b.left, b.top, b.width, b.height].map(Math.round)})")
        apart = self.js(boxes)
        self.expect(len(apart) == 2 and apart[0][0] != apart[1][0], f"not side by side: {apart}")
        self.expect(self.tab_to("[data-overlay]"), "the overlay cannot be reached with Tab")
        browser.press(SPACE)
        over = self.js(boxes)
        self.expect(over[0] == over[1], f"not one over the other: {over}")
        opacity = "return Number(getComputedStyle(document.querySelector('.heat img')).opacity)"
        before = self.js(opacity)
        browser.press(TAB, LEFT, LEFT)
        self.expect(0 < self.js(opacity) < before, f"the slider does nothing: {before}, {self.js(opacity)}")
        self.expect(self.js("return document.querySelectorAll('#e1-objects tbody tr').length") > 0, "no objects")

    def run(self):
        scenes = self.examples / "behind_the_scenes"
        asked = [scenes / "questions.nm", "--examples", scenes / "questions.jsonl"]
        first = [*asked, "--example", "0"]  # what is first after cyan is taken out of gray, red and cyan: gray
        proof = self.explain("proof", *first, "--atom", "answer(gray)", "--leave-one-out")
        why_not = self.explain("why-not", *first, "--atom", "answer(red)")
        proofs = self.explain("proofs", *first, "--atom", "answer(gray)", "--proofs", "3")
        several = self.explain("several", *first, "--atom", "answer(gray)", "--atom", "answer(red)")
        for name, page in (("proof", proof), ("why not", why_not), ("proofs", proofs), ("several", several)):
            self.check_any(name, page)
        self.check_proof("proof", proof)
        self.check_why_not("why not", why_not)
        self.check_switch("proofs", proofs)
        self.check_several("several", several, 2)
        if self.fake:
            pictures = self.explain_picture()
            self.check_any("pictures", pictures)
            self.check_pictures("pictures", pictures)

    def explain_picture(self):
        (self.folder / "weights").mkdir()
        weights(self.folder / "weights" / "figures.safetensors", layout="flat")
        subprocess.run([self.neumann, "generate", "kandinsky", "red-triangle", "-n", "4", "--images", "--size",
                        "256x256", "-o", self.folder / "data"], check=True, capture_output=True, timeout=PATIENCE)
        true = [scene["image"] for scene in map(json.loads, open(self.folder / "data/train/scenes.jsonl"))
                if scene["label"] == 1]
        return self.explain("pictures", self.examples / "kandinsky" / "red_triangle.nm", "--images",
                            self.folder / "data/train/images" / true[0], "--atom", "kp(img)")


def main():
    neumann, examples = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    fake = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    if not is_installed():
        print("skipped: there is no chromium or no chromedriver")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        test = Test(neumann, examples, fake, pathlib.Path(name), browser)
        test.run()
    print(f"{test.checks} checks, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
