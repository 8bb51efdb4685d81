"""Models of OpenVINO here, and models of here in OpenVINO."""

import os
import pathlib
import subprocess
import xml.etree.ElementTree as ET

import ir_models as models
import numpy as np
import onnx
import openvino as ov
import pytest
from cli_command import COMMAND
from openvino import opset1, opset8

_BUILD = pathlib.Path(COMMAND).resolve().parents[1]
REWRITE = os.environ.get("WINDROW_REWRITE_MODEL", str(_BUILD / "tests/rewrite_model"))


def rewrite(source, target):
    done = subprocess.run([REWRITE, source, target], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def run(windrow, folder, path, inputs):
    """The outputs of `windrow run`, in the model's order."""
    flags = []
    for i, (name, array) in enumerate(inputs.items()):
        np.save(folder / f"given_{i}.npy", array)
        flags += ["--input", f"{name}={folder / f'given_{i}.npy'}"]
    out = folder / f"out_{path.stem}"
    outcome = windrow("run", path, *flags, "--out", out, "--json")
    assert outcome.code == 0, outcome.err
    return [np.load(folder / o["file"]) for o in outcome.json()["outputs"]]


def assert_same(got, expected):
    assert len(got) == len(expected)
    for a, b in zip(got, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def check_both_ways(windrow, folder, path, inputs):
    """OpenVINO's file gives the same here; our file gives the same there and here, and is stable."""
    expected = models.evaluate(path, inputs)
    assert_same(run(windrow, folder, path, inputs), expected)
    ours = rewrite(path, folder / "ours.xml")
    assert_same(models.evaluate(ours, inputs), expected)
    assert_same(run(windrow, folder, ours, inputs), expected)
    again = rewrite(ours, folder / "again.xml")
    assert again.read_bytes() == ours.read_bytes()
    assert again.with_suffix(".bin").read_bytes() == ours.with_suffix(".bin").read_bytes()
    return expected


def layers(path, kind):
    return [layer for layer in ET.parse(path).iter("layer") if layer.get("type") == kind]


@pytest.mark.parametrize("constant_axis", [True, False])
@pytest.mark.parametrize("version", models.ROWS)
def test_every_version(windrow, tmp_path, version, constant_axis):
    row = models.ROWS[version]
    kind = version.split("-")[0]
    constants = ()
    if constant_axis:  # GatherElements and the ND operators have none: their indices are constant
        constants = (1,) if "Elements-6" in version or "ND" in kind else (len(row.inputs) - 1,)
    path = models.single(tmp_path / "m.xml", version, constants)
    [layer] = layers(path, kind)
    assert layer.get("version") == row.opset
    check_both_ways(windrow, tmp_path, path, models.given(version, constants))
    [written] = layers(tmp_path / "ours.xml", kind)
    assert written.get("version") == row.opset


@pytest.mark.parametrize("version", models.ROWS)
def test_dynamic_shapes(windrow, tmp_path, version):
    path = models.single(tmp_path / "m.xml", version, dynamic=True)
    check_both_ways(windrow, tmp_path, path, models.given(version))


def test_weights_in_float16(windrow, tmp_path):
    table = np.linspace(-3, 3, 4096, dtype=np.float32).reshape(64, 64)
    ids = models.parameter("ids", np.zeros(3, np.int64), [-1])
    rows = opset8.gather(opset8.constant(table, name="table"), ids, opset8.constant(np.int64(0)))
    path = models.save(tmp_path / "m.xml", [rows], [ids])
    assert layers(path, "Convert")
    [got] = check_both_ways(windrow, tmp_path, path, {"ids": np.array([5, -1, 0])})
    np.testing.assert_array_equal(got, table.astype(np.float16).astype(np.float32)[[5, -1, 0]])


@pytest.mark.parametrize("name", ["i4", "u4", "u2", "u1", "nf4", "f4e2m1", "f8e8m0", "f8e4m3", "f8e5m2", "bf16", "boolean"])
def test_constants_of_types_that_numpy_lacks(windrow, tmp_path, name):
    kind = getattr(ov.Type, name)
    raw = np.array([0x21, 0x83, 0x3E, 0x01, 0x40, 0x38, 0x00], np.uint8)
    count = raw.size * 8 // kind.bitwidth - 1
    if name == "boolean":
        raw, count = np.array([0, 1, 1], np.uint8), 3
    if name == "bf16":
        raw, count = raw[:6], 3
    tensor = ov.Tensor(raw, ov.Shape([count]), kind)
    wide = opset8.convert(ov.op.Constant(tensor), ov.Type.f32)
    ids = models.parameter("ids", np.zeros(2, np.int64))
    picked = opset8.gather(wide, ids, opset8.constant(np.int64(0)))
    path = models.save(tmp_path / "m.xml", [picked], [ids], compress_to_fp16=False)
    check_both_ways(windrow, tmp_path, path, {"ids": np.array([count - 1, 0])})


def test_strings(windrow, tmp_path):
    words = ov.op.Constant(ov.Tensor(np.array([["abc", ""], ["hällo", "z"]])))
    ids = models.parameter("ids", np.zeros(3, np.int64))
    node = opset8.gather(words, ids, opset8.constant(np.int64(0)))
    path = models.save(tmp_path / "m.xml", [node], [ids])
    ours = rewrite(path, tmp_path / "ours.xml")
    np.save(tmp_path / "ids.npy", np.array([1, 0, 5]))
    for model in (path, ours):
        values = windrow("run", model, "--input", "ids.npy", "--json").json()["outputs"][0]["values"]
        assert values == ["hällo", "z", "abc", "", "", ""]
    [expected] = models.evaluate(ours, {"ids": np.array([1, 0, 5])})
    assert expected.tolist() == [["hällo", "z"], ["abc", ""], ["", ""]]


def test_one_value_as_several_outputs_and_names(windrow, tmp_path):
    data = models.parameter("data", models.DATA)
    data.output(0).set_names({"a,b", "a<&\"'>", "z"})
    node = opset8.gather(data, opset8.constant(np.array([0])), opset8.constant(np.int64(2)), name="n")
    path = models.save(tmp_path / "m.xml", [node, data, node], [data])
    got = check_both_ways(windrow, tmp_path, path, {"a<&\"'>": models.DATA})
    np.testing.assert_array_equal(got[0], got[2])
    for name in ("a,b", "z", "data"):
        assert len(run(windrow, tmp_path, path, {name: models.DATA})) == 3
    model = ov.Core().read_model(tmp_path / "ours.xml")
    assert model.inputs[0].get_names() >= {"a,b", "a<&\"'>", "z"}


def test_intervals_of_dimensions_survive(windrow, tmp_path):
    shape = [ov.Dimension(-1), 3, ov.Dimension(1, 10), ov.Dimension(2, -1)]
    x = models.parameter("x", np.zeros((1, 3, 1, 2), np.float32), shape)
    any_rank = opset8.parameter(ov.PartialShape.dynamic(), ov.Type.f32, name="any")
    node = opset8.gather(x, opset8.constant(np.array([0])), opset8.constant(np.int64(1)))
    path = models.save(tmp_path / "m.xml", [node, any_rank], [x, any_rank])
    ours = ov.Core().read_model(rewrite(path, tmp_path / "ours.xml"))
    assert str(ours.inputs[0].partial_shape) == "[?,3,1..10,2..]"
    assert ours.inputs[1].partial_shape.rank.is_dynamic
    outcome = windrow("inspect", path)
    assert "x float32[?, 3, 1..10, 2..]" in outcome.out


def test_unused_parameters_stay_and_other_layers_go(windrow, tmp_path):
    x = models.parameter("x", models.DATA)
    unused = models.parameter("unused", models.AXIS_1)
    node = opset1.gather(x, opset8.constant(np.array([0])), opset8.constant(np.int64(1)))
    path = models.save(tmp_path / "m.xml", [node], [x, unused])
    check_both_ways(windrow, tmp_path, path, {"x": models.DATA, "unused": models.AXIS_1})
    error = windrow("run", path, "--input", f"x={tmp_path / 'given_0.npy'}").only_error()
    assert "missing input 'unused'" in error


SMALL = np.array([0, 1, -1, 7, 8, 15, 16, -8, 127, 128, -129, 255, 300, -300])
FROM = {
    "f32": np.append(SMALL, [2.5, -2.5, 0.5, -0.5, -0.0, 70000]).astype(np.float32),
    "f64": np.append(SMALL, [2.5, -2.5, 0.5, -0.5, 65504, 70000]),
    "f16": np.append(SMALL, [2.5, -2.5, 0.5, 464, 480, 65504]).astype(np.float16),
    "i32": np.append(SMALL, [2**31 - 1, -(2**31)]).astype(np.int32),
    "i64": np.append(SMALL, [2**40 + 5, -(2**40) - 5, 2**31, 70000]),
    "u8": np.array([0, 1, 7, 8, 15, 16, 127, 255], np.uint8),
}
SPECIAL = {
    "f32": np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 448, 449, 464, 0.0146], np.float32),
    "f16": np.array([np.nan, np.inf, -np.inf, 6e-8, -0.0, 0.0146], np.float16),
}
INTEGERS = ["boolean", "i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64"]
FLOATS = ["bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2"]


