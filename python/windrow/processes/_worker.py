"""The process that runs items: it imports the host once, and forks a child for every item.

The child does the work, so that whatever an item does (crash, hang, spoil memory, print) ends with it. This process
only imports the host, watches the child and tells the caller how it ended. It ends when the caller closes the
connection or has ended. See _pool.py for the other side.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NoReturn

from . import _wire
from ._failure import Failure, failure_of_exit, is_lack_of_memory

_PR_SET_PDEATHSIG = 1
_IMPORT_SECONDS = 120
_MOST_MESSAGE = 1 << 16
# The interval of checks of the child's memory and of the caller, in seconds.
_MEMORY_TICK, _CALLER_TICK = 0.02, 0.25
# The part of the child's output that is reported, and the size at which all of it is dropped, in bytes.
_NOISE_TOLD, _NOISE_KEPT = 2000, 1 << 24


class CannotAsk(Exception):
    """Raised by a handler for an item that the host has no means to take."""


class _CallerGone(Exception):
    """The calling process does not wait for an answer any more."""


def main(descriptor: int, caller: int, handler: str, preload: list[str]) -> None:
    """Serves items until the caller has ended.

    descriptor: the connection. caller: the caller's process id. handler: "module:function"; the function takes the
    item's value and gives another one. preload: modules to import before the first item.
    """
    connection = socket.socket(fileno=descriptor)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # A blocked signal waits until sigtimedwait() takes it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    noise = _redirect_noise()
    signal.alarm(_IMPORT_SECONDS)  # an import that hangs would not notice that the caller has ended
    try:
        for module in preload:
            importlib.import_module(module)
        function = _find(handler)
    except BaseException as error:
        _send(connection, {"unready": asdict(_failure_of(error))})
        return
    # Python warns if libraries have threads; none of them works for the host before the fork.
    warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork.*", category=DeprecationWarning)
    gc.freeze()
    signal.alarm(0)
    _send(connection, {"ready": True})
    try:
        while True:
            message, descriptors = _receive(connection, caller)
            try:
                _serve(connection, caller, function, noise, message, descriptors[0])
            finally:
                os.close(descriptors[0])
    except (_CallerGone, BrokenPipeError, ConnectionResetError):
        return


def _find(handler: str) -> Callable[[Any], Any]:
    module, _, name = handler.partition(":")
    function: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
    return function


def _redirect_noise() -> int:
    """Sends standard output and standard error into a file in memory, which needs no removal."""
    noise = os.memfd_create("windrow-noise")
    flags = os.O_RDWR | os.O_APPEND
    appending = os.open(f"/proc/self/fd/{noise}", flags)
    os.dup2(appending, 1)
    os.dup2(appending, 2)
    os.close(noise)
    return appending


def _send(connection: socket.socket, message: dict[str, Any], *descriptors: int) -> None:
    packet = json.dumps(message).encode()
    if descriptors:
        socket.send_fds(connection, [packet], list(descriptors))
    else:
        connection.send(packet)


def _receive(connection: socket.socket, caller: int) -> tuple[dict[str, Any], list[int]]:
    while not select.select([connection], [], [], _CALLER_TICK)[0]:
        _require_caller(caller)
    packet, descriptors, _, _ = socket.recv_fds(connection, _MOST_MESSAGE, 1)
    if not packet:
        raise _CallerGone
    return json.loads(packet), descriptors


def _require_caller(caller: int) -> None:
    # The connection alone is not enough: other children of the caller may have inherited its end.
    if os.getppid() != caller:
        raise _CallerGone


def _serve(
    connection: socket.socket,
    caller: int,
    function: Callable[[Any], Any],
    noise: int,
    message: dict[str, Any],
    request: int,
) -> None:
    """One item: `message` has its limits, `request` is the descriptor of its value."""
    os.ftruncate(noise, 0)
    reply = os.memfd_create("windrow-reply")
    this = os.getpid()
    child = os.fork()
    if child == 0:
        _work(connection, this, function, request, reply)
    try:
        failure = _watch(connection, caller, child, noise, message["seconds"], message["memory"])
        if failure is None and not _wire.is_complete(reply):
            failure = failure_of_exit(0, _tail(noise))
        if failure is None:
            _send(connection, {"item": message["item"], "failure": None}, reply)
        else:
            _send(connection, {"item": message["item"], "failure": asdict(failure)})
    finally:
        os.close(reply)


def _work(
    connection: socket.socket, parent: int, function: Callable[[Any], Any], request: int, reply: int
) -> NoReturn:
    """Runs in the child, which ends when the process that watches it ends."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    connection.close()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    try:
        _wire.write({"value": function(_wire.read(request)), "failure": None}, reply)
    except BaseException as error:
        _wire.write({"value": None, "failure": asdict(_failure_of(error))}, reply)
    os._exit(0)


def _failure_of(error: BaseException) -> Failure:
    """The failure for a handler's exception; the host's text is not changed."""
    text = str(error)[: _MOST_MESSAGE // 8]
    if isinstance(error, CannotAsk):
        return Failure("can't be asked", text)
    if isinstance(error, ImportError):
        return Failure("not installed", text)
    lacks_memory = isinstance(error, MemoryError) or is_lack_of_memory(text)
    return Failure("memory" if lacks_memory else "refused", f"{type(error).__name__}: {text}")


def _watch(
    connection: socket.socket,
    caller: int,
    child: int,
    noise: int,
    seconds: float | None,
    memory: int | None,
) -> Failure | None:
    """Waits for the child, or ends it because of a limit or because the caller has ended. None: it has answered."""
    started = last_look = time.monotonic()
    end = None if seconds is None else started + seconds
    try:
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                return failure_of_exit(code, _tail(noise)) if code != 0 else None
            now = time.monotonic()
            if end is not None and now >= end:
                return Failure("timeout", f"no answer after {seconds:g} s", said=_tail(noise))
            if memory is not None and _resident_bytes(child) > memory:
                return Failure("memory", f"the process held more than {memory} bytes", said=_tail(noise))
            if now - last_look >= _CALLER_TICK:
                last_look = now
                _look_around(connection, caller, noise)
            tick = _CALLER_TICK if memory is None else _MEMORY_TICK
            signal.sigtimedwait([signal.SIGCHLD], tick if end is None else min(tick, end - now))
    finally:
        _end_group(child)


def _look_around(connection: socket.socket, caller: int, noise: int) -> None:
    _require_caller(caller)
    if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
        raise _CallerGone
    if os.fstat(noise).st_size > _NOISE_KEPT:
        os.ftruncate(noise, 0)


def _end_group(child: int) -> None:
    """Ends the child, unless it has been waited for, and the processes that it may have started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError, ProcessLookupError):
        if os.waitpid(child, os.WNOHANG)[0] == 0:  # it may not have created its process group yet
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _resident_bytes(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0  # it has ended in the meantime


def _tail(noise: int) -> str:
    start = max(0, os.fstat(noise).st_size - _NOISE_TOLD)
    return os.pread(noise, _NOISE_TOLD, start).decode(errors="replace").strip()
