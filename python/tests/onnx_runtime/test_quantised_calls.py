"""GatherBlockQuantized beside ONNX Runtime's own: equal bits, or a cause that is known."""

import os
import secrets

import quantised_calls

CALLS = int(os.environ.get("WINDROW_QUANTISED_CALLS", "300"))
SEED = int(os.environ.get("WINDROW_QUANTISED_SEED", secrets.randbelow(2**32)))


def test_drawn_calls(capsys):
    with capsys.disabled():
        print(f"quantised look-ups: WINDROW_QUANTISED_SEED={SEED}")
    for number in range(CALLS):
        call = quantised_calls.drawn_call(SEED, number)
        cause, ours, theirs = quantised_calls.outcome(call)
        assert cause, f"call {number} of seed {SEED}: {call}\nWindrow: {ours}\nONNX Runtime: {theirs}"