def check_convert(windrow, folder, numbers, target):
    x = models.parameter("x", numbers)
    path = models.save(folder / "m.xml", [opset8.convert(x, target)], [x])
    expected = ov.Tensor(getattr(ov.Type, target), ov.Shape([numbers.size]))
    assert ov.Core().read_model(path).evaluate([expected], [ov.Tensor(numbers)])
    np.save(folder / "x.npy", numbers)
    outcome = windrow("run", path, "--input", "x.npy", "--out", "o", "--format", "pb", "--json")
    assert outcome.code == 0, outcome.err
    [file] = [o["file"] for o in outcome.json()["outputs"]]
    got = onnx.TensorProto.FromString((folder / file).read_bytes()).raw_data
    assert got == expected.data.tobytes()


@pytest.mark.parametrize("target", INTEGERS + FLOATS)
@pytest.mark.parametrize("source", FROM)
def test_convert(windrow, tmp_path, source, target):
    numbers = FROM[source]
    if target == "bf16":  # OpenVINO's reference does not round to the nearest
        numbers = numbers[(numbers.astype(np.float32).view(np.uint32) & 0xFFFF) == 0]
    if (source, target) == ("i32", "f16"):  # OpenVINO clamps these, others become infinite
        numbers = numbers[np.abs(numbers.astype(np.int64)) <= 65504]
    check_convert(windrow, tmp_path, numbers, target)


@pytest.mark.parametrize("target", ["boolean", *FLOATS])
@pytest.mark.parametrize("source", SPECIAL)
def test_convert_special_numbers(windrow, tmp_path, source, target):
    check_convert(windrow, tmp_path, SPECIAL[source], target)


NODE_TESTS = pathlib.Path("/usr/share/libonnx-testdata/data/node")
FAMILY = sorted([*NODE_TESTS.glob("test_gather*"), *NODE_TESTS.glob("test_scatter*")])


def test_onnx_models_that_openvino_converted(windrow, tmp_path):
    """ONNX's own tests of the family, their models as OpenVINO's converter writes them."""
    assert len(FAMILY) == 19
    for source in FAMILY:
        folder = tmp_path / "all" / source.name
        folder.mkdir(parents=True)
        ov.save_model(ov.convert_model(source / "model.onnx"), folder / "model.xml")
        for file in (source / "test_data_set_0").glob("*.pb"):
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            np.save(folder / f"{file.stem}.npy", onnx.numpy_helper.to_array(tensor))
    assert "19 passed, 0 failed, 0 skipped" in windrow("verify", "all").out
