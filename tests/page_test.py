#!/usr/bin/env python3
"""The page in the browser, used as people do: page_test.py NEUMANN PAGE [FAKE]

Serves the folder PAGE (make page) and drives it in Chromium: a program with a mistake, mended, asked and explained;
sliders, learning, a long run that is stopped, a shared link; phones, the dark, the keyboard. Every example that comes
with the page must get the same answers there as from the command NEUMANN. Then the same folder behind `neumann page`,
whose engine must answer, and look at pictures: FAKE is a component that does so without a network, by default that of the
build of NEUMANN. Times are printed, not judged, but for the first answer. NEUMANN_SCREENSHOTS names a folder to leave
pictures in.
"""
import functools
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from browser import Browser
from perceive_test import weights
from report_browser_test import LOW_CONTRAST

PATIENCE = 60
TOLERANCE = 2e-5  # of values in single precision, computed by other instructions
CONTROL, DELETE, ENTER, ARROW_LEFT, ARROW_RIGHT, ESCAPE, TAB, HOME, END = "\ue009", "\ue017", "\ue007", "\ue012", "\ue014", "\ue00c", "\ue004", "\ue011", "\ue010"
MOST_BYTES = 3_000_000
FIRST_ANSWER_SECONDS = 2.0

MISTAKEN = "0.7::rain.\nwet :- rain rain.\n"
MENDED = "0.7::rain.\nwet :- rain.\n"
# Tens of millions of ground clauses.
ENDLESS = "e(X, Y) :- between(1, 400, X), between(1, 400, Y).\np(X, Y) :- e(X, Y).\np(X, Z) :- p(X, Y), e(Y, Z).\n:- query(p(X, Y)).\n"


# What shows that a view is complete.
VIEWS = {"answers": ".answer", "whatif": ".slider", "history": ".heat td", "graph": ".graph .node", "compare": "tbody tr:last-child td + td", "learn": "#views form",
         "pictures": "#views code"}
