"""windrow verify.

One long file: each kind of case and of difference has a test of a few lines.
"""

import os
import pty
import subprocess

import cli_models as models
import numpy as np
import onnx
import pytest
from cli_command import COMMAND
from onnx import helper, numpy_helper

DATA = np.arange(15, dtype=np.float32).reshape(5, 3)
INDICES = np.array([4, 0])
INPUTS = [("data", DATA), ("indices", INDICES)]


def good_case(folder, number=0):
    return models.write_case(folder, models.gather, INPUTS, [("y", DATA[INDICES])], number)


def case_with_output(folder, output):
    return models.write_case(folder, models.gather, INPUTS, [("y", output)])


def relu_case(folder):
    def relu(path):
        node = helper.make_node("Relu", ["x"], ["y"])
        shape = [models.value("x", "float32", [1])]
        models.save(path, [node], shape, [models.value("y", "float32", [1])])

    one = np.ones(1, np.float32)
    return models.write_case(folder, relu, [("x", one)], [("y", one)])


def test_passing_cases_are_listed_by_name(windrow, tmp_path):
    good_case(tmp_path / "all/b/inner")
    good_case(tmp_path / "all/a")
    outcome = windrow("verify", "all")
    assert outcome.code == 0, outcome.err
    assert outcome.out == "pass a\npass b/inner\n2 passed, 0 failed, 0 skipped\n"
    assert outcome.err == ""


def test_the_folder_of_one_case(windrow, tmp_path):
    good_case(tmp_path / "one")
    assert windrow("verify", "one").out.startswith("pass one\n")
    assert windrow("verify", "one/").out.startswith("pass one\n")


def test_several_data_sets_and_paths(windrow, tmp_path):
    good_case(tmp_path / "x/case", 0)
    good_case(tmp_path / "x/case", 10)
    good_case(tmp_path / "y/case")
    outcome = windrow("verify", "x", "y")
    assert outcome.out.splitlines() == [
        "pass case/test_data_set_0",
        "pass case/test_data_set_10",
        "pass case",
        "3 passed, 0 failed, 0 skipped",
    ]


def test_a_wrong_value_is_shown_with_its_position(windrow, tmp_path):
    wrong = DATA[INDICES].copy()
    wrong[0, 2] = 1.5
    wrong[1, 1] = 7
    case_with_output(tmp_path / "c", wrong)
    outcome = windrow("verify", "c")
    assert outcome.code == 1
    assert outcome.out == (
        "FAIL c: output 'y' first differs at [0, 2]: got 14, expected 1.5 (2 of 6 elements differ)\n"
        "     elements differ by at most 12.5 (relative 8.33)\n"
        "of 6 elements some differ by at most 12.5 (relative 8.33), in c\n"
        "relative errors:\n"
        "  equal    4  ########################################\n"
        "  up to 1  1  ##########\n"
        "  above 1  1  ##########\n"
        "0 passed, 1 failed, 0 skipped\n"
    )


def test_sizes_of_errors(windrow, tmp_path):
    wrong = DATA[INDICES].copy()
    wrong[0] = [12 + 2**-20, np.nan, 14.000001]
    case_with_output(tmp_path / "all/far", wrong)
    case_with_output(tmp_path / "all/near", DATA[INDICES] * np.float32(1 + 1e-6))
    good_case(tmp_path / "all/same")
    outcome = windrow("verify", "all", "--rtol", "1e-5")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("FAIL far: output 'y' first differs at [0, 1]: got 13, expected nan")
    assert lines[1] == "     elements differ by at most 9.53674e-07 (relative 7.95e-08), and 1 with NaN, an infinity or a text"
    assert lines[2].startswith("pass near: differs by at most 1.33514e-05 (relative 9.54e-07)")
    assert lines[3] == "pass same"
    assert lines[4].startswith("of 18 elements some differ by at most 1.33514e-05 (relative 9.54e-07), and 1 with")
    assert lines[4].endswith(", in near")
    document = windrow("verify", "all", "--rtol", "1e-5", "--json").json()
    far, near, same = document["cases"]
    assert (far["errors"]["no_number"], near["errors"]["elements"], "errors" in same) == (1, 6, False)
    errors = document["errors"]
    expected = DATA[INDICES].astype(np.float64) * np.float32(1 + 1e-6)
    assert errors["largest_absolute"] == pytest.approx(np.abs(expected.astype(np.float32) - DATA[INDICES]).max())
    assert errors["elements"] == 18
    counted = [entry["elements"] for entry in errors["histogram"]]
    assert sum(counted) + errors["equal"] + errors["no_number"] == 18
    assert errors["histogram"][-1]["up_to"] is None


