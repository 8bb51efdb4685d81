"""The caller's side of worker processes: items go in, endings come out. See _worker.py for the other side."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from . import _wire
from ._failure import Failure, failure_of_exit

_START_SECONDS = 150.0  # a worker ends earlier if it takes too long to import the host
_GRACE_SECONDS = 10.0  # the time beyond an item's limit after which a worker itself counts as hanging
_END_SECONDS = 2.0
_MOST_MESSAGE = 1 << 16
# Nothing of the working directory is imported before the paths are set; Python 3.10 knows -I alone.
_SAFE_PATH = "-P" if sys.version_info >= (3, 11) else "-I"
_NO_PYTHON = "this Python does not know its executable, which runs the worker processes"
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    f"from {__package__}._worker import main; main(*json.loads(sys.argv[2]))"
)


@dataclass(frozen=True)
class Limits:
    """The limits of an item.

    seconds: wall-clock time, None for any. memory: resident bytes of the process that runs the item, libraries
    included, None for any; it is checked fifty times a second, so that a process may hold more for a moment.
    """

    seconds: float | None = 60.0
    memory: int | None = 8 << 30


@dataclass(frozen=True)
class Ending:
    """The ending of an item: the handler's value, or a failure."""

    value: Any
    failure: Failure | None


class Pool:
    """A number of worker processes that run a handler on items, each item in a process of its own.

    handler: "module:function", a function that takes a value as _wire.py describes and returns one. The module is found
    as in this process. preload: modules to import before the first item; their output and failures stay in the
    worker. What an item does to its process concerns only that item: its ending is a failure, and the others go on.
    Use it in a with statement; the processes end with it, and also if this process is killed.
    """

    def __init__(
        self, handler: str, *, preload: Sequence[str] = (), processes: int = 1, limits: Limits = Limits()
    ) -> None:
        self._limits = limits
        self._workers = [_Worker(handler, list(preload)) for _ in range(max(1, processes))]

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the processes and waits for them."""
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.end()

    def run(self, items: Iterable[Any], *, limits: Limits | None = None) -> list[Ending]:
        """The endings in the items' order. limits: of these items; None: the pool's."""
        endings = dict(self.each(items, limits=limits))
        return [endings[number] for number in range(len(endings))]

    def each(self, items: Iterable[Any], *, limits: Limits | None = None) -> Iterator[tuple[int, Ending]]:
        """Yields (number of the item, its ending) in order of completion; items are taken when a worker is free."""
        left, each_limits = enumerate(items), limits or self._limits
        if not sys.executable:
            yield from ((number, Ending(None, Failure("can't be asked", _NO_PYTHON))) for number, _ in left)
            return
        try:
            while True:
                for worker in self._workers:
                    if worker.item is None:
                        with contextlib.suppress(StopIteration):
                            worker.give(*next(left), each_limits)
                busy = [worker for worker in self._workers if worker.item is not None]
                if not busy:
                    return
                yield from _next_endings(busy)
        finally:
            for worker in self._workers:
                if worker.item is not None:
                    worker.end()


def _next_endings(busy: list[_Worker]) -> Iterator[tuple[int, Ending]]:
    """Waits until at least one worker has a message or is past its deadline."""
    with selectors.DefaultSelector() as selector:
        for worker in busy:
            selector.register(worker.connection, selectors.EVENT_READ, worker)
        deadlines = [worker.deadline for worker in busy if worker.deadline is not None]
        wait = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        ready = {key.data for key, _ in selector.select(wait)}
    for worker in busy:
        late = worker.deadline is not None and time.monotonic() >= worker.deadline
        number = worker.item
        ending = worker.listen() if worker in ready else worker.give_up() if late else None
        if ending is not None and number is not None:
            yield number, ending


class _Worker:
    """One process, which is started with its first item and again after a loss.

    item: the number of the item that it works on, or None. deadline: the time of the monotonic clock at which it
    counts as lost, or None.
    """

    def __init__(self, handler: str, preload: list[str]) -> None:
        self._handler, self._preload = handler, preload
        self._process: subprocess.Popen[bytes] | None = None
        self._limits = Limits()
        self.connection = socket.socket()
        self.item: int | None = None
        self.deadline: float | None = None

    def give(self, number: int, item: Any, limits: Limits) -> None:
        request = _wire.new_file(item, "windrow-request")
        try:
            if self._process is None:
                self._start()
            else:
                self._set_deadline(limits)
            message = {"item": number, "seconds": limits.seconds, "memory": limits.memory}
            self.item, self._limits = number, limits
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # listen() reports how it ended
                socket.send_fds(self.connection, [json.dumps(message).encode()], [request])
        finally:
            os.close(request)

    def _start(self) -> None:
        self.connection.close()
        self.connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            paths = [os.path.abspath(path) for path in sys.path]
            arguments = [theirs.fileno(), os.getpid(), self._handler, self._preload]
            # A session of its own: the terminal's interrupt is for the caller, which then ends the worker. One thread
            # for OpenBLAS, whose pool would not survive the fork.
            self._process = subprocess.Popen(
                [sys.executable, _SAFE_PATH, "-u", "-c", _START, json.dumps(paths), json.dumps(arguments)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        self.deadline = time.monotonic() + _START_SECONDS

    def _set_deadline(self, limits: Limits) -> None:
        limit = limits.seconds
        self.deadline = None if limit is None else time.monotonic() + limit + _GRACE_SECONDS

    def listen(self) -> Ending | None:
        """Takes one message of the process; None if the item has not ended yet."""
        try:
            packet, descriptors = self._receive()
        except ConnectionResetError:
            # The process ended without reading our request. This error is reported once, before messages that it had sent.
            packet, descriptors = self._receive()
        message = json.loads(packet) if packet else {}
        if "ready" in message:
            self._set_deadline(self._limits)
            return None
        if "unready" in message:
            self.end()
            return Ending(None, Failure(**message["unready"]))
        if "item" in message:
            self.item = self.deadline = None
            return _ending(message, descriptors)
        return Ending(None, self._lost())

    def _receive(self) -> tuple[bytes, list[int]]:
        packet, descriptors, _, _ = socket.recv_fds(self.connection, _MOST_MESSAGE * 2, 1)
        return packet, descriptors

    def give_up(self) -> Ending:
        """Ends a process that does not answer in time."""
        self.end()
        return Ending(None, Failure("timeout", "the worker process does not answer"))

    def _lost(self) -> Failure:
        """How the process that closed the connection ended."""
        assert self._process is not None
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        self.end()
        return failure_of_exit(code)

    def hang_up(self) -> None:
        """Closes the connection, upon which the process ends by itself."""
        self.connection.close()

    def end(self) -> None:
        """Ends the process, if there is one, and waits for it."""
        self.hang_up()
        self.item = self.deadline = None
        if self._process is None:
            return
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None


def _ending(message: dict[str, Any], descriptors: list[int]) -> Ending:
    if message["failure"] is not None:
        return Ending(None, Failure(**message["failure"]))
    try:
        answer = _wire.read(descriptors[0])
    finally:
        os.close(descriptors[0])
    failure = answer["failure"]
    return Ending(answer["value"], None if failure is None else Failure(**failure))
