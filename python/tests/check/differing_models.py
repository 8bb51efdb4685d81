"""Models of public reports whose values differ between ONNX Runtime and OpenVINO in front of a gather, and others."""

from typing import NamedTuple

import check_models
import numpy as np
from onnx import TensorProto, helper, numpy_helper

TABLE = np.arange(10, 18, dtype=np.float32)
WIDE = np.array([2**24 + 5, 2**24 + 1, 2**24 + 3, 2**24 + 7])  # float32 cannot tell them from their neighbours
node = helper.make_node


class Report(NamedTuple):
    """A model whose outputs differ. first: the first value that differs; maker: the operator that makes it; reader: the
    gather that reads it, or None."""

    name: str
    source: str
    model: object
    inputs: dict
    first: str
    maker: str
    reader: str | None


def look(value="slot", table="table"):
    return node("Gather", [table, value], ["rows"], name="look"), node("Identity", ["rows"], ["y"])


def of_ids(operator, divisor, ids, name):
    """A table of 8 rows behind an operator on int64 ids."""
    model = check_models.model(
        [node(operator, ["ids", "n"], ["slot"], name=name), *look()],
        {"ids": ("int64", [len(ids)]), "table": ("float32", [8])}, ["y"], {"n": np.array(divisor)})
    return model, {"ids": ids, "table": TABLE}


def hashed():
    return of_ids("Mod", 8, WIDE, "wrap")


def divided():
    return of_ids("Div", 2**24, np.array([2**24 + 5, 2**26 - 1, 2**26 + 3, 2**27 - 1]), "bucket")


def large_numbers():
    model = check_models.model(
        [node("Cast", ["x"], ["whole"], name="whole", to=TensorProto.INT64), node("Clip", ["whole", "low", "high"], ["slot"]),
         *look()],
        {"x": ("float32", [3]), "table": ("float32", [8])}, ["y"], {"low": np.array(0), "high": np.array(7)})
    return model, {"x": np.array([5e18, 3e9, 2.5], np.float32), "table": TABLE}


def nearest():
    model = check_models.model(
        [node("Resize", ["x", "", "", "sizes"], ["pixels"], name="shrink", mode="nearest",
              coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_ceil"),
         node("Cast", ["pixels"], ["slot"], to=TensorProto.INT64), *look()],
        {"x": ("float32", [1, 1, 1, 20]), "table": ("float32", [20])}, ["y"], {"sizes": np.array([1, 1, 1, 6])})
    return model, {"x": np.arange(20, dtype=np.float32).reshape(1, 1, 1, 20), "table": np.arange(20, dtype=np.float32)}


_OPENVINO = "https://github.com/openvinotoolkit/openvino/issues/"
REPORTS = [
    Report("hashed", _OPENVINO + "35829", *hashed(), "slot", "Mod", "look"),
    Report("divided", _OPENVINO + "37766", *divided(), "slot", "Div", "look"),
    Report("large_numbers", _OPENVINO + "35896", *large_numbers(), "whole", "Cast", None),
    Report("nearest", _OPENVINO + "36023", *nearest(), "pixels", "Resize", None),
]


def long_chain(length=60):
    """The hosts part at the 20th of many nodes."""
    nodes = [node("Add", [f"v{i}", "zero"], [f"v{i + 1}"], name=f"add{i}") for i in range(length)]
    nodes[20] = node("Mod", ["v20", "n"], ["v21"], name="wrap")
    model = check_models.model(
        [*nodes, *look(f"v{length}")], {"v0": ("int64", [4]), "zero": ("int64", [1]), "table": ("float32", [8])}, ["y"],
        {"n": np.array(8)})
    return model, {"v0": WIDE, "zero": np.array([0]), "table": TABLE}


def in_branch(name="choice"):
    """The hosts part in a branch of an If, in front of the gather `pick`."""
    then = helper.make_graph(
        [node("Mod", ["ids", "n"], ["slot"], name="wrap"), node("Gather", ["table", "slot"], ["taken"], name="pick")],
        "then", [], [helper.make_empty_tensor_value_info("taken")])
    other = helper.make_graph([node("Identity", ["table"], ["all"])], "other", [],
                              [helper.make_empty_tensor_value_info("all")])
    model = check_models.model(
        [node("Greater", ["flag", "zero"], ["yes"]),
         node("If", ["yes"], ["y"], name=name, then_branch=then, else_branch=other)],
        {"ids": ("int64", [4]), "table": ("float32", [8]), "flag": ("float32", [])}, ["y"],
        {"n": np.array(8), "zero": np.float32(0).reshape(())})
    return model, {"ids": WIDE, "table": TABLE, "flag": np.array(1, np.float32)}


def in_loop():
    """The hosts part in iteration 2 of a Loop, where the state has become too wide for float32."""
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [node("Mul", ["state", "factor"], ["grown"], name="grow"), node("Mod", ["grown", "n"], ["slot"], name="wrap"),
         node("Gather", ["table", "slot"], ["row"], name="pick"), node("Identity", ["c"], ["c2"])],
        "body", [info("i", TensorProto.INT64, []), info("c", TensorProto.BOOL, []), info("state", TensorProto.INT64, [1])],
        [info("c2", TensorProto.BOOL, []), info("grown", TensorProto.INT64, [1]), info("row", TensorProto.FLOAT, [1])])
    model = check_models.model(
        [node("Loop", ["m", "true", "start"], ["last", "y"], name="decode", body=body)],
        {"table": ("float32", [8]), "m": ("int64", []), "start": ("int64", [1])}, ["y"],
        {"true": np.array(True), "n": np.array(8), "factor": np.array([301])})
    return model, {"table": TABLE, "m": np.array(4), "start": np.array([11])}


