"""What onnx infers of shapes is a claim: nothing is proved by it without a premise that names it."""

import numpy as np
import onnx
import onnxruntime
import pytest
import windrow
from facts_beside_values import Run, Tally, compare
from foreign_shapes import FALSE, model_of, with_gather
from single_nodes import session_options
from soundness import ask_here
from test_patterns import ask_onnx_here  # noqa: F401
from windrow import _core

EXTENT = 300


def run_of(model):
    """The run of a model in ONNX Runtime on zeros; unknown extents are EXTENT."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    inputs = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        inputs[value.name] = np.zeros([dim.dim_value or EXTENT for dim in tensor.shape.dim], dtype)
    del copy.graph.output[:]
    names = [name for node in model.graph.node for name in node.output if name]
    inferred = onnx.shape_inference.infer_shapes(model)
    types = {value.name: value.type.tensor_type.elem_type for value in (*inferred.graph.value_info, *inferred.graph.output)}
    # ONNX Runtime gives 8-bit floats no arrays.
    names = [name for name in names if types[name] != onnx.TensorProto.FLOAT8E4M3FN]
    copy.graph.output.extend(onnx.helper.make_tensor_value_info(name, types[name], None) for name in names)
    session = onnxruntime.InferenceSession(copy.SerializeToString(), session_options())
    return Run(inputs, dict(zip(names, session.run(None, inputs), strict=True)))


def facts_of(model):
    """The facts of the model's values by name."""
    rows = _core.find_ranges(windrow.load(with_gather(model, 0, 0))._core, {}, ask_here)
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def claimed_shape(model):
    """The shape of y that onnx infers; unknown extents are EXTENT."""
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    return tuple(dim.dim_value or EXTENT for dim in inferred.graph.output[0].type.tensor_type.shape.dim)


@pytest.mark.parametrize("name", FALSE)
def test_facts_hold_where_onnx_is_wrong(name):
    model = model_of(*FALSE[name])
    run = run_of(model)
    assert claimed_shape(model) != run.arrays["y"].shape
    tally = Tally()
    facts = facts_of(model)
    for value, array in run.arrays.items():
        if value in facts:
            compare(facts[value], array, run, tally)
    assert tally.values and tally.faults == []


@pytest.mark.parametrize("name", FALSE)
def test_verdicts_hold_where_onnx_is_wrong(name):
    model = model_of(*FALSE[name])
    run = run_of(model)
    claimed, there = claimed_shape(model), run.arrays["y"].shape
    axis = next(axis for axis, extent in enumerate(there) if claimed[axis] != extent)
    for index in {claimed[axis] - 1, there[axis] - 1, claimed[axis], there[axis]}:
        report = windrow.check(with_gather(model, axis, index), select=["gather-index-range"], show_cannot=True)
        assert report.nodes == 1
        for finding in report.findings:
            if not all(map(run.meets, finding.premises)):
                continue
            assert finding.verdict != ("cannot" if index >= there[axis] else "happens"), finding


def test_a_premise_names_the_value_whose_shape_is_claimed():
    model = model_of(17, '(float[1, 1, 5, 5] x, float[1, 1, 3, 3] w) => (y) '
                     '{ wide = ConvTranspose<strides = [2, 2], auto_pad = "SAME_UPPER">(x, w) r = Relu(wide) y = Neg(r) }')
    report = windrow.check(with_gather(model, 2, 9), select=["gather-index-range"], show_cannot=True)
    (finding,) = report.findings
    assert finding.verdict == "cannot"
    assert finding.premises == ("wide (ConvTranspose) has the shape float32[1, 1, 10, 10], as onnx infers",)
    assert run_of(model).meets(finding.premises[0])


def test_a_verdict_that_needs_no_claim_has_no_premise():
    model = model_of(17, '(float[1, 1, 5, 5] x, float[1, 1, 3, 3] w) => (y) '
                     '{ y = ConvTranspose<strides = [2, 2], auto_pad = "SAME_UPPER">(x, w) }')
    report = windrow.check(with_gather(model, 2, -1), select=["index-beyond-32-bits", "type-float64"], show_cannot=True)
    assert [finding.premises for finding in report.findings] == [()] * len(report.findings)
    assert report.findings
