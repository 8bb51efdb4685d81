"""windrow verify and call on OpenVINO models and operators."""

import ir_models as models
import numpy as np
import pytest
from openvino import opset8

ROW = models.ROWS["Gather-8"]


def write_case(folder, data_set=None):
    folder.mkdir(parents=True, exist_ok=True)
    path = models.single(folder / "model.xml", "Gather-8")
    [expected] = models.evaluate(path, models.given("Gather-8"))
    target = folder / data_set if data_set else folder
    target.mkdir(exist_ok=True)
    for i, array in enumerate(ROW.inputs):
        np.save(target / f"input_{i}.npy", array)
    np.save(target / "output_0.npy", expected)
    return target, expected


def test_cases_beside_the_model_and_in_folders(windrow, tmp_path):
    write_case(tmp_path / "all/a")
    write_case(tmp_path / "all/b", "test_data_set_0")
    write_case(tmp_path / "all/c")
    write_case(tmp_path / "all/c", "test_data_set_0")
    outcome = windrow("verify", "all")
    assert outcome.code == 0, outcome.out
    assert outcome.out.splitlines() == [
        "pass a",
        "pass b",
        "pass c",
        "pass c/test_data_set_0",
        "4 passed, 0 failed, 0 skipped",
    ]
    assert windrow("verify", "all", "--reference").code == 0


def test_a_wrong_value_fails(windrow, tmp_path):
    folder, expected = write_case(tmp_path / "a")
    expected[1, 0, 1] += 1
    np.save(folder / "output_0.npy", expected)
    outcome = windrow("verify", "a")
    assert outcome.code == 1
    assert "FAIL a: output 'y' first differs at [1, 0, 1]" in outcome.out


def test_outputs_that_are_one_value_are_all_compared(windrow, tmp_path):
    x = models.parameter("x", models.DATA)
    node = opset8.gather(x, opset8.constant(np.array([0])), opset8.constant(np.int64(0)))
    (tmp_path / "a").mkdir()
    models.save(tmp_path / "a/model.xml", [node, node], [x])
    np.save(tmp_path / "a/input_0.npy", models.DATA)
    np.save(tmp_path / "a/output_0.npy", models.DATA[:1])
    np.save(tmp_path / "a/output_1.npy", models.DATA[:1] + 1)
    assert "FAIL a: output" in windrow("verify", "a").out
    np.save(tmp_path / "a/output_1.npy", models.DATA[:1])
    assert windrow("verify", "a").code == 0
    np.save(tmp_path / "a/output_2.npy", models.DATA[:1])
    assert "output_2.npy: the model has no value for it" in windrow("verify", "a").out


@pytest.mark.parametrize("reference", [(), ("--reference",)])
@pytest.mark.parametrize("version", models.ROWS)
def test_call(windrow, tmp_path, version, reference):
    row = models.ROWS[version]
    path = models.single(tmp_path / "m.xml", version)
    [expected] = models.evaluate(path, models.given(version))
    files = [f"x{i}.npy" for i in range(len(row.inputs))]
    for file, array in zip(files, row.inputs, strict=True):
        np.save(tmp_path / file, array)
    name, number = version.split("-")
    attributes = [f for k, v in row.attributes.items() for f in ("--attr", f"{k}={str(v).lower()}")]
    flags = ["--version", number, *attributes, *reference, "-o", "out.npy"]
    outcome = windrow("call", f"openvino.{name}", *files, *flags)
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)


def test_bad_calls(windrow, tmp_path):
    np.save(tmp_path / "x.npy", models.DATA)
    np.save(tmp_path / "i.npy", np.array([0]))
    np.save(tmp_path / "axis.npy", np.array([0, 1]))
    error = windrow("call", "openvino.Gather", "x.npy", "i.npy", "axis.npy").only_error()
    assert "OPENVINO-Gather-A1" in error
    assert "axis" in windrow("call", "openvino.Gather", "x.npy", "i.npy").only_error()
    error = windrow("call", "openvino.GatherElements", "x.npy", "i.npy").only_error()
    assert "OPENVINO-GatherElements-A2" in error
    error = windrow("call", "openvino.Gather-9", "x.npy", "i.npy", "i.npy").only_error()
    assert "9" in error
    error = windrow("call", "Gather", "x.npy", "i.npy").only_error()
    assert "openvino.Gather" in error
