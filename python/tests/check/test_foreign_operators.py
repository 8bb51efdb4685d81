"""Operators judged by rows and rules of their own: which of them have indices, and what hosts do with illegal ones."""

import json

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper
from windrow import _core
from windrow._base.arrays import numpy_dtype
from windrow._check.hosts import _RUNNERS
from windrow._ops.table import OPERATORS
from windrow.runners import NodeCall, runner

KNOWN = {(row["domain"], row["name"]) for row in _core.indexing_inputs()}
OWN = {name for dialect, name in OPERATORS if dialect == "onnx"}
INTEGERS = {"tensor(int32)", "tensor(int64)"}


def _types_of(schema):
    """The types that each input may have."""
    constraints = {row.type_param_str: set(row.allowed_type_strs) for row in schema.type_constraints}
    return [constraints.get(value.type_str, {value.type_str}) for value in schema.inputs]


def _has_integers(types):
    """Whether an input is of integers by its nature: it may not be float32."""
    return bool(types & INTEGERS) and "tensor(float)" not in types


def onnx_operators():
    newest = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        key = schema.domain, schema.name
        if key not in newest or newest[key].since_version < schema.since_version:
            newest[key] = schema
    return [key for key, schema in newest.items() if any(map(_has_integers, _types_of(schema)))]


def microsoft_operators():
    state = pytest.importorskip("onnxruntime").capi.onnxruntime_pybind11_state
    found = []
    for schema in state.get_all_operator_schema():
        if schema.domain != "com.microsoft":
            continue
        constraints = {row.type_param_str: set(row.allowed_type_strs) for row in schema.type_constraints}
        types = [constraints.get(value.typeStr, {value.typeStr}) for value in schema.inputs]
        if any(map(_has_integers, types)):
            found.append((schema.domain, schema.name))
    return found


def test_every_operator_of_onnx_with_integers_is_known():
    unknown = [key for key in onnx_operators() if key not in KNOWN and key[1] not in OWN]
    assert unknown == []
    assert len(onnx_operators()) > 50


def test_every_operator_of_onnx_runtime_with_integers_is_known():
    operators = microsoft_operators()
    assert [key for key in operators if key not in KNOWN] == []
    assert len(operators) > 50


# The models of each rule's example in its host.

JUDGED = {(row["domain"], row["name"]) for row in _core.indexing_inputs() if row["input"] and not row["why"]}


def _operator(rule):
    """The domain, as the table has it, and the name of the operator in a rule's example."""
    node = json.loads(rule.example or "{}")
    return "openvino" if node.get("dialect") == "openvino" else node.get("domain", ""), node.get("operator")


# Operators of OpenVINO that Windrow computes, with rules of their own.
OWN_RULES = {("openvino", "SegmentMax"), ("openvino", "SliceScatter")}
RULES = [rule for rule in windrow.portability_rules() if _operator(rule) in JUDGED | OWN_RULES]
# The inputs that hosts take as constants only, or of which the rule is about constants.
CONSTANTS = {"quantized-gather-index-range": (0, 2), "quantized-gather-form": (0, 2), "segment-order": (1,), "slices-of-a-run": (3, 4, 5),
             "slices-of-4-bits": (2, 3, 4, 5)}
RAN = [(rule, effect) for rule in RULES for effect in rule.effects if effect.ran]


def _array(dtype, shape, values=None):
    count = int(np.prod(shape, dtype=np.int64))
    numbers = values if values is not None else [(i % 7) + 1 for i in range(count)]
    return np.array(numbers).astype(numpy_dtype(dtype)).reshape(shape)


def _call(rule):
    node = json.loads(rule.example)
    inputs = tuple(None if given is None else _array(*given) for given in node["inputs"])
    outputs = {"EmbedLayerNormalization": 2}.get(node["operator"], 1)
    return NodeCall(node["operator"], inputs, node["attributes"], version=node["version"], dialect=node["dialect"],
                    domain=node.get("domain", ""), constants=CONSTANTS.get(rule.label, ()), outputs=outputs)


