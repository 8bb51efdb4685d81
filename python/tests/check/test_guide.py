"""The examples and commands of docs/guide/two_runtimes_disagree.md give what it shows; write_guide.py updates it."""

import pytest
from windrow import runners
from write_guide import BLOCK, PAGE, page


def test_every_command(tmp_path, monkeypatch):
    for name in ("onnxruntime", "openvino"):
        if runners.runner(name).fault():
            pytest.skip(runners.runner(name).fault())
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    assert [match.group(1) for match in BLOCK.finditer(text)].count("console") == 4
    assert page(text) == text
