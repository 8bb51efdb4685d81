"""Models that run in installed hosts: rules judged on the inputs of nodes, and results compared with Windrow's."""

from types import SimpleNamespace

import check_models
import numpy as np
import pytest
import windrow
from onnx import helper
from windrow import _core, runners
from windrow._check import compare, observe, rules
from windrow._check.findings import prove
from windrow._check.runs import observe_and_compare
from windrow._models import onnx_shapes

BOTH = "onnxruntime:cpu,openvino:cpu"


def there(name):
    if runners.runner(name).fault():
        pytest.skip(runners.runner(name).fault())


@pytest.fixture(autouse=True)
def hosts():
    for name in ("onnxruntime", "openvino"):
        there(name)


def check(model, inputs, runtimes=BOTH, **options):
    return windrow.check(model.SerializeToString(), runtimes=runtimes, inputs=inputs, **options)


def seen(report):
    """{(rule, node, runtime without its version): observed} of the findings for which a run differs."""
    return {(finding.rule, finding.node.removeprefix("main/"), finding.observed.runtime.partition("@")[0]):
            finding.observed for finding in report.findings if finding.observed is not None}


def happening(report):
    return {(finding.rule, finding.node.removeprefix("main/")) for finding in report.findings
            if finding.verdict == "happens" and finding.evidence == "inputs"}


def test_sums_that_race_are_named_with_how_often_they_differ():
    """Races of threads may be rare on a loaded machine: up to five times twenty runs."""
    model, inputs = check_models.message_passing()
    for _ in range(5):
        report = check(model, inputs, "onnxruntime:cpu", select=["scatter-nd-race", "unexplained"])
        observed = seen(report).get(("scatter-nd-race", "receive", "onnxruntime:cpu"))
        if observed is not None:
            break
    else:
        pytest.skip("onnxruntime's threads never met on this machine")
    assert (observed.runs == 20 and 1 <= observed.differing <= 20) or (observed.runs, observed.differing) == (21, 1)
    assert float(observed.first.got) < float(observed.first.expected) and len(observed.first.position) == 2
    assert {finding.rule for finding in report.findings} == {"scatter-nd-race"}


def test_nan_in_max_is_named_on_each_runtime():
    report = check(*check_models.nan_in_max())
    found = seen(report)
    assert set(found) == {("reduction-nan", "pool", "onnxruntime:cpu"), ("reduction-nan", "pool", "openvino:cpu")}
    first = found["reduction-nan", "pool", "onnxruntime:cpu"].first
    assert (first.position, first.got, first.expected) == ((0,), "5.0", "nan")
    assert ("reduction-nan", "pool") in happening(report)
    # Each runtime is in one of the two findings.
    runtimes = [finding.runtimes for finding in report.findings if finding.rule == "reduction-nan"]
    assert sorted(runtimes) == [("onnxruntime:cpu",), ("openvino:cpu",)]


@pytest.mark.parametrize("type_, rule", [("int64", "type-wide-integers"), ("float64", "type-float64")])
def test_numbers_that_openvino_narrows_are_named(type_, rule):
    model, inputs = check_models.hashed_ids(type_)
    report = check(model, inputs)
    assert set(seen(report)) == {(rule, "look", "openvino:cpu")}
    first = seen(report)[rule, "look", "openvino:cpu"].first
    assert first.expected == str(inputs["table"][inputs["ids"][0]]) != first.got


def test_numbers_of_ir_are_those_that_a_run_was_given(tmp_path):
    """The expected numbers are those of the run's inputs, not those that reach OpenVINO's node, which are narrowed."""
    inputs = {"data": np.array([2**40 + 5, 7]), "ids": np.array([0], np.int32)}
    report = windrow.check(check_models.openvino_gather(tmp_path, "i64"), runtimes="openvino:cpu", inputs=inputs)
    first = seen(report)["type-wide-integers", "look", "openvino:cpu"].first
    assert (first.got, first.expected) == ("5", str(2**40 + 5))


def test_integer_means_are_named(tmp_path):
    path, inputs = check_models.integer_mean(tmp_path)
    report = windrow.check(path, runtimes="openvino:cpu", inputs=inputs)
    first = seen(report)["reduction-integer-mean", "pool", "openvino:cpu"].first
    assert (first.position, first.got, first.expected) == ((0,), "-1", "-2")


