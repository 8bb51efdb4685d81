"""The examples of docs/guide/torch.md."""

import doctest
import importlib.util
import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "torch.md"


def test_the_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("papers.npy", np.repeat(np.arange(20, dtype=np.float32)[:, None], 2, axis=1))
    # The line that ends a fenced block would be taken for output.
    text = re.sub(r"^```\w*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if importlib.util.find_spec("torch_geometric") is None:  # which is optional
        text = re.sub(r"^## Features of graphs\n.*?(?=^## )", "", text, flags=re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert test.examples and not report, "".join(report)