# Colours of what stands in empty fields, and that of notes, whose contrast is measured.
PLACEHOLDERS = """const of = (element, part) => getComputedStyle(element, part).color;
return {are: of(document.getElementById('query'), '::placeholder'), should: of(document.getElementById('meaning'))}"""


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Test:
    def __init__(self, neumann, page, browser, address):
        self.neumann, self.page, self.browser, self.address = neumann, page, browser, address
        self.others = ()  # addresses that may be asked
        self.token = ""  # behind the address, with `neumann page`
        self.checks = self.failed = 0

    def expect(self, holds, what):
        self.checks += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}", flush=True)
        return holds

    def js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def wait(self, script, what, *arguments, patience=PATIENCE):
        """Until a script returns something true; what it returned."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            found = self.js(script, *arguments)
            if found:
                self.expect(True, what)
                return found
            time.sleep(0.05)
        self.expect(False, f"waited {patience} s for {what}")
        return None

    def open(self, fragment="#example=07_wet"):
        self.browser.post("url", url="about:blank")
        self.browser.post("url", url=f"{self.address}/{self.token}{fragment}")
        self.wait_for_answer()

    def wait_for_answer(self):
        return self.wait("return document.querySelector('#views .answer, #views .card') !== null", "an answer")

    def view(self, name):
        self.js("document.querySelector(`.tabs [data-view=\"${arguments[0]}\"]`).click()", name)

    def type_program(self, text):
        self.browser.click(".CodeMirror")
        self.browser.post("actions", actions=[{"type": "key", "id": "keyboard", "actions": [
            {"type": kind, "value": key} for kind, key in (("keyDown", CONTROL), ("keyDown", "a"), ("keyUp", "a"), ("keyUp", CONTROL))]}])
        self.browser.press(DELETE, *text.replace("\n", ENTER))

    def value_of(self, atom):
        return self.js("return document.querySelector(`.answer[data-atom=\"${arguments[0]}\"] .value`)?.textContent", atom)

    def keep_screenshot(self, name):
        if "NEUMANN_SCREENSHOTS" in os.environ:
            self.browser.screenshot(pathlib.Path(os.environ["NEUMANN_SCREENSHOTS"]) / f"page-{name}.png")

    def check_size(self):
        sizes = {str(file.relative_to(self.page)): len(zlib.compress(file.read_bytes(), 9)) for file in self.page.rglob("*") if file.is_file()}
        total = sum(sizes.values())
        print(f"download, compressed: {total:,} bytes, of which neumann.wasm {sizes['neumann.wasm']:,}")
        self.expect(total <= MOST_BYTES, f"{total} bytes to download, more than {MOST_BYTES}")

    def check_first_answer(self):
        self.open("")
        seconds = self.js("return performance.getEntriesByName('answered')[0]?.startTime ?? 1e9") / 1000
        print(f"first answer of a cold load: {seconds:.2f} s")
        self.expect(seconds <= FIRST_ANSWER_SECONDS or os.getloadavg()[0] > 2 * os.cpu_count(), f"the first answer took {seconds:.2f} s")
        self.expect(self.value_of("wet") == "0.8080", f"wet is {self.value_of('wet')}, not its probability")
        self.expect(self.js("return document.querySelectorAll('.first-steps li').length") == 3, "the first steps are not shown")
        self.expect("version" in self.js("return document.getElementById('answering').textContent"), "no version is shown")
        self.keep_screenshot("first")
        self.open()

    def check_mistake(self):
        self.type_program(MISTAKEN)
        self.wait("return document.querySelector('.CodeMirror .mark-error') !== null", "the mistake to be underlined")
        self.expect("Line 2" in self.js("return document.querySelector('.problem.error')?.textContent ?? ''"), "the mistake is not told")
        self.keep_screenshot("mistake")
        self.type_program(MENDED)
        self.wait("return document.querySelector('.mark-error') === null && document.querySelector('.fine') !== null", "the mended program")
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "its answer")

    def check_completion(self):
        self.type_program(MENDED + "sprinkler.\n")
        self.wait("return document.querySelector('.fine')?.textContent.includes('3 predicates')", "what the program knows")
        self.browser.press(*"wet :- spr")
        self.wait("return document.querySelector('.CodeMirror-hints')?.textContent.includes('sprinkler')", "a name of the program to be offered")
        self.browser.press(ENTER, ".")
        self.wait("return document.querySelector('.CodeMirror').CodeMirror.getValue().includes('wet :- sprinkler.')", "the completed name")
        self.type_program(MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "the program as it was")

    def check_keyboard(self):
        """Without a mouse: from the editor to the query, to the views, to an answer, to a node of the graph."""
        focus = "const at = document.activeElement; return at.id || at.dataset.view || at.dataset.atom || at.className"
        self.js("document.querySelector('.CodeMirror').CodeMirror.focus()")
        self.browser.press(ESCAPE)
        self.expect(self.js(focus) == "query", f"Esc leads from the editor to {self.js(focus)}")
        for _ in range(12):
            if self.js(focus) == "tab-answers":
                break
            self.browser.press(TAB)
        self.expect(self.js(focus) == "tab-answers", f"tabs are not reached: {self.js(focus)}")
        for keys, view in (((ARROW_RIGHT,), "explain"), ((END,), "pictures"), ((ARROW_RIGHT,), "answers"), ((ARROW_LEFT, HOME), "answers"), ((ARROW_RIGHT,) * 4, "graph")):
            self.browser.press(*keys)
            self.expect(self.js(focus) == f"tab-{view}" and self.js("return document.querySelector('[aria-selected=true]').dataset.view") == view, f"{view} is not chosen: {self.js(focus)}")
        self.wait("return document.querySelector('.graph .node') !== null", "the graph")
        for _ in range(36):  # values that arrive draw the nodes anew, and the focus may have been on one
            if self.js("return document.querySelector('.proof') !== null"):
                break
            on_node = self.js("return document.activeElement.classList.contains('node')")
            self.browser.press(ENTER if on_node else TAB)
            if on_node:
                time.sleep(0.2)
        self.wait("return document.querySelector('.proof') !== null", "the proofs of a node chosen by keys")
        self.view("answers")
        self.js("document.getElementById('tab-answers').focus()")
        self.browser.press(TAB, ENTER)
        self.wait("return document.querySelector('iframe.why')?.contentDocument?.body?.textContent.includes('rain')", "an answer chosen by keys")
        self.view("answers")

    def check_query(self):
        self.js("const query = document.getElementById('query'); query.focus(); query.value = ''")
        self.browser.press(*"rain", ENTER)
        self.wait("return document.querySelector('.answer[data-atom=\"rain\"]') !== null", "the answer to a query")
        self.js("const query = document.getElementById('query'); query.value = ''; query.dispatchEvent(new Event('change'))")
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"]') !== null", "the program's own answers")

    def check_explanation(self):
        self.browser.click('.answer[data-atom="wet"]')
        self.wait("return document.querySelector('iframe.why')?.contentDocument?.querySelector('.headline') !== undefined"
                  " && document.querySelector('iframe.why').contentDocument.body.textContent.includes('rain')", "the explanation")
        self.keep_screenshot("why")

    def check_slider(self):
        self.view("whatif")
        self.wait("return document.querySelector('input[data-input=\"rain\"]') !== null", "the sliders")
        self.js("const slider = document.querySelector('input[data-input=\"rain\"]'); slider.value = 0.3;"
                "slider.dispatchEvent(new Event('input', {bubbles: true})); slider.focus()")
        self.wait("return document.querySelector('[data-result=\"wet\"] .value')?.textContent === '0.3000'", "the moved answer")
        self.browser.press(ARROW_LEFT)
        self.wait("return document.querySelector('[data-result=\"wet\"] .value')?.textContent === '0.2900'", "the answer moved by keys")
        self.keep_screenshot("whatif")

    def check_other_views(self):
        self.view("history")
        self.wait("return document.querySelector('.heat tbody tr') !== null", "the history")
        self.view("graph")
        self.wait("return document.querySelector('.graph .node') !== null", "the graph")
        self.js("document.querySelector('.graph .node[data-atom=\"wet\"]').dispatchEvent(new Event('click'))")
        self.wait("return document.querySelector('.proof')?.textContent.includes('rain')", "the proofs of an atom of the graph")
        self.keep_screenshot("graph")
        self.view("compare")
        rows = "return document.querySelectorAll('#views tbody tr').length"
        self.wait(f"{rows} >= 9 && document.querySelectorAll('#views tbody tr:last-child td').length > 1", "all semantics")
        self.keep_screenshot("compare")

    def check_learning(self):
        self.open("#example=classic/grandparent")
        self.wait("return document.querySelector('#views form button.main') !== null", "the view of learning")
        self.js("document.querySelector('#views form button.main').click()")
        found = self.wait("return document.querySelector('#learned .program')?.textContent", "a learned clause")
        self.expect(found == "grandparent(X,Y) :- parent(X,P1), parent(P1,Y).", f"learned {found}")
        self.js("document.querySelector('#views form select').value = 'gradient';"
                "document.querySelector('#views form button.main').click()")
        self.wait("return document.querySelector('.curves path') !== null", "curves")
        self.wait("return document.querySelector('#learned .program') !== null", "the clause that gradients find")
        self.keep_screenshot("learn")

    def check_scenes(self):
        for example, atom in (("kandinsky/closeby", "kp(img)"), ("clevr_hans/class0", "kp(img)"),
                              ("lists/member", "pos(img1,img2)"), ("behind_the_scenes/all", None)):
            self.open(f"#example={example}")
            self.view("scenes")
            self.wait("return document.querySelector('.scene img')?.naturalWidth > 0", f"a scene of {example}")
            if atom is None:
                self.keep_screenshot("scenes")
                continue
            self.js("document.querySelector('.scene').click()")
            self.js("[...document.querySelectorAll('.beside button')].at(-1).click()")
            self.wait("return document.querySelector(`.answer[data-atom=\"${arguments[0]}\"]`) !== null", f"what is said about a scene of {example}", atom)

    def check_stop(self):
        self.open()
        self.js("document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0]);"
                "document.querySelector('.CodeMirror').CodeMirror.replaceSelection(' ')", ENDLESS)
        self.wait("return !document.getElementById('stop').hidden", "a way to stop")
        begun = time.monotonic()
        self.js("document.getElementById('stop').click()")
        self.js("document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0]);"
                "document.querySelector('.CodeMirror').CodeMirror.replaceSelection(' ')", MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "an answer after stopping")
        print(f"answer after stopping a long run: {time.monotonic() - begun:.2f} s")

    def check_link(self):
        self.js("const semantics = document.getElementById('semantics'); semantics.value = 'exact'; semantics.dispatchEvent(new Event('change'))")
        self.wait_for_answer()
        self.js("document.getElementById('share').click()")
        link = self.wait("return location.hash.startsWith('#p=') && location.hash", "a link")
        self.open(link)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "the answer of a shared program")
        self.expect(self.js("return document.querySelector('.CodeMirror').CodeMirror.getValue()").strip() == MENDED.strip(), "the link lost the program")
        self.expect(self.js("return document.getElementById('semantics').value") == "exact", "the link lost the semantics")

    def text(self):
        return self.js("return document.querySelector('.CodeMirror').CodeMirror.getValue()")

    def check_work_is_kept(self):
        """Over a reload, beside examples, in versions, and in files."""
        self.open()
        self.view("answers")
        self.type_program(MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "its answer")
        self.expect("Your own program" in self.js("return document.getElementById('sentence').textContent"), "the page still speaks of the example")
        self.wait("return JSON.parse(localStorage.getItem('neumann.work'))?.current !== null", "the program to be kept")
        self.open("")
        self.expect(self.text().strip() == MENDED.strip(), "a reload loses the program")
        choose = "const pick = document.getElementById('example'); pick.value = '03_family'; pick.dispatchEvent(new Event('change'))"
        self.js(choose)
        self.expect(self.js("return document.getElementById('replace').open"), "an example replaces the program unasked")
        self.js("document.querySelector('#replace button[value=stay]').click()")
        self.expect(self.text().strip() == MENDED.strip(), "an example replaces the program although one stays")
        self.js(choose)
        self.js("document.querySelector('#replace button[value=open]').click()")
        self.wait("return document.querySelector('.CodeMirror').CodeMirror.getValue().includes('parent(')", "the example")
        self.js("const pick = document.getElementById('versions'); pick.value = '0'; pick.dispatchEvent(new Event('change'))")
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "the version that was kept")
        self.js("document.getElementById('new').click()")
        self.expect(self.text() == "", "a new program is not empty")

    def check_evidence(self):
        """Offered where the semantics has none; then the other views work with it."""
        self.open()
        self.type_program("0.1::burglary.\nalarm :- burglary.\n0.05::alarm.\n:- evidence(alarm, true).\n:- query(burglary).\n")
        self.wait("return document.querySelector('#failure button') !== null", "a semantics that takes evidence")
        self.js("document.querySelector('#failure button').click()")
        self.wait("return document.querySelector('.answer[data-atom=\"burglary\"] .value')?.textContent === '0.6897'", "the answer with evidence")
        self.view("whatif")
        self.wait("return document.querySelector('input[data-input=\"burglary\"]') !== null", "sliders with evidence")
        self.view("compare")
        self.wait("return document.querySelector('#views')?.textContent.includes('takes no evidence')", "the comparison with evidence")

    def check_old_answers(self):
        """Answers of another program are grey, its errors and sizes are gone, and a new program waits for nothing."""
        self.open()
        change = "document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0]);document.querySelector('.CodeMirror').CodeMirror.replaceSelection(' ')"
        self.js(change, ENDLESS)
        self.expect(self.js("return document.getElementById('views').classList.contains('stale')"), "old answers in full colour")
        self.expect(self.js("return document.getElementById('status').textContent") == "", "old sizes")
        self.wait("return !document.getElementById('stop').hidden", "a long run")
        begun = time.monotonic()
        self.js(change, MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "the next program's answer")
        self.expect(not self.js("return document.getElementById('views').classList.contains('stale')"), "new answers are grey")
        print(f"answer after a change during a long run: {time.monotonic() - begun:.2f} s")

    def check_looks(self):
        for scheme in ("light", "dark"):
            self.browser.set_scheme(scheme)
            self.open()
            for view, there in VIEWS.items():
                self.view(view)
                self.wait(f"return document.querySelector('{there}') !== null", f"the view {view}")
                found = self.js(LOW_CONTRAST)
                self.expect(found["seen"] > 10 and not found["low"], f"{scheme}, {view}: contrast {found['low']}")
            placeholder = self.js(PLACEHOLDERS)
            self.expect(placeholder["are"] == placeholder["should"], f"{scheme}: placeholders: {placeholder}")
            for width in (360, 768, 1400):
                self.browser.set_size(width)
                wide = self.js("return document.documentElement.scrollWidth")
                self.expect(wide <= width, f"scrolls sideways at {width} px: {wide}")
                self.keep_screenshot(f"{scheme}-{width}")
        self.browser.set_scheme("light")

    def check_offline(self):
        """Once it is loaded the page needs nobody: not to explain, not to learn, not after a stop."""
        server = serve(self.page)
        self.others = (f"http://127.0.0.1:{server.server_port}", f"blob:http://127.0.0.1:{server.server_port}")
        self.browser.post("url", url=f"{self.others[0]}/")
        self.wait_for_answer()
        server.shutdown()
        server.server_close()
        change = "document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0]);document.querySelector('.CodeMirror').CodeMirror.replaceSelection(' ')"
        self.js(change, ENDLESS)
        self.wait("return !document.getElementById('stop').hidden", "a way to stop")
        self.js("document.getElementById('stop').click()")
        self.js(change, MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "an answer without network")
        self.view("scenes")
        self.wait("return document.querySelector('.scene img')?.naturalWidth > 0", "a scene without network")
        self.js("document.getElementById('stop').click()")
        self.view("answers")

    def ask(self, request):
        """A request to the core in the page, past all views."""
        return self.js("""
            const {Engine} = await import(`${location.origin}/js/engine.js`);
            window.engine ??= new Engine();
            const begun = performance.now();
            const answer = await window.engine.ask(arguments[0]).catch((error) => ({error: error.message}));
            return {...answer, seconds_asked: (performance.now() - begun) / 1000};""", request)

    def command(self, example, folder):
        (folder / "program.nm").write_text(example["program"], encoding="utf-8")
        for name, text in example["files"].items():
            (folder / name).write_text(text, encoding="utf-8")
        command = [self.neumann, "reason", "program.nm", "--json", "--all-answers", "--semantics", example.get("semantics", "softor")]
        if lines := example.get("examples") or example.get("train"):
            (folder / "examples.jsonl").write_text(lines, encoding="utf-8")
            command += ["--examples", "examples.jsonl"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
        return [json.loads(line)["values"] for line in done.stdout.splitlines()]

    def check_examples(self):
        examples = json.loads((self.page / "examples.json").read_text(encoding="utf-8"))
        values = 0
        for example in examples:
            with tempfile.TemporaryDirectory(prefix="neumann-page-") as folder:
                native = self.command(example, pathlib.Path(folder))
            request = {"do": "reason", "program": example["program"], "files": example["files"], "semantics": example.get("semantics", "softor")}
            if lines := example.get("examples") or example.get("train"):
                request["examples"] = lines
            answer = self.ask(request)
            if not self.expect("error" not in answer, f"{example['id']}: {answer.get('error')}"):
                continue
            there = [one["values"] for one in answer["examples"]]
            same = len(native) == len(there) > 0 and all(
                a.keys() == b.keys() and all(abs(a[atom] - b[atom]) <= TOLERANCE for atom in a) for a, b in zip(native, there))
            self.expect(same, f"{example['id']}: other answers than the command's")
            values += sum(map(len, there))
        print(f"{len(examples)} examples, {values:,} values as from the command")

    def measure_questions(self):
        examples = json.loads((self.page / "examples.json").read_text(encoding="utf-8"))
        all_kinds = next(one for one in examples if one["id"] == "behind_the_scenes/all")
        lines = (all_kinds["examples"].splitlines() * 13)[:100]
        request = {"do": "reason", "program": all_kinds["program"], "files": {}, "examples": "\n".join(lines)}
        first, again = self.ask(request), self.ask(request)
        print(f"100 questions, {again['ground_clauses']} ground clauses: {again['seconds_asked']:.3f} s; {first['seconds_asked']:.3f} s with compiling; {again['engine']}")
        self.expect(len(again["examples"]) == 100, "not every question was answered")

    def check_native_engine(self):
        self.open()
        self.expect(self.js("return document.getElementById('answering').textContent").startswith("native engine"), "the page does not say what answers")
        self.expect(self.value_of("wet") == "0.7018", f"wet is {self.value_of('wet')}")
        self.expect(not any(address.endswith(".wasm") for address in self.browser.addresses()[-30:]), "the core is loaded for nothing")
        self.browser.click('.answer[data-atom="wet"]')
        self.wait("return document.querySelector('iframe.why')?.contentDocument?.body?.textContent.includes('rain')", "the native explanation")
        self.open("#example=classic/grandparent")
        self.wait("return document.querySelector('#views form button.main') !== null", "the view of learning")
        self.js("document.querySelector('#views form button.main').click()")
        found = self.wait("return document.querySelector('#learned .program')?.textContent", "a natively learned clause")
        self.expect(found == "grandparent(X,Y) :- parent(X,P1), parent(P1,Y).", f"learned {found}")

    def draw_pictures(self, folder):
        subprocess.run([self.neumann, "generate", "kandinsky", "closeby", "-n", "2", "--images", "--size", "128x128", "-o", folder / "drawn"], check=True, capture_output=True, timeout=PATIENCE)
        return sorted((folder / "drawn/test/images").iterdir())

    def check_pictures(self, folder):
        pictures = self.draw_pictures(folder)
        self.open("#example=kandinsky/closeby")
        self.view("pictures")
        self.browser.upload("#views input[type=file]", *pictures)
        self.wait("return document.querySelectorAll('[data-pictured]').length === 2", "what the program says about two pictures")
        boxes = self.js("return [...document.querySelectorAll('.seen')].map((one) => [one.querySelectorAll('.box').length, one.querySelectorAll('tbody tr').length])")
        self.expect(len(boxes) == 2 and all(drawn == listed >= 2 for drawn, listed in boxes), f"boxes and objects: {boxes}")
        inside = self.js("""return [...document.querySelectorAll('.boxes .box')].every((box) => {
            const [a, b] = [box.getBoundingClientRect(), box.closest('.with-boxes').querySelector('img').getBoundingClientRect()];
            return a.left >= b.left - 2 && a.right <= b.right + 2 && a.top >= b.top - 2 && a.bottom <= b.bottom + 2;
        })""")
        self.expect(inside, "boxes are not in their pictures")
        self.expect(self.js("return document.querySelector('[data-pictured] .atom:last-child, [data-pictured] details').textContent.includes('(obj0')"), "the atoms are not shown")
        for width in (360, 1400):
            self.browser.set_size(width)
            self.expect(self.js("return document.documentElement.scrollWidth") <= width, f"pictures scroll sideways at {width} px")
            self.keep_screenshot(f"pictures-{width}")
        low = self.js(LOW_CONTRAST.replace(".unseen, script", ".unseen, .boxes, script"))["low"]
        self.expect(not low, f"pictures: contrast {low}")
        self.browser.click('[data-pictured="1"] .answer')
        self.wait("return document.querySelector('iframe.why')?.contentDocument?.querySelector('img, image') != null", "the picture in its explanation")
        self.expect(self.js("return document.querySelector('#world select').value") == "1", "the second picture is not what is reasoned about")
        self.keep_screenshot("pictures-why")
        self.js("document.getElementById('share').click()")
        link = self.wait("return location.hash.startsWith('#p=') && location.hash", "a link to what was seen")
        self.expect(len(link) < 4000, f"the link holds the picture: {len(link)}")
        self.view("pictures")
        (folder / "bad.png").write_bytes(b"GIF89a")
        self.browser.upload("#views input[type=file]", folder / "bad.png")
        self.wait("return document.querySelector('#views .failure')?.textContent.includes('bad.png')", "what is wrong with a picture that is none")

    def check_native_stop(self):
        self.open()
        change = "document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0]);document.querySelector('.CodeMirror').CodeMirror.replaceSelection(' ')"
        self.js(change, ENDLESS)
        self.wait("return !document.getElementById('stop').hidden", "a way to stop")
        self.js("document.getElementById('stop').click()")
        self.js(change, MENDED)
        self.wait("return document.querySelector('.answer[data-atom=\"wet\"] .value')?.textContent === '0.7000'", "a native answer after stopping")

    def check_no_networks(self, folder):
        self.open("#example=kandinsky/closeby")
        self.view("pictures")
        self.browser.upload("#views input[type=file]", self.draw_pictures(folder)[0])
        self.wait("return document.getElementById('failure').textContent.includes('NEUMANN_PERCEPTION_LIBRARY')", "that there are no networks")

    def check_dead_server(self):
        self.js("document.getElementById('ask').requestSubmit()")
        self.wait("return document.getElementById('failure').textContent.includes('start it again')", "that the server has ended")

    def check_fall_back(self):
        self.open()
        self.expect(self.value_of("wet") == "0.7018", f"without a server wet is {self.value_of('wet')}")
        self.expect(self.js("return document.getElementById('answering').textContent").startswith("WebAssembly"), "the page does not say that it answers itself")
        self.view("pictures")
        self.expect("neumann page" in self.js("return document.getElementById('views').textContent"), "pictures without networks")

    def check_quiet(self):
        strange = [address for address in self.browser.addresses() if not address.startswith((self.address, *self.others, "data:", "about:", "blob:", "chrome:"))]
        self.expect(not strange, f"asked for {strange[:3]}")
        said = self.browser.messages()
        self.expect(not said, f"the console says {said[:3]}")


class NativeServer:
    """`neumann page`, with a component that sees pictures or without."""

    def __init__(self, neumann, page, folder, fake):
        for network, layout in (("figures", "flat"), ("solids", "solid"), ("slots", "solid")):
            weights(folder / f"{network}.safetensors", layout=layout)
        environment = {"NEUMANN_PERCEPTION_LIBRARY": str(fake), "NEUMANN_WEIGHTS": str(folder), "TMPDIR": str(folder)}
        self.process = subprocess.Popen([neumann, "page", "--folder", page], stdout=subprocess.PIPE, text=True, env=os.environ | environment)
        self.address, _, query = self.process.stdout.readline().strip().rpartition("/")
        self.token = query

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)


def check_native(test, neumann, page, fake):
    with tempfile.TemporaryDirectory(prefix="neumann-page-") as name:
        folder = pathlib.Path(name)
        with NativeServer(neumann, page, folder, fake) as server:
            test.address, test.token = server.address, server.token
            test.check_native_engine()
            if pathlib.Path(fake).exists():
                test.check_pictures(folder)
            else:
                print(f"pictures: not checked, there is no {fake}")
            test.check_native_stop()
            test.check_quiet()
        with NativeServer(neumann, page, folder, "/nowhere") as server:
            test.address, test.token = server.address, server.token
            test.check_no_networks(folder)
        test.check_dead_server()
    # A web server that keeps a page with a token, and knows no requests.
    with tempfile.TemporaryDirectory(prefix="neumann-page-") as name:
        shutil.copytree(page, f"{name}/page")
        index = pathlib.Path(name, "page/index.html")
        index.write_text(index.read_text(encoding="utf-8").replace("<meta name=\"color-scheme\"", "<meta name=\"neumann-token\" content=\"0\"><meta name=\"color-scheme\""), encoding="utf-8")
        server = serve(f"{name}/page")
        test.address, test.token = f"http://127.0.0.1:{server.server_port}", ""
        test.check_fall_back()
        server.shutdown()


def main(neumann, page, fake=None):
    neumann = str(pathlib.Path(neumann).resolve())
    server = serve(page)
    with Browser() as browser:
        browser.set_size(1400)
        test = Test(neumann, pathlib.Path(page), browser, f"http://127.0.0.1:{server.server_port}")
        for check in (test.check_size, test.check_first_answer, test.check_mistake, test.check_completion, test.check_keyboard, test.check_query, test.check_explanation,
                      test.check_slider, test.check_other_views, test.check_work_is_kept, test.check_evidence, test.check_old_answers, test.check_learning, test.check_scenes, test.check_stop,
                      test.check_link, test.check_offline, test.check_looks, test.check_examples, test.measure_questions, test.check_quiet):
            begun = time.monotonic()
            check()
            print(f"  {check.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
        check_native(test, neumann, page, fake or pathlib.Path(neumann).parent / "tests" / "libfake_perception.so")
    print(f"page: {test.checks - test.failed} passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
