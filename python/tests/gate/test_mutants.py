"""Mutants of unbroken models: what a host refuses or computes differently has a finding. count_mutants.py tries more of them."""

import pytest
from mutant_trials import RUNTIMES, trials
from mutants import KINDS
from windrow import runners

SEEDS = range(48)
# How many of the unbroken models have a finding for a host, although it gives the right result: risks that these inputs do not show.
MOST_ALARMS = {"onnxruntime": 6, "openvino": 5}


@pytest.fixture(scope="module")
def tried():
    for host in RUNTIMES:
        if runners.runner(host).fault():
            pytest.skip(runners.runner(host).fault())
    return trials(SEEDS)


def test_every_broken_mutant_has_a_finding_that_the_original_has_not(tried):
    missed = {}
    for trial in tried[0]:
        if trial.outcome == "missed":
            missed.setdefault(trial.seed, set()).add(trial.host)
    assert missed == {}


def test_every_kind_is_drawn_and_breaks_models(tried):
    assert {trial.kind for trial in tried[0]} == set(KINDS)
    caught = [trial for trial in tried[0] if trial.outcome == "caught"]
    assert {trial.kind for trial in caught} >= {"attribute", "index", "opset", "shape", "type"}
    assert sum(trial.outcome == "not judged" for trial in tried[0]) == 0


def test_unbroken_models_have_no_more_findings_than_before(tried):
    assert all(tried[1][host] <= most for host, most in MOST_ALARMS.items())
