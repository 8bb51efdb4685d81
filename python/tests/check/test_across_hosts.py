"""Outputs that differ between hosts: the first value that differs, and what is only rounding."""

import dataclasses
import json
import os
import subprocess
import sys

import check_models
import differing_models
import numpy as np
import onnx
import onnx.parser
import pytest
import windrow
from command_here import run_here
from windrow import runners
from windrow.runners._closeness import find_distance

BOTH = "onnxruntime:cpu,openvino:cpu"
pytestmark = pytest.mark.usefixtures("both_hosts")


def check(model, inputs, runtimes=BOTH, **options):
    return windrow.check(model.SerializeToString(), runtimes=runtimes, inputs=inputs, **options)


def differing(report):
    return [finding for finding in report.findings if finding.rule == "outputs-differ"]


@pytest.mark.parametrize("row", differing_models.REPORTS, ids=lambda row: row.name)
def test_the_first_value_that_differs_is_named(row):
    report = check(row.model, row.inputs)
    [finding] = differing(report)
    reader = f", input of '{row.reader}'" if row.reader else ""
    assert f"outputs differ; the first value that differs is '{row.first}'{reader}, made by {row.maker} " in finding.what
    assert "all that this node reads is equal" in finding.what
    assert "onnx's evaluator gives what onnxruntime:cpu gives" in finding.what
    assert finding.node == (f"main/{row.reader}" if row.reader else "")
    assert finding.runtimes == ("onnxruntime:cpu", "openvino:cpu") and finding.verdict == "happens" and report.fails()


def words_of(tmp_path, make, *arguments):
    """The command on a model and its inputs, in its own words."""
    model, inputs = make()
    onnx.save(model, tmp_path / "m.onnx")
    np.savez(tmp_path / "inputs.npz", **inputs)
    return ["check", str(tmp_path / "m.onnx"), "--inputs", str(tmp_path / "inputs.npz"), "--for", BOTH, *arguments]


