# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect


class GatherND(Base):
    @staticmethod
    def export_types() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        indices = np.array([[1, 0], [0, 1]], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int16, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, ml_dtypes.bfloat16, np.float64, np.complex64, np.complex128),
        ):
            data = np.array([[0, 1], [2, 3]]).astype(dtype)
            output = np.array([2, 1]).astype(dtype)
            expect(node, inputs=[data, indices], outputs=[output], name=f"test_gathernd_{output.dtype.name}")

    @staticmethod
    def export_string() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([["a", ""], ["ccc", "é"]], dtype=object)
        indices = np.array([[1], [0]], dtype=np.int64)
        output = np.array([["ccc", "é"], ["a", ""]], dtype=object)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_string")

    @staticmethod
    def export_negative_indices() -> None:
        # "All values in `indices` are expected to be within bounds [-s, s-1] along axis of size `s` (i.e.)
        # `-data_shape[i] <= indices[...,i] <= data_shape[i] - 1`."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.array([[-1, -1], [-2, -3], [1, -2], [-1, 2]], dtype=np.int64)
        output = np.array([5, 0, 4, 5], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_negative_indices")

    @staticmethod
    def export_negative_indices_of_slices() -> None:
        # "Each *tensor slice* corresponding to `data[0:b-1, indices_slice , :]` is filled into the corresponding
        # location of the `(q-b-1)`-dimensional tensor to form the `output` tensor"
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([[[0, 1], [2, 3]], [[4, 5], [6, 7]]], dtype=np.float32)
        indices = np.array([[-1, 0], [-2, -1]], dtype=np.int64)
        output = np.array([[4, 5], [2, 3]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_negative_indices_of_slices")

    @staticmethod
    def export_negative_indices_batch_dim1() -> None:
        # "the gather starts from the `b+1` dimension."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.array([[[-1], [0]], [[-3], [-2]]], dtype=np.int64)
        output = np.array([[2, 0], [3, 4]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_negative_indices_batch_dim1")

    @staticmethod
    def export_batch_dims_2() -> None:
        # "`batch_dims` (denoted as `b`) is an integer indicating the number of batch dimensions"
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=2)
        data = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
        indices = np.array([[[1], [0], [1]], [[0], [0], [1]]], dtype=np.int64)
        output = np.array([[1, 2, 5], [6, 8, 11]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_batch_dims_2")

    @staticmethod
    def export_batch_dims_2_slices() -> None:
        # "this operator gathers slices of `data` into an output tensor of rank `q + r - indices_shape[-1] - 1 - b`."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=2)
        data = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2)
        indices = np.array([[[[1], [0]], [[0], [0]]], [[[1], [1]], [[0], [1]]]], dtype=np.int64)
        output = np.array(
            [
                [[[2, 3], [0, 1]], [[4, 5], [4, 5]]],
                [[[10, 11], [10, 11]], [[12, 13], [14, 15]]],
            ],
            dtype=np.float32,
        )
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_batch_dims_2_slices")

    @staticmethod
    def export_batch_dims_1_tuples() -> None:
        # "Each *scalar value* corresponding to `data[0:b-1,indices_slice]` is filled into the corresponding location
        # of the `(q-b-1)`-dimensional tensor to form the `output` tensor"
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
        indices = np.array([[[1, 0], [0, 1], [1, 1]], [[0, 0], [1, 1], [0, 0]]], dtype=np.int64)
        output = np.array([[2, 1, 3], [4, 7, 4]], dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_batch_dims_1_tuples")

    @staticmethod
    def export_rank_0_result() -> None:
        # "this operator gathers slices of `data` into an output tensor of rank `q + r - indices_shape[-1] - 1 - b`."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([[0, 1], [2, 3]], dtype=np.float32)
        indices = np.array([1, 0], dtype=np.int64)
        output = np.array(2, dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_rank_0_result")

    @staticmethod
    def export_no_indices() -> None:
        # "The output tensor is obtained by mapping each index-tuple in the `indices` tensor to the corresponding slice
        # of the input `data`."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.float32)
        indices = np.zeros((0, 1), dtype=np.int64)
        output = np.zeros((0, 3), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_no_indices")

    @staticmethod
    def export_no_batches() -> None:
        # "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.zeros((0, 2, 3), dtype=np.float32)
        indices = np.zeros((0, 4, 1), dtype=np.int64)
        output = np.zeros((0, 4, 3), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_no_batches")

    @staticmethod
    def export_empty_slices() -> None:
        # "where each element defines a slice of `data`"
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.zeros((2, 0), dtype=np.float32)
        indices = np.array([[1], [-2], [0]], dtype=np.int64)
        output = np.zeros((3, 0), dtype=np.float32)
        expect(node, inputs=[data, indices], outputs=[output], name="test_gathernd_empty_slices")