def rounding():
    """A sum of floats in front of a gather, which hosts add in different orders."""
    rng = np.random.default_rng(0)
    model = check_models.model(
        [node("MatMul", ["x", "w"], ["h"], name="mix"), node("Softmax", ["h"], ["p"]), node("Gather", ["p", "ids"], ["y"], name="look")],
        {"x": ("float32", [8, 700]), "ids": ("int64", [2])}, ["y"], {"w": rng.standard_normal((700, 300)).astype(np.float32)})
    return model, {"x": rng.standard_normal((8, 700)).astype(np.float32), "ids": np.array([1, 5])}


def positions(first=0, last=3):
    """A Gather whose indices no proof bounds: they are computed from floats."""
    model = check_models.model(
        [node("Cast", ["x"], ["slot"], to=TensorProto.INT64), *look()],
        {"x": ("float32", [2]), "table": ("float32", [4])}, ["y"])
    return model, {"x": np.array([first, last], np.float32), "table": TABLE[:4]}


def rounding_that_a_cast_shows():
    """Sums that differ by rounding only, and integers of them that differ."""
    rng = np.random.default_rng(0)
    model = check_models.model(
        [node("MatMul", ["x", "w"], ["h"], name="mix"), node("Mul", ["h", "scale"], ["wide"]),
         node("Cast", ["wide"], ["slot"], name="whole", to=TensorProto.INT64),
         node("Mod", ["slot", "n"], ["near"]), node("Gather", ["table", "near"], ["y"], name="look")],
        {"x": ("float32", [8, 700]), "table": ("float32", [2])}, ["y"],
        {"w": rng.standard_normal((700, 300)).astype(np.float32), "scale": np.float32(1e4).reshape(()), "n": np.array(2)})
    return model, {"x": rng.standard_normal((8, 700)).astype(np.float32), "table": TABLE[:2]}


def hidden():
    """The ids differ, and the rows of the table do not."""
    model, inputs = hashed()
    return model, {**inputs, "table": np.ones(8, np.float32)}


def in_scan(reverse=0):
    """The hosts part in iteration 2 of a Scan over columns of ids, from the front or from the end.

    OpenVINO's Scan reads nothing of the graph around it but constants.
    """
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [node("Mod", ["one", "n"], ["slot"], name="wrap"), node("Gather", ["table", "slot"], ["row"], name="pick"),
         node("Add", ["sum", "row"], ["sum2"])],
        "body", [info("sum", TensorProto.FLOAT, [1]), info("one", TensorProto.INT64, [1])],
        [info("sum2", TensorProto.FLOAT, [1]), info("row", TensorProto.FLOAT, [1])])
    model = check_models.model(
        [node("Scan", ["start", "ids"], ["total", "y"], name="sweep", body=body, num_scan_inputs=1, scan_input_axes=[1],
              scan_input_directions=[reverse])],
        {"start": ("float32", [1]), "ids": ("int64", [1, 4])}, ["y"], {"n": np.array(8), "table": TABLE})
    ids = [[3, 1, 2**24 + 5, 4]]
    return model, {"start": np.array([0], np.float32), "ids": np.array(ids)[:, :: -1 if reverse else 1]}
