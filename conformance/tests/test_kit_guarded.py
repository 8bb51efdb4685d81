"""Tensors lie where they are said to, whole, and what is done beside them is seen."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import pytest
from windrow_conformance.guarded import CANARIES, Access, GuardedInputs, Placement
from windrow_conformance.tensor import Tensor

SHAPES: list[tuple[str, tuple[int, ...]]] = [
    ("uint8", (3,)),
    ("float32", (2, 3)),
    ("complex128", (5,)),
    ("int64", ()),
    ("float32", (0, 4)),
    ("float64", (1024,)),
    ("bool", (4097,)),
]


def filled(dtype: str, shape: tuple[int, ...]) -> Tensor:
    count = int(np.prod(shape, dtype=np.int64))
    return Tensor(dtype, (np.arange(count) % 2 + 1).astype(dtype).reshape(shape))


def address(tensor: Tensor | None) -> int:
    assert tensor is not None
    return int(tensor.array.ctypes.data)


@pytest.mark.parametrize("dtype, shape", SHAPES)
def test_tensors_are_flush_against_the_guards(dtype: str, shape: tuple[int, ...]) -> None:
    original = filled(dtype, shape)
    inputs = GuardedInputs([original, None])
    for placement in Placement:
        [tensor, omitted] = inputs.place(placement, CANARIES[0])
        assert omitted is None and tensor is not None
        assert tensor.shape == shape and tensor.array.tobytes() == original.array.tobytes()
        edge = address(tensor) + (tensor.array.nbytes if placement is Placement.END else 0)
        assert edge % mmap.PAGESIZE == 0
        assert address(tensor) % original.array.itemsize == 0
        assert inputs.changed([tensor, None]) == ""


def test_an_alignment_leaves_less_than_itself_at_the_end() -> None:
    [tensor] = GuardedInputs([filled("uint8", (3,))], alignment=64).place(Placement.END, CANARIES[0])
    assert address(tensor) % 64 == 0 and -(address(tensor) + 3) % mmap.PAGESIZE < 64


def test_writes_beside_and_into_tensors_are_told_apart() -> None:
    inputs = GuardedInputs([filled("int32", (4,)), filled("int32", (4,))])
    placed = inputs.place(Placement.END, CANARIES[1])
    ctypes.memset(address(placed[1]) - 1, 0, 1)
    assert inputs.changed(placed) == "memory beside its input 1"
    ctypes.memset(address(placed[0]), 7, 1)
    assert inputs.changed(placed) == "its input 0"
    assert inputs.changed(inputs.place(Placement.START, CANARIES[0])) == ""


def test_what_is_beside_is_the_canary() -> None:
    inputs = GuardedInputs([filled("int32", (4,))])
    for canary in CANARIES:
        assert ctypes.string_at(address(inputs.place(Placement.END, canary)[0]) - 1, 1) == bytes([canary])


def test_opened_guards_can_be_read() -> None:
    inputs = GuardedInputs([filled("int32", (4,))])
    inputs.allow(Access.READ)
    [tensor] = inputs.place(Placement.END, CANARIES[0])
    assert ctypes.string_at(address(tensor) + 16, 1) == b"\0"


def test_strings_and_types_that_share_bytes_are_copies() -> None:
    texts: Any = np.empty(2, object)
    texts[:] = ["a", "b"]
    originals = [Tensor("string", texts), Tensor("int4", np.array([1, 2], np.uint8))]
    inputs = GuardedInputs(originals)
    placed = inputs.place(Placement.END, CANARIES[0])
    assert placed[0] is not None and placed[0].array is not texts
    placed[0].array[0] = "c"
    assert inputs.changed(placed) == "its input 0" and texts[0] == "a"
