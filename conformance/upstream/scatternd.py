# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect

_INPUTS = ["data", "indices", "updates"]


class ScatterND(Base):
    @staticmethod
    def export_scatternd_types() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        indices = np.array([[3], [1]], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, ml_dtypes.bfloat16, np.float64, np.complex64, np.complex128),
        ):
            data = np.array([1, 2, 3, 4]).astype(dtype)
            updates = np.array([11, 12]).astype(dtype)
            y = np.array([1, 12, 3, 11]).astype(dtype)
            expect(node, inputs=[data, indices, updates], outputs=[y], name=f"test_scatternd_{y.dtype.name}")

    @staticmethod
    def export_scatternd_string() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.array([["a", "bb"], ["", "d"]], dtype=object)
        indices = np.array([[1]], dtype=np.int64)
        updates = np.array([["é", ""]], dtype=object)
        y = np.array([["a", "bb"], ["é", ""]], dtype=object)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatternd_string")

    @staticmethod
    def export_scatternd_negative_indices() -> None:
        # "Index values are allowed to be negative, as per the usual convention for counting backwards from the end"
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.zeros((2, 3), dtype=np.float32)
        indices = np.array([[-1, -1], [-2, 0], [1, -3], [0, 2]], dtype=np.int64)
        updates = np.array([1, 2, 3, 4], dtype=np.float32)
        y = np.array([[2, 0, 4], [3, 0, 1]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatternd_negative_indices")

    @staticmethod
    def export_scatternd_negative_indices_of_slices() -> None:
        # "When k is less than rank(data) each update entry specifies an update to a slice of the tensor."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32)
        indices = np.array([[-3], [-1]], dtype=np.int64)
        updates = np.array([[10, 20], [50, 60]], dtype=np.float32)
        y = np.array([[10, 20], [3, 4], [50, 60]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatternd_negative_indices_of_slices")

    @staticmethod
    def export_scatternd_one_tuple() -> None:
        # "`updates` tensor of rank q + r - indices.shape[-1] - 1."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([1, 0], dtype=np.int64)
        updates = np.array(30, dtype=np.float32)
        y = np.array([[1, 2], [30, 4]], dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatternd_one_tuple")

    @staticmethod
    def export_scatternd_no_updates() -> None:
        # "The output of the operation is produced by creating a copy of the input `data`"
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.zeros((0, 1), dtype=np.int64)
        updates = np.zeros((0, 2), dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[data], name="test_scatternd_no_updates")

    @staticmethod
    def export_scatternd_empty_slices() -> None:
        # "Its output shape is the same as the shape of `data`."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"])
        data = np.zeros((3, 0), dtype=np.float32)
        indices = np.array([[2], [0]], dtype=np.int64)
        updates = np.zeros((2, 0), dtype=np.float32)
        expect(node, inputs=[data, indices, updates], outputs=[data], name="test_scatternd_empty_slices")

    @staticmethod
    def export_scatternd_reductions_of_duplicates() -> None:
        # "When `reduction` is set to some reduction function `f`, `output` is calculated as follows:"
        # One cell gets three updates. Sums and products are exact in every order, so the order does not matter.
        indices = np.array([[1], [1], [-2], [0]], dtype=np.int64)
        for dtype in (np.int32, np.int64, np.uint8, np.float16, ml_dtypes.bfloat16, np.float32, np.float64):
            data = np.array([2, 3, 5]).astype(dtype)
            updates = np.array([4, 1, 2, 7]).astype(dtype)
            results = {"add": [9, 10, 5], "mul": [14, 24, 5], "max": [7, 4, 5], "min": [2, 1, 5]}
            for reduction, values in results.items():
                node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"], reduction=reduction)
                y = np.array(values).astype(dtype)
                name = f"test_scatternd_{reduction}_duplicates_{y.dtype.name}"
                expect(node, inputs=[data, indices, updates], outputs=[y], name=name)

    @staticmethod
    def export_scatternd_add_slices() -> None:
        # "Each replacement-slice-value is a (r-k) dimensional tensor, corresponding to the trailing (r-k) dimensions of
        # `data`."
        node = onnx.helper.make_node("ScatterND", inputs=_INPUTS, outputs=["y"], reduction="add")
        data = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], dtype=np.int32)
        indices = np.array([[1, 0], [-1, -2], [0, 1]], dtype=np.int64)
        updates = np.array([[10, 20], [30, 40], [50, 60]], dtype=np.int32)
        y = np.array([[[1, 2], [53, 64]], [[45, 66], [7, 8]]], dtype=np.int32)
        expect(node, inputs=[data, indices, updates], outputs=[y], name="test_scatternd_add_slices")
