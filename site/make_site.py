#!/usr/bin/env python3
"""Makes a static site of the documentation: README.md, docs/, the notes beside the examples, and the reference of the C++ library.

    make_site.py FOLDER [--page URL]

Pages are self-contained but for their pictures: no network, no scripts. Programs in them are coloured by the grammar of editors/ and,
with --page, have a link that opens them where they can be run (URL of the folder that `make page` makes, relative to FOLDER).
"""
import argparse
import base64
import html
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import zlib
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "editors"))
import make_grammars  # noqa: E402

# What the menu shows, in this order; other pages are reached by links.
MENU = [
    ("Start", [("README.md", "Overview"), ("docs/tutorial.md", "Tutorial"), ("examples/README.md", "Examples"), ("docs/python.md", "Python"), ("docs/cpp.md", "C++")]),
    ("Use", [("docs/language.md", "Language"), ("docs/semantics.md", "Semantics"), ("docs/explanations.md", "Explanations"),
             ("docs/learning.md", "Learning"), ("docs/perception.md", "Perception"), ("docs/datasets.md", "Data sets"),
             ("docs/interchange.md", "Other languages"), ("docs/terminal.md", "Terminal and editors"), ("docs/gpu.md", "GPUs")]),
    ("Behind it", [("docs/results/README.md", "The paper"), ("docs/experiments.md", "Experiments"), ("docs/benchmarks.md", "Benchmarks"),
                   ("docs/learning-algorithms.md", "Learning algorithms"), ("docs/reading.md", "Reading the code"), ("docs/architecture.md", "Architecture"), ("CONTRIBUTING.md", "Contributing"), ("CHANGELOG.md", "Changes")]),
]
TOKENS = [(token["kind"], re.compile(token["pattern"], re.MULTILINE)) for token in make_grammars.read_grammar()["tokens"]]


def tracked(*patterns):
    """Files of the repository, or of an archive of it."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "--", *patterns], capture_output=True, text=True)
    if done.returncode == 0:
        return [Path(name) for name in done.stdout.splitlines() if (ROOT / name).exists()]
    return sorted({path.relative_to(ROOT) for pattern in patterns for path in ROOT.rglob(Path(pattern).name)})


def coloured(text):
    out, at = [], 0
    while at < len(text):
        for kind, pattern in TOKENS:
            found = pattern.match(text, at)
            if found:
                out.append(f'<span class="nm-{kind}">{html.escape(found[0])}</span>')
                at = found.end()
                break
        else:
            out.append(html.escape(text[at]))
            at += 1
    return "".join(out)


def link_to_page(program, url):
    """As the page's own links: JSON, deflated, in the fragment."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps({"program": program}).encode()) + packer.flush()
    return f"{url}#p={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def target_of(link, page, pages):
    """A link between sources as a link between pages."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path:
        return link
    path = Path(os.path.normpath(page.parent / parts.path))
    if (ROOT / path).is_dir() and path / "README.md" in pages:
        path = path / "README.md"
    if (ROOT / path).is_dir():
        return ""  # a folder of files is no page
    goal = page_of(path) if path in pages else path
    return urllib.parse.urlunsplit(("", "", os.path.relpath(goal, page_of(page).parent), "", parts.fragment))


def page_of(source):
    return source.with_name("index.html") if source.name == "README.md" else source.with_suffix(".html")


def menu_of(page, pages, reference):
    out = []
    for title, entries in MENU:
        items = []
        for name, label in entries:
            if Path(name) not in pages:
                continue
            here = ' aria-current="page"' if Path(name) == page else ""
            items.append(f'<li><a href="{os.path.relpath(page_of(Path(name)), page_of(page).parent)}"{here}>{label}</a></li>')
        out.append(f"<h2>{title}</h2><ul>{''.join(items)}</ul>")
    if reference:
        out.append(f'<h2>Reference</h2><ul><li><a href="{os.path.relpath("api/index.html", page_of(page).parent)}">C++ API</a></li></ul>')
    return "".join(out)


def slug(text, separator):
    """Headings' anchors as GitHub makes them, so that links work in both."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def is_whole(program):
    """A program that runs as it stands: it has clauses or facts, and no places left open."""
    program = re.sub(r"%.*", "", program)
    return "…" not in program and re.search(r"\)\s*(:-[^.]*)?\.\s*$", program, re.M) is not None


