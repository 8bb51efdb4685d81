"""The examples of docstrings, of the guide and of the README."""

import gzip
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

import page_examples
import windrow
from page_examples import run_examples

ROOT = Path(__file__).resolve().parents[2]
# Pages about hosts that these tests do without are run by the tests of their plug-ins, those about the conformance
# kit and about two runtimes that disagree by their tests; those for C++ quote programs, and test_evidence.py reads that of the evidence.
QUOTED = {"embedding_in_cpp": ["embedding.cc"],
          "distributed_tables": ["distributed_table.cc", "distributed_files.cc"]}
ELSEWHERE = {"torch", "conformance", "conformance_of_your_runtime", "evidence", "two_runtimes_disagree", *QUOTED}
# Pages of tables, which scripts write and tests compare.
GENERATED = {"fixes", "portability", "portability_tries", "inside_hosts"}
GUIDE = sorted(
    page for page in (ROOT / "docs" / "guide").glob("*.md") if page.stem not in ELSEWHERE | GENERATED)
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
OTHERS = [ROOT / "docs" / name for name in ("command.md", "design/walk.md", "performance/README.md")]
PAGES = [*GUIDE, *TUTORIALS, *OTHERS]
# Pages whose lines for a shell are run too.
TYPED = {page for page in PAGES if page.stem in ("command", "explaining", "README")} | {*TUTORIALS}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the pages speak of, as the working directory."""
    make = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Gather", ["table", "ids"], ["rows"])],
        "lookup",
        [make("table", onnx.TensorProto.FLOAT, [4, 3]), make("ids", onnx.TensorProto.INT64, ["n"])],
        [make("rows", onnx.TensorProto.FLOAT, ["n", 3])],
    )
    opset = onnx.helper.make_opsetid("", 17)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=10), tmp_path / "lookup.onnx")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save_safetensors(path, name, array):
    entry = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [0, array.nbytes]}
    header = json.dumps({name: entry}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + array.tobytes())


@pytest.fixture
def typed_files(folder):
    """The files that the pages of the command name."""
    table, ids = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([3, 0])
    np.save("table.npy", table)
    np.save("ids.npy", ids)
    np.save("rows.npy", table[ids])
    np.save("data.npy", np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    np.save("indices.npy", np.array([[2], [0]]))
    np.save("segments.npy", np.array([0, 3]))
    np.save("axis.npy", np.array(1))
    import openvino

    openvino.save_model(openvino.convert_model("lookup.onnx"), "lookup.xml", compress_to_fp16=False)
    np.savez("inputs.npz", table=table, ids=ids)
    np.savez("arrays.npz", data=table, ids=ids)
    save_safetensors(folder / "weights.safetensors", "embed", table)
    (folder / "lookup.onnx.gz").write_bytes(gzip.compress((folder / "lookup.onnx").read_bytes()))
    (folder / "make_ids.py").write_text("import sys, numpy\nnumpy.save(sys.stdout.buffer, numpy.array([1, 2]))\n")
    case = folder / "cases" / "near"
    case.mkdir(parents=True)
    (case / "model.onnx").write_bytes((folder / "lookup.onnx").read_bytes())
    np.savez(case / "inputs.npz", table=table, ids=ids)
    np.savez(case / "outputs.npz", rows=table[ids] * np.float32(1 + 2**-20))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs").with_suffix("")))
def test_guide(page, folder, request):
    """Each page runs in a process of its own."""
    if page.stem in ("onnxruntime", "runners") and not importlib.import_module("windrow.onnxruntime").available():
        pytest.skip("this build has no plug-in for ONNX Runtime")
    options = []
    if page in TYPED:
        request.getfixturevalue("typed_files")
        options = ["--typed"]
    program = [sys.executable, page_examples.__file__, str(page), *options]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", QUOTED)
def test_a_page_for_cpp_quotes_an_example(page):
    programs = "".join((ROOT / "examples" / name).read_text() for name in QUOTED[page])
    page = (ROOT / "docs" / "guide" / f"{page}.md").read_text()
    quoted = re.findall(r"```cpp\n(.*?)```", page, re.DOTALL)
    assert len(quoted) >= 3
    for code in quoted:
        assert code in programs


def documented():
    """Every public function and class with an example in its docstring."""
    things = {name: getattr(windrow, name) for name in windrow.__all__}
    return {name: thing for name, thing in things.items() if ">>>" in (thing.__doc__ or "")}


@pytest.mark.parametrize("name", documented())
def test_docstring(name, folder):
    names = {"windrow": windrow, "np": np}
    assert run_examples(documented()[name].__doc__, name, names) > 0


def test_the_row_operations_have_examples():
    assert {"take", "take_along_axis", "put_along_axis", "put_along_axis_copy", "segment_reduce"} <= set(documented())


def test_every_public_name_is_documented():
    undocumented = [
        name
        for name in windrow.__all__
        if not isinstance(getattr(windrow, name), str) and not getattr(windrow, name).__doc__
    ]
    assert not undocumented
    for operator in windrow.ops():
        text = getattr(getattr(windrow, operator.dialect), operator.function_name).__doc__
        for row in (*operator.newest["inputs"], *operator.attributes):
            assert f"\n{row['name']}" in text, operator
        assert "Shapes: " in text and "Raises " in text and "Source: " in text
