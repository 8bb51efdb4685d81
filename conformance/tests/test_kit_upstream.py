"""The node tests that are offered to ONNX say what the specification says, and what the corpus says."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.backend.test.case.base as base_module
import onnx.backend.test.case.node as node_module
import pytest
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from test_kit_exports import COMMAND

ROOT = Path(__file__).resolve().parents[2]
UPSTREAM = ROOT / "conformance" / "upstream"
FILES = sorted(path.stem for path in UPSTREAM.glob("*.py"))
OFFICIAL = "onnx.backend.test.case.node."


class Loaded:
    """What the files define: node tests by name, calls that must fail, and the text of each export."""

    def __init__(self) -> None:
        self.cases: dict[str, Any] = {}
        self.must_fail: list[Any] = []
        self.snippets: list[tuple[str, str, str]] = []


@pytest.fixture(scope="module")
def loaded() -> Iterator[Loaded]:
    """The files are loaded beside ONNX's own of the same names, with lists of their own for what they add."""
    result = Loaded()
    with pytest.MonkeyPatch.context() as patch:
        cases: list[Any] = []
        patch.setattr(node_module, "_NodeTestCases", cases)
        patch.setattr(node_module, "_existing_names", {})
        patch.setattr(base_module, "Snippets", defaultdict(list))
        for name in FILES:
            if name != "must_fail":
                spec = importlib.util.find_spec(OFFICIAL + name)
                assert spec is not None
                _execute(spec)
        official = {case.name for case in cases}
        assert len(official) > 30
        base_module.Snippets.clear()
        for name in FILES:
            spec = importlib.util.spec_from_file_location(f"offered_{name}", UPSTREAM / f"{name}.py")
            assert spec is not None
            module = _execute(spec)
            result.must_fail += getattr(module, "MUST_FAIL", [])
        result.cases = {case.name: case for case in cases if case.name not in official}
        result.snippets = [(op, *snippet) for op, found in base_module.Snippets.items() for snippet in found]
        yield result


def _execute(spec: Any) -> Any:
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


def test_there_are_tests_for_each_operator(loaded: Loaded) -> None:
    operators = {case.model.graph.node[0].op_type for case in loaded.cases.values()}
    assert operators == {case.model.graph.node[0].op_type for case in loaded.must_fail}
    assert operators == {"Gather", "GatherElements", "GatherND", "OneHot", "ScatterElements", "ScatterND", "TensorScatter"}
    assert len(loaded.cases) > 150
    assert len(loaded.must_fail) > 20


def _flat(text: str) -> str:
    """Without line breaks and without what marks a list in ONNX's documents."""
    return re.sub(r"\s+", " ", text)


def _specification(operator: str) -> str:
    schema = onnx.defs.get_schema(operator)
    parts = [schema.doc or ""]
    for group in (schema.inputs, schema.outputs, schema.attributes.values(), schema.type_constraints):
        parts += [part.description for part in group]
    return _flat("\n".join(parts))


def test_every_test_quotes_the_specification(loaded: Loaded) -> None:
    assert len(loaded.snippets) > 80
    for operator, name, source in loaded.snippets:
        comment = re.match(r"(# .*\n)+", source)
        assert comment, (operator, name)
        quotation = re.match(r'"(.*?)"(?= |$)(?! modulo)', _flat(comment[0].replace("# ", "")).strip())
        assert quotation, (operator, name)
        assert quotation[1] in _specification(operator), (operator, name, quotation[1])


# Where ONNX's reference implementation, onnx 1.23.2, raises an error; README.md says what its authors would have to change.
REFERENCE_DIFFERS = {
    "test_gather_elements_smaller_indices": "Except for dimension 1, all dimensions of index and self",
    "test_gathernd_no_batches": "cannot reshape array of size 0",
    "test_onehot_bool_values": "Issues with types",
    "test_onehot_depth_of_rank_1": "",
    "test_onehot_string_values": "Issues with types",
}


def test_the_reference_implementation_gives_the_expected(loaded: Loaded) -> None:
    differing = {}
    for name, case in loaded.cases.items():
        onnx.checker.check_model(case.model, full_check=True)
        [(inputs, [expected])] = case.data_sets
        names = [value.name for value in case.model.graph.input]
        try:
            [result] = ReferenceEvaluator(case.model).run(None, dict(zip(names, inputs, strict=True)))
        except Exception as error:  # noqa: BLE001: whatever the reference raises is its refusal
            differing[name] = repr(error)
            continue
        if not _same(np.asarray(result), expected):
            differing[name] = f"{result!r} {expected!r}"
    assert differing.keys() == REFERENCE_DIFFERS.keys(), differing
    for name, said in REFERENCE_DIFFERS.items():
        assert said in differing[name], (name, differing[name])


def _same(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return (left.dtype, left.shape, left.tolist()) == (right.dtype, right.shape, right.tolist())


# the corpus's own loops


def _tensor(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """A tensor in the notation of the corpus."""
    dtype = "string" if array.dtype == object else array.dtype.name
    if dtype.startswith("float8"):
        return {"dtype": dtype, "shape": list(array.shape), "data": [f"0x{byte:02x}" for byte in array.tobytes()]}
    elements = array.reshape(-1)
    if array.dtype == ml_dtypes.bfloat16:
        elements = elements.astype(np.float32)
    elif "int4" in dtype:
        elements = elements.astype(np.int8)
    data = [[each.real, each.imag] for each in elements.tolist()] if array.dtype.kind == "c" else elements.tolist()
    return {"dtype": dtype, "shape": list(array.shape), "data": data}


def test_the_corpus_s_loops_give_the_expected(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    expected = importlib.import_module("cases.authoring.shrink").expected

    for name, case in loaded.cases.items():
        [node] = case.model.graph.node
        [(inputs, [output])] = case.data_sets
        attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
        record = {
            "dialect": "onnx",
            "op": node.op_type,
            "version": case.model.opset_import[0].version,
            "attrs": {key: value.decode() if isinstance(value, bytes) else value for key, value in attributes.items()},
            "inputs": [_tensor(array) for array in inputs],
        }
        assert expected(record) == _tensor(output), name


# this project's command


def _write(folder: Path, model: onnx.ModelProto, arrays: list[Any], outputs: list[Any]) -> None:
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for kind, tensors in (("input", arrays), ("output", outputs)):
        for number, array in enumerate(tensors):
            content = numpy_helper.from_array(array, f"{kind}_{number}").SerializeToString()
            (data / f"{kind}_{number}.pb").write_bytes(content)


def test_the_command_verifies_them(loaded: Loaded, tmp_path: Path) -> None:
    for name, case in loaded.cases.items():
        [(inputs, outputs)] = case.data_sets
        _write(tmp_path / name, case.model, inputs, outputs)
    result = subprocess.run([COMMAND, "verify", str(tmp_path)], capture_output=True, text=True, check=False)
    assert f"{len(loaded.cases)} passed, 0 failed, 0 skipped" in result.stdout, result.stdout + result.stderr


def test_the_command_refuses_what_must_fail(loaded: Loaded, tmp_path: Path) -> None:
    for case in loaded.must_fail:
        _write(tmp_path / case.name, case.model, case.inputs, [np.zeros(1, np.float32)])
    result = subprocess.run([COMMAND, "verify", str(tmp_path)], capture_output=True, text=True, check=False)
    said_of = dict(re.findall(r"^FAIL (\w+): (.*)", result.stdout, re.MULTILINE))
    for case in loaded.must_fail:
        said = said_of[case.name]
        assert re.search(rf"ONNX-{case.model.graph.node[0].op_type}-[A-Z]\d", said), said
