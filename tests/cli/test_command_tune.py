"""windrow tune, and the file of costs that calls read."""

import os

import cli_models as models
import numpy as np
import pytest

_QUICK = ["tune", "--seconds", "0"]


def rows_of(text):
    """The lines of a file of costs without its header and comments: [name, value]."""
    lines = [line.split("#")[0].split() for line in text.splitlines()[1:]]
    return [line for line in lines if line]


@pytest.fixture
def call(windrow, tmp_path):
    """A call that needs a plan, with the given file of costs."""
    np.save(tmp_path / "data.npy", np.arange(12, dtype=np.float32).reshape(4, 3))
    np.save(tmp_path / "ids.npy", np.array([3, 0]))

    def run(path):
        return windrow("call", "onnx.Gather", "data.npy", "ids.npy", env={"WINDROW_COSTS": str(path)})

    return run


def test_what_it_writes_is_what_calls_read(windrow, tmp_path, call):
    outcome = windrow(*_QUICK, "-o", "costs.txt")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0].startswith("measured on ")
    assert lines[1].split() == ["COST", "DEFAULT", "HERE", "UNIT", "WHAT"]
    assert lines[-1] == "wrote costs.txt"
    text = (tmp_path / "costs.txt").read_text()
    assert text.splitlines()[0] == "windrow costs 1, " + lines[0]
    rows = rows_of(text)
    assert [name for name, _ in rows] == [line.split()[0] for line in lines[2:-1]]
    assert all(float(value) > 0 for _, value in rows)
    assert sorted(os.listdir(tmp_path)) == ["costs.txt", "data.npy", "ids.npy"]
    done = call("costs.txt")
    assert (done.code, done.out) == (0, call("").out), done.err


def test_json_has_the_costs(windrow):
    document = windrow(*_QUICK, "--json").json()
    names = [cost["name"] for cost in document["costs"]]
    assert {"run", "row_byte", "task"} <= set(names)
    assert document["processor"]
    for cost in document["costs"]:
        assert set(cost) == {"name", "unit", "meaning", "preset", "value", "measured"}
        assert cost["value"] > 0


def test_the_file_may_be_standard_output(windrow):
    outcome = windrow(*_QUICK, "-o", "-")
    assert outcome.out.startswith("windrow costs 1, measured on ")
    assert "wrote standard output" in outcome.err


def test_a_file_that_cannot_be_written_is_all_that_is_told(windrow, tmp_path):
    assert "absent/costs.txt" in windrow(*_QUICK, "-o", "absent/costs.txt").only_error()
    (tmp_path / "folder").mkdir()
    windrow(*_QUICK, "-o", "folder").only_error()
    assert os.listdir(tmp_path) == ["folder"]


def test_a_bad_file_of_costs_makes_calls_fail(windrow, tmp_path, call):
    windrow(*_QUICK, "-o", "costs.txt")
    text = (tmp_path / "costs.txt").read_text()
    name, value = rows_of(text)[3]
    (tmp_path / "costs.txt").write_text(text.replace(f"\n{name} {value}", f"\n{name} nan"))
    message = call("costs.txt").only_error()
    assert message.startswith("onnx.Gather-13 [CALL-O2]: WINDROW_COSTS: 'costs.txt': line 6: " + name + " is 'nan'")
    assert "No such file" in call("absent").only_error()
    assert "is not an ordinary file" in call(tmp_path).only_error()
    assert "is not an ordinary file" in call("/dev/zero").only_error()


def test_inspect_shows_no_estimate_where_there_is_no_choice(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    assert "estimate" not in windrow("inspect", "m.onnx").out
    assert windrow("inspect", "m.onnx", "--json").json()["nodes"][0]["plan"]["estimates"] == []
