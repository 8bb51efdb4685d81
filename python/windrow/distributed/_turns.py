"""Collective calls that go on while the program computes, in the order in which they were begun."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Generic, TypeVar

from windrow.distributed._exchange import Exchange

_Given = TypeVar("_Given")


class Turns:
    """The calls of one exchange that are under way: one thread makes them, one after another.

    So all ranks make them in the same order, if all begin them in the same order. Where the exchange knows no other
    threads, a call is made when it is begun; the order is the same.
    """

    def __init__(self, exchange: Exchange) -> None:
        self._thread: ThreadPoolExecutor | None = None
        if exchange.use_threads():
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="windrow-exchange")
        self._last: Future[Any] | None = None

    @staticmethod
    def of(exchange: Exchange) -> Turns:
        """Those of the exchange; made the first time, which is collective."""
        turns = _known(exchange)
        if turns is None:
            turns = vars(exchange)["_turns"] = Turns(exchange)
        return turns

    def begin(self, call: Callable[[], _Given]) -> Future[_Given]:
        """Makes the call when those before it have ended."""
        if self._thread is not None:
            begun = self._thread.submit(call)
            self._last = begun
            return begun
        made: Future[_Given] = Future()
        try:
            made.set_result(call())
        except Exception as error:  # noqa: BLE001: of the caller, as from the thread
            made.set_exception(error)
        return made

    def settle(self) -> None:
        """Returns when all calls that were begun have ended."""
        if self._last is not None:
            wait([self._last])
            self._last = None


def _known(exchange: Exchange) -> Turns | None:
    return vars(exchange).get("_turns")


def settled(exchange: Exchange) -> Exchange:
    """The exchange, when no call that was begun is under way: the caller may make one itself."""
    turns = _known(exchange)
    if turns is not None:
        turns.settle()
    return exchange


class Batches(Generic[_Given]):
    """A loop of collective calls, of which the next ones are under way, over what each rank's iterator gives.

    call(*given): collective; given is an element, or nothing on a rank whose iterator has ended. any_rank(flag):
    collective: whether any rank says True. fail(text): collective: what any_rank() of the other ranks raises.
    """

    def __init__(
        self, call: Callable[..., _Given], any_rank: Callable[[bool], bool], fail: Callable[[str], None]
    ) -> None:
        self._call, self._any_rank, self._fail = call, any_rank, fail
        self._goes_on = True

    def run(self, turns: Turns, source: Iterator[Any], ahead: int) -> Iterator[_Given]:
        """What the calls give, in turn, until all iterators have ended. All that was begun ends before this ends."""
        waiting: deque[Future[_Given | None]] = deque()
        try:
            while True:
                waiting.append(turns.begin(self._step_of(source)))
                if len(waiting) > ahead:
                    given = waiting.popleft().result()
                    if given is None:
                        return
                    yield given
        finally:
            # None is left out: the other ranks make them, too.
            wait(waiting)

    def _step_of(self, source: Iterator[Any]) -> Callable[[], _Given | None]:
        try:
            given = list(islice(source, 1))
        except Exception as error:  # noqa: BLE001: the others learn of it, and it is raised again
            raised = error
            return lambda: self._end(raised)
        return lambda: self._step(given)

    def _step(self, given: list[Any]) -> _Given | None:
        """One turn, None after the last one. After a turn that has failed no rank makes another."""
        if not self._goes_on:
            return None
        self._goes_on = False
        if not self._any_rank(bool(given)):
            return None
        done = self._call(*given)
        self._goes_on = True
        return done

    def _end(self, error: Exception) -> None:
        if self._goes_on:
            self._goes_on = False
            self._fail(f"{type(error).__name__}: {error}")
            raise error
