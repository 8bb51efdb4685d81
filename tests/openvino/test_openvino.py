"""Windrow against OpenVINO on random calls: what differs is a row of known_differences.py.

WINDROW_OPENVINO_PROBES is how many, WINDROW_OPENVINO_SEED repeats a run.
"""

import dataclasses
import os
import secrets
import subprocess
import sys
import warnings

import generate
import numpy as np
import pytest
from compare import add_dummy_output, compare
from element_values import INTEGERS, STORAGE
from probe import Probe
from reproduce import write_reproduction
from tally import Tally
from write_differences import PAGE, page

PROBES = int(os.environ.get("WINDROW_OPENVINO_PROBES", "300"))
SEED = int(os.environ.get("WINDROW_OPENVINO_SEED", secrets.randbelow(2**32)))
# At least this many probes meet nearly every row: a row that explains none of them may have lost its cause.
LONG_RUN = 2000


def test_random_calls(tmp_path, capsys):
    assert not generate.undrawn()
    tally = Tally()
    for comparison in compare(SEED, list(range(PROBES)), tmp_path):
        tally.add(comparison)
    with capsys.disabled():
        print(f"openvino probes: WINDROW_OPENVINO_SEED={SEED}, {PROBES} by two runtimes: {tally.agreements()}")
    assert sum(counts.total() for counts in tally.by_operator.values()) == 2 * PROBES
    if PROBES >= LONG_RUN:
        for row in tally.unneeded():
            warnings.warn(f"stale? no probe needed the row '{row.where}' of {row.runtimes}", stacklevel=1)
    shown = "\n\n".join(tally.shown())
    assert not tally.unnamed, f"{len(tally.unnamed)} unknown differences, WINDROW_OPENVINO_SEED={SEED}:\n{shown}"


def test_every_kind_of_probe_is_drawn():
    probes = [generate.generate(1, number) for number in range(2200)]
    table = {(operator.name, row["since_version"]) for operator in generate.windrow.ops("openvino") for row in operator.rows}
    assert {(probe.operator, probe.version) for probe in probes} == table
    assert {probe.type for probe in probes} == set(STORAGE)
    assert {given.type for probe in probes for name, given in probe.inputs.items() if name == "indices"} >= set(INTEGERS)
    assert {probe.reduction for probe in probes} == {"none", "sum", "sub", "prod", "min", "max", "mean"}
    for kind in (Probe.has_negative, Probe.has_outside, Probe.has_duplicates, lambda probe: probe.dynamic,
                 lambda probe: probe.data.size == 0, lambda probe: probe.batch_dims,
                 lambda probe: any(given.constant for given in probe.inputs.values())):
        assert 100 < sum(bool(kind(probe)) for probe in probes) < 2000


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run .venv/bin/python tests/openvino/write_differences.py"


def test_an_operator_without_a_rule_is_told(monkeypatch):
    monkeypatch.delitem(generate.CALLS, ("openvino", "GatherND"))
    assert generate.undrawn() == ["GatherND"]


def test_the_calls_of_an_operator_are_of_all_its_versions():
    probes = [generate.generate(1, number) for number in generate.numbers_of("GatherND", 5)]
    assert [(probe.operator, probe.version) for probe in probes] == [("GatherND", version) for version in (5, 8, 5, 8, 5)]


def test_a_part_of_an_output_is_not_taken_for_one(tmp_path):
    (tmp_path / "output_0.npy").touch()
    add_dummy_output(tmp_path, "died")
    assert np.load(tmp_path / "output_0.npy").size == 0


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Comparisons of some calls that both runtimes computed rightly: a wrong result may be another one every time."""
    # Both have code for these.
    numbers = [number for number in generate.numbers_of("Gather", 100) if generate.generate(1, number).type in ("f32", "i32")]
    comparisons = compare(1, numbers[:8], tmp_path_factory.mktemp("ran"))
    return [comparison for comparison in comparisons if comparison.state == "ran" and comparison.agreement == "same"]


def test_a_reproduction_gives_what_the_run_gave(ran):
    assert {comparison.runtime for comparison in ran} == {"evaluate", "cpu"}
    for comparison in ran:
        write_reproduction(comparison)
        said = subprocess.run([sys.executable, comparison.folder / "reproduce.py"], capture_output=True, text=True, check=True)
        assert str(np.load(comparison.folder / "output_0.npy")) in said.stdout


def test_an_unnamed_difference_is_told_with_its_reproduction(ran):
    tally = Tally()
    assert not tally.add(dataclasses.replace(ran[0], agreement="not run here"))
    assert tally.add(dataclasses.replace(ran[1], agreement="same"))
    assert "0 differences are named, 1 are not" in tally.text()
    assert str(ran[0].folder / "reproduce.py") in tally.text()
