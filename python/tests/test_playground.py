"""windrow.playground(): calls for the page, the page in a notebook, and the browser that opens it."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import webbrowser
from pathlib import Path

import numpy as np
import pytest
import windrow
from case_data import CODES, numpy_dtype
from element_types import random_elements
from windrow._explain import playground as module

# The text of the page, before the module is put into it.
TEMPLATE = Path(__file__).resolve().parents[2] / "playground/page.html"
GIVEN = re.compile(r'<script type="application/json" id="given">(.*?)</script>', re.DOTALL)
DATA = np.arange(24, dtype=np.float32).reshape(3, 4, 2)


@pytest.fixture(autouse=True)
def page(monkeypatch, tmp_path):
    file = tmp_path / "playground.html"
    file.write_text(TEMPLATE.read_text())
    monkeypatch.setattr(module, "PAGE", file)
    return file


def call_of(shown):
    """The call in the address of the page."""
    address, _, fragment = shown.address.partition("#")
    assert address == shown.path.as_uri()
    return json.loads(urllib.parse.unquote(fragment))


def test_a_call_of_arrays_specs_and_words():
    shown = windrow.playground(windrow.onnx.gather_nd, DATA[:1], [[0, 1], [2, -1]], batch_dims=0, out_of_range="clamp")
    assert call_of(shown) == {
        "operator": "onnx.GatherND",
        "version": 13,
        "inputs": {"data": "[[[0,1],[2,3],[4,5],[6,7]]]", "indices": "[[0,1],[2,-1]]"},
        "dtypes": {"data": "float32", "indices": "int64"},
        "attributes": {"batch_dims": "0"},
        "options": {"out-of-range": "clamp"},
        "as": [],
    }
    spec = windrow.Spec("float16", (1 << 20, 64))
    call = call_of(windrow.playground("onnx.ScatterElements-16", spec, "[[1]]", [[2.5]], as_="onnx.ScatterND", reduction="sum"))
    assert call["inputs"] == {"data": "1048576x64", "indices": "[[1]]", "updates": "[[2.5]]"}
    assert (call["version"], call["dtypes"]) == (16, {"data": "float16", "updates": "float16"})
    assert (call["attributes"], call["as"]) == ({"reduction": "add"}, ["onnx.ScatterND"])


def test_an_absent_input_and_a_scalar():
    call = call_of(windrow.playground("openvino.EmbeddingBagOffsetsSum", "4x2", [0, 1], [0], None, windrow.Spec("f4", ())))
    assert "default_index" not in call["inputs"] and call["inputs"]["per_sample_weights"] == "0"
    assert call["dtypes"]["per_sample_weights"] == "float32"


(TAKE,) = (operator for operator in windrow.ops("array") if operator.name == "Take")


def finite_elements(rng, name):
    """Elements with zeros of both signs; complex ones without imaginary part."""
    array = random_elements(rng, (2, 3), name, arithmetic=True)
    if name == "string" or array.dtype.kind in "iub" or "int" in name:
        return array
    array = array.real if array.dtype.kind == "c" else array
    array[0, 1] = -0.0  # NaN in a type without zeros
    return np.where(np.isfinite(array.astype(np.float64)), array, 1).astype(numpy_dtype(name))


@pytest.mark.parametrize("name", TAKE.newest["inputs"][0]["dtypes"])
def test_elements_of_every_type_reach_the_page(name):
    """The command reads the page's texts as the page does; both explain the same call."""
    given = windrow.Spec(name, (2, 3)) if name in CODES else finite_elements(np.random.default_rng(1), name)
    call = call_of(windrow.playground("array.Take", given, [1, 0], axis=0))
    words = ["explain", call["operator"], "--attr", "axis=0", "--json"]
    words += [word for given, text in call["inputs"].items() for word in (f"--{given}", text)]
    words += [word for given, text in call["dtypes"].items() for word in ("--dtype", f"{given}={text}")]
    done = subprocess.run([sys.executable, "-m", "windrow", *words], capture_output=True, text=True, check=True)
    output = json.loads(done.stdout)["output"]
    expected = ["1" if name == "uint1" else "3", "4", "5", "0", "1", "2"]  # those of the spec count from 0
    if name not in CODES:
        expected = list(windrow.explain("array.Take", given, [1, 0], axis=0).output.values)
    assert output["dtype"] == name
    assert output["values"] == [str(int(value) % 2) if name == "uint1" else value for value in expected]


