"""What a forced lever that is faster comes to, and a small run of --forced."""

import pytest
from draws.draw import draw_case
from draws.forced import CONTESTANTS, Choice, better_ones, report
from draws_command import run_bench
from peers.contestants import FORCED
from peers.rounds import Outcome


def outcomes(choice, **levers):
    """Times of a call in nine rounds: the choice's, and of some levers; the others' are the choice's."""
    times = [choice, *(levers.get(lever.replace("-", "_").replace("=", "_"), choice) for lever in FORCED)]
    return [Outcome(name, "ok", times=[one * (1 + 0.001 * number) for number in range(9)])
            for name, one in zip(CONTESTANTS, times)]


def test_a_tenth_is_needed():
    assert better_ones(outcomes(1.0, grids_off=0.95)) == {}
    (place,) = found = better_ones(outcomes(1.0, grids_off=0.8, stream_on=2.0))
    assert found[place].lever == "grids=off"
    assert CONTESTANTS[place] == "windrow_grids=off"
    assert found[place].ratio.median == pytest.approx(1.25)


def test_report_names_the_lever_and_the_share():
    case, lost = draw_case(1, 0, "given"), outcomes(1.0, grids_off=0.8)
    (better,) = better_ones(lost).values()
    lines = report([Choice(case, outcomes(1.0), []), Choice(case, lost, [(better, "kernel set: some")])])
    assert any("the choice takes 1.25 (1.25 to 1.25) times as long as grids=off;" in one for one in lines)
    assert "    kernel set: some" in lines
    assert lines[-1] == "the choice is as fast as any forced lever: 1 of 2 calls (50.0%)"


def test_run():
    done = run_bench("--seed", 4, "--cases", 2, "--largest", 4096, "--forced", "--rounds", 6)
    assert done.returncode == 0, done.stdout + done.stderr
    assert draw_case(4, 1, "given", 4096).title in done.stdout
    assert "the choice is as fast as any forced lever: " in done.stdout


@pytest.mark.parametrize("option", [["--peers", "numpy"], ["--worst"], ["--out", "x"], ["--torch"], ["--scaling"]])
def test_refused_options(option):
    assert run_bench("--seed", 1, "--forced", *option).returncode == 2
