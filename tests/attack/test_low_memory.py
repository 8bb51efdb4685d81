"""The command under low memory: each allocation fails in turn, alone or with all that follow.

Exit code 2, one line that says so and nothing left behind; or, where the program can do without
that memory, exactly what it does otherwise.
"""

import os
from json import loads

import pytest
from attacked_command import CALLS, library, restore, run_call, state_of

# Points per call and mode, spread over all; 0: every one.
POINTS = int(os.environ.get("WINDROW_ATTACK_POINTS", "40"))


def attack(name, folder, point):
    environment = {"LD_PRELOAD": library("fail_allocation"), "FAIL_ALLOCATION": point}
    # One thread: allocations then come in the same order every time.
    environment["TBB_NUM_THREADS"] = "1"
    return run_call(name, folder, environment)


def count_allocations(name, folder, scratch):
    environment = {
        "LD_PRELOAD": library("fail_allocation"),
        "FAIL_ALLOCATION_COUNT": str(scratch / "count"),
    }
    run_call(name, folder, environment)
    return int((scratch / "count").read_text())


def points_among(count):
    """Numbers of allocations to fail. The last fifth, where files are written, is sampled densest."""
    if POINTS == 0 or POINTS >= count:
        return range(1, count + 1)
    late = count - count // 5
    half = POINTS // 2
    first = {1 + i * late // half for i in range(half)}
    return sorted(first | {late + i * (count - late) // half for i in range(half)} | {count})


def refused(done, json):
    """Exit code 2 and one line, in JSON mode one document too, that is an error."""
    lines = done.stderr.decode().splitlines()
    errors = [line for line in lines if not line.startswith("warning: ")]
    said = len(errors) == 1 and errors[0].startswith("windrow: error: ")
    return done.returncode == 2 and said and (not json or "error" in loads(done.stdout))


@pytest.mark.parametrize("more", ["", "+"], ids=["one", "all that follow"])
@pytest.mark.parametrize("name", CALLS)
def test_an_allocation_fails(name, more, quick_folder, tmp_path):
    folder = quick_folder
    before = state_of(folder)
    good = run_call(name, folder)
    after = state_of(folder)
    count = count_allocations(name, folder, tmp_path)
    wrong = []
    for point in points_among(count):
        restore(folder, before)
        done = attack(name, folder, f"{point}{more}")
        state = state_of(folder)
        undisturbed = (
            done.returncode == good.returncode
            and (done.stdout, done.stderr) == (good.stdout, good.stderr)
            and state == after
        )
        json = "--json" in CALLS[name]
        if not undisturbed and not (state == before and refused(done, json)):
            wrong.append((point, done.returncode, done.stderr, set(state) ^ set(before)))
    assert not wrong, f"{len(wrong)} of {count}: {wrong[:5]}"


def test_the_attack_reaches_the_command(quick_folder):
    """Without memory from the start on, nothing can be done."""
    for name in CALLS:
        done = attack(name, quick_folder, "1+")
        assert refused(done, "--json" in CALLS[name]), name
        assert done.stderr == b"windrow: error: not enough memory\n"
