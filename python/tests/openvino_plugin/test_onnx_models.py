"""ONNX models that a core reads with the plug-in: assignment, results, errors, threads."""

import sys
import threading
from pathlib import Path

import numpy as np
import onnx
import openvino
import pytest

import windrow
from windrow import openvino_plugin

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "official"))

from write_node_tests import load_cases  # noqa: E402

CASES = {case.name: case for case in load_cases()}
# The layer kind of nodes that the CPU device leaves to their own evaluate().
OUR_LAYER = "Reference"
TABLE = np.arange(32, dtype=np.float32).reshape(8, 4)


def only_operator(model):
    kinds = [node.get_type_name() for node in model.get_ordered_ops()]
    (kind,) = [kind for kind in kinds if kind.startswith("onnx.")]
    return kind


@pytest.mark.parametrize("name", CASES)
def test_onnx_node_tests(core, layers, name):
    case = CASES[name]
    model = core.read_model(case.model.SerializeToString())
    assert only_operator(model).startswith(f"onnx.{case.model.graph.node[0].op_type}-")
    compiled = core.compile_model(model, "CPU")
    assert OUR_LAYER in layers(compiled).values()
    for inputs, (expected,) in case.data_sets:
        inputs = [as_array(value) for value in inputs]
        (result,) = compiled(inputs).values()
        expected = as_array(expected)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def as_array(value):
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def test_an_omitted_last_input_is_left_out(core):
    cache, update = np.zeros((1, 4, 2), np.float32), np.ones((1, 2, 2), np.float32)
    text = (
        '<ir_version: 12, opset_import: ["": 24]>'
        "omits (float[1,4,2] cache, float[1,2,2] update) => (float[1,4,2] result)"
        "{ result = TensorScatter (cache, update, ) }"
    )
    model = onnx.parser.parse_model(text)
    del model.graph.node[0].input[2:]
    model.graph.node[0].input.append("")
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU")
    (result,) = compiled([cache, update]).values()
    np.testing.assert_array_equal(result[0, :, 0], [1, 1, 0, 0])


@pytest.mark.parametrize(
    ("operator", "shape"), [("Gather", (3, 2)), ("GatherElements", (3, 4)), ("GatherND", (3, 2))]
)
def test_the_compiled_model_has_no_layer_of_the_host(core, layers, node_model, operator, shape):
    indices = np.zeros(shape, np.int64)
    model = core.read_model(node_model(operator, TABLE, indices))
    assert only_operator(model) == f"onnx.{operator}-13"
    kinds = layers(core.compile_model(model, "CPU"))
    assert operator not in kinds.values()
    assert kinds["result"] == OUR_LAYER
    host = openvino.Core()
    alone = host.compile_model(host.read_model(node_model(operator, TABLE, indices)), "CPU")
    assert operator in layers(alone).values()


def test_every_operator_is_taken_over_but_one():
    """The node tests above have a case of each, those of quantised look-ups are in a file of their own; OneHot's meaning depends on the opset."""
    tested = {case.model.graph.node[0].op_type for case in CASES.values()}
    assert tested == {operator.name for operator in windrow.ops("onnx")} - {"OneHot", "GatherBlockQuantized"}


