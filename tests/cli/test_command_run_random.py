"""windrow run --random."""

import cli_models as models
import numpy as np
import onnx
import pytest
from onnx import helper


def save_node(path, op, inputs, out, opset=18, **attributes):
    names = [name for name, _, _ in inputs]
    node = helper.make_node(op, names, ["y"], name="node", **attributes)
    models.save(
        path,
        [node],
        [models.value(*one) for one in inputs],
        [models.value("y", "float32", out)],
        opset,
    )


CASES = {
    "Gather": ([("x", "float32", [3, 4]), ("i", "int64", [50])], [3, 50], {"axis": 1}, 18),
    "GatherElements": (
        [("x", "float32", [3, 4]), ("i", "int32", [3, 40])],
        [3, 40],
        {"axis": 1},
        18,
    ),
    "GatherND": (
        [("x", "float32", [2, 3, 9]), ("i", "int64", [2, 50, 2])],
        [2, 50],
        {"batch_dims": 1},
        18,
    ),
    "ScatterElements": (
        [("x", "float32", [9]), ("i", "int64", [50]), ("u", "float32", [50])],
        [9],
        {"reduction": "add"},
        18,
    ),
    "ScatterND": (
        [("x", "float32", [2, 9]), ("i", "int64", [50, 2]), ("u", "float32", [50])],
        [2, 9],
        {},
        18,
    ),
    "TensorScatter": (
        [("x", "float32", [40, 5, 2]), ("u", "float32", [40, 3, 2]), ("i", "int64", [40])],
        [40, 5, 2],
        {},
        24,
    ),
}


@pytest.mark.parametrize("op", CASES)
def test_random_indices_are_legal_for_their_axis(windrow, tmp_path, op):
    inputs, out, attributes, opset = CASES[op]
    save_node(tmp_path / "m.onnx", op, inputs, out, opset, **attributes)
    for seed in range(5):
        outcome = windrow("run", "m.onnx", "--random", seed)
        assert outcome.code == 0, outcome.err


def test_random_indices_reach_every_place(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(4,), indices=(200,), out=(200,))
    np.save(tmp_path / "data.npy", np.arange(4, dtype=np.float32))
    outcome = windrow("run", "m.onnx", "--random", 1, "--input", "data=data.npy", "--json")
    assert set(outcome.json()["outputs"][0]["values"]) == {0, 1, 2, 3}


def test_indices_through_identity_are_legal(windrow, tmp_path):
    nodes = [
        helper.make_node("Identity", ["i"], ["j"]),
        helper.make_node("Gather", ["x", "j"], ["y"]),
    ]
    models.save(
        tmp_path / "m.onnx",
        nodes,
        [models.value("x", "float32", [2]), models.value("i", "int64", [50])],
        [models.value("y", "float32", [50])],
    )
    outcome = windrow("run", "m.onnx", "--random", 3)
    assert outcome.code == 0, outcome.err


def test_indices_of_two_operators_are_legal_for_both(windrow, tmp_path):
    nodes = [
        helper.make_node("Gather", ["a", "i"], ["y"]),
        helper.make_node("Gather", ["b", "i"], ["z"]),
    ]
    models.save(
        tmp_path / "m.onnx",
        nodes,
        [
            models.value("a", "float32", [100]),
            models.value("b", "float32", [2]),
            models.value("i", "int64", [50]),
        ],
        [models.value("y", "float32", [50]), models.value("z", "float32", [50])],
    )
    outcome = windrow("run", "m.onnx", "--random", 3)
    assert outcome.code == 0, outcome.err
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["y", "z"]


def test_the_seed_decides(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    first = windrow("run", "m.onnx", "--random", 7)
    assert first.code == 0, first.err
    assert windrow("run", "m.onnx", "--random", 7, "--threads", 3).out == first.out
    assert windrow("run", "m.onnx", "--random", 8).out != first.out


def test_numbers_are_spread_around_zero(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(1000,), indices=(1000,), out=(1000,))
    np.save(tmp_path / "indices.npy", np.arange(1000))
    outcome = windrow("run", "m.onnx", "--random", 5, "--input", "indices=indices.npy", "--json")
    output = outcome.json()["outputs"][0]
    assert output["complete"]
    values = np.array(output["values"])
    assert abs(values.mean()) < 0.2
    assert 0.8 < values.std() < 1.2
    assert len(set(values)) > 900


def test_dim_gives_a_symbol_its_value(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=("N", 3), indices=("K",), out=("K", 3))
    outcome = windrow("run", "m.onnx", "--random", 1, "--dim", "N=10", "--dim", "K=4")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("y  float32[4, 3]  ")


def test_a_given_tensor_gives_a_symbol_its_value(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=("N", 3), indices=("K",), out=("K", 3))
    np.save(tmp_path / "indices.npy", np.array([0, 1]))
    arguments = ["run", "m.onnx", "--random", 1, "--dim", "N=2", "--input", "indices=indices.npy"]
    assert windrow(*arguments).out.startswith("y  float32[2, 3]  ")
    error = windrow(*arguments, "--dim", "K=9").only_error()
    assert "'K' is 9" in error
    assert "'indices' has 2" in error


def test_an_unset_symbol_is_named(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=("rows", 3), indices=(2,), out=(2, 3))
    error = windrow("run", "m.onnx", "--random", 1).only_error()
    assert "'rows'" in error
    assert "'data'" in error
    assert "--dim rows=NUMBER" in error


@pytest.mark.parametrize(
    "dim, part",
    [
        ("M=3", "N"),
        ("N", "NAME=NUMBER"),
        ("N=-1", "at least 0"),
        ("N=x", "NAME=NUMBER"),
        ("=3", "NAME=NUMBER"),
    ],
)
def test_bad_dim(windrow, tmp_path, dim, part):
    models.gather(tmp_path / "m.onnx", data=("N", 3), indices=(2,), out=(2, 3))
    assert part in windrow("run", "m.onnx", "--random", 1, "--dim", dim).only_error()


def test_an_empty_axis_has_no_legal_index(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=("N", 3), indices=(2,), out=(2, 3))
    error = windrow("run", "m.onnx", "--random", 1, "--dim", "N=0").only_error()
    assert "no index is legal" in error


def test_indices_whose_axis_is_unknown_must_be_given(windrow, tmp_path):
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Gather", ["r", "i"], ["y"], name="pick"),
    ]
    models.save(
        tmp_path / "m.onnx",
        nodes,
        [models.value("x", "float32", [2]), models.value("i", "int64", [5])],
        [models.value("y", "float32", [5])],
    )
    error = windrow("run", "m.onnx", "--random", 1).only_error()
    assert "'pick'" in error
    assert "--input" in error


