"""Random calls of every operator through sessions, beside windrow.call()."""

import collections
import sys
from pathlib import Path

import numpy as np
import pytest
import windrow
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "onnx_runtime"))
from case_data import same_bits  # noqa: E402
from ort_probe import describe, make_probe  # noqa: E402
from ort_sessions import feeds, make_model, onnx_type, plugged, value  # noqa: E402

CALLS, SEED = 400, 11
# Messages that say that ONNX Runtime or its schemas lack a type or version.
THE_HOSTS_REFUSAL = ("Type Error", "not currently registered", "NOT_IMPLEMENTED", "INVALID_GRAPH",
                     "has been deprecated")


def is_numpys(dtype):
    return dtype.isbuiltin == 1  # 2: of another library


def widened(array):
    """Types that NumPy lacks as float32, which holds all their values."""
    return array if array is None or is_numpys(array.dtype) else array.astype(np.float32)


def model_of(call):
    """A model of the call whose inputs and output are of NumPy's types."""
    nodes, names, inputs = [], [], []
    for number, array in enumerate(call.inputs):
        names.append("" if array is None else f"i{number}")
        if array is None:
            continue
        inputs.append(value(names[-1], widened(array)))
        if not is_numpys(array.dtype):
            exact = {"saturate": 0} if array.dtype.name.startswith("float8") else {}  # infinities stay
            nodes.append(
                helper.make_node("Cast", [f"i{number}"], [f"narrow{number}"], to=onnx_type(array.dtype), **exact))
            names[-1] = f"narrow{number}"
    data = call.inputs[0]
    nodes.append(helper.make_node(call.row["name"], names, ["out"], domain=call.row["domain"], **call.attributes))
    if not is_numpys(data.dtype):
        nodes[-1].output[0] = "narrow"
        nodes.append(helper.make_node("Cast", ["narrow"], ["out"], to=TensorProto.FLOAT))
    output = helper.make_tensor_value_info("out", onnx_type(widened(data).dtype), None)
    return make_model(nodes, inputs, [output], call.version, domain=call.row["domain"])


def expected(call):
    """The result, or the error."""
    try:
        return widened(windrow.call("onnx", call.row["name"], *call.inputs, version=call.version, **call.attributes))
    except windrow.Error as error:
        return error


@pytest.mark.filterwarnings("ignore::windrow.OperatorWarning")
def test_random_calls(capsys):
    counts = collections.Counter()
    for number in range(CALLS):
        call = make_probe(SEED, number)
        # OneHot stays with the host; quantised look-ups have drawn calls of their own.
        if call.row["name"] in ("OneHot", "GatherBlockQuantized"):
            continue
        wanted = expected(call)
        try:
            session = plugged(model_of(call), threads=2, others=True)
            result = session.run(None, feeds([widened(array) for array in call.inputs]))[0]
        except Exception as error:  # noqa: BLE001: ONNX Runtime's exceptions have no common base
            if any(text in str(error) for text in THE_HOSTS_REFUSAL):
                counts["not in ONNX Runtime"] += 1
                continue
            assert isinstance(wanted, windrow.Error), (describe(call), error)
            counts["errors with Windrow's text" if str(wanted) in str(error) else "errors of the host"] += 1
            continue
        assert not isinstance(wanted, windrow.Error), (describe(call), wanted)
        assert same_bits(wanted, result), (describe(call), wanted, result)
        counts["results"] += 1
    with capsys.disabled():
        print(f"\nrandom calls, seed {SEED}:", ", ".join(f"{count} {words}" for words, count in sorted(counts.items())))
    assert counts["results"] > CALLS // 2 and counts["errors with Windrow's text"] > 0