def test_errors_of_integers_are_exact_and_zero_has_no_relative_one(windrow, tmp_path):
    big = np.array([2**62, 0], np.int64)
    models.gather(tmp_path / "model.onnx", data=(2,), indices=(2,), out=(2,), dtype="int64")
    np.savez(tmp_path / "inputs.npz", data=big, indices=np.array([0, 1]))
    np.savez(tmp_path / "outputs.npz", y=big + 1)
    errors = windrow("verify", ".", "--json").json()["errors"]
    assert errors["largest_absolute"] == 1
    assert errors["largest_relative"] == 1.0
    np.savez(tmp_path / "inputs.npz", data=big + 1, indices=np.array([0, 1]))
    np.savez(tmp_path / "outputs.npz", y=big)
    assert windrow("verify", ".", "--json").json()["errors"]["largest_relative"] == "inf"


def test_json(windrow, tmp_path):
    wrong = DATA[INDICES].copy()
    wrong[1, 0] = 9
    case_with_output(tmp_path / "all/bad", wrong)
    good_case(tmp_path / "all/good")
    relu_case(tmp_path / "all/relu")
    outcome = windrow("verify", "all", "--json")
    assert outcome.code == 1
    document = outcome.json()
    assert (document["passed"], document["failed"], document["skipped"]) == (1, 1, 1)
    bad, good, relu = document["cases"]
    assert bad["mismatch"] == {
        "output": "y",
        "position": [1, 0],
        "got": 0,
        "expected": 9,
        "differing": 1,
        "elements": 6,
    }
    assert good == {"name": "good", "outcome": "pass"}
    assert relu["outcome"] == "skip"
    assert "Relu" in relu["reason"]


def test_shape_and_type_must_be_exact(windrow, tmp_path):
    case_with_output(tmp_path / "all/shape", DATA[INDICES][:1])
    case_with_output(tmp_path / "all/type", DATA[INDICES].astype(np.float64))
    outcome = windrow("verify", "all", "--atol", "1000")
    assert outcome.code == 1
    assert outcome.out.splitlines()[:2] == [
        "FAIL shape: output 'y' is float32[2, 3], expected float32[1, 3]",
        "FAIL type: output 'y' is float32[2, 3], expected float64[2, 3]",
    ]


def special_case(folder, got, expected):
    def model(path):
        models.gather(path, data=(1,), indices=(1,), out=(1,))

    inputs = [("data", np.array(got, np.float32)), ("indices", np.array([0]))]
    models.write_case(folder, model, inputs, [("y", np.array(expected, np.float32))])


def test_bits_are_compared_but_nan_equals_nan(windrow, tmp_path):
    special_case(tmp_path / "nan", [np.nan], [-np.nan])
    special_case(tmp_path / "zero", [0.0], [-0.0])
    special_case(tmp_path / "near", [1.0], [np.nextafter(np.float32(1), np.float32(2))])
    assert windrow("verify", "nan").code == 0
    outcome = windrow("verify", "zero")
    assert outcome.code == 1
    assert "got 0, expected -0" in outcome.out
    assert windrow("verify", "near").code == 1


def test_tolerances(windrow, tmp_path):
    special_case(tmp_path / "near", [100.0], [101.0])
    special_case(tmp_path / "inf", [np.inf], [1.0])
    special_case(tmp_path / "nan", [np.nan], [1.0])
    assert windrow("verify", "near", "--rtol", "0.02").code == 0
    assert windrow("verify", "near", "--rtol", "0.002").code == 1
    assert windrow("verify", "near", "--atol", "1").code == 0
    assert windrow("verify", "near", "--atol", "0.5").code == 1
    assert windrow("verify", "inf", "--atol", "1e30").code == 1
    assert windrow("verify", "nan", "--atol", "1e30").code == 1
    assert "--rtol" in windrow("verify", "near", "--rtol", "-1").only_error()


def test_cases_with_other_operators_are_skipped(windrow, tmp_path):
    relu_case(tmp_path / "all/relu")
    good_case(tmp_path / "all/good")
    outcome = windrow("verify", "all")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "pass good",
        "skip 1 with operators that are not run here: Relu",
        "1 passed, 0 failed, 1 skipped",
    ]


