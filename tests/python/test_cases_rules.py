"""The rules that records prove: what the specification decides does not depend on what it leaves open."""

import itertools

import pytest
from case_data import FILES, file_name, read

from cases.authoring import arithmetic, types
from cases.authoring.cells import updates_by_cell

BY_NAME = {(file_name(path), record["name"]): record for path in FILES for record in read(path)}

# One record for each aspect of a result, and more where a version decides.
EXPECTED = {
    ("onnx/gather", "example_axis_0"): "ONNX-V1",
    ("onnx/gather", "negative_indices"): "ONNX-V2",
    ("onnx/gather", "negative_indices_in_1"): "ONNX-V3",
    ("openvino/gather_elements", "negative_indices"): "OPENVINO-V3",
    ("openvino/embedding_bag_offsets", "empty_middle_default_minus_1_sum"): "OPENVINO-V6",
    ("openvino/embedding_bag_offsets", "float32_folds_from_the_left"): "OPENVINO-V8",
    ("openvino/embedding_bag_packed_sum", "product_rounds_before_the_sum"): "OPENVINO-V8",
    ("openvino/embedding_segments_sum", "int8_sum_wraps"): "OPENVINO-V9",
    ("openvino/embedding_bag_packed", "mean_goes_down"): "OPENVINO-V12",
    ("openvino/embedding_bag_offsets_sum", "default_row_keeps_bits"): "OPENVINO-V13",
    ("openvino/embedding_bag_packed", "mean_of_no_samples"): "OPENVINO-V14",
    ("openvino/embedding_segments_sum", "empty_middle_default_minus_1_sum"): "OPENVINO-V14",
    ("openvino/embedding_bag_offsets", "offsets_fall"): "OPENVINO-EmbeddingBagOffsets-C5",
    ("openvino/gather_tree", "example_of_tensorflow"): "OPENVINO-V1",
    ("openvino/gather_tree", "nan_is_no_end_token_float32"): "OPENVINO-V10",
    ("openvino/gather_tree", "length_minus_1"): "OPENVINO-V14",
    ("openvino/gather_tree", "fractions_float64"): "OPENVINO-V16",
    ("openvino/one_hot", "ignored_int64"): "OPENVINO-V4",
    ("openvino/one_hot", "counted_from_the_end_int64"): "OPENVINO-V2",
    ("openvino/one_hot", "depth_int32_of_indices_int64"): "OPENVINO-V16",
    ("openvino/scatter_elements_update", "longer_than_data_along_the_axis"): "OPENVINO-V7",
    ("onnx/scatter_nd", "duplicates_last_wins"): "ONNX-V7",
    ("onnx/scatter_elements", "add_int8"): "ONNX-V9",
    ("onnx/scatter_elements", "add_float32"): "ONNX-V10",
    ("onnx/scatter_elements", "float32_folds_from_the_left"): "ONNX-V8",
    ("onnx/scatter_elements", "max_of_equal_zeros_takes_the_update"): "ONNX-V11",
    ("onnx/scatter_elements", "add_bool"): "ONNX-V12",
    ("onnx/scatter_elements", "mul_string"): "ONNX-V12",
    ("onnx/gather", "copies_bits_float32"): "ONNX-V13",
    ("onnx/scatter_nd", "empty_tuple"): "ONNX-V14",
    ("onnx/gather", "out_of_range_zero"): "ONNX-V15",
    ("onnx/scatter", "duplicates_last_wins"): "ONNX-V16",
    ("onnx/scatter", "duplicates_last_wins_in_9"): "ONNX-V7",
    ("onnx/scatter", "index_too_large_in_9"): "ONNX-V5",
    ("onnx/scatter_elements", "index_too_large"): "ONNX-ScatterElements-C4",
    ("onnx/tensor_scatter", "linear_negative_index"): "ONNX-V3",
    ("onnx/tensor_scatter", "linear_index_too_large"): "ONNX-TensorScatter-C5",
    ("onnx/one_hot", "out_of_range_by_default"): "ONNX-V4",
    ("onnx/scatter_nd", "rows_add"): "ONNX-V6",
    ("tensorrt/gather", "page_gather"): "TENSORRT-V1",
    ("tensorrt/gather", "nd_moves_int64_in_8"): "TENSORRT-V16",
}


