"""Results are compared by bits, but where any NaN will do; and a difference is told by its first place."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from windrow_conformance.elements import any_nan, decode
from windrow_conformance.judge import difference_of_runs, find_difference, judge, same
from windrow_conformance.outcome import Outcome
from windrow_conformance.record import Record
from windrow_conformance.tensor import Tensor


def record(dtype: str, data: list[Any], shape: list[int] | None = None) -> Record:
    written = {"dtype": dtype, "shape": [len(data)] if shape is None else shape, "data": data}
    return Record(
        path="onnx/gather/made", dialect="onnx", op="Gather", version=13, attrs={}, inputs=(),
        output=decode(written), rule="ONNX-V1", tier="specification", any_nan=any_nan(written),
    )


def tensor(dtype: str, data: list[Any], shape: list[int] | None = None) -> Tensor:
    return decode({"dtype": dtype, "shape": [len(data)] if shape is None else shape, "data": data})


@pytest.mark.parametrize(
    "dtype, expected, got, message",
    [
        ("float32", [1.0, "nan"], [1.0, "0xffc00123"], ""),
        ("float32", ["0x7fc00000"], ["0xffc00000"], "at [0] stands 0xffc00000, expected nan"),
        ("float32", ["nan"], ["inf"], "at [0] stands inf, expected nan"),
        ("float32", [0.0], [-0.0], "at [0] stands -0.0, expected 0.0"),
        ("float16", ["nan", 2.0, 3.0], ["0xfe12", 2.0, 4.0], "at [2] stands 4.0, expected 3.0"),
        ("bfloat16", ["nan"], ["0xffc7"], ""),
        ("bfloat16", ["nan"], ["inf"], "at [0] stands inf, expected nan"),
        ("complex64", [[1.0, "nan"]], [[1.0, "0xffc00001"]], ""),
        ("complex64", [[1.0, "nan"]], [["nan", "nan"]], "expected (1+nanj)"),
        ("bool", [True], ["0x02"], "with the bits 0x02"),
        ("string", ["a", "b\0"], ["a", "b"], "at [1] stands 'b', expected 'b\\x00'"),
        ("int4", [-1, 2], [-1, 3], "at [1] stands 3, expected 2"),
        ("uint64", [2**64 - 1], [2**64 - 2], "expected 18446744073709551615"),
        ("float8_e4m3fn", ["0x7f", "0x01"], ["0xff", "0x02"], "stands 0xff, expected 0x7f; 2 of 2 elements differ"),
    ],
)
def test_elements(dtype: str, expected: list[Any], got: list[Any], message: str) -> None:
    found = find_difference(record(dtype, expected), tensor(dtype, got))
    assert (found == "") == (message == "") and message in found, found


def test_what_a_byte_has_beside_a_narrow_element_is_not_compared() -> None:
    extended = Tensor("int4", np.array([0xFF], np.uint8))
    assert find_difference(record("int4", [-1]), extended) == ""
    assert same(extended, tensor("int4", [-1]))


@pytest.mark.parametrize(
    "got, message",
    [
        (Tensor("int64", np.zeros((2, 1), np.int64)), "of type int64, expected float32"),
        (Tensor("float32", np.zeros((2, 1))), "of type float32 in elements of float64, expected float32"),
        (Tensor("float32", np.zeros(2, np.float32)), "has the shape [2], expected [2, 1]"),
        (Tensor("float32", np.zeros((2, 1), ">f4")), "in elements of >f4"),
    ],
)
def test_type_and_shape_come_first(got: Tensor, message: str) -> None:
    assert message in find_difference(record("float32", [1.0, 2.0], [2, 1]), got)


def test_places_are_in_row_major_order_whatever_the_strides() -> None:
    expected = record("float32", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])
    got = np.asfortranarray(np.array([[1, 2, 3], [4, 0, 6]], np.float32))
    assert "at [1, 1] stands 0.0, expected 5.0" in find_difference(expected, Tensor("float32", got))


def test_ranks_without_axes_and_empty_tensors() -> None:
    assert find_difference(record("float32", [1.0], []), tensor("float32", [2.0], [])).startswith("at [] stands 2.0")
    assert find_difference(record("float32", [], [0, 3]), tensor("float32", [], [0, 3])) == ""
    assert "shape" in find_difference(record("float32", [], [0, 3]), tensor("float32", [], [3, 0]))


def test_a_result_where_none_is_due_says_what_is_wrong_with_the_call() -> None:
    fault = {"input": "indices", "position": [1], "value": 9, "axis": 0, "extent": 3, "count": 1}
    must_fail = dataclasses.replace(record("float32", [1.0]), output=None, error_kind="index", fault=fault)
    verdict = judge(must_fail, tensor("float32", [1.0]))
    assert verdict.outcome is Outcome.NO_ERROR and verdict.got is not None
    assert "indices has 9 at [1], axis 0 has extent 3" in verdict.message


def test_runs_are_compared_with_the_first() -> None:
    first = tensor("float32", ["nan", 2.0])
    assert difference_of_runs(tensor("float32", ["nan", 2.0]), first) == ""
    assert "expected nan" in difference_of_runs(tensor("float32", ["0xffc00000", 2.0]), first)
    assert "was float32[2]" in difference_of_runs(tensor("float32", ["nan"]), first)
