#!/usr/bin/env python3
"""Times every case of windrow_bench with all levers and without each, round by round in turn.

Prints a Markdown table: the case's time in ms, and beside it the time without each lever by that with all, the median
over the rounds: above 1 the lever wins. "." is a difference below 3 %.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVERS = ["stream=off", "prefetch=0", "straight=off", "tile=0", "flat-runs=off"]
SMALLEST = 0.03


class Bench:
    """windrow_bench, set up for one case and waiting for rounds."""

    def __init__(self, program, case, kernels, threads):
        command = [program, "--case", case, "--threads", str(threads), "--rounds-from-stdin"]
        command += ["--kernels", kernels] if kernels else []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit(f"{' '.join(map(str, command))} did not get ready")

    def seconds(self, command="go"):
        print(command, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compare(program, case, kernel_set, threads, rounds):
    """The median time with all levers, that of the copy, and the median ratio without each lever."""
    benches = [Bench(program, case, kernel_set + lever, threads) for lever in ["", *("," + one for one in LEVERS)]]
    times = [[] for _ in benches]
    copies = []
    for number in range(rounds):
        for shift in range(len(benches)):
            which = (number + shift) % len(benches)
            benches[which].seconds()
            times[which].append(benches[which].seconds())
        copies.append(benches[0].seconds("copy"))
    for bench in benches:
        bench.close()
    ratios = [statistics.median(without / full for without, full in zip(one, times[0])) for one in times[1:]]
    return statistics.median(times[0]), statistics.median(copies), ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/windrow_bench", type=pathlib.Path)
    parser.add_argument("--case", action="append", metavar="CASE", help="only this case; may be repeated")
    parser.add_argument("--kernels", default="", metavar="SET", help="the kernel set (the best there is)")
    parser.add_argument("--threads", default=1, type=int)
    parser.add_argument("--rounds", default=9, type=int)
    options = parser.parse_args()
    listed = subprocess.run([options.program, "--list"], check=True, capture_output=True, text=True).stdout
    cases = options.case or [json.loads(line)["case"] for line in listed.splitlines()]
    print("| case | ms | copy, ms | " + " | ".join(f"`{lever}`" for lever in LEVERS) + " |")
    print("|---" * (3 + len(LEVERS)) + "|")
    for case in cases:
        full, copy, ratios = compare(options.program, case, options.kernels, options.threads, options.rounds)
        shown = ("." if abs(ratio - 1) < SMALLEST else f"{ratio:.2f}" for ratio in ratios)
        print(f"| {case} | {full * 1e3:.1f} | {copy * 1e3:.1f} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main()