def test_foreign_reads_are_named():
    report = check(*check_models.foreign_reads())
    assert ("gather-nd-index-range", "pick") in happening(report)
    [finding] = [each for each in report.findings if each.observed is not None]
    assert finding.rule == "gather-nd-index-range" and finding.observed.runtime.startswith("openvino:cpu@")
    assert "indices[1, 0] is 70" in finding.observed.first.expected
    assert (finding.position, finding.input, finding.value) == ((1, 0), "indices", "70")
    assert any("onnxruntime:cpu@" in note and "ends the run at main/pick" in note for note in report.notes)


def test_unequal_batches_are_named():
    found = seen(check(*check_models.unequal_batch()))
    assert ("gather-nd-unequal-batch", "pick", "onnxruntime:cpu") in found
    assert "ONNX-GatherND-C2" in found["gather-nd-unequal-batch", "pick", "onnxruntime:cpu"].first.expected


def test_the_node_that_ends_a_run_is_named():
    """The node's inputs come from the part of the model that runs."""
    report = check(*check_models.bad_index(), runtimes="onnxruntime:cpu")
    [finding] = [each for each in report.findings if each.verdict == "happens"]
    assert (finding.rule, finding.node, finding.position, finding.value) == (
        "gather-index-range", "main/look", (2,), "4")
    assert any("ends the run at main/look" in note for note in report.notes)


@pytest.mark.parametrize("make", [check_models.message_passing, check_models.nan_in_max, check_models.hashed_ids,
                                  lambda: check_models.hashed_ids("float64")])
def test_with_windrow_inside_nothing_differs(make):
    if not __import__("windrow.onnxruntime").onnxruntime.available():
        pytest.skip("this build has no plug-in for ONNX Runtime")
    model, inputs = make()
    report = observed_in_hosts(model, inputs, windrow_inside=True)
    assert seen(report) == {} and not {"unexplained", "host-failure"} & {each.rule for each in report.findings}


@pytest.mark.parametrize("make, error", [(check_models.foreign_reads, "ONNX-GatherND-C5"),
                                         (check_models.unequal_batch, "ONNX-GatherND-C2")])
def test_with_windrow_inside_both_refuse(make, error):
    if not __import__("windrow.onnxruntime").onnxruntime.available():
        pytest.skip("this build has no plug-in for ONNX Runtime")
    report = observed_in_hosts(*make(), windrow_inside=True)
    assert seen(report) == {}
    assert any(error in note for note in report.notes)


def observed_in_hosts(proto, inputs, runtimes="onnxruntime:cpu", **options):
    """What windrow.check() asks of observe_and_compare(), with other options."""
    model = windrow.load(proto.SerializeToString())
    asked = {"runtimes": runtimes, "select": [], "ignore": [], "show_cannot": False, "assume": {}}
    return observe_and_compare(
        model, lambda arrays: prove(model, "model", asked, arrays, None), inputs, targets=_core.parse_targets(runtimes), **options)


def test_what_no_rule_explains_is_shown_in_full(monkeypatch):
    """Windrow's own result is falsified; then every host differs from it."""
    model, inputs = check_models.bad_index()
    inputs = {**inputs, "ids": np.array([0, 1])}
    compute = compare.OwnNode.compute

    def spoilt(node, *arguments):
        result = compute(node, *arguments)
        if node.path == "main/look":
            result[1, 2] += 2
        return result

    monkeypatch.setattr(compare.OwnNode, "compute", spoilt)
    report = check(model, inputs, "onnxruntime:cpu")
    [finding] = [each for each in report.findings if each.rule == "unexplained"]
    assert (finding.node, finding.severity, finding.verdict, finding.evidence) == (
        "main/look", "silent", "happens", "inputs")
    assert (finding.observed.first.position, finding.observed.first.got, finding.observed.first.expected) == (
        (1, 2), "8.0", "10.0")
    assert "1 of 6 elements differs, by at most 2" in finding.message and finding.fix
    assert finding.runtimes == ("onnxruntime:cpu",) and report.fails()


