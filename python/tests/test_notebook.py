"""The notebooks of examples/: their code runs, and their outputs are those of a run."""

import json
import re
from pathlib import Path

import notebook
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_of_a_run(path, tmp_path, monkeypatch):
    text = path.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert notebook.text_of(notebook.run(json.loads(text))) == text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_form(path):
    """Of nbformat 4.5, the parts that viewers need; links between pages lead somewhere."""
    found = json.loads(path.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    for cell in found["cells"]:
        assert cell["cell_type"] in ("markdown", "code") and isinstance(cell["metadata"], dict)
        if cell["cell_type"] == "markdown":
            for target in re.findall(r"\]\(([^)#:]+)", "".join(cell["source"])):
                assert (path.parent / target).exists(), target


def test_a_cell_has_what_it_prints_and_its_last_value():
    code = {"cell_type": "code", "source": ["x = 2\n", "print(x)\n", "x + 1"]}
    cell = notebook.run({"cells": [code]})["cells"][0]
    assert [output["output_type"] for output in cell["outputs"]] == ["stream", "execute_result"]
    assert cell["outputs"][0]["text"] == ["2\n"] and cell["outputs"][1]["data"] == {"text/plain": ["3"]}
    assert cell["execution_count"] == cell["outputs"][1]["execution_count"] == 1
    with pytest.raises(ZeroDivisionError):
        notebook.run({"cells": [{"cell_type": "code", "source": ["1 / 0"]}]})
