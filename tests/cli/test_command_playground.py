"""windrow playground: the address of the page, the page with a call inside, and what is refused."""

import json
import pathlib
import re
import shutil
import subprocess
import urllib.parse

import numpy as np
import pytest
from cli_command import COMMAND

# The text of the page, before the module is put into it: the command looks for the place of a call alone.
TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "playground/page.html"
GIVEN = re.compile(r'<script type="application/json" id="given">(.*?)</script>', re.DOTALL)
GATHER = ["onnx.Gather", "--data", "4x", "--indices", "[1,-1]"]


class Installed:
    """The command where it is installed: a page in share/ beside bin/."""

    def __init__(self, folder):
        self.folder = folder
        self.page = folder / "share/windrow/playground.html"
        self.page.parent.mkdir(parents=True)
        (folder / "bin").mkdir()
        shutil.copy(COMMAND, folder / "bin/windrow")
        shutil.copy(TEMPLATE, self.page)

    def run(self, *words, **more):
        words = [self.folder / "bin/windrow", "playground", *words]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False, **more)

    def call(self, *words):
        """The call that the printed address brings to the page."""
        done = self.run(*words)
        assert (done.returncode, done.stderr) == (0, "")
        address, fragment = done.stdout.strip().split("#")
        assert address == self.page.as_uri()
        return json.loads(urllib.parse.unquote(fragment))

    def error(self, *words):
        done = self.run(*words)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        (line,) = done.stderr.splitlines()
        return line.removeprefix("windrow: error: ")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("a folder, ünd #1"))


def test_without_a_call_the_address_is_that_of_the_page(installed):
    assert installed.run().stdout == installed.page.as_uri() + "\n"
    assert json.loads(installed.run("--json", "--no-browser").stdout) == {"address": installed.page.as_uri()}


def test_the_address_holds_the_whole_call(installed):
    words = ["openvino.Gather-7", "--data", "3x4", "--indices", "[[0, 1]]", "--axis", "1", "--dtype", "data=float16"]
    more = ["--attr", "batch_dims=0", "--dtype", "1=int32", "--out-of-range", "clamp", "--negative", "error", "--as", "onnx.Gather"]
    assert installed.call(*words, *more) == {
        "operator": "openvino.Gather",
        "version": 7,
        "inputs": {"data": "3x4", "indices": "[[0, 1]]", "axis": "1"},
        "dtypes": {"data": "float16", "indices": "int32"},
        "attributes": {"batch_dims": "0"},
        "options": {"out-of-range": "clamp", "negative": "error"},
        "as": ["onnx.Gather"],
    }


def test_a_version_becomes_that_of_the_row_which_applies(installed):
    assert installed.call("onnx.GatherND", "--version", "17", "--data", "4x", "--indices", "[[1]]")["version"] == 13
    options = installed.call(*GATHER, "--padding-index", "-1", "--strict", "--duplicates", "error")["options"]
    assert options == {"padding-index": "-1", "strict": "true", "duplicates": "error"}


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array([[0.1, -0.0], [1e20, 1]], "f4"), "[[0.1,-0.0],[1e+20,1]]"),
        (np.array(0.1), "0.1"),
        (np.array([2**63], "u8"), "[9223372036854775808]"),
        (np.array([True, False]), "[true,false]"),
        (np.zeros((0, 3), "i2"), "0x3"),
        (np.zeros(0, "f2"), "0x"),
        (np.arange(4, dtype="f2").reshape(2, 2).T / 4, "[[0,0.5],[0.25,0.75]]"),
        (np.array([1.5, -2], "c8"), "[1.5,-2]"),
    ],
)
def test_a_tensor_of_a_file_becomes_lists_of_its_type(installed, array, text):
    np.save(installed.folder / "array.npy", array)
    call = installed.call("onnx.Gather", "--data", "array.npy", "--indices", "0x")
    assert (call["inputs"]["data"], call["dtypes"]) == (text, {"data": array.dtype.name})


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.array([[1, 2], [3, np.nan]]), "data[1, 1] is nan, which is no finite number"),
        (np.array(-np.inf), "data[] is -inf, which is no finite number"),
        (np.array([1, 2 - 1j]), "data[1] is 2-1j, which has an imaginary part"),
        (np.zeros(4097), "data has 4097 elements, the playground takes lists of at most 4096"),
    ],
)
def test_an_element_that_no_list_holds_is_named(installed, array, said):
    np.save(installed.folder / "array.npy", array)
    assert installed.error("onnx.Gather", "--data", "array.npy", "--indices", "[0]").startswith(said)


def test_the_written_page_has_the_call_inside(installed):
    text = ["array.Take", "--data", '["</script><!--", "é"]', "--dtype", "data=string", "--indices", "[1]"]
    done = installed.run(*text, "--out", "made.html")
    assert (done.returncode, done.stdout) == (0, "wrote made.html\n")
    page = (installed.folder / "made.html").read_text()
    assert json.loads(GIVEN.search(page)[1]) == installed.call(*text)
    assert GIVEN.sub("", page) == GIVEN.sub("", TEMPLATE.read_text())
    assert installed.run("--out", "-").stdout == TEMPLATE.read_text()
    assert json.loads(installed.run("--out", "made.html", "--json").stdout) == {"out": "made.html"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Gather", "--data", "4x"], "'Gather' is not an operator: write the dialect before it"),
        (["onnx.Gahter"], "onnx.Gahter: there is no such operator; did you mean Gather?"),
        (["model.onnx"], "model.onnx: the playground takes operators; windrow explain shows nodes of models"),
        (["onnx.Gather", "--date", "4x"], "--date: onnx.Gather-13 has the inputs --data, --indices"),
        ([*GATHER, "--attr", "axes=0"], "onnx.Gather-13 has no attribute 'axes'"),
        ([*GATHER, "--as", "openvino.Gather-7"], "--as openvino.Gather-7: the playground compares with the newest version"),
        ([*GATHER, "--as", "openvino.Gather:batch_dims=1"], "--as openvino.Gather:batch_dims=1: the playground compares"),
        ([*GATHER, "--as", "onnx.Gather"], "--as onnx.Gather: is the operator of the call itself"),
        (["--attr", "axis=0"], "what is said of a call needs its operator"),
        (["--strict"], "what is said of a call needs its operator"),
        (["onnx.Gather", "--data", "absent.npy"], "cannot open 'absent.npy'"),
        ([*GATHER, "--out", "absent/page.html"], "absent"),
    ],
)
def test_what_names_no_call_is_refused(installed, words, said):
    assert said in installed.error(*words)


def test_a_build_without_the_page_says_so(tmp_path):
    bare = Installed(tmp_path)
    bare.page.unlink()
    for words in ([], GATHER, ["--out", "page.html"]):
        said = bare.error(*words)
        assert said.startswith(f"this build has no playground: there is no file {bare.page}")
        assert "./dev playground" in said and "windrow explain" in said
    assert json.loads(bare.run("--json").stdout)["error"]["code"] == "unsupported"
    assert not (tmp_path / "page.html").exists()


def test_a_page_of_another_version_is_refused(tmp_path):
    old = Installed(tmp_path)
    old.page.write_text("<!DOCTYPE html>")
    assert "is not the page of this version's playground" in old.error(*GATHER, "--out", "page.html")