@pytest.mark.parametrize("name", EXPECTED, ids="/".join)
def test_the_rule_of(name):
    assert BY_NAME[name]["rule"] == EXPECTED[name]


def orders(operands):
    """Up to 24 orders of a few operands, all but three of many."""
    if len(operands) < 5:
        return list(itertools.permutations(operands))
    return [operands, operands[::-1], operands[1::2] + operands[::2]]


def folds(record):
    """The operands of each cell whose fold the record holds; those of means and of bool are left out."""
    updates = updates_by_cell(record)
    of_bags = record["op"].startswith("Embedding")
    reduction = record["attrs"].get("reduction", "sum" if record["dialect"] == "array" or of_bags else "none")
    if updates is None or reduction in ("none", "mean", "sub") or record["op"] == "PutAlongAxis":
        return reduction, []
    data = record["inputs"][0]
    starts = record["op"] != "SegmentReduce" and not of_bags and record["attrs"].get("use_init_val", True)
    return reduction, [[data["data"][cell], *each] if starts else each for cell, each in updates.items()]


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_folds_of_the_specification_are_exact_in_every_order(path):
    for record in read(path):
        if "outputs" not in record or not record["rule"].endswith("-V6"):
            continue
        dtype = record["inputs"][0]["dtype"]
        reduction, groups = folds(record)
        for operands in groups:
            results = set()
            for first, *rest in orders(tuple(operands)):
                for update in rest:
                    first = arithmetic.combine(dtype, reduction, first, update)  # noqa: PLW2901
                results.add(repr(types.to_float(first)) if dtype in types.FLOATS else repr(first))
            assert len(results) == 1, (record["name"], operands, results)


def aspects(record):
    """What a call is made of. Data follow from shapes, types and the number of inputs, these from the number."""
    inputs = [tensor or {} for tensor in record["inputs"]]
    return {"attrs": record["attrs"], "options": record.get("options"), "count": len(inputs),
            **{part: [tensor.get(part) for tensor in inputs] for part in ("dtype", "shape", "data")}}


def distance(broken, legal):
    """In how many aspects two calls of one version differ."""
    if not set(broken["versions"]) & set(legal["versions"]):
        return len(aspects(broken))
    mine, other = aspects(broken), aspects(legal)
    differ = {name for name in mine if mine[name] != other[name]}
    if "count" in differ:
        differ -= {"dtype", "shape", "data"}
    return len(differ - {"data"} if differ & {"dtype", "shape"} else differ)


def by_label():
    """The records that break each label, of CALL for each operator."""
    found = {}
    for record in BY_NAME.values():
        if "error" in record:
            own = (record["dialect"], record["op"]) if record["constraint"].startswith("CALL") else ()
            found.setdefault((record["constraint"], *own), []).append(record)
    return found


@pytest.mark.parametrize("label", BROKEN := by_label(), ids="/".join)
def test_each_label_has_a_broken_call_with_a_message_and_a_legal_one_beside_it(label):
    first = BROKEN[label][0]
    legal = [record for record in BY_NAME.values()
             if "outputs" in record and (record["dialect"], record["op"]) == (first["dialect"], first["op"])]
    assert all(record["message"] for record in BROKEN[label])
    assert any(distance(broken, kept) <= 2 for broken in BROKEN[label] for kept in legal)


def test_a_legal_call_is_beside_a_broken_one_if_little_differs():
    broken, legal = BY_NAME["onnx/gather", "axis_too_large"], BY_NAME["onnx/gather", "example_axis_1"]
    assert distance(broken, {**broken, "attrs": {"axis": 1}}) == 1
    assert distance(broken, {**broken, "attrs": {"axis": 1}, "versions": [99]}) > 2
    assert distance(broken, {**legal, "options": {"strict": True}}) > 2
