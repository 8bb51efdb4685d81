"""The interval analysis and the verdicts on indices hold in every run of random graphs, in every host that verdicts are about.

WINDROW_RANGE_GRAPHS is how many graphs, WINDROW_RANGE_SEED the first of their seeds; python soundness.py SEED shows one. With
WINDROW_RANGE_SECONDS every graph runs in every host, and no graph is begun after that time.
"""

import os
import secrets

import onnx.parser
import pytest
from host_verdicts import compare_model
from hosts import HOSTS
from known_faults import KNOWN, unexplained
from soundness import Fault, compare_graphs, facts_of, kinds_of
from windrow.runners import runner

GRAPHS = int(os.environ.get("WINDROW_RANGE_GRAPHS", "2500"))
SEED = int(os.environ.get("WINDROW_RANGE_SEED", secrets.randbelow(2**32)))
SECONDS = float(os.environ.get("WINDROW_RANGE_SECONDS", "0"))
# One of how many graphs each host runs.
PARTS = {"onnxruntime:cpu": 3, "onnx:reference": 3, "openvino:cpu": 8}
MOST_SHOWN = 10


def hosts():
    parts = dict.fromkeys(HOSTS, 1) if SECONDS else dict(PARTS)
    if runner("openvino").fault():
        del parts["openvino:cpu"]
    return parts


def test_what_is_said_of_every_value_holds_in_every_host(capsys):
    comparison = compare_graphs(range(SEED, SEED + GRAPHS), processes=2, hosts=hosts(), seconds=SECONDS or None)
    with capsys.disabled():
        print(f"\ninterval analysis: WINDROW_RANGE_SEED={SEED}: {comparison}")
    kinds = kinds_of(unexplained(comparison.faults))
    shown = "\n".join(f"{number} x {kind}\n    {text}" for number, kind, text in kinds[:MOST_SHOWN])
    assert not kinds, f"{len(kinds)} kinds of faults from WINDROW_RANGE_SEED={SEED} on:\n{shown}"
    graphs = comparison.counts.graphs
    assert graphs + len(comparison.ended) == GRAPHS or SECONDS
    # Without these, a generator of trivial graphs, an analysis without facts or hosts that refuse everything would pass.
    assert comparison.tally.tight > graphs / 2
    assert comparison.verdicts.cannot > graphs / 20
    for host, part in hosts().items():
        assert comparison.hosts[host].runs > graphs / part, host
        assert comparison.host_verdicts[host].cannot > graphs / part / 20, host


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row.reason)
def test_every_known_fault_is_still_shown(row, pool_of):
    """A row whose model no longer shows its fault is mended, and is removed."""
    if row.host == "openvino:cpu" and runner("openvino").fault():
        pytest.skip(runner("openvino").fault())
    faults, outcomes = compare_model(row.host, pool_of(row.host), onnx.parser.parse_model(row.model), row.runs, facts_of)
    assert any(row.explains(Fault(*fault)) for fault in faults), outcomes