def untyped(path, op_type, names, types, opset=13, out="float32", **attributes):
    """A model of one node whose inputs are [3, 3] or [2, 2]; those without a type declare none."""
    inputs = []
    for name, dtype in zip(names, types, strict=True):
        shape = [3, 3] if name == "data" else [2, 2]
        info = models.value(name, dtype or "float32", shape)
        if dtype is None:
            info.type.tensor_type.ClearField("elem_type")
        inputs.append(info)
    outputs = [models.value("y", out or "float32", None)]
    if out is None:
        outputs[0].type.tensor_type.ClearField("elem_type")
    node = helper.make_node(op_type, names, ["y"], name="node", **attributes)
    return models.save(path, [node], inputs, outputs, opset)


@pytest.mark.parametrize(
    ("op_type", "names", "types", "out"),
    [
        # The only type that the operator takes.
        ("GatherND", ["data", "indices"], ["float32", None], "float32"),
        # As the data, as the updates, as the result.
        ("ScatterElements", ["data", "indices", "updates"], ["float32", "int64", None], "float32"),
        ("ScatterElements", ["data", "indices", "updates"], [None, "int64", "float32"], "float32"),
        ("ScatterND", ["data", "indices", "updates"], [None, None, None], "float32"),
        ("GatherElements", ["data", "indices"], [None, "int64"], "float32"),
    ],
)
def test_types_that_the_operators_rules_fix(windrow, tmp_path, op_type, names, types, out):
    typed = ["int64" if name == "indices" else "float32" for name in names]
    untyped(tmp_path / "typed.onnx", op_type, names, typed)
    untyped(tmp_path / "m.onnx", op_type, names, types, out=out)
    if op_type == "ScatterND":  # updates of [2] for tuples of two
        for name in ("m", "typed"):
            model = onnx.load(tmp_path / f"{name}.onnx")
            del model.graph.input[2].type.tensor_type.shape.dim[1]
            onnx.save(model, tmp_path / f"{name}.onnx")
    expected = windrow("run", "typed.onnx", "--random", 5)
    outcome = windrow("run", "m.onnx", "--random", 5)
    assert expected.code == 0, expected.err
    assert (outcome.code, outcome.out, outcome.err) == (0, expected.out, "")


def test_a_type_that_a_given_tensor_fixes(windrow, tmp_path):
    names = ["data", "indices", "updates"]
    untyped(tmp_path / "m.onnx", "ScatterElements", names, [None, "int64", None], out=None)
    np.save(tmp_path / "data.npy", np.zeros((3, 3), np.float64))
    outcome = windrow("run", "m.onnx", "--random", 5, "--input", "data=data.npy", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json()["outputs"][0]["dtype"] == "float64"


def test_a_type_that_two_nodes_fix_in_turn(windrow, tmp_path):
    inputs = [models.value(name, "float32", [2, 2]) for name in ("a", "b")]
    inputs.append(models.value("i", "int64", [2, 2]))
    for info in inputs[:2]:
        info.type.tensor_type.ClearField("elem_type")
    nodes = [
        helper.make_node("Identity", ["a"], ["c"]),
        helper.make_node("GatherElements", ["c", "i"], ["d"], name="first"),
        helper.make_node("ScatterElements", ["b", "i", "d"], ["y"], name="second"),
    ]
    models.save(tmp_path / "m.onnx", nodes, inputs, [models.value("y", "int32", None)])
    outcome = windrow("run", "m.onnx", "--random", 5, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json()["outputs"][0]["dtype"] == "int32"


def test_a_type_that_nothing_fixes(windrow, tmp_path):
    names = ["data", "indices"]
    untyped(tmp_path / "m.onnx", "Gather", names, ["float32", None])
    error = windrow("run", "m.onnx", "--random", 5).only_error()
    assert "'indices'" in error
    assert "--input" in error


def test_dimensions_are_named_once_with_their_places(windrow, tmp_path):
    inputs = [models.value("ids", "int64", ["b", "s"]), models.value("mask", "int64", ["b", "s", None])]
    inputs.append(models.value("table", "float32", [5, 3]))
    node = helper.make_node("Gather", ["table", "ids"], ["y"])
    models.save(tmp_path / "m.onnx", [node], inputs, [models.value("y", "float32", None)])
    error = windrow("run", "m.onnx", "--random", 1, "--dim", "e=4").only_error()
    assert error == (
        "--dim e: no input of the model has a dimension of that name; there are b (ids.0, mask.0), "
        "s (ids.1, mask.1), mask.2"
    )
    error = windrow("inspect", "m.onnx", "--dim", "e").only_error()
    assert error == "--dim e: must be NAME=NUMBER with a number of at least 0, as in --dim e=8"
