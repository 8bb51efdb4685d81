"""Tries a number of mutants and prints the counts by kind and host, and every missed one: python3 count_mutants.py 500."""

import sys
from collections import Counter

from mutant_trials import trials

OUTCOMES = ("caught", "missed", "equivalent", "not judged")


def main():
    done, alarms = trials(range(int(sys.argv[1])))
    counts = Counter((trial.kind, trial.host, trial.outcome) for trial in done)
    for kind, host in sorted({(trial.kind, trial.host) for trial in done}):
        print(f"{kind} in {host}: " + ", ".join(f"{counts[kind, host, outcome]} {outcome}" for outcome in OUTCOMES))
    print(f"originals with a finding for a host that gives Windrow's result: {dict(alarms)}")
    for trial in done:
        if trial.outcome == "missed":
            print(f"seed {trial.seed}, {trial.kind}, {trial.host}: {' '.join(trial.what.split())}")


if __name__ == "__main__":
    main()