def body_of(page, pages, options):
    text = (ROOT / page).read_text(encoding="utf-8")
    maker = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"],
                              extension_configs={"toc": {"slugify": slug}, "fenced_code": {"lang_prefix": "language-"}})
    # Lists right behind a paragraph are lists on GitHub.
    text = re.sub(r"(?m)^(?!\s*[-*|>]|\s*\d+\. |#|\s*$|```)(.+)\n(?=[-*] )", r"\1\n\n", text)
    body = maker.convert(text)
    body = re.sub(r'(<(?:a|img)[^>]*? (?:href|src)=")([^"]+)"',
                  lambda found: f'{found[1]}{target_of(html.unescape(found[2]), page, pages)}"', body)

    def program(found):
        source = html.unescape(found[1])
        run = ""
        if options.page and is_whole(source):
            url = os.path.relpath(options.page, page_of(page).parent) if "://" not in options.page else options.page
            run = f'<a class="run" href="{link_to_page(source, url.rstrip("/") + "/")}">Run it</a>'
        return f'<div class="program">{run}<pre tabindex="0"><code>{coloured(source)}</code></pre></div>'

    body = re.sub(r'<pre><code class="language-prolog">(.*?)</code></pre>', program, body, flags=re.S)
    body = re.sub(r"<table>(.*?)</table>", r'<div class="wide" tabindex="0"><table>\1</table></div>', body, flags=re.S)
    body = re.sub(r'<a [^>]*href="">(.*?)</a>', r"\1", body)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
    return body, re.sub(r"<[^>]+>", "", title[1]) if title else page.stem


def write_page(page, pages, options):
    body, title = body_of(page, pages, options)
    out = options.folder / page_of(page)
    out.parent.mkdir(parents=True, exist_ok=True)
    style = os.path.relpath("site.css", page_of(page).parent)
    play = ""
    if options.page:
        play = f'<a class="play" href="{os.path.relpath(options.page, page_of(page).parent)}/">Try it in the browser</a>'
    out.write_text(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} · NEUMANN</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<a class="skip" href="#text">Skip the menu</a>
<a class="menu" href="#pages">All pages</a>
<nav id="pages" aria-label="Pages"><p class="name"><a href="{os.path.relpath('index.html', page_of(page).parent)}">NEUMANN</a></p>{play}
{menu_of(page, pages, options.reference)}</nav>
<main id="text">
{body}
</main>
</body>
</html>
""", encoding="utf-8")


def copy_what_pages_show(pages, folder):
    """Pictures and files that pages link to; not what is larger than a page should need."""
    for page in pages:
        text = (folder / page_of(page)).read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            path = Path(os.path.normpath(page.parent / urllib.parse.unquote(parts.path)))
            source, goal = ROOT / path, folder / path
            if not str(path).startswith("..") and source.is_file() and not goal.exists() and source.suffix != ".md":
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, goal)


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--page", help="where programs can be run, relative to FOLDER")
    options = reader.parse_args()
    pages = set(tracked("*.md"))
    options.reference = shutil.which("doxygen") is not None
    if options.reference:
        subprocess.run([sys.executable, ROOT / "scripts/api_reference.py", options.folder / "api"], check=True)
    for page in sorted(pages):
        write_page(page, pages, options)
    copy_what_pages_show(pages, options.folder)
    shutil.copy(Path(__file__).with_name("site.css"), options.folder / "site.css")
    print(f"{len(pages)} pages: {options.folder / 'index.html'}")


if __name__ == "__main__":
    main()
