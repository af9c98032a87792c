#!/usr/bin/env python3
"""Run the notebooks and save what they show: PYTHONPATH=build/python scripts/save_notebooks.py [NAME.ipynb …]"""

import pathlib
import sys

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).parents[1] / "examples" / "notebooks"

for path in map(pathlib.Path, sys.argv[1:] or sorted(FOLDER.glob("*.ipynb"))):
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, record_timing=False).execute()
    book.metadata.get("language_info", {}).pop("version", None)  # of the machine, not of the notebook
    nbformat.write(book, path)
    print(path)
