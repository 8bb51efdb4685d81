# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect


class Gather(Base):
    @staticmethod
    def export_gather_types() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        indices = np.array([2, 0], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, ml_dtypes.bfloat16, np.float64, np.complex64, np.complex128),
        ):
            data = np.array([[0, 1], [2, 3], [4, 5]]).astype(dtype)
            y = np.array([[4, 5], [0, 1]]).astype(dtype)
            expect(node, inputs=[data, indices], outputs=[y], name=f"test_gather_{y.dtype.name}")

    @staticmethod
    def export_gather_bool() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([True, False, False])
        indices = np.array([1, 0, 0], dtype=np.int64)
        y = np.array([False, True, True])
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_bool")

    @staticmethod
    def export_gather_string() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([["a", ""], ["ccc", "é"]], dtype=object)
        indices = np.array([1, 1], dtype=np.int64)
        y = np.array([["ccc", "é"], ["ccc", "é"]], dtype=object)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_string")

    @staticmethod
    def export_gather_int32_indices() -> None:
        # "Tensor of int32/int64 indices, of any rank q."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([10, 11, 12], dtype=np.float32)
        indices = np.array([[[2], [0]]], dtype=np.int32)
        y = np.array([[[12], [10]]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_int32_indices")

    @staticmethod
    def export_gather_scalar_index() -> None:
        # "| (P, Q) | ( )  (a scalar)   | 0 | (Q)       | output[q] = data[indices, q] |"
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.array(1, dtype=np.int64)
        y = np.array([3, 4, 5], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_scalar_index")

    @staticmethod
    def export_gather_scalar_index_axis_1() -> None:
        # "| (P, Q, R) | ( )  (a scalar)   | 1 | (P, R)       | output[p, r] = data[p, indices, r] |"
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"], axis=1)
        data = np.array([[[0, 1], [2, 3], [4, 5]]], dtype=np.float32)
        indices = np.array(-1, dtype=np.int64)
        y = np.array([[4, 5]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_scalar_index_axis_1")

    @staticmethod
    def export_gather_rank_0_result() -> None:
        # "concatenates them in an output tensor of rank q + (r - 1)."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([10, 11, 12], dtype=np.float32)
        indices = np.array(2, dtype=np.int64)
        y = np.array(12, dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_rank_0_result")

    @staticmethod
    def export_gather_axis_bounds() -> None:
        # "Accepted range is [-r, r-1] where r = rank(data)."
        data = np.array([[[0, 1], [2, 3]], [[4, 5], [6, 7]]], dtype=np.float32)
        indices = np.array([1], dtype=np.int64)
        first = np.array([[[4, 5], [6, 7]]], dtype=np.float32)
        last = np.array([[[1], [3]], [[5], [7]]], dtype=np.float32)
        for axis, name, y in ((-3, "minus_r", first), (-1, "minus_1", last), (2, "r_minus_1", last)):
            node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"], axis=axis)
            expect(node, inputs=[data, indices], outputs=[y], name=f"test_gather_axis_{name}")

    @staticmethod
    def export_gather_index_bounds() -> None:
        # "All index values are expected to be within bounds [-s, s-1] along axis of size s."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"], axis=1)
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.array([-3, 2, -1, 0], dtype=np.int64)
        y = np.array([[0, 2, 2, 0], [3, 5, 5, 3]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_index_bounds")

    @staticmethod
    def export_gather_no_indices() -> None:
        # "Each entry in `indices` produces a `r-1` dimensional slice of the input tensor."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.zeros((2, 0), dtype=np.int64)
        y = np.zeros((2, 0, 3), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_no_indices")

    @staticmethod
    def export_gather_empty_slices() -> None:
        # "Each entry in `indices` produces a `r-1` dimensional slice of the input tensor."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.zeros((3, 0), dtype=np.float32)
        indices = np.array([2, 0], dtype=np.int64)
        y = np.zeros((2, 0), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_empty_slices")

    @staticmethod
    def export_gather_empty_axis() -> None:
        # "All index values are expected to be within bounds [-s, s-1] along axis of size s."
        # There is no such value if s is 0, and none is needed without indices.
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.zeros((0, 2), dtype=np.float32)
        indices = np.zeros((0,), dtype=np.int64)
        y = np.zeros((0, 2), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_empty_axis")
