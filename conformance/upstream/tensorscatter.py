# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ml_dtypes
import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect

_INPUTS = ["past_cache", "update", "write_indices"]


class TensorScatter(Base):
    @staticmethod
    def export_tensorscatter_types() -> None:
        # "Constrain input and output types to any tensor type."
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"])
        write_indices = np.array([1, 2], dtype=np.int64)
        for dtype in (
            *(np.int8, np.int32, np.uint8, np.float16, ml_dtypes.bfloat16, np.float64),
            *(ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4, ml_dtypes.uint4),
        ):
            past_cache = np.array([[[1], [2], [3]], [[4], [5], [6]]]).astype(dtype)
            update = np.array([[[7]], [[0]]]).astype(dtype)
            present_cache = np.array([[[1], [7], [3]], [[4], [5], [0]]]).astype(dtype)
            expect(
                node,
                inputs=[past_cache, update, write_indices],
                outputs=[present_cache],
                name=f"test_tensorscatter_{present_cache.dtype.name}",
            )

    @staticmethod
    def export_tensorscatter_without_write_indices() -> None:
        # "Assumed to be all zeros if not provided."
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS[:2], outputs=["present_cache"])
        past_cache = np.array([[[1, 2], [3, 4], [5, 6]]], dtype=np.float32)
        update = np.array([[[10, 20], [30, 40]]], dtype=np.float32)
        present_cache = np.array([[[10, 20], [30, 40], [5, 6]]], dtype=np.float32)
        expect(
            node,
            inputs=[past_cache, update],
            outputs=[present_cache],
            name="test_tensorscatter_without_write_indices",
        )

    @staticmethod
    def export_tensorscatter_whole_cache() -> None:
        # "where sequence_length <= max_sequence_length."
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"])
        past_cache = np.array([[[1], [2]], [[3], [4]]], dtype=np.float32)
        update = np.array([[[5], [6]], [[7], [8]]], dtype=np.float32)
        write_indices = np.array([0, 0], dtype=np.int64)
        expect(
            node,
            inputs=[past_cache, update, write_indices],
            outputs=[update],
            name="test_tensorscatter_whole_cache",
        )

    @staticmethod
    def export_tensorscatter_linear_bound() -> None:
        # "`linear` mode requires write_indices+sequence_length<=max_sequence_length."
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"], mode="linear")
        past_cache = np.array([[[1], [2], [3]], [[4], [5], [6]]], dtype=np.float32)
        update = np.array([[[10], [20]], [[30], [40]]], dtype=np.float32)
        write_indices = np.array([1, 0], dtype=np.int64)
        present_cache = np.array([[[1], [10], [20]], [[30], [40], [6]]], dtype=np.float32)
        expect(
            node,
            inputs=[past_cache, update, write_indices],
            outputs=[present_cache],
            name="test_tensorscatter_linear_bound",
        )

    @staticmethod
    def export_tensorscatter_circular_many_times() -> None:
        # "When the `mode` attribute is set to "circular", the write index is modulo max_sequence_length."
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"], mode="circular")
        past_cache = np.array([[[1], [2], [3]], [[4], [5], [6]]], dtype=np.float32)
        update = np.array([[[10], [20]], [[30], [40]]], dtype=np.float32)
        write_indices = np.array([8, 30], dtype=np.int64)
        present_cache = np.array([[[20], [2], [10]], [[30], [40], [6]]], dtype=np.float32)
        expect(
            node,
            inputs=[past_cache, update, write_indices],
            outputs=[present_cache],
            name="test_tensorscatter_circular_many_times",
        )

    @staticmethod
    def export_tensorscatter_last_axis() -> None:
        # "the sequence dimension (indicated by the `axis` attribute) being max_sequence_length"
        past_cache = np.array([[[1, 2, 3], [4, 5, 6]]], dtype=np.float32)
        update = np.array([[[10], [20]]], dtype=np.float32)
        write_indices = np.array([2], dtype=np.int64)
        present_cache = np.array([[[1, 2, 10], [4, 5, 20]]], dtype=np.float32)
        for axis, name in ((2, "2"), (-1, "minus_1")):
            node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"], axis=axis)
            expect(
                node,
                inputs=[past_cache, update, write_indices],
                outputs=[present_cache],
                name=f"test_tensorscatter_axis_{name}",
            )

    @staticmethod
    def export_tensorscatter_no_update() -> None:
        # "for sequence_idx in range(sequence_length):"
        node = onnx.helper.make_node("TensorScatter", inputs=_INPUTS, outputs=["present_cache"])
        past_cache = np.array([[[1], [2], [3]]], dtype=np.float32)
        update = np.zeros((1, 0, 1), dtype=np.float32)
        write_indices = np.array([3], dtype=np.int64)
        expect(
            node,
            inputs=[past_cache, update, write_indices],
            outputs=[past_cache],
            name="test_tensorscatter_no_update",
        )
