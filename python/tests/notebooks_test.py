"""The notebooks run, and show what they showed when they were saved."""

import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
pytest.importorskip("torch")

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def shown(cell):
    """The kinds of what a cell shows, and what it prints."""
    kinds = [sorted(one.data) for one in cell.get("outputs", []) if "data" in one]
    return kinds, "".join(one.text for one in cell.get("outputs", []) if one.output_type == "stream")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    saved = nbformat.read(path, as_version=4)
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300).execute()
    for before, after in zip(saved.cells, book.cells):
        assert shown(before) == shown(after), after.source


def test_they_have_pictures():
    assert len(NOTEBOOKS) >= 4
    for path in NOTEBOOKS:
        assert "<svg" in path.read_text() or "image/png" in path.read_text(), path
