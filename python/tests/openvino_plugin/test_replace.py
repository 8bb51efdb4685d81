"""Nodes of the host's own operators, replaced by Windrow's in an existing model."""

import subprocess
import sys

import numpy as np
import openvino
import pytest
from openvino import opset1, opset3, opset4, opset5, opset6, opset7, opset8, opset12, opset15, opset16

from windrow import _core, openvino_plugin

DATA = np.arange(24, dtype=np.float32).reshape(4, 6)
ROWS = np.array([2, 0, -1], np.int32)
TUPLES = np.array([[0, 1], [3, -1]], np.int32)
CELLS = np.array([[0, 3, 1, 2, 2, 0]], np.int32)
BAG_IDS = np.array([0, 2, 3, 1], np.int32)
# A call of every gather and scatter operator of the host: the function that makes the node, its
# inputs, and its result.
CALLS = {
    "Gather-1": (
        lambda d, i: opset1.gather(d, i, np.int64(0)),
        (DATA, np.abs(ROWS)),
        DATA[np.abs(ROWS)],
    ),
    "Gather-7": (lambda d, i: opset7.gather(d, i, np.int64(1)), (DATA, ROWS), DATA[:, ROWS]),
    "Gather-8": (lambda d, i: opset8.gather(d, i, np.int64(0)), (DATA, ROWS), DATA[ROWS]),
    "GatherElements-6": (
        lambda d, i: opset6.gather_elements(d, i, 0),
        (DATA, CELLS),
        np.take_along_axis(DATA, CELLS, 0),
    ),
    "GatherND-5": (lambda d, i: opset5.gather_nd(d, i), (DATA, TUPLES), DATA[[0, 3], [1, -1]]),
    "GatherND-8": (lambda d, i: opset8.gather_nd(d, i), (DATA, TUPLES), DATA[[0, 3], [1, -1]]),
    "ScatterUpdate-3": (
        lambda d, i, u: opset3.scatter_update(d, i, u, np.int64(0)),
        (DATA, np.array([1], np.int32), np.ones((1, 6), np.float32)),
        np.vstack([DATA[:1], np.ones((1, 6)), DATA[2:]]),
    ),
    "ScatterElementsUpdate-3": (
        lambda d, i, u: opset3.scatter_elements_update(d, i, u, np.int64(0)),
        (np.zeros((4, 6), np.float32), CELLS, np.ones((1, 6), np.float32)),
        np.eye(4, dtype=np.float32)[CELLS[0]].T,
    ),
    "ScatterElementsUpdate-12": (
        lambda d, i, u: opset12.scatter_elements_update(d, i, u, np.int64(0), "sum", False),
        (np.full(3, 9, np.float32), np.array([1, 1], np.int32), np.array([2, 3], np.float32)),
        np.array([9, 5, 9], np.float32),
    ),
    "ScatterNDUpdate-3": (
        lambda d, i, u: opset4.scatter_nd_update(d, i, u),
        (np.zeros(3, np.float32), np.array([[1], [2]], np.int32), np.array([2, 3], np.float32)),
        np.array([0, 2, 3], np.float32),
    ),
    "ScatterNDUpdate-15": (
        lambda d, i, u: opset15.scatter_nd_update(d, i, u, "sum"),
        (np.zeros(3, np.float32), np.array([[1], [1]], np.int32), np.array([2, 3], np.float32)),
        np.array([0, 5, 0], np.float32),
    ),
    "OneHot-1": (
        lambda i: opset1.one_hot(i, np.int64(3), np.float32(5), np.float32(7), -1),
        (np.array([0, -1, 2], np.int64),),
        np.array([[5, 7, 7], [7, 7, 7], [7, 7, 5]], np.float32),
    ),
    "OneHot-16": (
        lambda i: opset16.one_hot(i, np.int64(3), np.float32(5), np.float32(7), 0, "normalize"),
        (np.array([0, -1, 3], np.int64),),
        np.array([[5, 7, 7], [7, 7, 7], [7, 5, 7]], np.float32),
    ),
    "SegmentMax-16": (
        lambda data, ids: opset16.segment_max(data, ids, np.int64(3), "ZERO"),
        (np.array([[-4, -np.inf], [-2, -np.inf], [9, 9]], np.float32), np.array([1, 1, 3], np.int64)),
        np.array([[0, 0], [-2, -np.inf], [0, 0]], np.float32),
    ),
    "SliceScatter-15": (
        lambda data, updates: opset15.slice_scatter(
            data, updates, np.array([-1, 4]), np.array([0, 0]), np.array([-2, -3]), np.array([0, 1])
        ),
        (np.zeros((4, 6), np.float32), np.array([[1, 2], [3, 4]], np.float32)),
        np.array([[0] * 6, [0, 4, 0, 0, 3, 0], [0] * 6, [0, 2, 0, 0, 1, 0]], np.float32),
    ),
    "EmbeddingBagOffsetsSum-3": (
        lambda table, ids, offsets, weights: opset3.embedding_bag_offsets_sum(
            table, ids, offsets, opset15.constant(np.int32(3)), weights
        ),
        (DATA, BAG_IDS, np.array([0, 2, 2], np.int32), np.array([1, 2, 3, 4], np.float32)),
        np.stack([DATA[0] + DATA[2] * 2, DATA[3], DATA[3] * 3 + DATA[1] * 4]),
    ),
    "EmbeddingBagOffsets-15": (
        lambda table, ids, offsets: opset15.embedding_bag_offsets(table, ids, offsets, reduction="mean"),
        (DATA, BAG_IDS, np.array([0, 2], np.int32)),
        np.stack([(DATA[0] + DATA[2]) / 2, (DATA[3] + DATA[1]) / 2]),
    ),
    "EmbeddingBagPackedSum-3": (
        lambda table, ids: opset3.embedding_bag_packed_sum(table, ids),
        (DATA, BAG_IDS.reshape(2, 2)),
        np.stack([DATA[0] + DATA[2], DATA[3] + DATA[1]]),
    ),
    "EmbeddingBagPacked-15": (
        lambda table, ids: opset15.embedding_bag_packed(table, ids, reduction="mean"),
        (DATA, BAG_IDS.reshape(2, 2)),
        np.stack([(DATA[0] + DATA[2]) / 2, (DATA[3] + DATA[1]) / 2]),
    ),
    "EmbeddingSegmentsSum-3": (
        lambda table, ids, segments: opset3.embedding_segments_sum(table, ids, segments, opset15.constant(np.int32(3))),
        (DATA, BAG_IDS, np.array([0, 0, 2, 2], np.int32)),
        np.stack([DATA[0] + DATA[2], np.zeros(6, np.float32), DATA[3] + DATA[1]]),
    ),
    "GatherTree-1": (
        lambda steps, parents, lengths: opset1.gather_tree(steps, parents, lengths, opset15.constant(np.int32(9))),
        (
            np.array([[[1, 2]], [[3, 4]], [[5, 9]]], np.int32),
            np.array([[[0, 0]], [[1, 0]], [[1, 0]]], np.int32),
            np.array([3], np.int32),
        ),
        np.array([[[1, 2]], [[4, 3]], [[5, 9]]], np.int32),
    ),
}


