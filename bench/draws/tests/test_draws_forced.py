"""What a variant that is faster comes to, and small runs of --forced and --thresholds."""

import os
import subprocess
import sys

import pytest
from draws.draw import draw_case
from draws.forced import LEVERS, SAME, Choice, better_ones, contestants, report
from draws.thresholds import ENVIRONMENT, PACKAGE, read_thresholds, variants
from draws_command import run_bench
from peers.contestants import FORCED
from peers.rounds import Outcome


def outcomes(choice, **levers):
    """Times of a call in nine rounds: the choice's, and of some levers; the others' are the choice's."""
    times = [choice, choice, *(levers.get(lever.replace("-", "_").replace("=", "_"), choice) for lever in FORCED)]
    return [Outcome(name, "ok", times=[one * (1 + 0.001 * number) for number in range(9)])
            for name, one in zip(contestants(LEVERS), times)]


def test_a_tenth_is_needed():
    assert better_ones(LEVERS, outcomes(1.0, grids_off=0.95)) == {}
    (place,) = found = better_ones(LEVERS, outcomes(1.0, grids_off=0.8, stream_on=2.0))
    assert found[place].label == "grids=off"
    assert contestants(LEVERS)[place] == "windrow_grids=off"
    assert found[place].ratio.median == pytest.approx(1.25)


def test_report_names_the_lever_and_the_share():
    case, lost = draw_case(1, 0, "given"), outcomes(1.0, grids_off=0.8)
    (better,) = better_ones(LEVERS, lost).values()
    lines = report([Choice(case, LEVERS, outcomes(1.0), []), Choice(case, LEVERS, lost, [(better, "kernel set: some")])])
    assert any("the choice takes 1.25 (1.25 to 1.25) times as long as grids=off;" in one for one in lines)
    assert "    kernel set: some" in lines
    assert lines[-1] == "the choice is as fast as any variant: 1 of 2 calls (50.0%)"
    # Of 1 and of 0.8.
    assert any(one.split() == ["grids=off", "0.894", "0.80", "1.00"] for one in lines)


def test_run():
    done = run_bench("--seed", 4, "--cases", 2, "--largest", 4096, "--forced", "--rounds", 6)
    assert done.returncode == 0, done.stdout + done.stderr
    assert draw_case(4, 1, "given", 4096).title in done.stdout
    assert "the choice is as fast as any variant: " in done.stdout


@pytest.mark.parametrize("option", [["--peers", "numpy"], ["--worst"], ["--out", "x"], ["--torch"], ["--scaling"], ["--thresholds"]])
def test_refused_options(option):
    assert run_bench("--seed", 1, "--forced", *option).returncode == 2


def test_thresholds_are_halved_and_doubled():
    assert read_thresholds()["kStreamBytes"] == 12 << 20
    assert [one.label for one in variants(["kStreamBytes"])] == [SAME, f"kStreamBytes={6 << 20}", f"kStreamBytes={24 << 20}"]
    assert all(len(variants([name])) == 3 for name in read_thresholds())


def test_a_threshold_that_is_none():
    done = run_bench("--seed", 4, "--thresholds", "kStreamBits")
    assert done.returncode == 2
    assert "no such threshold: kStreamBits; there are " in done.stderr


tunable = pytest.mark.skipif(not PACKAGE.exists(), reason="without the build that ./dev bench random --thresholds makes")
DESCRIBE = """
import numpy, windrow
print(windrow.compile("onnx", "Gather", numpy.zeros((4000, 64)), numpy.arange(4000), axis=0).describe())
"""


@tunable
def test_the_environment_sets_a_threshold():
    def described(environment):
        return subprocess.run([sys.executable, "-c", DESCRIBE], env=os.environ | environment, text=True, capture_output=True, check=True).stdout

    (_, least, _) = variants(["kStreamBytes"])
    assert "stores: ordinary\n" in described(ENVIRONMENT)
    assert "stores: non-temporal\n" in described(least.environment | {"kStreamBytes": "1024"})


@tunable
def test_run_of_thresholds():
    done = run_bench("--seed", 4, "--cases", 2, "--largest", 4096, "--thresholds", "kMostSmallBytes", "--rounds", 6)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "kMostSmallBytes=32768 " in done.stdout
