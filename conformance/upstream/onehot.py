# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect

_INPUTS = ["indices", "depth", "values"]


class OneHot(Base):
    @staticmethod
    def export_onehot_index_types() -> None:
        # "Constrain input to only numeric types."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"])
        values = np.array([0, 1], dtype=np.float32)
        y = np.array([[0, 1], [1, 0]], dtype=np.float32)
        for dtype in (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.uint64):
            indices = np.array([1, 0]).astype(dtype)
            depth = np.array(2).astype(dtype)
            name = f"test_onehot_{indices.dtype.name}_indices"
            expect(node, inputs=[indices, depth, values], outputs=[y], name=name)

    @staticmethod
    def export_onehot_value_types() -> None:
        # "The type of the output tensor is the same as the type of the 'values' input."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"])
        indices = np.array([2, 0], dtype=np.int64)
        depth = np.array(3, dtype=np.int64)
        for values in (
            np.array([2, 5], dtype=np.int8),
            np.array([2, 5], dtype=np.uint64),
            np.array([2, 5], dtype=np.float16),
            np.array([2, 5], dtype=np.float64),
            np.array([2, 5], dtype=np.complex64),
            np.array([True, False]),
        ):
            y = values[np.array([[0, 0, 1], [1, 0, 0]])]
            expect(node, inputs=[indices, depth, values], outputs=[y], name=f"test_onehot_{y.dtype.name}_values")

    @staticmethod
    def export_onehot_string_values() -> None:
        # "The type of the output tensor is the same as the type of the 'values' input."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"])
        indices = np.array([1], dtype=np.int64)
        depth = np.array(2, dtype=np.int64)
        values = np.array(["off", "on"], dtype=object)
        y = np.array([["off", "on"]], dtype=object)
        expect(node, inputs=[indices, depth, values], outputs=[y], name="test_onehot_string_values")

    @staticmethod
    def export_onehot_depth_of_rank_1() -> None:
        # "Scalar or Rank 1 tensor containing exactly one element, specifying the number of classes in one-hot tensor."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"])
        indices = np.array([1, 0], dtype=np.int64)
        depth = np.array([2], dtype=np.int64)
        values = np.array([0, 1], dtype=np.float32)
        y = np.array([[0, 1], [1, 0]], dtype=np.float32)
        expect(node, inputs=[indices, depth, values], outputs=[y], name="test_onehot_depth_of_rank_1")

    @staticmethod
    def export_onehot_axis_bounds() -> None:
        # "Accepted range is [-r-1, r] where r = rank(indices)."
        indices = np.array([[1, 0]], dtype=np.int64)
        depth = np.array(2, dtype=np.int64)
        values = np.array([0, 1], dtype=np.float32)
        first = np.array([[[0, 1]], [[1, 0]]], dtype=np.float32)
        last = np.array([[[0, 1], [1, 0]]], dtype=np.float32)
        for axis, name, y in ((-3, "minus_r_minus_1", first), (2, "r", last)):
            node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"], axis=axis)
            expect(node, inputs=[indices, depth, values], outputs=[y], name=f"test_onehot_axis_{name}")

    @staticmethod
    def export_onehot_index_bounds() -> None:
        # "Any entries in the 'indices' input tensor with values outside the range [-depth, depth-1] will result in
        # one-hot representation with all 'off_value' values in the output tensor."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"])
        indices = np.array([-3, -2, 1, 2], dtype=np.int64)
        depth = np.array(2, dtype=np.int64)
        values = np.array([0, 1], dtype=np.float32)
        y = np.array([[0, 0], [1, 0], [0, 1], [0, 0]], dtype=np.float32)
        expect(node, inputs=[indices, depth, values], outputs=[y], name="test_onehot_index_bounds")

    @staticmethod
    def export_onehot_no_indices() -> None:
        # "The size of the additional dimension is specified by required scalar input 'depth'."
        node = onnx.helper.make_node("OneHot", inputs=_INPUTS, outputs=["y"], axis=0)
        indices = np.zeros((0, 2), dtype=np.int64)
        depth = np.array(3, dtype=np.int64)
        values = np.array([0, 1], dtype=np.float32)
        y = np.zeros((3, 0, 2), dtype=np.float32)
        expect(node, inputs=[indices, depth, values], outputs=[y], name="test_onehot_no_indices")
