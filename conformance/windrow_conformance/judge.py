"""Compares a result with the one that a record expects."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from .element_bytes import PACKED_BITS
from .outcome import Outcome, Verdict
from .record import Record
from .tensor import CARRIERS, Tensor
from .tensor_text import element_text

_Array = np.ndarray[Any, Any]


def judge(record: Record, got: Tensor) -> Verdict:
    """The verdict on a call that gave a result: passed, wrong value or no error."""
    if record.must_fail:
        return Verdict(record.path, Outcome.NO_ERROR, f"a result, and {_why_it_must_fail(record)}", got)
    difference = find_difference(record, got)
    if difference:
        return Verdict(record.path, Outcome.WRONG_VALUE, difference, got)
    return Verdict(record.path, Outcome.PASSED)


def find_difference(record: Record, got: Tensor) -> str:
    """How the result differs from the expected one: in type, extents, or the first element; empty if it does not.

    Elements are compared by their bits, except where any NaN is right. A recipe's result is compared by its digest.
    """
    difference = _difference_in_type(record, got)
    if difference:
        return difference
    if record.digest is not None:
        right = hashlib.sha256(_little_endian(got).tobytes()).hexdigest() == record.digest.sha256
        return "" if right else "the bytes of the result have another SHA-256 than the right ones"
    assert record.output is not None
    wrong = _differing(got, record.output)
    if record.any_nan is not None:
        wrong &= ~(record.any_nan & _is_nan(got))
    return first_difference(got, record.output, wrong)


def same(first: Tensor, second: Tensor) -> bool:
    """Whether two results are the same in type, extents and bits."""
    if (first.dtype, first.shape) != (second.dtype, second.shape):
        return False
    return not _differing(first, second).any()


def difference_of_runs(got: Tensor, expected: Tensor) -> str:
    """How two results of the same call differ; empty if they are the same."""
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        return f"the result is {_type_text(got)}, and was {_type_text(expected)}"
    return first_difference(got, expected, _differing(got, expected))


def first_difference(got: Tensor, expected: Tensor, wrong: _Array) -> str:
    """A sentence on the first of the differing parts; empty if there is none. wrong: a flag for each part."""
    if not wrong.any():
        return ""
    parts = 2 if got.dtype.startswith("complex") else 1
    elements = wrong.reshape(-1, parts).any(axis=1)
    at = int(np.flatnonzero(elements)[0])
    position = [int(index) for index in np.unravel_index(at, got.shape)] if got.shape else []
    values = [element_text(got.dtype, tensor.array.reshape(-1)[at]) for tensor in (got, expected)]
    if values[0] == values[1]:
        values = [f"{value} with the bits {_bits(tensor, at)}" for value, tensor in zip(values, (got, expected))]
    count = int(elements.sum())
    some = f"; {count} of {elements.size} elements differ" if count > 1 else ""
    return f"at {position} stands {values[0]}, expected {values[1]}{some}"


def _why_it_must_fail(record: Record) -> str:
    fault = record.fault
    if fault is None:
        return f"the call must be refused ({record.error_kind})"
    return (
        f"the call must be refused: {fault['input']} has {fault['value']} at {fault['position']},"
        f" axis {fault['axis']} has extent {fault['extent']}"
    )


def _difference_in_type(record: Record, got: Tensor) -> str:
    expected = record.output_type
    assert expected is not None
    stored = "object" if got.dtype == "string" else CARRIERS.get(got.dtype, got.dtype)
    if got.dtype != expected[0] or got.array.dtype != np.dtype(stored):
        kept = "" if got.array.dtype == np.dtype(stored) else f" in elements of {got.array.dtype}"
        return f"the result is of type {got.dtype}{kept}, expected {expected[0]}"
    if got.shape != expected[1]:
        return f"the result has the shape {list(got.shape)}, expected {list(expected[1])}"
    return ""


def _differing(first: Tensor, second: Tensor) -> _Array:
    """A flag for each part: an element, or the real or imaginary part of one. Type and shape are the same."""
    if first.dtype == "string":
        texts = zip(first.array.ravel().tolist(), second.array.ravel().tolist())
        return np.array([one != other for one, other in texts], bool)
    flags: _Array = _words(first) != _words(second)
    return flags


def _words(tensor: Tensor) -> _Array:
    """The parts' bits as unsigned integers, in row-major order; for sub-byte types the significant bits of the byte."""
    flat = np.ascontiguousarray(tensor.array).reshape(-1)
    size = flat.dtype.itemsize // (2 if flat.dtype.kind == "c" else 1)
    words: _Array = flat.view(f"u{size}")
    bits = PACKED_BITS.get(tensor.dtype)
    return words if bits is None else words & np.uint8((1 << bits) - 1)


def _is_nan(tensor: Tensor) -> _Array:
    """A flag for each part."""
    words = _words(tensor)
    if tensor.dtype == "bfloat16":
        flags: _Array = (words & np.uint16(0x7FFF)) > np.uint16(0x7F80)
        return flags
    kind = tensor.array.dtype.kind
    return np.isnan(words.view(f"f{words.dtype.itemsize}")) if kind in "fc" else np.zeros(words.shape, bool)


def _bits(tensor: Tensor, at: int) -> str:
    raw = np.ascontiguousarray(tensor.array).reshape(-1)[at : at + 1].tobytes()
    return "0x" + raw[::-1].hex()


def _type_text(tensor: Tensor) -> str:
    return f"{tensor.dtype}{list(tensor.shape)}"


def _little_endian(tensor: Tensor) -> _Array:
    array = np.ascontiguousarray(tensor.array)
    return array.astype(array.dtype.newbyteorder("<"), copy=False)
