"""The processes of a case and their rounds."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tables.cases import Case


class Process:
    """A contestant's. absent: why it cannot run, or None."""

    def __init__(self, case: Case, name: str, options: list[str]) -> None:
        self.name = name
        command = [sys.executable, "-m", "tables.worker", "--case", case.name, "--contestant", name, *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        first = self._answer()
        self.absent: str | None = first.get("absent")
        self.version: str = first.get("version", "")
        self.described: str | None = first.get("described")
        if not first.get("is_limited", True):
            self.described = "without the limit of memory"

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else {"absent": f"its process ended with exit code {self._process.wait()}"}

    def measure(self, seed: int) -> dict[str, Any]:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{seed}\n")
            self._process.stdin.flush()
        answer = self._answer()
        self.absent = answer.get("absent")
        return answer

    def close(self) -> None:
        self._process.communicate()


@dataclass
class Measured:
    """Of a case: by contestant the answers, round by round; absent: those that did not run, and why."""

    answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    described: dict[str, str] = field(default_factory=dict)

    def seconds(self, name: str) -> list[float]:
        return [answer["seconds"] for answer in self.answers.get(name, [])]

    def faults(self) -> Iterator[str]:
        """What is wrong with the results: rows that differ, reads that are not those of the limit, rows that were not
        in a cache that holds all of them."""
        for round_answers in zip(*self.answers.values(), strict=False):
            sums = {name: answer["checksum"] for name, answer in zip(self.answers, round_answers, strict=True)}
            sums.pop("raw", None)
            if len(set(sums.values())) > 1:
                yield f"the rows differ: checksums {sums}"
        for ours, raw in zip(self.answers.get("windrow", []), self.answers.get("raw", []), strict=False):
            made = {name: ours["statistics"][name] for name in raw["statistics"]}
            if made != raw["statistics"]:
                yield f"the reads of the limit are others: {made} and {raw['statistics']}"
        for answer in self.answers.get("full_cache", []):
            if answer["statistics"]["cached"] != answer["statistics"]["rows"]:
                yield f"the full cache lacked rows: {answer['statistics']}"


def run(case: Case, names: list[str], rounds: int, options: list[str]) -> Measured:
    """Every contestant once a round, all with the same ids, in an order that is drawn."""
    measured = Measured()
    processes = []
    for name in names:
        process = Process(case, name, options)
        processes.append(process)
        if process.absent is None:
            measured.versions[name] = process.version
            measured.answers[name] = []
            if process.described:
                measured.described[name] = process.described
    order = random.Random(case.name)
    for seed in range(rounds):
        for process in order.sample(processes, len(processes)):
            if process.absent is None and (seed == 0 or process.name not in case.once):
                answer = process.measure(seed)
                if process.absent is None:
                    measured.answers[process.name].append(answer)
    for process in processes:
        process.close()
        if process.absent is not None:
            measured.absent[process.name] = process.absent
            measured.answers.pop(process.name, None)
    return measured
