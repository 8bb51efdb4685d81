"""The inputs of a model in every subcommand that runs or observes one: --input and --inputs."""

import numpy as np
import pytest
from command_here import run_here
from onnx import TensorProto, helper, numpy_helper, save

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)
IDS = np.array([-1, 2])


@pytest.fixture
def command(tmp_path, monkeypatch, capfd):
    """Runs the command in tmp_path, beside a model that chooses rows by the absolute values of ids."""
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Abs", ["ids"], ["positive"], name="abs"),
        helper.make_node("Gather", ["table", "positive"], ["rows"], name="lookup"),
        helper.make_node("Add", ["rows", "bias"], ["y"], name="add"),
    ]
    inputs = [value("table", TensorProto.FLOAT, [4, 3]), value("ids", TensorProto.INT64, [2])]
    inputs.append(value("bias", TensorProto.FLOAT, [3]))
    bias = numpy_helper.from_array(np.zeros(3, np.float32), "bias")
    graph = helper.make_graph(nodes, "g", inputs, [value("y", TensorProto.FLOAT, [2, 3])], [bias])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", table=TABLE, ids=IDS)
    np.savez(tmp_path / "with_bias.npz", table=TABLE, ids=IDS, bias=np.ones(3, np.float32))
    np.savez(tmp_path / "wrong.npz", table=TABLE, id=IDS)
    np.save(tmp_path / "table.npy", TABLE)
    np.save(tmp_path / "ids.npy", IDS)
    monkeypatch.chdir(tmp_path)
    return lambda *words: run_here(words, capfd)


SUBCOMMANDS = {
    "run": ["run", "m.onnx"],
    "check": ["check", "m.onnx", "--for", "onnxruntime:cpu", "--all"],
    "explain": ["explain", "m.onnx", "--node", "lookup"],
}
SPELLINGS = {
    "--inputs": ["--inputs", "in.npz"],
    "--input of an archive": ["--input", "in.npz"],
    "--input of each": ["--input", "table=table.npy", "--input", "ids=ids.npy"],
    "both": ["--inputs", "with_bias.npz"],
}


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_every_spelling_gives_the_same(command, subcommand):
    words = SUBCOMMANDS[subcommand]
    outcomes = {name: command(*words, *flags) for name, flags in SPELLINGS.items()}
    assert {outcome.stderr for outcome in outcomes.values()} == {""}
    if subcommand == "run":
        assert "1, 1, 1" not in outcomes.pop("both").stdout
    assert len({(outcome.returncode, outcome.stdout) for outcome in outcomes.values()}) == 1


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_wrong_names_and_files_are_errors_that_name_the_option(command, subcommand):
    for flags, words in [
        (["--inputs", "wrong.npz"], ["--inputs wrong.npz", "no input 'id'", "its inputs: table, "]),
        (["--inputs", "ids.npy"], ["--inputs ids.npy", ".npz or .safetensors", "--input NAME=FILE"]),
        (["--inputs", "in.npz", "--input", "ids=ids.npy"], ["--input ids=ids.npy", "'ids' is given twice"]),
    ]:
        done = command(*SUBCOMMANDS[subcommand], *flags)
        assert (done.returncode, done.stdout) == (2, "")
        assert [word for word in words if word not in done.stderr] == []


def test_explain_shows_the_indices_that_the_node_gets(command):
    done = command(*SUBCOMMANDS["explain"], "--inputs", "in.npz")
    assert (done.returncode, done.stderr) == (0, "")
    assert "output[0, 0] = data[1, 0] = 3: indices[0] = 1" in done.stdout  # of ids[0] = -1


def test_explain_takes_what_the_node_reads_without_a_run(command, tmp_path):
    np.savez(tmp_path / "own.npz", table=TABLE, positive=np.array([3, 0]))
    done = command(*SUBCOMMANDS["explain"], "--inputs", "own.npz")
    assert "output[0, 0] = data[3, 0] = 9: indices[0] = 3" in done.stdout


def test_explain_says_what_the_model_still_needs(command, tmp_path):
    done = command(*SUBCOMMANDS["explain"], "--input", "ids=ids.npy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "input 'table' is not given" in done.stderr
    filled = command(*SUBCOMMANDS["explain"], "--input", "ids=ids.npy", "--random", "7")
    assert "indices[0] = 1" in filled.stdout
