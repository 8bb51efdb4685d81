"""windrow explain."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save


def test_a_gather_shows_each_walk(windrow):
    outcome = windrow(
        "explain", "onnx.GatherND", "--data", "3x4x2", "--indices", "[[0,1],[2,-1]]",
        "--attr", "batch_dims=0",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert "output[i0, i1] = data[indices[i0, 0], indices[i0, 1], i1]\n" in outcome.out
    line = (
        "  output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 on axis 1 "
        "(extent 4)\n"
    )
    assert line in outcome.out
    assert outcome.out.endswith("4 of 4 elements shown\n")


def test_a_scatter_shows_who_wins(windrow):
    words = ["explain", "onnx.ScatterND", "--data", "5x", "--indices", "[[1],[3],[1]]"]
    outcome = windrow(*words, "--updates", "[7,8,9]")
    assert outcome.code == 0, outcome.err
    assert "  0: updates[0] = 7 goes to output[1], 1 becomes 7" in outcome.out
    assert "; replaced by 2\n" in outcome.out
    assert "  output[1] = 9: 2 writes\n" in outcome.out


def test_json_has_walks_and_cells(windrow):
    words = ["explain", "onnx.Gather", "--data", "4x", "--indices", "[-1, 0]"]
    document = windrow(*words, "--json").json()
    assert [walk["cell"] for walk in document["walks"]] == [[3], [0]]
    assert document["illegal"] == 0


def test_inputs_may_be_files(windrow, tmp_path):
    np.save(tmp_path / "data.npy", np.arange(4, dtype=np.int16))
    outcome = windrow("explain", "onnx.Gather", "--data", "data.npy", "--indices", "[7]")
    assert outcome.code == 0, outcome.err
    assert "data: int16 [4]\n" in outcome.out
    assert "7 is outside of the legal range on axis 0 (extent 4), the call fails" in outcome.out


def test_an_unknown_input_is_named_with_the_known_ones(windrow):
    outcome = windrow("explain", "onnx.Gather", "--date", "4x")
    assert outcome.code == 2
    assert "--date: onnx.Gather-13 has the inputs --data, --indices" in outcome.err


def test_lists_of_unequal_lengths_are_refused(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[[1], [1, 2]]")
    assert outcome.code == 2
    assert "--indices: its lists must have equal lengths and hold numbers" in outcome.err


def test_fractions_are_no_indices(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[0.5]")
    assert outcome.code == 2
    assert "--indices: takes whole numbers" in outcome.err


def lookup_model(path):
    table = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "table")
    nodes = [
        helper.make_node("Relu", ["x"], ["y"], name="first"),
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="look/up"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 3]),
        ],
        [table],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)


def test_a_node_of_a_model(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    np.save(tmp_path / "ids.npy", np.array([-1, 2]))
    outcome = windrow("explain", "m.onnx", "--node", "look/up", "--input", "ids=ids.npy")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("onnx.Gather-13\n")
    line = (
        "  output[0, 1] = data[3, 1] = 10: indices[0] = -1; -1 counts as 3 on axis 0 (extent 4)\n"
    )
    assert line in outcome.out


def test_a_node_with_random_inputs(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow(
        "explain", "m.onnx", "--node", "rows", "--random", "7", "--dim", "n=2", "--json"
    )
    document = outcome.json()
    assert (document["points"], len(document["walks"]), document["illegal"]) == (6, 6, 0)


def test_a_node_without_enough_knowledge_says_what_to_give(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx", "--node", "look/up")
    assert outcome.code == 2
    assert "type or shape of 'ids' is not known: give --input ids=FILE" in outcome.err


def test_a_node_with_known_dims_has_a_shape_and_no_walks(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx", "--node", "look/up", "--dim", "n=2")
    assert outcome.code == 0, outcome.err
    assert "  output: float32 [2, 3]\n" in outcome.out
    assert outcome.out.endswith("0 of 6 elements shown\n")


def test_a_model_needs_a_node(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx")
    assert outcome.code == 2
    assert "--node is required with a model" in outcome.err


A = np.arange(24, dtype=np.float32)
NUMPY_CALLS = [
    ("onnx.Gather", {"data": A.reshape(4, 6), "indices": np.array([[0, -1], [2, 1]])}, "axis=1"),
    ("onnx.Gather", {"data": A.reshape(4, 6), "indices": np.array(-2)}, "axis=0"),
    ("onnx.GatherND", {"data": A.reshape(2, 3, 4), "indices": np.array([[1], [-3]])}, "batch_dims=1"),
    ("onnx.GatherElements", {"data": A.reshape(4, 6), "indices": np.array([[0, -1], [2, 1]])}, "axis=0"),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, None),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, "reduction=add"),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, "reduction=mul"),
    ("onnx.ScatterElements", {"data": A, "indices": np.array([1, -1, 1]), "updates": A[5:8]}, "reduction=max"),
    ("array.Take", {"data": A, "indices": np.array([3, -1])}, None),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "attribute"), NUMPY_CALLS)
def test_the_numpy_line_gives_the_operators_result(windrow, tmp_path, operator, inputs, attribute):
    files = []
    words = []
    for name, array in inputs.items():
        np.save(tmp_path / f"{name}.npy", array)
        files.append(f"{name}.npy")
        words += [f"--{name}", f"{name}.npy"]
    attributes = ["--attr", attribute] if attribute else []
    called = windrow("call", operator, *files, *attributes, "-o", "out.npy")
    assert called.code == 0, called.err
    explained = windrow("explain", operator, *words, *attributes, "--json").json()
    names = {"np": np, **inputs}
    exec(explained["numpy"], names)  # the command's own line
    np.testing.assert_array_equal(names["output"], np.load(tmp_path / "out.npy"), strict=True)


def test_indexing_that_gives_zero_out_of_range_has_no_numpy_line(windrow):
    words = ["--data", "4x", "--indices", "[3, 9]", "--axis", "0", "--json"]
    document = windrow("explain", "openvino.Gather", *words).json()
    assert document["numpy"] == ""
    assert [walk["cell"] for walk in document["walks"]] == [[3], None]
