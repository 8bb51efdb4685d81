"""Whole models with one hidden trouble: one command names the node and the rule, and what it advises makes both hosts agree."""

import onnx
import pytest
import windrow
from ported_models import PORTED
from windrow import runners
from windrow.runners._closeness import find_distance

HOSTS = ("onnxruntime", "openvino")
BOTH = "onnxruntime:cpu,openvino:cpu"
pytestmark = pytest.mark.usefixtures("both_hosts")


def outputs(model, inputs):
    """What both hosts give, or None if one of them does not run the model."""
    results = [runners.runner(name).run(model.SerializeToString(), inputs).outputs for name in HOSTS]
    return None if None in results else [list(result.values()) for result in results]


def agree(model, inputs):
    found = outputs(model, inputs)
    assert found is not None
    return all((distance := find_distance(*pair)) is None or distance.rounding for pair in zip(*found))


@pytest.fixture(scope="module")
def reports():
    return {name: windrow.check(row.model(), inputs=row.inputs, runtimes=BOTH) for name, row in PORTED.items()}


@pytest.mark.parametrize("name", PORTED)
def test_one_command_names_the_node_and_the_rule(name, reports):
    row = PORTED[name]
    happening = [each for each in reports[name].findings if each.verdict == "happens"]
    assert [(each.node, each.rule) for each in happening] == [(row.node, row.rule)]
    assert all(part in happening[0].what for part in row.what)
    assert reports[name].fails()


def test_it_tells_what_a_loop_explains(reports):
    [note] = [note for note in reports["merges"].notes if "outputs differ" in note]
    assert "made by Gather 'hash_of' in iteration 0 of main/decode" in note
    assert "the finding type-wide-integers of this node explains it" in note


@pytest.mark.parametrize("name", [name for name, row in PORTED.items() if row.solved])
def test_what_was_advised_makes_both_hosts_agree(name):
    row = PORTED[name]
    inputs = row.mended_inputs or row.inputs
    assert agree(row.mended(), inputs)
    report = windrow.check(row.mended(), inputs=inputs, runtimes=BOTH)
    assert row.rule not in {each.rule for each in report.findings if each.verdict == "happens"}


@pytest.mark.parametrize("name", [name for name, row in PORTED.items() if not row.solved])
def test_the_written_fix_makes_both_hosts_agree(name, tmp_path, reports):
    row = PORTED[name]
    assert outputs(row.model(), row.inputs) is None
    result = windrow.fix(row.model(), reports[name], tmp_path / "fixed.onnx", unsafe=True, inputs=row.inputs)
    assert (row.rule, row.node) in {(change.rule, change.node) for change in result.applied}
    assert agree(onnx.load(tmp_path / "fixed.onnx"), row.inputs)