def test_a_model_that_another_operator_ends():
    model = check_models.model(
        [helper.make_node("Gather", ["table", "ids"], ["rows"], name="look"),
         helper.make_node("Reshape", ["rows", "shape"], ["y"], name="bad")],
        {"table": ("float32", [4]), "ids": ("int64", ["n"])}, ["y"], {"shape": np.array([7, 7])})
    report = check(model, {"table": np.ones(4, np.float32), "ids": np.array([1])}, "onnxruntime:cpu")
    [finding] = [each for each in report.findings if each.rule == "host-failure"]
    assert (finding.node, finding.severity) == ("", "fails")
    assert "no gather or scatter node" in finding.message and "Reshape" in finding.message


def test_a_node_that_a_host_has_no_code_for():
    model = check_models.model(
        [helper.make_node("Identity", ["x"], ["same"]),
         helper.make_node("ScatterElements", ["same", "ids", "x"], ["y"], name="pool", reduction="add")],
        {"x": ("float16", [3]), "ids": ("int64", [3])}, ["y"])
    inputs = {"x": np.array([1, 2, 3], np.float16), "ids": np.array([0, 1, 1])}
    found = seen(check(model, inputs, "onnxruntime:cpu"))
    assert found["reduction-half", "pool", "onnxruntime:cpu"].first.expected == "float16[3]"
    assert found["reduction-half", "pool", "onnxruntime:cpu"].first.got.startswith("refused: ")


def test_values_in_groups_of_bounded_size(monkeypatch):
    model, inputs = check_models.bad_index()
    inputs = {**inputs, "ids": np.array([0, 1])}
    groups = []
    run = observe.HostRuns.run

    def counted(self, nodes, *arguments, **options):
        groups.append([node.path for node in nodes])
        return run(self, nodes, *arguments, **options)

    monkeypatch.setattr(observe.HostRuns, "run", counted)
    monkeypatch.setattr(observe.Observer.batches, "__defaults__", (90,))
    report = check(model, inputs, "onnxruntime:cpu")
    assert groups == [["main/look"], ["main/last"]] and report.findings == check(model, inputs, "onnxruntime:cpu").findings
    monkeypatch.setattr(observe.Observer.batches, "__defaults__", (60,))
    report = check(model, inputs, "onnxruntime:cpu")
    assert groups[-1] == ["main/last"]
    assert any(note.startswith("main/look: its values are more than 60 bytes") for note in report.notes)


def crossings(monkeypatch):
    """Receives the name of each function of the extension that a check calls, but those that read the file."""
    calls = []

    def counted(name, function):
        def call(*arguments):
            calls.append(name)
            made = function(*arguments)
            if name != "prove":
                return made
            return *made[:3], SimpleNamespace(judge=counted("judge", made[3].judge))

        return call

    for name in ("check", "prove", "check_fails", "format_check", "portability_rules", "operator_rules"):
        monkeypatch.setattr(_core, name, counted(name, getattr(_core, name)))
    return calls


def test_a_model_is_proved_once_and_its_values_are_judged_in_batches(monkeypatch):
    model, inputs = check_models.bad_index()
    inputs = {**inputs, "ids": np.array([0, 1])}
    rules.rules_by_label()
    calls = crossings(monkeypatch)
    check(model, inputs, "onnxruntime:cpu")
    assert calls == ["prove", "judge"]  # with the command's call of the package, three
    monkeypatch.setattr(observe.Observer.batches, "__defaults__", (90,))
    calls.clear()
    check(model, inputs)
    assert calls == ["prove", *["judge"] * 4]  # two batches in each of two hosts


def test_neither_hosts_nor_batches_add_proofs(monkeypatch):
    """Each proof asks onnx for what it does not know: one of every run, one of the runs with the given inputs."""
    nodes = [helper.make_node("Abs", ["ids"], ["positive"]), helper.make_node("Celu", ["table"], ["rows"]),
             helper.make_node("Gather", ["rows", "positive"], ["row"], name="look"),
             helper.make_node("Gather", ["row", "positive"], ["y"], name="last")]
    model = check_models.model(nodes, {"table": ("float32", [4, 3]), "ids": ("int64", [2])}, ["y"])
    inputs = {"table": np.ones((4, 3), np.float32), "ids": np.array([0, 1])}
    asked = []
    ask = onnx_shapes.ask
    monkeypatch.setattr(onnx_shapes, "ask", lambda skeleton: (asked.append(1), ask(skeleton))[1])
    check(model, inputs, "onnxruntime:cpu")
    once = len(asked)
    assert once >= 1
    asked.clear()
    monkeypatch.setattr(observe.Observer.batches, "__defaults__", (90,))
    check(model, inputs)
    assert len(asked) == once


