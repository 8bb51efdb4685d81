"""windrow run."""

import os
import subprocess

import cli_models as models
import numpy as np
import onnx
import pytest
from cli_command import COMMAND
from onnx import helper, numpy_helper


@pytest.fixture
def table(tmp_path):
    data = np.arange(15, dtype=np.float32).reshape(5, 3) / 2
    np.save(tmp_path / "data.npy", data)
    np.save(tmp_path / "indices.npy", np.array([4, -5]))
    models.gather(tmp_path / "m.onnx")
    return data


GIVEN = ["--input", "data=data.npy", "--input", "indices=indices.npy"]


def test_prints_name_type_shape_and_values(windrow, table):
    outcome = windrow("run", "m.onnx", *GIVEN)
    assert outcome.code == 0, outcome.err
    assert outcome.out == "y  float32[2, 3]  [[6, 6.5, 7], [0, 0.5, 1]]\n"
    assert outcome.err == ""


def test_writes_npy_into_a_new_folder(windrow, table, tmp_path):
    outcome = windrow("run", "m.onnx", *GIVEN, "--out", "new/results")
    assert outcome.code == 0, outcome.err
    assert outcome.out.endswith("wrote new/results/y.npy\n")
    got = np.load(tmp_path / "new/results/y.npy")
    np.testing.assert_array_equal(got, table[[4, 0]])
    assert got.dtype == np.float32
    assert os.listdir(tmp_path / "new/results") == ["y.npy"]


def test_writes_pb_with_the_output_name(windrow, table, tmp_path):
    outcome = windrow("run", "m.onnx", *GIVEN, "--out", "results", "--format", "pb")
    assert outcome.code == 0, outcome.err
    proto = onnx.TensorProto.FromString((tmp_path / "results/y.pb").read_bytes())
    assert proto.name == "y"
    np.testing.assert_array_equal(numpy_helper.to_array(proto), table[[4, 0]])


def test_reads_pb_inputs(windrow, table, tmp_path):
    models.write_pb(tmp_path / "indices.pb", np.array([1, 2]), "anything")
    outcome = windrow("run", "m.onnx", "--input", "data=data.npy", "--input", "indices=indices.pb")
    assert outcome.out == "y  float32[2, 3]  [[1.5, 2, 2.5], [3, 3.5, 4]]\n"


def test_json_is_one_document_with_the_values(windrow, table, tmp_path):
    document = windrow("run", "m.onnx", *GIVEN, "--json", "--out", "o").json()
    assert document == {
        "outputs": [
            {
                "name": "y",
                "dtype": "float32",
                "shape": [2, 3],
                "values": [6, 6.5, 7, 0, 0.5, 1],
                "complete": True,
                "file": "o/y.npy",
            }
        ],
        "warnings": [],
    }


def test_one_input_needs_no_name(windrow, tmp_path):
    node = helper.make_node("Gather", ["data", "indices"], ["y"])
    constant = numpy_helper.from_array(np.array([1, 1]), "indices")
    models.save(
        tmp_path / "m.onnx",
        [node],
        [models.value("data", "float32", [3])],
        [models.value("y", "float32", [2])],
        initializers=[constant],
    )
    np.save(tmp_path / "data.npy", np.array([1, 2, 3], np.float32))
    assert windrow("run", "m.onnx", "--input", "data.npy").out == "y  float32[2]  [2, 2]\n"


def test_a_file_without_a_name_is_refused_where_there_are_two_inputs(windrow, table):
    error = windrow("run", "m.onnx", "--input", "data.npy").only_error()
    assert "data, indices" in error


def test_big_outputs_show_their_ends(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(100,), indices=(100,), out=(100,))
    np.save(tmp_path / "data.npy", np.arange(100, dtype=np.float32))
    np.save(tmp_path / "indices.npy", np.arange(100))
    outcome = windrow("run", "m.onnx", *GIVEN)
    assert outcome.out == "y  float32[100]  [0, 1, 2, 3, ..., 96, 97, 98, 99]\n"


def test_special_numbers(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(6,), indices=(6,), out=(6,))
    np.save(tmp_path / "data.npy", np.array([np.nan, np.inf, -np.inf, -0.0, 0.1, 1e30], np.float32))
    np.save(tmp_path / "indices.npy", np.arange(6))
    outcome = windrow("run", "m.onnx", *GIVEN)
    assert outcome.out == "y  float32[6]  [nan, inf, -inf, -0, 0.1, 1e+30]\n"
    values = windrow("run", "m.onnx", *GIVEN, "--json").json()["outputs"][0]["values"]
    assert values[:3] == ["nan", "inf", "-inf"]


