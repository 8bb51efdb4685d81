"""A small run of the whole bench, and what makes it fail."""

import os
import pathlib
import subprocess
import sys

from arrow import __main__ as bench
from arrow.cases import CASES

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(BENCH), os.environ.get("PYTHONPATH", "")])}


def run_bench(*options):
    return subprocess.run(
        [sys.executable, "-m", "arrow", *options], env=ENVIRONMENT, text=True, capture_output=True, check=False
    )


def test_every_case_runs_and_agrees_with_every_peer():
    done = run_bench("--quick", "--rounds", "6", "--least", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    for case in CASES:
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith(f"{case.name} ")]
        peers = ["pyarrow", "polars"] + ([] if case.nulls else ["pandas"])
        assert [line[1] for line in lines] == 2 * peers
        assert all(float(number) > 0 for line in lines for number in line[2:5])


def test_an_unknown_case_is_refused():
    done = run_bench("--cases", "nothing")
    assert done.returncode == 2
    assert "no such case" in done.stderr


def test_a_difference_and_a_slow_case_are_faults():
    line = {"case": "random", "wrong": ["polars"], "times": {"pyarrow": [(2.0, 1.0)] * 8}}
    assert bench.report(line, 0.95) == [
        "random: the result differs from that of polars",
        "random: behind pyarrow, 0.50",
    ]
    assert bench.report({**line, "wrong": []}, 0.4) == []