def make_model(call, inputs, dynamic=False):
    # The length of index tuples stays known: the rank of the result depends on it.
    shapes = [[-1] * (value.ndim - 1) + [-1 if value.ndim == 1 else value.shape[-1]] if dynamic
              else value.shape for value in inputs]
    parameters = [
        opset15.parameter(shape, value.dtype) for shape, value in zip(shapes, inputs, strict=True)
    ]
    node = call(*parameters)
    node.friendly_name = "the node"
    node.output(0).set_names({"the result"})
    return openvino.Model([node], parameters)


def types(model):
    return [node.get_type_name() for node in model.get_ordered_ops()]


def test_every_operator_of_the_dialect_has_a_call():
    rows = [row for row in _core.list_operators() if row["dialect"] == "openvino"]
    assert set(CALLS) == {f"{row['name']}-{row['since_version']}" for row in rows}


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", CALLS)
def test_a_replaced_node(core, layers, name, dynamic):
    call, inputs, expected = CALLS[name]
    model = make_model(call, inputs, dynamic)
    shape = model.output(0).get_partial_shape()
    assert openvino_plugin.replace(model) == 1
    assert f"openvino.{name}" in types(model)
    ours = model.output("the result").get_node().input_value(0).get_node()
    assert ours.friendly_name == "the node"
    assert model.output(0).get_partial_shape() == shape
    assert openvino_plugin.replace(model) == 0
    compiled = core.compile_model(model, "CPU")
    assert "Reference" in layers(compiled).values()
    (result,) = compiled(inputs).values()
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_the_last_id_says_how_many_segments_there_are(core, dynamic):
    ids = np.array([0, 0, 2, 2])
    model = make_model(lambda d, i: opset16.segment_max(d, i, fill_mode="ZERO"), (DATA, ids), dynamic)
    assert openvino_plugin.replace(model) == 1
    compiled = core.compile_model(model, "CPU")
    for last in (2, 4, 2, 3):  # of one type and shape
        ids[3] = last
        expected = np.zeros((last + 1, 6), np.float32)
        expected[[0, 2, last]] = DATA[1:]
        (result,) = compiled((DATA, ids)).values()
        np.testing.assert_array_equal(result, expected)


