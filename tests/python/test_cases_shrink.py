"""Differences of runtimes that are wrong on purpose shrink to the least that shows them."""

import copy

import pytest
from case_data import FILES, file_name, read

from cases.authoring import shrink as shrinking
from cases.authoring.shrink import shrink

RECORDS = {(file_name(path), record["name"]): record for path in FILES for record in read(path)}


def right(record):
    result = shrinking.expected(record)
    assert result is not None
    return result


def takes_negative_indices_as_the_first(record):
    record = copy.deepcopy(record)
    record["inputs"][1]["data"] = [max(value, 0) for value in record["inputs"][1]["data"]]
    return right(record)


def keeps_the_first_update(record):
    """A sum that forgets all updates of a cell but the first."""
    record = copy.deepcopy(record)
    seen = set()
    for number, value in enumerate(record["inputs"][1]["data"]):
        if value in seen:
            record["inputs"][2]["data"][number] = 0
        seen.add(value)
    return right(record)


def clamps(record):
    return right({**record, "options": {"out_of_range": "clamp"}})


def sizes(record):
    return [len(tensor["data"]) for tensor in record["inputs"] if tensor]


@pytest.mark.parametrize("name", [("onnx/gather", "axis_-2"), ("onnx/gather", "negative_indices"),
                                  ("onnx/gather_elements", "negative_indices"), ("openvino/gather", "moves_int32")])
def test_a_negative_index_needs_two_elements(name):
    record = RECORDS[name]
    data = record["inputs"][0]
    record = {**record, "inputs": [data, {**record["inputs"][1], "data": [-1] * len(record["inputs"][1]["data"])},
                                   *record["inputs"][2:]]}
    record["outputs"] = [right(record)]
    small = shrink(takes_negative_indices_as_the_first, record)
    assert sizes(small)[:2] == [2, 1]
    assert small["inputs"][0]["shape"] == [2]
    assert sorted(small["inputs"][0]["data"]) == [0, 1]
    assert small["outputs"] == [right(small)]
    assert small["name"] == record["name"] + "_shrunk"


def test_a_lost_update_needs_two_updates_of_one_cell():
    record = RECORDS["onnx/scatter_nd", "int64_add_wraps"]
    record = {**record, "inputs": [{"dtype": "int64", "shape": [5], "data": [1, 2, 3, 4, 5]},
                                   {"dtype": "int64", "shape": [6, 1], "data": [0, 3, 1, 3, 4, 3]},
                                   {"dtype": "int64", "shape": [6], "data": [7, 8, 9, 10, 11, 12]}]}
    record["outputs"] = [right(record)]
    small = shrink(keeps_the_first_update, record)
    assert sizes(small) == [1, 2, 2]
    assert small["inputs"][1]["data"] == [0, 0]
    assert small["inputs"][2]["data"] == [0, 1]


def test_an_index_that_is_not_refused_is_left_alone():
    record = RECORDS["onnx/gather", "index_too_large"]
    small = shrink(clamps, record)
    assert small["error"]
    assert sizes(small) == [1, 1]


def test_a_call_that_is_refused_shrinks_to_a_legal_one():
    def refuses_rank_2(record):
        assert len(record["inputs"][0]["shape"]) < 2
        return right(record)

    small = shrink(refuses_rank_2, RECORDS["onnx/gather", "axis_1"])
    assert len(small["inputs"][0]["shape"]) == 2
    assert sizes(small)[0] == 1


def test_a_runtime_that_is_right_has_nothing_to_shrink():
    with pytest.raises(ValueError, match="does not differ"):
        shrink(right, RECORDS["onnx/gather", "axis_1"])


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_what_is_cut_is_still_a_legal_call(path):
    """A runtime that is always wrong lets every cut pass; the NumPy models compute each smallest record, too."""
    import numpy_models
    from case_data import same_values, to_numpy
    records = [record for record in read(path) if "outputs" in record and record["outputs"][0]["data"]
               and record["name"].startswith("drawn")][:12]
    for record in records:
        small = shrink(lambda _: None, record)
        inputs = [None if tensor is None else to_numpy(tensor) for tensor in small["inputs"]]
        policy = small.get("options", {}).get("out_of_range")
        result = numpy_models.compute(small["dialect"], small["op"], small["version"], inputs, small["attrs"], policy)
        wanted = to_numpy(small["outputs"][0])
        assert same_values(wanted, result.astype(wanted.dtype)), (record["name"], small)
        assert sum(sizes(small)) <= sum(sizes(record))
