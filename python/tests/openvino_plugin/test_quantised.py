"""GatherBlockQuantized of ONNX models that a core reads with the plug-in."""

import sys
from pathlib import Path

import numpy as np
import onnx
import openvino
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "onnx_runtime"))
import quantised_calls  # noqa: E402
from quantised_calls import Call, codes, legal_calls, scales  # noqa: E402

# The host's reader knows no types with this ending.
FORMS = [form for form in quantised_calls.FORMS if not form[0].endswith("fnuz")]
OURS = ("onnx.GatherBlockQuantized-1", "array.TakeQuantized-1")
# Every seventh of the calls, which meets every choice of every part of them.
STEP = 7


def make_model(call, given=("indices",)):
    """The call's model, with the inputs `given` of each run, and a result of float32 for scales of bfloat16."""
    model = quantised_calls.model_of(call)
    graph = model.graph
    for tensor in list(graph.initializer):
        if tensor.name in given:
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
            graph.initializer.remove(tensor)
    if call.inputs[2][0] == "bfloat16":
        graph.node[0].output[0] = "narrow"
        graph.node.append(onnx.helper.make_node("Cast", ["narrow"], ["output"], to=onnx.TensorProto.FLOAT))
        graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    return model.SerializeToString()


def join(models):
    """One model of several, of which each has its number before its names, so that the host compiles once for all."""
    joined, *others = (onnx.compose.add_prefix(onnx.load_from_string(model), f"{number} ") for number, model in enumerate(models))
    for other in others:
        for part in ("node", "input", "output", "initializer"):
            getattr(joined.graph, part).extend(getattr(other.graph, part))
    return joined.SerializeToString()


def check_all(core, calls):
    """All nodes run in the plug-in, each with the bits of its call."""
    model = core.read_model(join(map(make_model, calls)))
    kinds = [node.get_type_name() for node in model.get_ordered_ops()]
    assert sum(kind in OURS for kind in kinds) == len(calls), kinds
    results = core.compile_model(model, "CPU")({f"{number} indices": call.inputs[1][1] for number, call in enumerate(calls)})
    for call, result in zip(calls, results.values(), strict=True):
        compare(call, result)


def check(core, call, feeds, given=("indices",)):
    model = core.read_model(make_model(call, given))
    kinds = [node.get_type_name() for node in model.get_ordered_ops()]
    assert sum(kind in OURS for kind in kinds) == 1, kinds
    (result,) = core.compile_model(model, "CPU")(feeds).values()
    compare(call, result)


def compare(call, result):
    expected, text = quantised_calls.run_windrow(call)
    assert not text, call
    if call.inputs[2][0] == "bfloat16":
        expected = expected.astype(np.float32)
    assert quantised_calls.same(expected, result), call


@pytest.mark.parametrize(("dtype", "bits", "each"), FORMS, ids=str)
def test_legal_nodes_run_in_the_plugin(core, dtype, bits, each):
    calls = list(legal_calls(dtype, bits, each))
    chosen = calls[::STEP]
    check_all(core, chosen)
    for part in ("gather_axis", "block_size"):
        everywhere = {call.attributes[part] for call in calls}
        assert {call.attributes[part] for call in chosen} == everywhere


def host_tensor(dtype, array):
    """Codes of 4 bits as the host takes them."""
    if dtype not in ("int4", "uint4"):
        return array
    packed = np.frombuffer(quantised_calls.proto("codes", dtype, array).raw_data, np.uint8)
    return openvino.Tensor(packed, openvino.Shape(array.shape), {"int4": openvino.Type.i4, "uint4": openvino.Type.u4}[dtype])


@pytest.mark.parametrize(("dtype", "bits", "each"), FORMS[:5], ids=str)
def test_tables_that_come_with_the_run(core, dtype, bits, each):
    """OpenVINO alone takes constant tables only."""
    names = ("data", "indices", "scales", "zero_points")
    call = next(call for call in legal_calls(dtype, bits, each) if call.inputs[3] is not None)
    feeds = {name: host_tensor(*given) for name, given in zip(names, call.inputs, strict=True)}
    check(core, call, feeds, given=names)
    host = openvino.Core()
    with pytest.raises(RuntimeError, match="Constant"):
        host.read_model(make_model(call, names))


@pytest.mark.parametrize("dtype", ["int4", "uint4", "uint8"])
@pytest.mark.parametrize(
    ("attribute", "number", "rule"), [("block_size", 24, "A4"), ("bits", 3, "A5"), ("block_size", 0, "A4"), ("quantize_axis", 2, "A3")])
def test_illegal_nodes_are_refused_when_the_model_is_read(core, dtype, attribute, number, rule):
    attributes = {"bits": 4, "block_size": 16, "gather_axis": 0, "quantize_axis": 1, attribute: number}
    each = 2 if dtype == "uint8" else 1
    draw = quantised_calls.random.Random(6)
    call = Call(attributes, [(dtype, codes(draw, dtype, [3, 16 // each])), ("int64", np.array([0])),
                             ("float32", scales(draw, "float32", [3, 1])), None])
    with pytest.raises(RuntimeError, match=f"ONNX-GatherBlockQuantized-{rule}"):
        core.read_model(make_model(call))
