"""What windrow.fix() does with the nodes that rules give as examples."""

import example_models
import onnx
import pytest
import windrow
from windrow import runners

RULES = {rule.label: rule for rule in windrow.portability_rules()}
# Every rule that a change can fix, and whether a safe one does: if indices are constants, if inputs supply them.
SAFE = [
    "scatter-nd-reduction-none", "reduction-boolean-extreme", "scatter-deprecated", "gather-negative-index",
    "old-negative-index", "gather-nd-fused-batch", "index-type", "one-hot-float-indices", "one-hot-scalar-indices",
    "reduction-half", "axis-of-4-bits", "scatter-update-scalar-indices", "scatter-nd-single-element",
    "gather-batch-of-one", "gather-nd-broadcast-batch", "gather-elements-smaller-extents", "scatter-negative-index",
    "scatter-nd-race", "reduction-nan",
]
UNSAFE = [
    "feature-extractor", "gather-short-index-range", "gather-index-range", "gather-elements-index-range",
    "gather-nd-index-range", "scatter-elements-index-range", "scatter-nd-index-range", "scatter-update-index-range",
    "feature-extractor-index-range", "index-beyond-32-bits", "scatter-update-negative-index",
    "reduction-half-sums",
]
# The rules for which a host agrees with Windrow after the change, and did not before.
REPAIRED = {
    "reduction-boolean-extreme": "onnxruntime", "scatter-deprecated": "onnxruntime",
    "one-hot-scalar-indices": "onnxruntime", "reduction-half": "onnxruntime", "gather-negative-index": "openvino",
    "axis-of-4-bits": "openvino", "scatter-update-scalar-indices": "openvino",
    "scatter-nd-single-element": "openvino", "gather-nd-broadcast-batch": "openvino",
    "gather-elements-smaller-extents": "openvino", "reduction-nan": "onnxruntime",
}


def runtimes_of(rule):
    """The versions in which a rule still applies; none: every runtime's newest one."""
    return [f"{each.runtime}:{each.device}@{each.until}" for each in rule.effects if each.until] or None


def is_found(report, rule):
    return any(each.rule == rule for each in report.findings) or any(rule in each.rules for each in report.contracts)


def check_file(model, path):
    """The file of a changed model, after other readers have accepted it."""
    model.save(path)
    if path.suffix == ".onnx":
        onnx.checker.check_model(path, full_check=True)
    else:
        openvino = pytest.importorskip("openvino")
        openvino.Core().read_model(path)
    return windrow.load(path)


def check_fix(rule, folder, constants, unsafe, hosts):
    path = example_models.write(RULES[rule].example, folder, constants)
    runtimes = runtimes_of(RULES[rule])
    report = windrow.check(path, runtimes=runtimes, select=[rule])
    assert is_found(report, rule)
    result = windrow.fix(path, report, unsafe=unsafe, hosts=hosts)
    assert rule in {change.rule for change in result.applied}, result
    assert result.failure == ""
    again = windrow.check(check_file(result.model, folder / ("fixed" + path.suffix)), runtimes=runtimes)
    assert not is_found(again, rule)
    # A second fix finds nothing more to change.
    twice = windrow.fix(result.model, again, unsafe=unsafe, hosts=())
    assert rule not in {change.rule for change in twice.applied}
    return result


@pytest.mark.parametrize("rule", SAFE)
def test_safe_fixes(rule, tmp_path):
    hosts = tuple(host for host in (REPAIRED.get(rule),) if host)
    result = check_fix(rule, tmp_path, True, False, hosts)
    assert all(change.safe for change in result.applied)
    if hosts and not runners.runner(*hosts).fault():
        assert [row.host for row in result.verifications if row.repaired] == list(hosts), result


@pytest.mark.parametrize("rule", UNSAFE)
def test_unsafe_fixes(rule, tmp_path):
    path = example_models.write(RULES[rule].example, tmp_path, True)
    assert rule not in {change.rule for change in windrow.fix(path, hosts=()).applied}
    result = check_fix(rule, tmp_path, True, True, ())
    assert not all(change.safe for change in result.applied)


@pytest.mark.parametrize("rule", ["gather-index-range", "scatter-nd-index-range", "scatter-negative-index",
                                  "scatter-update-index-range"])
def test_contracts_are_kept_only_if_asked_for(rule, tmp_path):
    path = example_models.write(RULES[rule].example, tmp_path, False)
    report = windrow.check(path)
    assert any(rule in contract.rules for contract in report.contracts)
    assert windrow.fix(path, report, hosts=()).applied == ()
    check_fix(rule, tmp_path, False, True, ())


def test_every_rule_that_names_a_fix_has_one():
    told = {rule.label for rule in RULES.values() if "--fix" in rule.fix or "--unsafe-fixes" in rule.fix}
    # Fixes that do not apply to the examples of their rules; the unit tests try them on other nodes.
    elsewhere = {"scatter-old", "type-not-in-tensorrt", "tuple-length-unknown", "axis-not-constant",
                 "gather-negative-index-dynamic"}
    assert told == {*SAFE, *UNSAFE} | elsewhere
