"""The records of cases/tensorrt as networks: results bit for bit, errors by rule and place."""

import collections
import os
from pathlib import Path

import pytest
import windrow
import windrow.trt as trt
from case_data import ROOT, file_name, read, same_bits, to_numpy

FILES = sorted((ROOT / "cases" / "tensorrt").glob("*.json")) + [
    path
    for folder in os.environ.get("WINDROW_CASES", "").split(":")
    if folder
    for path in Path(folder).glob("tensorrt.json")
]
NEWEST = 11
LEAST_RESULTS, LEAST_ERRORS = 700, 250
EXCEPTIONS = {
    "index": windrow.IndexOutOfRange,
    "shape": windrow.ShapeError,
    "type": windrow.DTypeError,
    "argument": windrow.ArgumentError,
    "duplicate": windrow.DuplicateIndex,
}
DATA_TYPES = {windrow.trt._network.type_name(kind): kind for kind in trt.DataType}
MODES = {"Gather": trt.GatherMode, "Scatter": trt.ScatterMode, "KVCacheUpdate": trt.KVCacheMode}
SETTINGS = {
    "Gather": {"mode", "axis", "num_elementwise_dims"},
    "Scatter": {"mode", "axis"},
    "OneHot": {"axis"},
    "KVCacheUpdate": {"mode"},
}
COUNTS = collections.Counter()


def why_skipped(record):
    """The part of a record that the network interface cannot express, or None."""
    if not {record["version"], *record.get("versions", [])} & {None, NEWEST}:
        return "an older release"
    if any(tensor is None for tensor in record["inputs"]):
        return "an input left out"
    if len(record["inputs"]) != (2 if record["op"] == "Gather" else 3):
        return "another number of inputs"
    if any(tensor["dtype"] not in DATA_TYPES for tensor in record["inputs"]):
        return "a type that TensorRT has not"
    if any(len(tensor["shape"]) > trt.Dims.MAX_DIMS for tensor in record["inputs"]):
        return "a rank above 8"
    if not set(record["attrs"]) <= SETTINGS[record["op"]]:
        return "an unknown setting"
    mode = record["attrs"].get("mode")
    if mode is not None and mode not in MODES[record["op"]].__members__:
        return "an unknown mode"
    numbers = [value for name, value in record["attrs"].items() if name != "mode"]
    if any(type(value) is not int or not -(2**31) <= value < 2**31 for value in numbers):
        return "a setting that is no int32"
    return None


def add_layer(network, record, inputs):
    attrs = dict(record["attrs"])
    mode = MODES[record["op"]][attrs["mode"]] if "mode" in attrs else None
    if record["op"] == "KVCacheUpdate":
        return network.add_kv_cache_update(*inputs, mode or trt.KVCacheMode.LINEAR)
    if record["op"] == "OneHot":
        return network.add_one_hot(*inputs, attrs.get("axis", -1))
    if record["op"] == "Scatter":
        layer = network.add_scatter(*inputs, trt.ScatterMode.ELEMENT if mode is None else mode)
    elif "mode" in attrs:
        layer = network.add_gather_v2(*inputs, mode)
        layer.num_elementwise_dims = attrs.get("num_elementwise_dims", 0)
    else:
        layer = network.add_gather(*inputs, 0)
        layer.num_elementwise_dims = attrs.get("num_elementwise_dims", 0)
    layer.axis = attrs.get("axis", 0)
    return layer


def run(builder, record):
    network = builder.create_network()
    inputs = [
        network.add_input(f"input{number}", DATA_TYPES[tensor["dtype"]], tensor["shape"])
        for number, tensor in enumerate(record["inputs"])
    ]
    network.mark_output(add_layer(network, record, inputs).get_output(0))
    arrays = {f"input{number}": to_numpy(tensor) for number, tensor in enumerate(record["inputs"])}
    [result] = trt.testing.run(network, arrays, **record.get("options", {})).values()
    return result


def check_error(builder, record):
    with pytest.raises(EXCEPTIONS[record["error_kind"]]) as caught:
        run(builder, record)
    shown = (record["name"], caught.value)
    assert caught.value.constraint == record["constraint"], shown
    for name, value in record.get("fault", {}).items():
        found = getattr(caught.value, name)
        assert (list(found) if name == "position" else found) == value, (*shown, name)


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_records(builder, path):
    for record in read(path):
        reason = why_skipped(record)
        if reason:
            COUNTS[f"skipped: {reason}"] += 1
        elif "outputs" in record:
            assert same_bits(to_numpy(record["outputs"][0]), run(builder, record)), record["name"]
            COUNTS["results"] += 1
        else:
            check_error(builder, record)
            COUNTS["errors"] += 1


def test_enough_records_ran(request, capsys):
    selected = [item for item in request.session.items if item.originalname == "test_records"]
    if sum(item.path == request.path for item in selected) < len(FILES):
        pytest.skip("only some of the files were to be run")
    with capsys.disabled():
        print("", ", ".join(f"{count} {words}" for words, count in sorted(COUNTS.items())))
    assert COUNTS["results"] > LEAST_RESULTS
    assert COUNTS["errors"] > LEAST_ERRORS
