#!/usr/bin/env python3
"""The site of the documentation: every link leads to a page, a place in it or a file that is there.

    site_test.py SOURCE_FOLDER
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


def dead_links(folder):
    pages = {path.resolve(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    for page, text in pages.items():
        if page.is_relative_to((folder / "api").resolve()):
            continue  # Doxygen's own
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:", link) or link.startswith("../page") or "/page/" in link:
                continue
            name, _, place = link.partition("#")
            goal = (page.parent / name).resolve() if name else page
            if not goal.exists() or (place and goal in pages and f'id="{place}"' not in pages[goal]):
                yield f"{page.relative_to(folder.resolve())}: {link!r} leads nowhere"


def main():
    root = Path(sys.argv[1]).resolve()
    if subprocess.run([PYTHON, "-c", "import markdown"], capture_output=True).returncode != 0:
        print("skipped: python3-markdown is not installed (scripts/setup.sh site)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([PYTHON, str(root / "site/make_site.py"), str(folder / "site"), "--page", "../page"], check=True)
        dead = list(dead_links(folder / "site"))
        print("\n".join(dead))
        index = (folder / "site/index.html").read_text(encoding="utf-8")
        if 'class="run" href="../page/#p=' not in index:
            dead.append("the program on the first page cannot be run")
        if shutil.which("doxygen") and 'href="api/index.html"' not in index:
            dead.append("the C++ reference is not linked")
        return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
