"""The interval analysis and the verdicts on indices hold in every run of random graphs.

WINDROW_RANGE_GRAPHS is how many graphs, WINDROW_RANGE_SEED the first of their seeds; python soundness.py SEED shows one.
"""

import os
import secrets

from soundness import compare_graphs

GRAPHS = int(os.environ.get("WINDROW_RANGE_GRAPHS", "2500"))
SEED = int(os.environ.get("WINDROW_RANGE_SEED", secrets.randbelow(2**32)))
MOST_SHOWN = 10


def test_every_value_lies_in_its_interval(capsys):
    comparison = compare_graphs(range(SEED, SEED + GRAPHS))
    with capsys.disabled():
        print(f"\ninterval analysis: WINDROW_RANGE_SEED={SEED}: {comparison}")
    faults = comparison.faults
    shown = "\n".join(faults[:MOST_SHOWN])
    assert not faults, f"{len(faults)} faults from WINDROW_RANGE_SEED={SEED} on:\n{shown}"
    assert comparison.counts.graphs == GRAPHS
    # Without these, a generator of trivial graphs or an analysis without facts would pass.
    assert comparison.tally.tight > GRAPHS
    assert comparison.verdicts.cannot > GRAPHS / 20