def test_strings_are_quoted(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(3,), indices=(2,), out=(2,), dtype="string")
    models.write_pb(tmp_path / "data.pb", np.array(["a", 'say "ä"', "c"], dtype=object))
    np.save(tmp_path / "indices.npy", np.array([1, 2]))
    outcome = windrow("run", "m.onnx", "--input", "data=data.pb", "--input", "indices=indices.npy")
    assert outcome.out == 'y  string[2]  ["say \\"ä\\"", "c"]\n'


def test_policies_decide_what_an_index_outside_gives(windrow, table, tmp_path):
    np.save(tmp_path / "indices.npy", np.array([7, 1]))
    got = {}
    for policy in ["zero", "clamp", "modulo"]:
        outcome = windrow("run", "m.onnx", *GIVEN, "--out-of-range", policy, "--json")
        got[policy] = outcome.json()["outputs"][0]["values"][0]
    assert got == {"zero": 0, "clamp": 6, "modulo": 3}


def test_strict_refuses_negative_indices_of_gather_1(windrow, table, tmp_path):
    models.gather(tmp_path / "old.onnx", opset=10)
    assert windrow("run", "old.onnx", *GIVEN).code == 0
    assert "-5" in windrow("run", "old.onnx", *GIVEN, "--strict").only_error()


def test_kernel_sets_and_thread_counts_give_the_same(windrow, table):
    expected = windrow("run", "m.onnx", *GIVEN).out
    for arguments in (["--kernels", "plain"], ["--threads", "1"], ["--threads", "5"]):
        outcome = windrow("run", "m.onnx", *GIVEN, *arguments)
        assert (outcome.code, outcome.out) == (0, expected)


def test_node_runs_one_node_of_a_model_with_other_operators(windrow, table, tmp_path):
    nodes = [
        helper.make_node("Gather", ["data", "indices"], ["picked"], name="pick"),
        helper.make_node("Relu", ["picked"], ["y"], name="relu"),
    ]
    models.save(
        tmp_path / "two.onnx",
        nodes,
        [models.value("data", "float32", [5, 3]), models.value("indices", "int64", [2])],
        [models.value("y", "float32", [2, 3])],
    )
    assert "Relu" in windrow("run", "two.onnx", *GIVEN).only_error()
    outcome = windrow("run", "two.onnx", *GIVEN, "--node", "pick")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("picked  float32[2, 3]  ")
    error = windrow("run", "two.onnx", *GIVEN, "--node", "peck").only_error()
    assert "peck" in error
    assert "pick" in error


def test_scatter_11_warns_on_standard_error(windrow, tmp_path):
    models.scatter_11(tmp_path / "m.onnx")
    np.save(tmp_path / "data.npy", np.zeros(5, np.float32))
    np.save(tmp_path / "indices.npy", np.array([0, 2, 4]))
    np.save(tmp_path / "updates.npy", np.ones(3, np.float32))
    arguments = [*GIVEN, "--input", "updates=updates.npy"]
    outcome = windrow("run", "m.onnx", *arguments)
    assert outcome.code == 0
    assert outcome.out == "y  float32[5]  [1, 0, 1, 0, 1]\n"
    assert outcome.err.startswith("warning: ")
    assert "ScatterElements" in outcome.err
    document = windrow("run", "m.onnx", *arguments, "--json").json()
    assert len(document["warnings"]) == 1


def test_bfloat16_bits_in_npy_take_the_declared_type(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx", data=(2,), indices=(1,), out=(1,), dtype="bfloat16")
    np.save(tmp_path / "data.npy", np.array([0x3FC0, 0xC000], np.uint16).view("V2"))
    np.save(tmp_path / "indices.npy", np.array([1]))
    outcome = windrow("run", "m.onnx", *GIVEN)
    assert (outcome.code, outcome.out) == (0, "y  bfloat16[1]  [-2]\n")


def test_output_names_become_safe_file_names(windrow, table, tmp_path):
    node = helper.make_node("Gather", ["data", "indices"], ["../up/y"])
    models.save(
        tmp_path / "m.onnx",
        [node],
        [models.value("data", "float32", [5, 3]), models.value("indices", "int64", [2])],
        [models.value("../up/y", "float32", [2, 3])],
    )
    assert windrow("run", "m.onnx", *GIVEN, "--out", "o").code == 0
    assert os.listdir(tmp_path / "o") == ["_.._up_y.npy"]


def test_progress_and_colours_do_not_reach_a_pipe(windrow, table):
    outcome = windrow("run", "m.onnx", *GIVEN)
    assert "\x1b" not in outcome.out + outcome.err


def test_a_reader_that_goes_away_does_not_stop_the_files(table, tmp_path):
    with subprocess.Popen(
        [COMMAND, "run", "m.onnx", *GIVEN, "--out", "o"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        error = process.stderr.read()
    assert (process.returncode, error) == (0, b"")
    assert (tmp_path / "o/y.npy").exists()
