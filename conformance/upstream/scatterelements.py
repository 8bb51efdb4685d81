# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect

_INPUTS = ["data", "indices", "updates"]


class ScatterElements(Base):
    @staticmethod
    def export_scatter_elements_types() -> None:
        # "Input and output types can be of any tensor type."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"], axis=1)
        indices = np.array([[3, 1]], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, ml_dtypes.bfloat16, np.float64, np.complex64, np.complex128),
        ):
            data = np.array([[1, 2, 3, 4]]).astype(dtype)
            updates = np.array([[11, 12]]).astype(dtype)
            y = np.array([[1, 12, 3, 11]]).astype(dtype)
            name = f"test_scatter_elements_{y.dtype.name}"
            expect(node, inputs=[data, indices, updates], outputs=[y], name=name)

    @staticmethod
    def export_scatter_elements_string() -> None:
        # "Input and output types can be of any tensor type."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"])
        data = np.array(["a", "bb", ""], dtype=object)
        indices = np.array([2, 0], dtype=np.int64)
        updates = np.array(["é", ""], dtype=object)
        y = np.array(["", "bb", "é"], dtype=object)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatter_elements_string")

    @staticmethod
    def export_scatter_elements_int32_indices() -> None:
        # "Tensor of int32/int64 indices, of r >= 1 (same rank as input)."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"])
        data = np.zeros((3, 2), dtype=np.float32)
        indices = np.array([[2, 0]], dtype=np.int32)
        updates = np.array([[1, 2]], dtype=np.float32)
        y = np.array([[0, 2], [0, 0], [1, 0]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatter_elements_int32_indices")

    @staticmethod
    def export_scatter_elements_index_bounds() -> None:
        # "All index values are expected to be within bounds [-s, s-1] along axis of size s."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"], axis=1)
        data = np.zeros((2, 4), dtype=np.float32)
        indices = np.array([[-4, 3], [-1, 0]], dtype=np.int64)
        updates = np.array([[1, 2], [3, 4]], dtype=np.float32)
        y = np.array([[1, 0, 0, 2], [4, 0, 0, 3]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatter_elements_index_bounds")

    @staticmethod
    def export_scatter_elements_axis_bounds() -> None:
        # "Accepted range is [-r, r-1] where r = rank(data)."
        data = np.zeros((2, 2), dtype=np.float32)
        indices = np.array([[1, 0]], dtype=np.int64)
        updates = np.array([[1, 2]], dtype=np.float32)
        first = np.array([[0, 2], [1, 0]], dtype=np.float32)
        last = np.array([[2, 1], [0, 0]], dtype=np.float32)
        for axis, name, y in ((-2, "minus_r", first), (-1, "minus_1", last), (1, "r_minus_1", last)):
            node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"], axis=axis)
            expect(node, inputs=[data, indices, updates], outputs=[y], name=f"test_scatter_elements_axis_{name}")

    @staticmethod
    def export_scatter_elements_smaller_updates() -> None:
        # "the index-value for dimension = axis is obtained from the value of the corresponding entry in `indices` and
        # the index-value for dimension != axis is obtained from the index of the entry itself."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"], axis=1)
        data = np.zeros((2, 2, 3), dtype=np.float32)
        indices = np.array([[[1, 0]]], dtype=np.int64)
        updates = np.array([[[1, 2]]], dtype=np.float32)
        y = np.array([[[0, 2, 0], [1, 0, 0]], [[0, 0, 0], [0, 0, 0]]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatter_elements_smaller_updates")

    @staticmethod
    def export_scatter_elements_no_updates() -> None:
        # "The output of the operation is produced by creating a copy of the input `data`"
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.zeros((0, 2), dtype=np.int64)
        updates = np.zeros((0, 2), dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[data], name="test_scatter_elements_no_updates")

    @staticmethod
    def export_scatter_elements_empty_data() -> None:
        # "Its output shape is the same as the shape of `data`."
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"])
        data = np.zeros((3, 0), dtype=np.float32)
        indices = np.zeros((2, 0), dtype=np.int64)
        updates = np.zeros((2, 0), dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[data], name="test_scatter_elements_empty_data")

    @staticmethod
    def export_scatter_elements_reductions_of_duplicates() -> None:
        # "`reduction` allows specification of an optional reduction operation, which is applied to all values in
        # `updates` tensor into `output` at the specified `indices`."
        # One cell gets three updates. Sums and products are exact in every order, so the order does not matter.
        indices = np.array([[1, 1, -2, 0]], dtype=np.int64)
        for dtype in (np.int32, np.int64, np.uint8, np.float16, ml_dtypes.bfloat16, np.float32, np.float64):
            data = np.array([[2, 3, 5]]).astype(dtype)
            updates = np.array([[4, 1, 2, 7]]).astype(dtype)
            results = {"add": [9, 10, 5], "mul": [14, 24, 5], "max": [7, 4, 5], "min": [2, 1, 5]}
            for reduction, values in results.items():
                node = onnx.helper.make_node(
                    "ScatterElements", inputs=_INPUTS, outputs=["y"], axis=1, reduction=reduction
                )
                y = np.array([values]).astype(dtype)
                name = f"test_scatter_elements_{reduction}_duplicates_{y.dtype.name}"
                expect(node, inputs=[data, indices, updates], outputs=[y], name=name)

    @staticmethod
    def export_scatter_elements_max_of_negatives() -> None:
        # "where the `f` is `+`, `*`, `max` or `min` as specified."
        # The cell's own value takes part, and no zero does.
        node = onnx.helper.make_node("ScatterElements", inputs=_INPUTS, outputs=["y"], reduction="max")
        data = np.array([-5, -5, -5], dtype=np.int64)
        indices = np.array([0, 0, 2], dtype=np.int64)
        updates = np.array([-7, -3, -9], dtype=np.int64)
        y = np.array([-3, -5, -5], dtype=np.int64)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatter_elements_max_of_negatives")
