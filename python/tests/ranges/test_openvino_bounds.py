"""The interval analysis of OpenVINO models beside OpenVINO's own bounds, and both beside runs.

WINDROW_RANGE_OPENVINO_GRAPHS is how many, WINDROW_RANGE_SEED the first of their seeds.
"""

import os
import secrets

import pytest
from batches import run_in_batches
from openvino_graphs import Witness
from facts_beside_values import Tally
from windrow.runners import runner

GRAPHS = int(os.environ.get("WINDROW_RANGE_OPENVINO_GRAPHS", "300"))
SEED = int(os.environ.get("WINDROW_RANGE_SEED", secrets.randbelow(2**32)))
MOST_SHOWN = 10


def test_every_value_lies_in_its_interval(capsys):
    if runner("openvino").fault():
        pytest.skip(runner("openvino").fault())
    (witness, tally), lost = run_in_batches(
        "openvino_graphs", range(SEED, SEED + GRAPHS), (Witness, Tally), preload=["openvino"], without_host="analyse_batch")
    with capsys.disabled():
        print(f"\nintervals of OpenVINO models: WINDROW_RANGE_SEED={SEED}: {witness}, {tally.tight} of {tally.values} values "
              "in an interval tighter than their type")
    faults = lost + tally.faults
    shown = "\n".join(faults[:MOST_SHOWN])
    assert not faults, f"{len(faults)} faults from WINDROW_RANGE_SEED={SEED} on:\n{shown}"
    assert witness.equal + witness.tighter > witness.wider + witness.apart


@pytest.mark.parametrize("seed", [
    pytest.param(2200752196, id="a FloorMod of numbers beyond 2^53, whose results lie outside the divisor"),
    pytest.param(1681530724, id="a Gather from an input without elements, which gives 0 that the input has not"),
])
def test_a_graph_that_was_drawn(seed):
    if runner("openvino").fault():
        pytest.skip(runner("openvino").fault())
    (_, tally), lost = run_in_batches("openvino_graphs", [seed], (Witness, Tally), preload=["openvino"], without_host="analyse_batch")
    assert not lost + tally.faults
