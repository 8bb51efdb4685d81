"""Windrow against OpenVINO on random calls: what differs is a row of known_differences.py.

WINDROW_OPENVINO_PROBES is how many, WINDROW_OPENVINO_SEED repeats a run.
"""

import collections
import os
import secrets
import warnings

from compare import compare
from element_values import INTEGERS, STORAGE
from generate import generate
from known_differences import ROWS, explain
from probe import OPSETS, Probe
from write_differences import PAGE, page

PROBES = int(os.environ.get("WINDROW_OPENVINO_PROBES", "300"))
SEED = int(os.environ.get("WINDROW_OPENVINO_SEED", secrets.randbelow(2**32)))
# At least this many probes meet nearly every row: a row that explains none of them may have lost its cause.
LONG_RUN = 2000
MOST_SHOWN = 10


def summary(comparisons):
    """How often the two agreed, and how often each row was needed."""
    agreements = collections.Counter(comparison.agreement for comparison in comparisons)
    counts = ", ".join(f"{count} {words}" for words, count in agreements.most_common())
    return f"openvino probes: WINDROW_OPENVINO_SEED={SEED}, {PROBES} by two runtimes: {counts}"


def test_random_calls(tmp_path, capsys):
    comparisons = compare(SEED, list(range(PROBES)), tmp_path)
    with capsys.disabled():
        print(summary(comparisons))
    assert len(comparisons) == 2 * PROBES
    needed = collections.Counter()
    unexplained = []
    for comparison in comparisons:
        if comparison.agreement != "same":
            row = explain(comparison)
            if row is None:
                unexplained.append(comparison.describe())
            else:
                needed[ROWS.index(row)] += 1
    if PROBES >= LONG_RUN:
        for number, row in enumerate(ROWS):
            if number not in needed:
                warnings.warn(f"stale? no probe needed the row '{row.where}' of {row.runtimes}", stacklevel=1)
    shown = "\n\n".join(unexplained[:MOST_SHOWN])
    assert not unexplained, f"{len(unexplained)} unknown differences, WINDROW_OPENVINO_SEED={SEED}:\n{shown}"


def test_every_kind_of_probe_is_drawn():
    probes = [generate(1, number) for number in range(2200)]
    assert {(probe.operator, probe.version) for probe in probes} == set(OPSETS)
    assert {probe.type for probe in probes} == set(STORAGE)
    assert {given.type for probe in probes for name, given in probe.inputs.items() if name == "indices"} >= set(INTEGERS)
    assert {probe.reduction for probe in probes} == {"none", "sum", "sub", "prod", "min", "max", "mean"}
    for kind in (Probe.has_negative, Probe.has_outside, Probe.has_duplicates, lambda probe: probe.dynamic,
                 lambda probe: probe.data.size == 0, lambda probe: probe.batch_dims,
                 lambda probe: any(given.constant for given in probe.inputs.values())):
        assert 100 < sum(bool(kind(probe)) for probe in probes) < 2000


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run .venv/bin/python tests/openvino/write_differences.py"
