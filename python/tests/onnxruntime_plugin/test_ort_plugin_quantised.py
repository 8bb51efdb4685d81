"""GatherBlockQuantized in sessions: the plug-in takes every legal node, and results are those of Windrow's own call."""

import os
import random
import secrets
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import windrow
from ort_sessions import plugged

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "onnx_runtime"))
import quantised_calls  # noqa: E402
from quantised_calls import FLOATS, FORMS, Call, codes, legal_calls, scales  # noqa: E402

CALLS = int(os.environ.get("WINDROW_QUANTISED_CALLS", "300"))
SEED = int(os.environ.get("WINDROW_QUANTISED_SEED", secrets.randbelow(2**32)))


def result_in_session(call, **chosen):
    """The result of a session in which the plug-in runs the call's node.

    NumPy arrays of ONNX Runtime have no bfloat16, so that its own Cast widens such results. It has no kernel of its own for
    such scales, so that the session fails unless the plug-in takes the node.
    """
    model = quantised_calls.model_of(call)
    if call.inputs[2][0] == "bfloat16":
        model.graph.node[0].output[0] = "narrow"
        model.graph.node.append(onnx.helper.make_node("Cast", ["narrow"], ["output"], to=onnx.TensorProto.FLOAT))
        model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
        return plugged(model, others=True, **chosen).run(None, {})[0]
    return plugged(model, **chosen).run(None, {})[0]


def check(call, **chosen):
    expected, text = quantised_calls.run_windrow(call)
    assert not text, call
    result = result_in_session(call, **chosen)
    if call.inputs[2][0] == "bfloat16":
        assert quantised_calls.same(expected.astype(np.float32), result), call
    else:
        assert result.shape == expected.shape, call
        assert result.tobytes() == expected.tobytes(), call


@pytest.mark.parametrize(("dtype", "bits", "each"), FORMS, ids=lambda part: str(part))
def test_every_legal_node_runs_in_the_plugin(dtype, bits, each):
    count = 0
    for call in legal_calls(dtype, bits, each):
        check(call)
        count += 1
    assert count >= 4 * 3 * 3 * 2


def test_drawn_calls(capsys):
    """Illegal calls are errors with and without the plug-in."""
    with capsys.disabled():
        print(f"quantised look-ups: WINDROW_QUANTISED_SEED={SEED}")
    results = 0
    for number in range(CALLS):
        call = quantised_calls.drawn_call(SEED, number)
        if quantised_calls.run_windrow(call)[1]:
            with pytest.raises(Exception):  # noqa: B017, PT011: ONNX Runtime's exceptions have no common base
                result_in_session(call)
            continue
        check(call, threads=2)
        results += 1
    assert results > CALLS // 2


def test_a_table_that_comes_with_the_run():
    """The schema calls data constant; a session takes it as an input too, of unknown extents."""
    draw = random.Random(3)
    attributes = {"bits": 4, "block_size": 16, "gather_axis": 0, "quantize_axis": 1}
    session = None
    for rows, ids in ((7, [6, -7]), (2, [0]), (300, list(range(-300, 300)))):
        call = Call(attributes, [("uint8", codes(draw, "uint8", [rows, 40])), ("int64", np.array(ids)),
                                 ("float32", scales(draw, "float32", [rows, 5])), None])
        model = quantised_calls.model_of(call)
        feeds = {tensor.name: array for tensor, (_, array) in zip(model.graph.initializer, call.inputs[:3], strict=True)}
        for tensor in model.graph.initializer:
            declared = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, [None] * len(tensor.dims))
            model.graph.input.append(declared)
        del model.graph.initializer[:]
        session = session or plugged(model, threads=2)
        assert quantised_calls.same(quantised_calls.run_windrow(call)[0], session.run(None, feeds)[0])


def test_without_attributes():
    """The defaults: 4 bits, blocks of 128, axes 0 and 1."""
    draw = random.Random(4)
    call = Call({}, [("uint8", codes(draw, "uint8", [4, 100])), ("int64", np.array([3, 0])),
                     ("float32", scales(draw, "float32", [4, 2])), None])
    check(call)
