"""Inputs in guarded memory, which detects every read and write outside them.

Each tensor lies between two guards: memory that must not be touched. It is flush against one of them, and the memory
between it and the other one is filled with a canary:

    END    | guard | canary canary [tensor] | guard |
    START  | guard | [tensor] canary canary | guard |

A read beyond the near guard's side ends the process. What is read on the other side is canary: the results of two
calls that differ in the canary alone have to be the same. Guards can be opened, so that a call that ended can be
repeated with them as the only difference.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from collections.abc import Sequence
from enum import Enum, IntFlag
from typing import Any

import numpy as np

from .element_bytes import PACKED_BITS
from .tensor import Tensor

_Array = np.ndarray[Any, Any]
_PAGE = mmap.PAGESIZE
# An index into a small tensor that is off by some hundreds stays within a guard. Untouched, a guard costs no memory.
_GUARD_BYTES = 256 * _PAGE
CANARIES = (0xA5, 0x5A)


class Placement(Enum):
    """The guard against which tensors lie."""

    END = "end"
    START = "start"


class Access(IntFlag):
    """The access allowed to a guard's memory."""

    NONE = 0
    READ = mmap.PROT_READ
    WRITE = mmap.PROT_READ | mmap.PROT_WRITE


def can_guard(tensor: Tensor | None) -> bool:
    """Whether a runtime can read the tensor in place. Strings are objects, and every runtime has a packed copy of
    sub-byte types.
    """
    return tensor is None or (tensor.dtype != "string" and tensor.dtype not in PACKED_BITS)


class GuardedInputs:
    """Copies of tensors between guards, which live as long as their arrays are referenced.

    alignment: in bytes, a power of two, that the runtime wants; the element's own is always kept. What a tensor's
    size lacks to it stays between the tensor and the guard at its end, as canary.
    """

    def __init__(self, tensors: Sequence[Tensor | None], alignment: int = 1) -> None:
        self._tensors = tuple(tensors)
        self._areas = [
            None if tensor is None else _Area(tensor.array.nbytes, alignment) if can_guard(tensor) else None
            for tensor in tensors
        ]

    def place(self, placement: Placement, canary: int) -> list[Tensor | None]:
        """Places the tensors again, elsewhere; results of earlier calls must have been copied before."""
        return [
            Tensor(tensor.dtype, area.hold(tensor.array, placement, canary))
            if tensor is not None and area is not None
            else _copied(tensor)
            for tensor, area in zip(self._tensors, self._areas)
        ]

    def allow(self, access: Access, but: tuple[int, Placement] | None = None) -> None:
        """Opens all guards except the one against which this placement lays input `but`."""
        for position, area in enumerate(self._areas):
            for side in Placement:
                if area is not None:
                    area.allow(side, Access.NONE if but == (position, side) else access)

    def sides(self) -> list[tuple[int, Placement]]:
        """All guards."""
        return [(position, side) for position, area in enumerate(self._areas) if area is not None for side in Placement]

    def changed(self, placed: Sequence[Tensor | None]) -> str:
        """Memory that a call wrote although it must not, as the end of a sentence; empty if there is none."""
        return changed_inputs(self._tensors, placed) or next(
            (
                f"memory beside its input {position}"
                for position, area in enumerate(self._areas)
                if area is not None and not area.is_canary_whole()
            ),
            "",
        )


def changed_inputs(originals: Sequence[Tensor | None], given: Sequence[Tensor | None]) -> str:
    """The input that has changed, as the end of a sentence; empty if none has."""
    for position, (original, tensor) in enumerate(zip(originals, given)):
        if original is not None and tensor is not None and not _same(original.array, tensor.array):
            return f"its input {position}"
    return ""


def plain_copies(tensors: Sequence[Tensor | None]) -> list[Tensor | None]:
    """The tensors in NumPy's own memory."""
    return [_copied(tensor) for tensor in tensors]


def _copied(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else Tensor(tensor.dtype, tensor.array.copy(order="C"))


def _same(first: _Array, second: _Array) -> bool:
    if first.dtype.kind == "O":
        return bool(first.tolist() == second.tolist())
    return first.tobytes() == second.tobytes()


class _Area:
    """Memory for one tensor, with a guard on either side."""

    def __init__(self, size: int, alignment: int) -> None:
        room = max(_PAGE, (size + alignment + _PAGE - 1) // _PAGE * _PAGE)
        self._memory = mmap.mmap(-1, room + 2 * _GUARD_BYTES)
        self._bytes: _Array = np.frombuffer(self._memory, np.uint8)
        self._guards = {Placement.START: 0, Placement.END: _GUARD_BYTES + room}
        self._inside = slice(_GUARD_BYTES, _GUARD_BYTES + room)
        self._offsets = {
            Placement.START: _GUARD_BYTES,
            Placement.END: (_GUARD_BYTES + room - size) // alignment * alignment,
        }
        self._held, self._canary = slice(0, 0), 0
        for side in Placement:
            self.allow(side, Access.NONE)

    def allow(self, side: Placement, access: Access) -> None:
        address = self._bytes.ctypes.data + self._guards[side]
        if _libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(_GUARD_BYTES), int(access)) != 0:
            code = ctypes.get_errno()
            raise MemoryError(f"mprotect: {errno.errorcode.get(code, code)}: {os.strerror(code)}")

    def hold(self, array: _Array, placement: Placement, canary: int) -> _Array:
        offset = self._offsets[placement]
        self._bytes[self._inside] = canary
        self._held, self._canary = slice(offset, offset + array.nbytes), canary
        held: _Array = np.ndarray(array.shape, array.dtype, self._memory, offset)
        held[...] = array
        return held

    def is_canary_whole(self) -> bool:
        before = self._bytes[self._inside.start : self._held.start]
        after = self._bytes[self._held.stop : self._inside.stop]
        return bool((before == self._canary).all() and (after == self._canary).all())


_libc = ctypes.CDLL(None, use_errno=True)
