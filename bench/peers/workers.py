"""The contestants' processes as the bench sees them."""

from __future__ import annotations

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
from typing import Any

from peers.contestants import TITLES
from peers.machine import describe_machine

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PREPARE_SECONDS, TURN_SECONDS = 600, 120


class Lost(Exception):
    """The process ended or does not answer; str() says how."""


class Worker:
    """A contestant's process for one number of threads; runs only while it is asked something.

    Between questions it is stopped, so that threads that wait by spinning take no time from others. That, and a case
    that stays in memory from question to question, is why it is not one of windrow.runners' processes, which run every
    item anew.
    After Lost, the next question starts a new process.
    """

    def __init__(self, contestant: str, threads: int, python: str = sys.executable,
                 environment: dict[str, str] | None = None) -> None:
        """environment: what its process has besides this one's."""
        self.contestant, self.threads = contestant, threads
        self.python, self.environment = python, environment or {}
        self.versions: dict[str, str] = {}
        self.absent = ""
        self._process: subprocess.Popen[str] | None = None
        self._start()

    def _start(self) -> None:
        environment = os.environ | self.environment
        environment |= {
            "PYTHONPATH": os.pathsep.join([str(FOLDER), environment.get("PYTHONPATH", "")]),
            "OMP_NUM_THREADS": str(self.threads),
        }
        self._process = subprocess.Popen(
            [self.python, "-m", "peers.worker", self.contestant, str(self.threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment)
        try:
            hello = self._answer(PREPARE_SECONDS)
        except Lost as error:
            self.absent = f"does not start: {error}"
            return
        if hello["status"] != "ready":
            self.absent = hello["detail"]
            self.close()
            return
        self.versions = hello["versions"]

    def _answer(self, limit: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], limit)
        line = self._process.stdout.readline() if ready else ""
        if line:
            self._process.send_signal(signal.SIGSTOP)
            answer: dict[str, Any] = json.loads(line)
            return answer
        how = f"no answer in {limit:.0f} s"
        if ready:
            code = self._process.wait()
            how = f"with code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"
            how = f"ended {how}"
        self.close()
        raise Lost(how)

    def ask(self, do: str, **details: Any) -> dict[str, Any]:
        """One question and its answer. Raises Lost."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.stdin.write(json.dumps({"do": do, **details}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # The answer says how it ended.
        return self._answer(TURN_SECONDS if do == "turn" else PREPARE_SECONDS)

    def close(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self._process = None


class Workers:
    """The processes of some contestants, by number of threads. pythons: of some their interpreter, by name. environments: of
    each, in the same order."""

    def __init__(self, contestants: list[str], threads: list[int], pythons: dict[str, str] | None = None,
                 environments: list[dict[str, str]] | None = None) -> None:
        self.by_threads: dict[int, list[Worker]] = {}
        try:
            for count in sorted(set(threads)):
                group = self.by_threads.setdefault(count, [])
                for name, environment in zip(contestants, environments or [{}] * len(contestants)):
                    group.append(Worker(name, count, (pythons or {}).get(name, sys.executable), environment))
        except BaseException:
            self.close()
            raise

    def describe_machine(self) -> dict[str, str]:
        """With the versions of what runs. Prints it, and who is absent."""
        versions: dict[str, str] = {}
        for worker in next(iter(self.by_threads.values())):
            versions |= worker.versions
            if worker.absent:
                print(f"{TITLES[worker.contestant]}: {worker.absent}")
        machine = describe_machine(versions)
        print("\n".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
        return machine

    def close(self) -> None:
        for group in self.by_threads.values():
            for worker in group:
                worker.close()
