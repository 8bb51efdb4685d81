"""Counts the instructions of small calls with callgrind, for each kernel set that valgrind knows.

    .venv/bin/python tests/instructions/count_instructions.py            prints the counts
    .venv/bin/python tests/instructions/count_instructions.py --write    makes them the table

Needs build/release (./dev build). A count is that of one Plan::run, divided by the rows or elements
that it moves, or that of one call of a typed function. The table holds for the build that it names.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_BUILD_FOLDER = pathlib.Path(os.environ.get("WINDROW_BUILD", _ROOT / "build" / "release"))
_PROGRAM = _BUILD_FOLDER / "bin" / "windrow_bench_instructions"
_COUNTED_FUNCTION = "windrow_counted_run"
_EXIT_MISSING_KERNELS = 77

TABLE = pathlib.Path(__file__).with_name("instructions.json")
WRITE_COMMAND = ".venv/bin/python tests/instructions/count_instructions.py --write"
# valgrind 3.19 has no AVX-512. Without the lever a measurement of the machine decides whether gather
# instructions are used.
KERNEL_SETS = ("plain", "avx2,gathers=on")
# What a count may differ from the table's, as a part of it.
ROOM = 0.10


class KernelsMissing(Exception):
    """The machine, as valgrind shows it, lacks a kernel set."""


@dataclasses.dataclass(frozen=True)
class Program:
    """What the counted program says of itself."""

    build: str
    units: dict[str, int]  # of each call: what its count is divided by

    @property
    def calls(self):
        return list(self.units)


def ask_program():
    done = subprocess.run([_PROGRAM], capture_output=True, text=True, check=True)
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    build = next(rest for word, rest in lines if word == "build")
    calls = [rest.split() for word, rest in lines if word == "call"]
    return Program(build, {name: int(units) for name, units in calls})


def count(program, call, kernels):
    """Instructions per unit of one call. Raises KernelsMissing."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={report}",
                   f"--toggle-collect={_COUNTED_FUNCTION}", _PROGRAM, call, kernels]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == _EXIT_MISSING_KERNELS:
            raise KernelsMissing(f"this machine, as valgrind shows it, lacks the kernels {kernels}")
        if done.returncode != 0:
            raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stderr}")
        total = re.search(r"^totals: (\d+)$", report.read_text(encoding="utf-8"), re.MULTILINE)
    if total is None or int(total[1]) == 0:
        raise RuntimeError(f"callgrind counted nothing in {_COUNTED_FUNCTION}:\n{done.stderr}")
    return int(total[1]) / program.units[call]


def fault(call, kernels, expected, counted):
    """Why a count is not that of the table, or None."""
    change = counted / expected - 1
    if abs(change) <= ROOM:
        return None
    word, advice = ("more", "if that is meant") if change > 0 else ("fewer", "to hold the gain")
    return (f"{call}, {kernels}: {counted:.2f} instructions per unit, {abs(change):.0%} {word} than the "
            f"{expected:.2f} of {TABLE.relative_to(_ROOT)}; {advice}, update the table: {WRITE_COMMAND}")


def read_table():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def write_table(program, counts):
    table = {"build": program.build, "instructions_per_unit": counts}
    TABLE.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    options = parser.parse_args()
    program = ask_program()
    print(program.build)
    counts = {}
    for call in program.calls:
        counts[call] = {kernels: round(count(program, call, kernels), 2) for kernels in KERNEL_SETS}
        print(call, *(f"{kernels} {value:.2f}" for kernels, value in counts[call].items()))
    if options.write:
        write_table(program, counts)


if __name__ == "__main__":
    try:
        main()
    except (KernelsMissing, RuntimeError, OSError) as error:
        sys.exit(f"count_instructions.py: {error}")
