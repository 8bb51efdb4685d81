"""What more threads that are slower come to, and a small run of --scaling."""

import pytest
from draws.draw import draw_case
from draws.scaling import Scaling, report, slower_ones
from draws_command import run_bench
from peers.rounds import Outcome


def rounds(of_a_call):
    return [of_a_call * (1 + 0.001 * number) for number in range(9)]


def test_more_threads_are_held_against_the_best_of_fewer():
    found = slower_ones({1: rounds(1.0), 2: rounds(0.5), 4: rounds(0.6), 8: rounds(0.4)})
    assert list(found) == [4]
    assert (found[4].fewer, found[4].ratio.median) == (2, pytest.approx(1.2))


def test_five_percent_and_an_interval_are_needed():
    assert slower_ones({1: rounds(1.0), 2: rounds(1.04)}) == {}
    unsteady = [0.9, 1.3, 0.9, 1.3, 0.9, 1.3, 1.3, 1.3, 1.3]
    assert slower_ones({1: [1.0] * 9, 2: unsteady}) == {}
    assert list(slower_ones({1: [1.0] * 9, 2: [1.3] * 9})) == [2]


def scaling(times, **changes):
    outcomes = {threads: Outcome("windrow", "ok", times=one) for threads, one in times.items()}
    return Scaling(draw_case(1, 0, "given"), outcomes | changes.pop("outcomes", {}),
                   [(one, "kernel set: some") for one in slower_ones(times).values()])


def test_report_names_the_slower_ones_and_the_share():
    lines = report([scaling({1: rounds(1.0), 2: rounds(0.5)}), scaling({1: rounds(1.0), 2: rounds(1.5)})])
    assert any("2 threads take 1.50 (1.50 to 1.50) times as long as 1;" in one for one in lines)
    assert "    kernel set: some" in lines
    assert lines[-1] == "more threads are never slower: 1 of 2 calls (50.0%)"


def test_failed_call_is_no_part_of_the_share():
    lost = scaling({1: rounds(1.0)}, outcomes={2: Outcome("windrow", "wrong", "3 of 4 elements")})
    lines = report([lost])
    assert "more threads are never slower: 0 of 0 calls" in lines
    assert lines[-1] == f"{lost.case.name}, 2 threads: wrong: 3 of 4 elements"


def test_run():
    done = run_bench("--seed", 4, "--cases", 2, "--largest", 4096, "--scaling", "--rounds", 6, "--threads", 1, 3)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{'case':>9} {1:>9} {3:>9}" in done.stdout
    assert draw_case(4, 1, "given", 4096).title in done.stdout
    assert "more threads are never slower: " in done.stdout


@pytest.mark.parametrize("option", [
    ["--peers", "numpy"], ["--worst"], ["--out", "x"], ["--torch"], ["--threads", "17"]])
def test_refused_options(option):
    assert run_bench("--seed", 1, "--scaling", *option).returncode == 2