def test_names_of_values_and_nodes_that_mislead():
    """A node with the name of another node's value, and two nodes with the same name."""
    model = check_models.model(
        [helper.make_node("Gather", ["table", "ids"], ["a"], name="twice"),
         helper.make_node("Neg", ["a"], ["b"], name="a"),
         helper.make_node("Gather", ["b", "ids"], ["c"], name="twice"),
         helper.make_node("Gather", ["c", "ids"], ["y"])],
        {"table": ("float32", [4]), "ids": ("int64", [2])}, ["y"])
    inputs = {"table": np.arange(4, dtype=np.float32), "ids": np.array([1, 0])}
    report = check(model, inputs, "openvino:cpu")
    assert not [each for each in report.findings if each.rule in ("unexplained", "host-failure")]
    assert not [note for note in report.notes if "not observed" in note or "not compared" in note]
    # ONNX Runtime does not load a model with two nodes of the same name.
    report = check(model, inputs, "onnxruntime:cpu")
    [failure] = [each for each in report.findings if each.rule == "host-failure"]
    assert failure.node == "main/twice#2" and "the node alone runs" in failure.message


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no zip", b"\x93NUMPY\x01\x00"])
def test_files_that_are_no_npz(tmp_path, content):
    path = tmp_path / "inputs.npz"
    path.write_bytes(content)
    with pytest.raises(windrow.FormatError, match="inputs.npz"):
        check(check_models.nan_in_max()[0], path)


def test_npz_files(tmp_path):
    model, inputs = check_models.nan_in_max()
    np.savez(tmp_path / "inputs.npz", **inputs)
    assert seen(check(model, tmp_path / "inputs.npz", "onnxruntime:cpu"))
    with pytest.raises(windrow.FileError, match="nowhere"):
        check(model, tmp_path / "nowhere.npz")
    np.savez(tmp_path / "objects.npz", x=np.array([{}], object))
    with pytest.raises(windrow.Unsupported, match="pickled"):
        check(model, tmp_path / "objects.npz")
    np.save(tmp_path / "single.npy", np.ones(1))
    with pytest.raises(windrow.Unsupported, match="is not an archive of tensors"):
        check(model, tmp_path / "single.npy")


def test_inputs_that_are_not_the_model_s():
    model, inputs = check_models.nan_in_max()
    with pytest.raises(windrow.ArgumentError, match="no input 'other'"):
        check(model, {**inputs, "other": np.ones(1)})
    del inputs["ids"]
    with pytest.raises(windrow.ArgumentError, match="'ids' is not given"):
        check(model, inputs)


def test_hosts_and_targets():
    model, inputs = check_models.nan_in_max()
    # A target that cannot run here: another host supplies the values and is not compared.
    report = check(model, inputs, "tensorrt")
    assert seen(report) == {} and any("it is not a target" in note for note in report.notes)
    # One host of several.
    assert {key[2] for key in seen(check(model, inputs, None, host="openvino_evaluate"))} == {"openvino:evaluate"}
    assert {key[2] for key in seen(check(model, inputs, None))} == {"onnxruntime:cpu", "openvino:cpu"}
    report = check(model, inputs, "onnxruntime:cpu@1.20")
    assert any("requested in version 1.20" in note for note in report.notes)
    with pytest.raises(windrow.ArgumentError, match="there is no host 'nowhere'"):
        check(model, inputs, host="nowhere")


def test_a_host_that_is_not_installed(monkeypatch):
    model, inputs = check_models.nan_in_max()
    monkeypatch.setattr(runners.Runner, "fault", lambda self: f"{self.name} is missing")
    with pytest.raises(windrow.Unsupported, match="no host can run this model; .*openvino is missing"):
        check(model, inputs)
