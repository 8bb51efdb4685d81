"""Steps that each rank does for itself and that must have gone well on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from windrow._base.errors import Error
from windrow._base.text import printable
from windrow.distributed._exchange import Exchange

_Done = TypeVar("_Done")


def together(exchange: Exchange, work: Callable[[], _Done]) -> _Done:
    """What work() returns. If it fails on some ranks, all raise what the lowest of these says.

    Collective; work() itself must not be. Raises windrow.Error, the same on all ranks.
    """
    text = b""
    try:
        done = work()
    except (Error, OSError, MemoryError) as error:
        text = (printable(str(error)) or type(error).__name__).encode(errors="backslashreplace")
    lengths = exchange.exchange_numbers(np.full((exchange.ranks, 1), len(text), np.int64))[:, 0].tolist()
    if not any(lengths):
        return done
    first = next(rank for rank, length in enumerate(lengths) if length)
    said = _sent_by(exchange, first, text, lengths[first]).decode()
    raise Error(said if all(lengths) else f"rank {first}: {said}")


def _sent_by(exchange: Exchange, sender: int, own: bytes, length: int) -> bytes:
    """The bytes that the sender has, of this length, on every rank."""
    if exchange.rank == sender:
        sends = tuple(0 if rank == sender else length for rank in range(exchange.ranks))
        to = np.frombuffer(bytearray(own * (exchange.ranks - 1)), np.uint8)
        exchange.exchange_bytes(to, sends, (0,) * exchange.ranks)
        return own
    receives = tuple(length if rank == sender else 0 for rank in range(exchange.ranks))
    return exchange.exchange_bytes(np.empty(0, np.uint8), (0,) * exchange.ranks, receives).tobytes()