def test_a_replaced_model_is_written_and_read(core, tmp_path):
    call, inputs, expected = CALLS["ScatterElementsUpdate-12"]
    model = make_model(call, inputs)
    openvino_plugin.replace(model)
    openvino.save_model(model, tmp_path / "model.xml")
    again = core.read_model(tmp_path / "model.xml")
    assert "openvino.ScatterElementsUpdate-12" in types(again)
    (result,) = core.compile_model(again, "CPU")(inputs).values()
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("constant", [False, True], ids=["parameter", "constant"])
@pytest.mark.parametrize("name", ["u2", "nf4", "f4e2m1", "f8e8m0", "f8e4m3", "f8e5m2"])
def test_elements_that_the_host_hands_over_as_they_are(core, name, constant):
    kind = getattr(openvino.Type, name)
    codes = np.arange(12) * 5 % (1 << kind.bitwidth)
    rows = [2, 0, 1, 2]
    data, expected = (
        openvino.Tensor(_packed(part, kind.bitwidth), list(part.shape), kind)
        for part in (codes.reshape(3, 4), codes.reshape(3, 4)[rows])
    )
    table = openvino.op.Constant(data) if constant else opset15.parameter([3, 4], kind)
    ids = opset15.parameter([4], np.int32)
    parameters = [ids] if constant else [table, ids]
    model = openvino.Model([opset8.gather(table, ids, np.int64(0))], parameters)
    assert openvino_plugin.replace(model) == 1
    request = core.compile_model(model, "CPU").create_infer_request()
    given = openvino.Tensor(np.array(rows, np.int32))
    for number, tensor in enumerate([given] if constant else [data, given]):
        request.set_input_tensor(number, tensor)
    request.infer()
    result = request.get_output_tensor(0)
    assert result.element_type == kind
    assert np.asarray(result.data).tobytes() == np.asarray(expected.data).tobytes()


def _packed(codes, bits):
    """The codes, the first of each byte in its lowest bits."""
    each = codes.reshape(-1, 1) >> np.arange(bits) & 1
    return np.packbits(each.astype(np.uint8).ravel(), bitorder="little")


def test_a_gather_outside_gives_zeros_as_its_version_says(core):
    call, (data, _), _ = CALLS["Gather-8"]
    indices = np.array([9, 1], np.int32)
    model = make_model(call, (data, indices))
    openvino_plugin.replace(model)
    (result,) = core.compile_model(model, "CPU")([data, indices]).values()
    np.testing.assert_array_equal(result, np.stack([np.zeros(6), data[1]]))