@pytest.mark.parametrize(("opset", "row"), [(9, [0, 0, 0]), (11, [0, 0, 1])])
def test_one_hot_stays_the_hosts(core, opset, row):
    make = onnx.helper.make_tensor_value_info
    indices = make("indices", onnx.TensorProto.INT64, [1])
    inputs = [indices, make("values", onnx.TensorProto.FLOAT, [2])]
    depth = onnx.helper.make_tensor("depth", onnx.TensorProto.INT64, [], [3])
    node = onnx.helper.make_node("OneHot", ["indices", "depth", "values"], ["result"])
    result = make("result", onnx.TensorProto.FLOAT, [1, 3])
    graph = onnx.helper.make_graph([node], "one hot", inputs, [result], [depth])
    opsets = [onnx.helper.make_opsetid("", opset)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU")
    (found,) = compiled([np.array([-1]), np.array([0, 1], np.float32)]).values()
    np.testing.assert_array_equal(found, [row])


def test_shapes_that_come_with_the_run(compile_node):
    data = (np.float32, ["rows", 4])
    compiled = compile_node("Gather", data, (np.int64, ["count"]))
    # More lengths than the plans that a node keeps, and then all of them again.
    for count in [*range(40), *range(40)]:
        indices = np.arange(count) % 8 - 4
        (result,) = compiled([TABLE, indices]).values()
        np.testing.assert_array_equal(result, TABLE[indices])


def test_what_is_known_of_shapes_stays_known(core, node_model):
    data = (np.float32, ["rows", 4])
    model = core.read_model(node_model("GatherND", data, (np.int64, [5, "count", 1])))
    assert model.output(0).get_partial_shape() == openvino.PartialShape([5, -1, 4])


@pytest.mark.parametrize(("source", "ours"), [("shape", 0), ("doubled", 1)])
def test_a_shape_made_of_another_stays_known(core, source, ours):
    """What exporters write for x.reshape(-1, x.shape[1]): a Gather of a Shape is the host's.

    One of what is computed from a shape is ours, and the host learns from it.
    """
    make = onnx.helper.make_node
    nodes = [
        make("Shape", ["x"], ["shape"]),
        make("Mul", ["shape", "two"], ["doubled"]),
        make("Gather", [source, "second"], ["count"]),
        make("Concat", ["any", "count"], ["wanted"], axis=0),
        make("Reshape", ["x", "wanted"], ["y"]),
    ]
    constants = [
        onnx.numpy_helper.from_array(np.array([value]), name)
        for name, value in {"second": 1, "two": 2, "any": -1}.items()
    ]
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n", 4, 8])
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    graph = onnx.helper.make_graph(nodes, "reshape", [x], [y], constants)
    opsets = [onnx.helper.make_opsetid("", 17)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    model = core.read_model(model.SerializeToString())
    kinds = [node.get_type_name() for node in model.get_ordered_ops()]
    assert kinds.count("onnx.Gather-13") == ours
    assert kinds.count("Gather") == 1 - ours
    assert model.output(0).get_partial_shape() == openvino.PartialShape([-1, 4 * (1 + ours)])
    (result,) = core.compile_model(model, "CPU")([np.ones((3, 4, 8), np.float32)]).values()
    assert result.shape == (24 // (1 + ours), 4 * (1 + ours))


def test_an_index_outside_is_the_hosts_error_with_our_text(compile_node):
    indices = np.array([[0], [-9], [2]])
    compiled = compile_node("GatherND", TABLE, indices)
    expected = r"result: onnx\.GatherND-13 \[ONNX-GatherND-C5\]: indices\[1, 0\] is -9, out of"
    with pytest.raises(RuntimeError, match=expected):
        compiled([TABLE, indices])
    # The node continues to work.
    (result,) = compiled([TABLE, np.array([[0], [-8], [2]])]).values()
    np.testing.assert_array_equal(result, TABLE[[0, -8, 2]])


def test_impossible_shapes_are_refused_when_the_model_is_read(core, node_model):
    model = node_model("GatherElements", TABLE, np.zeros(3, np.int64))
    with pytest.raises(RuntimeError, match="ONNX-GatherElements-C1"):
        core.read_model(model)


def test_one_thread_swallows_errors_unless_the_request_is_asynchronous(compile_node):
    indices = np.array([[0], [-9], [2]])
    compiled = compile_node("GatherND", TABLE, indices, config={"INFERENCE_NUM_THREADS": 1})
    request = compiled.create_infer_request()
    request.infer([TABLE, indices])  # the host loses the error; if this raises, the guide may say so
    request.start_async([TABLE, indices])
    with pytest.raises(RuntimeError, match="ONNX-GatherND-C5"):
        request.wait()


def test_requests_at_the_same_time(compile_node):
    generator = np.random.default_rng(1)
    table = generator.standard_normal((500, 16)).astype(np.float32)
    data = (np.float32, ["rows", 16])
    update = (np.float32, ["count", 16])
    indices = (np.int64, ["count", 1])
    compiled = compile_node("ScatterND", data, indices, update, reduction="add")
    wrong = []

    def work(seed):
        generator = np.random.default_rng(seed)
        request = compiled.create_infer_request()
        for _ in range(20):
            count = int(generator.integers(1, 3000))
            indices = generator.integers(0, 20, (count, 1))
            updates = generator.standard_normal((count, 16)).astype(np.float32)
            (result,) = request.infer([table, indices, updates]).values()
            expected = windrow.onnx.scatter_nd(table, indices, updates, reduction="add")
            if result.tobytes() != expected.tobytes():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=[seed]) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("dtype", [np.int32, np.int8, np.uint8, np.float32, np.bool_])
def test_types_that_the_host_passes_on(compile_node, dtype):
    data = np.arange(-16, 16).reshape(8, 4).astype(dtype)
    indices = np.array([[7, -8], [0, 3]])
    compiled = compile_node("Gather", data, indices)
    (result,) = compiled([data, indices]).values()
    np.testing.assert_array_equal(result, data[indices])


def test_the_host_narrows_64_bits(compile_node):
    """If this fails, the host has gained a feature, and the guide's table of types has to change."""
    data = np.array([2**40 + 1, 5], np.int64)
    compiled = compile_node("Gather", data, np.array([0, 1]))
    (result,) = compiled([data, np.array([0, 1])]).values()
    assert result[1] == 5
    assert result[0] != data[0]


@pytest.mark.parametrize(
    ("model_type", "arrives"),
    [
        *((name, name) for name in ("f32", "bf16", "i32", "i8", "u8")),
        *((name, "f32") for name in ("f16", "f64")),
        *((name, "i32") for name in ("i16", "u16", "i64", "u64", "u32")),
        ("boolean", "u8"),
    ],
)
def test_types_as_they_reach_the_operator(core, model_type, arrives):
    """The guide's table."""
    data = openvino.opset8.parameter([8, 4], getattr(openvino.Type, model_type))
    indices = openvino.opset8.parameter([3], np.int32)
    model = openvino.Model([openvino.opset8.gather(data, indices, np.int64(0))], [data, indices])
    assert openvino_plugin.replace(model) == 1
    nodes = core.compile_model(model, "CPU").get_runtime_model().get_ordered_ops()
    infos = [node.get_rt_info() for node in nodes]
    (ours,) = [info for info in infos if info["layerType"].astype(str) == OUR_LAYER]
    assert ours["outputPrecisions"].astype(str) == arrives