@pytest.mark.parametrize(("rule", "effect"), [pytest.param(*row, id=f"{row[0].label}-{row[1].runtime}") for row in RAN])
def test_effects_are_seen_again(rule, effect):
    host = runner(_RUNNERS[f"{effect.runtime}:{effect.device}"])
    if host.fault():
        pytest.skip(host.fault())
    result = host.run_node(_call(rule))
    # Memory outside of a tensor may end the process.
    may_crash = "crash" in effect.effect
    failed = result.failure is not None
    assert failed == (effect.severity == "fails") or (failed and may_crash), f"{effect.effect}: {result}"


def quantized(ids):
    """A table of 16 quantised rows, and the rows of these ids."""
    codes = helper.make_tensor("codes", TensorProto.UINT4, [16, 32], [3] * 512)
    scales = helper.make_tensor("scales", TensorProto.FLOAT, [16, 2], [1.0] * 32)
    rows = [codes, scales]
    inputs = [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])]
    if ids is not None:
        rows.append(helper.make_tensor("ids", TensorProto.INT64, [len(ids)], ids))
        inputs = []
    node = helper.make_node("GatherBlockQuantized", ["codes", "ids", "scales"], ["y"], domain="com.microsoft", block_size=16)
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], rows)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def test_an_id_beyond_a_quantised_table_is_a_finding():
    report = windrow.check(quantized([0, 16]))
    (finding,) = report.findings
    assert (finding.rule, finding.verdict, finding.value) == ("quantized-gather-index-range", "happens", "16")
    assert {effect.runtime: effect.effect for effect in finding.effects}["onnxruntime:cpu"] == "gives zeros"
    assert report.fails()
    assert windrow.check(quantized([15, -16])).findings == ()
    assert [contract.sentence for contract in windrow.check(quantized(None)).contracts] == ["ids must lie in -16 to 15"]


def sequences():
    nodes = [helper.make_node("SequenceConstruct", ["x", "x"], ["s"]), helper.make_node("SequenceAt", ["s", "i"], ["y"])]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
              helper.make_tensor_value_info("i", TensorProto.INT64, [])]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github", "junit", "html", "model-explorer"])
def test_every_format_says_what_is_not_judged(format):
    report = windrow.check(sequences())
    (unjudged,) = report.not_judged
    assert (unjudged.operator, unjudged.input, unjudged.count) == ("onnx.SequenceAt-13", "position", 1)
    assert "position" in report.format(format)
    assert "position" in report._repr_html_()


@pytest.mark.parametrize("runtime", ["mxnet", "migraphx@7.2", "webgpu", "onnxruntime:npu"])
def test_an_unknown_runtime_is_noted_and_judged_by_the_specification(runtime):
    report = windrow.check(quantized([0, 16]), runtimes=runtime)
    assert [note for note in report.notes if "no rule knows the runtime" in note]
    assert report.findings[0].runtimes == (runtime.partition("@")[0],)


def test_a_misspelt_runtime_is_named():
    assert "did you mean openvino?" in " ".join(windrow.check(quantized([0]), runtimes="openvin").notes)


def test_every_judged_family_has_effects_that_ran():
    assert len(RULES) == 21
    assert len(RAN) >= 29


SLICED = ("start", "stop", "step", "axes")


@pytest.mark.parametrize("decided", [(), ("start",), ("stop",), ("step",), ("axes",), SLICED])
@pytest.mark.parametrize("dynamic", [False, True])
def test_openvino_reads_slices_in_a_run_only_if_a_shape_is_open(decided, dynamic):
    host = runner(_RUNNERS["openvino:cpu"])
    if host.fault():
        pytest.skip(host.fault())
    numbers = [np.array([number]) for number in (1, 5, 2, 1)]
    inputs = (np.zeros((2, 6), np.float32), np.array([[1, 2], [3, 4]], np.float32), *numbers)
    constants = tuple(place for place, name in enumerate(SLICED, 2) if name not in decided)
    result = host.run_node(NodeCall("SliceScatter", inputs, {}, version=15, dialect="openvino", constants=constants,
                                    dynamic=dynamic))
    expected = [[0, 1, 0, 2, 0, 0], [0, 3, 0, 4, 0, 0]]
    right = result.failure is None and np.array_equal(result.outputs["output_0"], expected)
    assert right == (dynamic or not decided)