def test_bodies_of_conditions(core):
    condition = opset15.parameter([], bool)
    data = opset15.parameter([4, 6], np.float32)
    branches = []
    for row in (1, 2):
        inner = opset15.parameter([4, 6], np.float32)
        branches.append(openvino.Model([opset8.gather(inner, np.int64(row), np.int64(0))], [inner]))
    node = opset8.if_op(condition)
    node.set_then_body(branches[0])
    node.set_else_body(branches[1])
    pairs = [branch.get_parameters()[0] for branch in branches]
    node.set_input(data.output(0), *pairs)
    result = node.set_output(*(branch.get_results()[0] for branch in branches))
    model = openvino.Model([result], [condition, data])
    assert openvino_plugin.replace(model) == 2
    compiled = core.compile_model(model, "CPU")
    for value, row in ((True, 1), (False, 2)):
        (found,) = compiled([np.array(value), DATA]).values()
        np.testing.assert_array_equal(found, DATA[row])


def test_bodies_of_loops(core):
    data = opset15.parameter([4, 6], np.float32)
    inner, row = opset15.parameter([4, 6], np.float32), opset15.parameter([1], np.int64)
    goes_on = opset15.constant(np.array(True))
    body = openvino.Model([opset8.gather(inner, row, np.int64(0)), goes_on], [inner, row])
    loop = opset8.loop(opset15.constant(np.int64(3)), opset15.constant(np.array(True)))
    loop.set_function(body)
    loop.set_special_body_ports([1, 1])
    loop.set_invariant_input(inner, data.output(0))
    rows = loop.get_concatenated_slices(body.get_results()[0].output(0), 0, 1, 1, -1, 0)
    model = openvino.Model([rows], [data])
    assert openvino_plugin.replace(model) == 1
    (found,) = core.compile_model(model, "CPU")([DATA]).values()
    np.testing.assert_array_equal(found, DATA[:3])


def test_what_windrow_refuses_stays_the_hosts():
    data = opset15.parameter([4], openvino.Type.string)
    model = openvino.Model([opset8.gather(data, np.int64([1]), np.int64(0))], [data])
    assert openvino_plugin.replace(model) == 0
    assert "Gather" in types(model)


def test_extents_that_a_model_takes_out_of_a_shape_stay_known(core):
    """A gather of a value that is computed from a shape is replaced, and what is computed from it stays known."""
    data = opset15.parameter([-1, 2, 8], np.float32)
    doubled = opset15.multiply(opset15.shape_of(data), np.int64([2]))
    extent = opset8.gather(doubled, np.int64([1]), np.int64(0))
    shape = opset15.concat([np.int64([-1]), extent], 0)
    model = openvino.Model([opset15.reshape(data, shape, False)], [data])
    assert openvino_plugin.replace(model) == 1
    model.validate_nodes_and_infer_types()
    assert model.output(0).get_partial_shape() == openvino.PartialShape([-1, 4])
    values = np.zeros((6, 2, 8), np.float32)
    (result,) = core.compile_model(model, "CPU")([values]).values()
    assert result.shape == (24, 4)


LONG_AXIS = """
import resource
import numpy as np
from openvino import opset15
from openvino.utils.node_factory import NodeFactory
from windrow import openvino_plugin

factory = NodeFactory()
factory.add_extension(openvino_plugin.extension())
long = opset15.constant(np.zeros(40_000_000, np.int8))
inputs = [node.output(0) for node in (opset15.parameter([4], np.float32), opset15.parameter([1], np.int32), long)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    factory.create("openvino.Gather-8", inputs, {})
except ValueError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


def test_a_long_constant_in_place_of_an_axis_is_refused_without_a_copy_of_it():
    done = subprocess.run([sys.executable, "-c", LONG_AXIS], capture_output=True, text=True, check=True)
    grown, text = done.stdout.split(" ", 1)
    assert "axis" in text and "[40000000]" in text
    assert int(grown) < 100_000  # kilobytes; the elements as int64 would be 312500


@pytest.mark.parametrize(("index", "count"), [(2, 0), (3, 1), (-4, 1)])
def test_extents_of_a_shape_stay_the_hosts(index, count):
    data = opset15.parameter([-1, 2, 8], np.float32)
    node = opset8.gather(opset15.shape_of(data), np.int64([index]), np.int64(0))
    assert openvino_plugin.replace(openvino.Model([node], [data])) == count


def test_the_command_line():
    command = [sys.executable, "-m", "windrow.openvino_plugin", "nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage: python -m windrow.openvino_plugin [-h] COMMAND" in done.stderr
    assert "'nonsense' (choose from 'build')" in done.stderr
