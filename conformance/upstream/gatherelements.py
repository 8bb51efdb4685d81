# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect


class GatherElements(Base):
    @staticmethod
    def export_gather_elements_types() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"], axis=1)
        indices = np.array([[1, 1], [0, 1]], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, ml_dtypes.bfloat16, np.float64, np.complex64, np.complex128),
        ):
            data = np.array([[1, 2], [3, 4]]).astype(dtype)
            y = np.array([[2, 2], [3, 4]]).astype(dtype)
            expect(node, inputs=[data, indices], outputs=[y], name=f"test_gather_elements_{y.dtype.name}")

    @staticmethod
    def export_gather_elements_string() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"])
        data = np.array(["a", "", "ccc"], dtype=object)
        indices = np.array([2, 1, 2, 0], dtype=np.int64)
        y = np.array(["ccc", "", "ccc", "a"], dtype=object)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_elements_string")

    @staticmethod
    def export_gather_elements_int32_indices() -> None:
        # "Tensor of int32/int64 indices, with the same rank r as the input."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([[1, 0]], dtype=np.int32)
        y = np.array([[3, 2]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_elements_int32_indices")

    @staticmethod
    def export_gather_elements_smaller_indices() -> None:
        # "Its output shape is the same as the shape of `indices` and consists of one value
        # (gathered from the `data`) for each element in `indices`."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"], axis=1)
        data = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype=np.float32)
        indices = np.array([[2, 0, 1, 2], [0, 0, 2, 1]], dtype=np.int64)
        y = np.array([[3, 1, 2, 3], [4, 4, 6, 5]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_elements_smaller_indices")

    @staticmethod
    def export_gather_elements_axis_bounds() -> None:
        # "Accepted range is [-r, r-1] where r = rank(data)."
        data = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], dtype=np.float32)
        indices = np.array([[[1, 0], [0, 0]], [[0, 0], [1, 1]]], dtype=np.int64)
        first = np.array([[[5, 2], [3, 4]], [[1, 2], [7, 8]]], dtype=np.float32)
        last = np.array([[[2, 1], [3, 3]], [[5, 5], [8, 8]]], dtype=np.float32)
        for axis, name, y in ((-3, "minus_r", first), (-1, "minus_1", last), (2, "r_minus_1", last)):
            node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"], axis=axis)
            expect(node, inputs=[data, indices], outputs=[y], name=f"test_gather_elements_axis_{name}")

    @staticmethod
    def export_gather_elements_index_bounds() -> None:
        # "All index values are expected to be within bounds [-s, s-1] along axis of size s."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"])
        data = np.array([10, 11, 12], dtype=np.float32)
        indices = np.array([-3, 2, -1, 0, -2], dtype=np.int64)
        y = np.array([10, 12, 12, 10, 11], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_elements_index_bounds")

    @staticmethod
    def export_gather_elements_no_indices() -> None:
        # "Its output shape is the same as the shape of `indices`"
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.zeros((0, 2), dtype=np.int64)
        y = np.zeros((0, 2), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[y], name="test_gather_elements_no_indices")