def test_cases_with_sequences_are_skipped(windrow, tmp_path):
    def identity(path):
        node = helper.make_node("Identity", ["x"], ["y"])
        sequence = [
            helper.make_tensor_sequence_value_info(name, onnx.TensorProto.FLOAT, [1])
            for name in ("x", "y")
        ]
        models.save(path, [node], sequence[:1], sequence[1:], 16)

    folder = models.write_case(tmp_path / "all/sequence", identity, [], [])
    sequence = numpy_helper.from_list([np.ones(1, np.float32)]).SerializeToString()
    for name in ("input_0.pb", "output_0.pb"):
        (folder / "test_data_set_0" / name).write_bytes(sequence)
    good_case(tmp_path / "all/good")
    outcome = windrow("verify", "all")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "pass good",
        "skip sequence: input 'x' is not known to be a tensor",
        "1 passed, 0 failed, 1 skipped",
    ]


def test_only_skipped_cases_are_no_success(windrow, tmp_path):
    relu_case(tmp_path / "relu")
    assert windrow("verify", "relu").code == 2


def test_no_case_is_an_error(windrow, tmp_path):
    (tmp_path / "empty/test_data_set_0").mkdir(parents=True)
    assert "no case found" in windrow("verify", "empty").only_error()
    assert "absent" in windrow("verify", "absent").only_error()


def test_a_case_that_cannot_be_read_fails_and_the_others_run(windrow, tmp_path):
    good_case(tmp_path / "all/a")
    cut = good_case(tmp_path / "all/cut") / "model.onnx"
    cut.write_bytes(cut.read_bytes()[:40])
    (good_case(tmp_path / "all/empty") / "test_data_set_0/input_0.pb").write_bytes(b"")
    (good_case(tmp_path / "all/noout") / "test_data_set_0/output_0.pb").unlink()
    good_case(tmp_path / "all/z")
    outcome = windrow("verify", "all")
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [
        "pass a",
        "FAIL cut",
        "FAIL empty",
        "FAIL noout",
        "pass z",
    ]


def test_an_index_out_of_range_is_a_failure_that_a_policy_changes(windrow, tmp_path):
    inputs = [("data", DATA), ("indices", np.array([5, 0]))]
    expected = DATA[[4, 0]]
    models.write_case(tmp_path / "c", models.gather, inputs, [("y", expected)])
    outcome = windrow("verify", "c")
    assert outcome.code == 1
    assert "indices[0] is 5" in outcome.out
    assert windrow("verify", "c", "--out-of-range", "clamp").code == 0


def test_files_are_matched_by_name_and_else_by_number(windrow, tmp_path):
    swapped = [("indices", INDICES), ("data", DATA)]
    models.write_case(tmp_path / "swapped", models.gather, swapped, [("y", DATA[INDICES])])
    nameless = [("", DATA), ("", INDICES)]
    models.write_case(tmp_path / "nameless", models.gather, nameless, [("", DATA[INDICES])])
    assert windrow("verify", "swapped").code == 0
    assert windrow("verify", "nameless").code == 0


@pytest.mark.parametrize("extra", [["--reference"], ["--kernels", "plain"], ["--threads", "2"]])
def test_other_ways_to_run(windrow, tmp_path, extra):
    good_case(tmp_path / "all/good")
    wrong = DATA[INDICES] + 1
    case_with_output(tmp_path / "all/wrong", wrong)
    outcome = windrow("verify", "all", *extra)
    assert outcome.code == 1
    assert outcome.out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_a_deprecated_operator_warns_once(windrow, tmp_path):
    zeros, ones = np.zeros(5, np.float32), np.ones(3, np.float32)
    inputs = [("data", zeros), ("indices", np.array([0, 1, 2])), ("updates", ones)]
    for name in ["all/a", "all/b"]:
        expected = np.array([1, 1, 1, 0, 0], np.float32)
        models.write_case(tmp_path / name, models.scatter_11, inputs, [("y", expected)])
    outcome = windrow("verify", "all")
    assert outcome.code == 0
    assert outcome.err.count("warning: ") == 1
    assert "warning: " not in windrow("verify", "all", "--reference").err


def many_cases(tmp_path, count):
    for i in range(count):
        good_case(tmp_path / f"all/case{i:04}")


def test_no_bar_in_a_pipe(windrow, tmp_path):
    many_cases(tmp_path, 20)
    outcome = windrow("verify", "all")
    assert outcome.err == ""


def test_no_bar_for_quick_work_on_a_terminal(tmp_path):
    good_case(tmp_path / "one")
    leader, follower = pty.openpty()
    done = subprocess.run(
        [COMMAND, "verify", "one"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=follower,
        check=False,
    )
    os.close(follower)
    os.set_blocking(leader, False)
    try:
        shown = os.read(leader, 4096)
    except (BlockingIOError, OSError):
        shown = b""
    os.close(leader)
    assert done.returncode == 0
    assert shown == b""