def test_the_command(tmp_path):
    words = words_of(tmp_path, differing_models.hashed, "--select", "outputs-differ")
    done = subprocess.run([sys.executable, "-m", "windrow", *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.returncode, done.stderr) == (1, "")
    assert "the first value that differs is 'slot', input of 'look', made by Mod" in " ".join(done.stdout.split())


@pytest.fixture
def command(tmp_path, capfd):
    """Runs the command: its exit code, and what it prints."""

    def run(make, *arguments):
        done = run_here(words_of(tmp_path, make, *arguments), capfd)
        assert not done.stderr or done.returncode not in (0, 1), done.stderr
        return done.returncode, done.stdout + done.stderr

    return run


def test_options_of_the_command(command):
    assert command(differing_models.rounding)[0] == 0
    assert command(differing_models.rounding, "--tolerance", "0")[0] == 1
    in_range = ("--select", "gather-index-range")
    assert command(differing_models.positions, *in_range)[0] == 0
    assert command(differing_models.positions, *in_range, "--strict")[0] == 1
    code, text = command(differing_models.hashed, "--assume", "ids=0..6")
    assert code == 2 and "break the promise that 'ids' lies in 0 to 6: ids[0] is 16777221" in text
    assert "2 runs of each of 1 node alone in openvino:cpu@" in command(differing_models.positions, "--runs", "2")[1]


def test_every_format_has_the_finding():
    report = check(*differing_models.hashed())
    text = "the first value that differs is 'slot', input of 'look', made by Mod 'wrap'"
    assert text in " ".join(str(report).split())
    [found] = [each for each in json.loads(report.to_json())["findings"] if each["rule"] == "outputs-differ"]
    assert found["position"] == [0] and [each["effect"] for each in found["effects"]] == [
        "gives 5 at [0] of 'slot'", "gives 4 at [0] of 'slot'"]
    sarif = json.loads(report.format("sarif"))["runs"][0]
    assert [each["level"] for each in sarif["results"] if each["ruleId"] == "outputs-differ"] == ["error"]
    assert "input of &#39;look&#39;" in report.format("html") or "input of 'look'" in report.format("html")


def test_a_long_model_is_bisected():
    [finding] = differing(check(*differing_models.long_chain()))
    assert "the first value that differs is 'v21', made by Mod 'wrap'" in finding.what


@pytest.mark.parametrize("make, path, place", [
    (differing_models.in_branch, "main/choice.then_branch/pick", ""),
    (differing_models.in_loop, "main/decode.body/pick", " in iteration 2 of main/decode"),
    (differing_models.in_scan, "main/sweep.body/pick", " in iteration 2 of main/sweep"),
    (lambda: differing_models.in_scan(reverse=1), "main/sweep.body/pick", " in iteration 2 of main/sweep")])
def test_a_value_in_a_body_is_named_by_its_path(make, path, place):
    [finding] = differing(check(*make()))
    assert finding.node == path
    assert f"the first value that differs is 'slot', input of 'pick', made by Mod 'wrap'{place}" in finding.what


def test_a_body_that_does_not_run_alone_gives_the_node_that_holds_it(monkeypatch):
    monkeypatch.setattr("windrow._check.search.run_of_body", lambda *_: None)
    [finding] = differing(check(*differing_models.in_loop()))
    assert "the first value that differs is 'y', made by Loop 'decode'" in finding.what and finding.node == ""


BOTH_OF_IR = "openvino:cpu,openvino:evaluate"


def test_the_first_value_of_an_ir_is_named(tmp_path):
    model, inputs = differing_models.hashed()
    [finding] = differing(windrow.check(check_models.as_ir(tmp_path, model), runtimes=BOTH_OF_IR, inputs=inputs))
    assert "the first value that differs is 'slot', input of 'y', made by FloorMod 'wrap'" in finding.what
    assert "all that this node reads is equal" in finding.what
    assert finding.node == "main/y" and finding.runtimes == ("openvino:cpu", "openvino:evaluate")


def test_it_is_told_that_bodies_of_an_ir_are_not_opened(tmp_path):
    model, inputs = differing_models.in_loop()
    report = windrow.check(check_models.as_ir(tmp_path, model), runtimes=BOTH_OF_IR, inputs=inputs)
    [finding] = differing(report)
    assert "the first value that differs is 'y', made by Loop 'y'" in finding.what
    assert "values in its bodies are not compared, since bodies of OpenVINO IR do not run alone" in finding.what
    assert any("main/y.body/row: no evaluator runs OpenVINO IR with its bodies" in note for note in report.notes)


def test_rounding_is_told_from_other_differences():
    model, inputs = differing_models.rounding()
    report = check(model, inputs)
    assert differing(report) == [] and not report.fails()
    [note] = [note for note in report.notes if "differ by rounding only" in note]
    assert "relative" in note
    [finding] = differing(check(model, inputs, tolerance=0))
    assert "made by MatMul 'mix'" in finding.what and "relative" in finding.what


def test_rounding_in_front_of_the_first_value_is_told():
    [finding] = differing(check(*differing_models.rounding_that_a_cast_shows()))
    assert "the first value that differs is 'slot', made by Cast 'whole'" in finding.what
    assert "what that node reads differs by rounding only, at most" in finding.what


def test_values_differ_though_outputs_do_not():
    [finding] = differing(check(*differing_models.hidden()))
    assert finding.what.startswith("the outputs are equal, values in front of them differ; the first value that differs is "
                                   "'slot', input of 'look', made by Mod 'wrap'")


def test_hosts_that_agree_have_no_finding():
    model, inputs = differing_models.hashed()
    assert differing(check(model, {**inputs, "ids": np.array([9, 8, 15, 3])})) == []
    assert differing(check(model, inputs, "onnxruntime:cpu")) == []


def test_a_difference_that_a_rule_explains_is_a_note():
    report = check(*check_models.nan_in_max())
    assert differing(report) == []
    assert any("made by ScatterElements 'pool'; the finding reduction-nan of this node explains it" in note
               for note in report.notes)


@pytest.mark.parametrize("first, second, expected", [
    ([1, 2], [1, 2], None),
    ([np.nan, 0.0], [np.nan, -0.0], None),
    ([1.0, 2.0], [1.00001, 2.0], True),
    ([1.0, 2.0], [1.001, 2.0], False),
    ([1.0, np.nan], [1.0, 2.0], False),
    ([np.inf, 1.0], [-np.inf, 1.0], False),
    ([1e9], [1e9 + 100], True),
    ([1e5, 2e5, 3e5, 0.1], [1e5, 2e5, 3e5, 0.9], True),
    ([1e9, 3.0, 3.0], [1e9, 5.0, 3.0], False),
    ([2**53], [2**53 + 1], False),
    ([True], [False], False),
    (["a"], ["b"], False),
    ([[1]], [1], False)])
def test_distances(first, second, expected):
    distance = find_distance(np.array(first), np.array(second))
    assert (distance and distance.rounding) == expected


def test_types_of_16_bits_have_a_coarser_tolerance():
    first, second = np.array([1.0]), np.array([1.005])
    assert not find_distance(first, second).rounding
    assert find_distance(first.astype(np.float16), second.astype(np.float16)).rounding
    assert not find_distance(first.astype(np.float16), second.astype(np.float16), 1e-3).rounding


@pytest.mark.parametrize("lag, told", [([3, 7], r"lag\[1\] is 7"), (7, "lag is 7"), ([[0, -1]], r"lag\[0, 1\] is -1")])
@pytest.mark.parametrize("host", ["onnxruntime:cpu", "openvino:cpu"])
def test_values_that_break_a_promise_are_an_error(lag, told, host):
    lag = np.array(lag)
    model = check_models.model(
        [differing_models.node("Gather", ["table", "lag"], ["y"], name="look")],
        {"table": ("float32", [7]), "lag": ("int64", list(lag.shape))}, ["y"])
    inputs = {"table": np.ones(7, np.float32), "lag": lag}
    with pytest.raises(windrow.ArgumentError, match=f"'lag' lies in 0 to 6: {told}"):
        check(model, inputs, host, assume={"lag": (0, 6)})
    check(model, {**inputs, "lag": np.zeros_like(lag)}, host, assume={"lag": (0, 6)})


ROWS_OF_OTHER = """<ir_version: 8, opset_import: ["" : 17]>
g (float[n,3] x, float[n] other) => (float[k,3] y) <int64 zero = {0}, int64 one = {1}>
{ shape = Shape (other) n0 = Gather (shape, zero) rows = Range (zero, n0, one) [look] y = Gather (x, rows) }"""
CLIPPED = """<ir_version: 8, opset_import: ["" : 17]>
g (float[n,3] x, int64[k] ids) => (float[k,3] y) <int64 zero = {0}, int64 one = {1}>
{ shape = Shape (x) n0 = Gather (shape, zero) last = Sub (n0, one) legal = Clip (ids, zero, last) [look] y = Gather (x, legal) }"""


@pytest.mark.parametrize("text, inputs, told", [
    (ROWS_OF_OTHER, {"x": (3, 3), "other": (2,)},
     "'x.shape[0] = other.shape[0], both called n', on which the verdict of gather-index-range on main/look rests: "),
    (CLIPPED, {"x": (0, 3), "ids": (0,)},
     "'x.shape[0] is at least 1', on which the verdict of gather-index-range on main/look rests: x.shape[0] is 0")])
def test_values_that_break_a_premise_about_shapes_are_an_error(text, inputs, told):
    model = onnx.parser.parse_model(text)
    arrays = {name: np.zeros(shape, np.int64 if name == "ids" else np.float32) for name, shape in inputs.items()}
    with pytest.raises(windrow.ArgumentError, match="the given values break the premise") as error:
        check(model, arrays, "onnxruntime:cpu", show_cannot=True)
    assert told in str(error.value)
    check(model, arrays, "onnxruntime:cpu")  # the report has no such premise
    whole = {name: np.zeros((3, *array.shape[1:]), array.dtype) for name, array in arrays.items()}
    assert not check(model, whole, "onnxruntime:cpu", show_cannot=True).fails()


def test_indices_that_were_in_range_fail_no_check():
    model, inputs = differing_models.positions()
    [finding] = [each for each in check(model, inputs).findings if each.rule == "gather-index-range"]
    assert finding.verdict == "can" and finding.observed_in_range
    assert "in the given values every index was in range" in finding.what
    report = check(model, inputs, select=["gather-index-range"])
    assert not report.fails("slow")
    assert [each["observed_in_range"] for each in json.loads(report.to_json())["findings"]] == [True]
    assert check(model, inputs, select=["gather-index-range"], strict=True).fails()
    assert check(model, None, select=["gather-index-range"]).fails()


def test_indices_that_were_out_of_range_are_not_excused():
    model, inputs = differing_models.positions(0, 4)
    [finding] = [each for each in check(model, inputs).findings if each.rule == "gather-index-range"]
    assert finding.verdict == "happens" and not finding.observed_in_range


def test_a_promise_that_allows_what_breaks_a_rule_is_not_excused():
    model = check_models.model(
        [differing_models.node("Gather", ["table", "ids"], ["y"], name="look")],
        {"table": ("float32", [4]), "ids": ("int64", [2])}, ["y"])
    inputs = {"table": np.ones(4, np.float32), "ids": np.array([0, 3])}
    report = check(model, inputs, assume={"ids": (0, 9)}, select=["gather-index-range"])
    assert [each.observed_in_range for each in report.findings] == [False] and report.fails()


def test_runs_repeat_every_node(monkeypatch):
    model, inputs = check_models.bad_index()
    inputs = {**inputs, "ids": np.array([0, 1])}
    report = check(model, inputs, "onnxruntime:cpu", runs=3)
    assert any("3 runs of each of 2 nodes alone in onnxruntime:cpu@" in note for note in report.notes)
    assert not any("alone in" in note for note in check(model, inputs, "onnxruntime:cpu").notes)


def test_a_node_that_varies_without_a_rule_is_a_finding(monkeypatch):
    """The repetitions of a host are replaced by some that vary."""
    repeats = runners.Repeats(3, 1, runners.Difference((0,), "1", "2", 1, 2), varying=1)
    monkeypatch.setattr(runners.Runner, "repeat_node", lambda *_, **__: repeats)
    model, inputs = check_models.bad_index()
    report = check(model, {**inputs, "ids": np.array([0, 1])}, "onnxruntime:cpu", runs=3)
    found = [each for each in report.findings if each.rule == "unexplained"]
    assert {each.node for each in found} == {"main/look", "main/last"}
    assert (found[0].observed.runs, found[0].observed.differing) == (3, 1)
    assert "in 1 of 3 runs of the node alone" in found[0].what


def test_repetitions_count_what_varies():
    call = runners.NodeCall("Gather", (np.arange(4.0), np.array([1])), version=13)
    repeats = runners.runner("onnxruntime").repeat_node(call, np.array([5.0]), 4)
    assert (repeats.runs, repeats.differing, repeats.varying) == (4, 4, 0)


def test_findings_are_complete():
    """Every field of the finding on outputs goes through the formats and back."""
    [finding] = differing(check(*differing_models.hashed()))
    assert dataclasses.replace(finding) == finding and finding.fix and finding.message.startswith("node 'main/look'")


def test_the_rule_can_be_ignored():
    assert differing(check(*differing_models.hashed(), ignore=["outputs"])) == []