def test_a_failing_call_is_for_the_page_to_show():
    assert call_of(windrow.playground("onnx.Gather", [1, 2], [7]))["inputs"]["indices"] == "[7]"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (lambda: windrow.playground("onnx.Gather", [1.0, np.nan], [0]), windrow.Unsupported, "data[1] is nan"),
        (lambda: windrow.playground("onnx.Gather", np.zeros((65, 64)), [0]), windrow.Unsupported, "data has 4160 elements"),
        (lambda: windrow.playground("onnx.Gather", "data.npy", [0]), windrow.ArgumentError, "data: 'data.npy' is neither a shape"),
        (lambda: windrow.playground("onnx.Gather", [1], [0], [0]), windrow.ArgumentError, "has 2 inputs, not 3"),
        (lambda: windrow.playground("onnx.Gather", [1], [0], axes=0), windrow.ArgumentError, "no attribute 'axes'"),
        (lambda: windrow.playground("onnx.Gather", [1], [0], out_of_range="no"), windrow.ArgumentError, "out_of_range"),
        (lambda: windrow.playground("onnx.Gather", [1], [0], as_="onnx.Gather"), windrow.ArgumentError, "the call itself"),
        (lambda: windrow.playground("onnx.Gahter"), windrow.Unsupported, "did you mean Gather?"),
        (lambda: windrow.playground(axis=0), windrow.ArgumentError, "needs its operator"),
        (lambda: windrow.playground(strict=True), windrow.ArgumentError, "needs its operator"),
    ],
)
def test_what_is_refused(given, error, said):
    with pytest.raises(error) as raised:
        given()
    assert said in str(raised.value)


def test_a_build_without_the_page_says_so(page):
    page.unlink()
    for call in (windrow.playground, lambda: windrow.playground("onnx.Gather", [1], [0])):
        with pytest.raises(windrow.Unsupported) as raised:
            call()
        assert str(raised.value).startswith(f"this build has no playground: there is no file {page}")


def test_a_notebook_gets_the_whole_page_with_the_call():
    shown = windrow.playground("onnx.Gather", ["</script>"], [0])
    (text,) = re.findall(r'^<iframe title="[^"<>]*" style="[^"<>]*" srcdoc="([^"<>]*)"></iframe>$', shown._repr_html_())
    assert html.unescape(text) == shown.to_html()
    assert json.loads(GIVEN.search(shown.to_html())[1]) == call_of(shown)
    assert windrow.playground().to_html() == TEMPLATE.read_text()
    assert repr(shown).startswith("Playground(path=")


@pytest.fixture
def browser_that_notes(tmp_path, monkeypatch):
    """A program in the place of the browser; gives the file with the addresses that it was given."""
    noted, program = tmp_path / "noted.txt", tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" >> {noted}\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return noted


def opened(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)).stdout


USES_TEMPLATE = "import windrow; from windrow._explain import playground as m; from pathlib import Path; m.PAGE = Path({!r}); "


def test_open_starts_the_browser_with_the_page(browser_that_notes, page):
    start = USES_TEMPLATE.format(str(page))
    assert opened(start + "print(windrow.playground().open())") == "True\n"
    assert browser_that_notes.read_text() == page.as_uri() + "\n"
    opened(start + "print(windrow.playground('onnx.Gather', [1, 2], [0]).open())")
    # An opener that drops what is behind the '#' loses nothing: a page leads there.
    leading = Path(urllib.parse.urlparse(browser_that_notes.read_text().splitlines()[1]).path).read_text()
    target = re.search(r'content="0; url=([^"]*)"', leading)[1]
    assert html.unescape(target) == windrow.playground("onnx.Gather", [1, 2], [0]).address


def test_the_command_opens_the_browser(browser_that_notes, page):
    run = USES_TEMPLATE.format(str(page)) + "import sys, windrow.__main__; " + "sys.argv = ['windrow', 'playground', WORDS]; windrow.__main__.main()"
    assert opened(run.replace("WORDS", "'--no-browser'")) == page.as_uri() + "\n"
    assert not browser_that_notes.exists()
    assert opened(run.replace("WORDS", "")) == page.as_uri() + "\n"
    assert browser_that_notes.read_text() == page.as_uri() + "\n"


def test_no_browser_is_said(page, tmp_path, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert windrow.playground().open() is False
    assert windrow.playground("onnx.Gather", [1], [0]).open() is False
