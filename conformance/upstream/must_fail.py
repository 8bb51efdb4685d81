# SPDX-License-Identifier: Apache-2.0
"""Calls that the specification defines as errors, in the form of node tests: a model and inputs, without outputs.

ONNX's own generators have no such tests; expect_error() is the counterpart of expect(). A runtime passes if it refuses
the model or the call, and fails if it returns anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import onnx
from onnx.backend.test.case.base import Base


@dataclass(frozen=True)
class MustFail:
    """A model of one node, and the inputs with which it must be refused."""

    name: str
    model: onnx.ModelProto
    inputs: Sequence[np.ndarray]


MUST_FAIL: list[MustFail] = []


def expect_error(node: onnx.NodeProto, inputs: Sequence[np.ndarray], name: str) -> None:
    """Adds a test. The output is declared with the type of the first input and without a shape."""
    element_type = onnx.helper.np_dtype_to_tensor_dtype(inputs[0].dtype)
    graph = onnx.helper.make_graph(
        [node],
        name,
        [
            onnx.helper.make_tensor_value_info(
                value, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for value, array in zip(node.input, inputs, strict=True)
        ],
        [onnx.helper.make_tensor_value_info(node.output[0], element_type, None)],
    )
    version = onnx.defs.get_schema(node.op_type, domain=node.domain).since_version
    opset = onnx.helper.make_operatorsetid(node.domain, version)
    model = onnx.helper.make_model_gen_version(graph, opset_imports=[opset], producer_name="backend-test")
    MUST_FAIL.append(MustFail(name, model, inputs))


class Gather(Base):
    @staticmethod
    def export_gather_index_outside() -> None:
        # "It is an error if any of the index values are out of bounds."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array([1, 2, 3], dtype=np.float32)
        for index, name in ((3, "above"), (-4, "below"), (2**40, "far_above")):
            indices = np.array([0, index], dtype=np.int64)
            expect_error(node, inputs=[data, indices], name=f"test_gather_index_{name}")

    @staticmethod
    def export_gather_index_of_an_empty_axis() -> None:
        # "It is an error if any of the index values are out of bounds."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.zeros((0, 2), dtype=np.float32)
        indices = np.array([0], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gather_index_of_an_empty_axis")

    @staticmethod
    def export_gather_axis_outside() -> None:
        # "Accepted range is [-r, r-1] where r = rank(data)."
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([0], dtype=np.int64)
        for axis, name in ((2, "above"), (-3, "below")):
            node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"], axis=axis)
            expect_error(node, inputs=[data, indices], name=f"test_gather_axis_{name}")

    @staticmethod
    def export_gather_data_of_rank_0() -> None:
        # "Tensor of rank r >= 1."
        node = onnx.helper.make_node("Gather", inputs=["data", "indices"], outputs=["y"])
        data = np.array(1, dtype=np.float32)
        indices = np.array([0], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gather_data_of_rank_0")


class GatherElements(Base):
    @staticmethod
    def export_gather_elements_index_outside() -> None:
        # "It is an error if any of the index values are out of bounds."
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"], axis=1)
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        for index, name in ((2, "above"), (-3, "below")):
            indices = np.array([[0, index]], dtype=np.int64)
            expect_error(node, inputs=[data, indices], name=f"test_gather_elements_index_{name}")

    @staticmethod
    def export_gather_elements_rank() -> None:
        # "GatherElements takes two inputs `data` and `indices` of the same rank r >= 1"
        node = onnx.helper.make_node("GatherElements", inputs=["data", "indices"], outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([0], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gather_elements_rank")


class GatherND(Base):
    @staticmethod
    def export_index_outside() -> None:
        # "It is an error if any of the index values are out of bounds."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        for index, name in ((2, "above"), (-3, "below")):
            indices = np.array([[0, 0], [1, index]], dtype=np.int64)
            expect_error(node, inputs=[data, indices], name=f"test_gathernd_index_{name}")

    @staticmethod
    def export_long_tuples() -> None:
        # "If `indices_shape[-1] > r-b` => error condition"
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([[0, 0], [1, 1]], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gathernd_long_tuples")

    @staticmethod
    def export_unequal_batches() -> None:
        # "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([[0]], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gathernd_unequal_batches")

    @staticmethod
    def export_large_batch_dims() -> None:
        # "b < min(q, r) is to be honored."
        node = onnx.helper.make_node("GatherND", inputs=["data", "indices"], outputs=["output"], batch_dims=1)
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([0, 0], dtype=np.int64)
        expect_error(node, inputs=[data, indices], name="test_gathernd_large_batch_dims")


class ScatterElements(Base):
    @staticmethod
    def export_scatter_elements_index_outside() -> None:
        # "It is an error if any of the index values are out of bounds."
        node = onnx.helper.make_node("ScatterElements", inputs=["data", "indices", "updates"], outputs=["y"])
        data = np.array([1, 2, 3], dtype=np.float32)
        updates = np.array([10, 20], dtype=np.float32)
        for index, name in ((3, "above"), (-4, "below")):
            indices = np.array([0, index], dtype=np.int64)
            expect_error(node, inputs=[data, indices, updates], name=f"test_scatter_elements_index_{name}")

    @staticmethod
    def export_scatter_elements_shape_of_updates() -> None:
        # "Tensor of rank r >=1 (same rank and shape as indices)"
        node = onnx.helper.make_node("ScatterElements", inputs=["data", "indices", "updates"], outputs=["y"])
        data = np.array([1, 2, 3], dtype=np.float32)
        indices = np.array([0, 1], dtype=np.int64)
        updates = np.array([10, 20, 30], dtype=np.float32)
        expect_error(node, inputs=[data, indices, updates], name="test_scatter_elements_shape_of_updates")


class ScatterND(Base):
    @staticmethod
    def export_scatternd_index_outside() -> None:
        # "but are expected in the valid range."
        node = onnx.helper.make_node("ScatterND", inputs=["data", "indices", "updates"], outputs=["y"])
        data = np.array([1, 2, 3], dtype=np.float32)
        updates = np.array([10, 20], dtype=np.float32)
        for index, name in ((3, "above"), (-4, "below")):
            indices = np.array([[0], [index]], dtype=np.int64)
            expect_error(node, inputs=[data, indices, updates], name=f"test_scatternd_index_{name}")

    @staticmethod
    def export_scatternd_shape_of_updates() -> None:
        # "Thus, the shape of `updates` must equal indices.shape[0:q-1] ++ data.shape[k:r], where ++ denotes the
        # concatenation of shapes."
        node = onnx.helper.make_node("ScatterND", inputs=["data", "indices", "updates"], outputs=["y"])
        data = np.array([[1, 2], [3, 4]], dtype=np.float32)
        indices = np.array([[0]], dtype=np.int64)
        updates = np.array([[10]], dtype=np.float32)
        expect_error(node, inputs=[data, indices, updates], name="test_scatternd_shape_of_updates")

    @staticmethod
    def export_scatternd_long_tuples() -> None:
        # "Hence, k can be a value at most the rank of `data`."
        node = onnx.helper.make_node("ScatterND", inputs=["data", "indices", "updates"], outputs=["y"])
        data = np.array([1, 2], dtype=np.float32)
        indices = np.array([[0, 0]], dtype=np.int64)
        updates = np.array([10], dtype=np.float32)
        expect_error(node, inputs=[data, indices, updates], name="test_scatternd_long_tuples")


class TensorScatter(Base):
    @staticmethod
    def export_tensorscatter_beyond_the_cache() -> None:
        # "`linear` mode requires write_indices+sequence_length<=max_sequence_length."
        node = onnx.helper.make_node(
            "TensorScatter", inputs=["past_cache", "update", "write_indices"], outputs=["present_cache"]
        )
        past_cache = np.array([[[1], [2], [3]]], dtype=np.float32)
        update = np.array([[[10], [20]]], dtype=np.float32)
        write_indices = np.array([2], dtype=np.int64)
        name = "test_tensorscatter_beyond_the_cache"
        expect_error(node, inputs=[past_cache, update, write_indices], name=name)

    @staticmethod
    def export_tensorscatter_axis_0() -> None:
        # "It cannot be 0 (the batch dimension)."
        node = onnx.helper.make_node(
            "TensorScatter", inputs=["past_cache", "update"], outputs=["present_cache"], axis=0
        )
        past_cache = np.array([[1, 2], [3, 4]], dtype=np.float32)
        update = np.array([[10, 20]], dtype=np.float32)
        expect_error(node, inputs=[past_cache, update], name="test_tensorscatter_axis_0")


class OneHot(Base):
    @staticmethod
    def export_onehot_three_values() -> None:
        # "Rank 1 tensor containing exactly two elements, in the format [off_value, on_value]"
        node = onnx.helper.make_node("OneHot", inputs=["indices", "depth", "values"], outputs=["y"])
        indices = np.array([0], dtype=np.int64)
        depth = np.array(2, dtype=np.int64)
        values = np.array([0, 1, 2], dtype=np.int64)
        expect_error(node, inputs=[indices, depth, values], name="test_onehot_three_values")

    @staticmethod
    def export_onehot_axis_outside() -> None:
        # "Accepted range is [-r-1, r] where r = rank(indices)."
        indices = np.array([0], dtype=np.int64)
        depth = np.array(2, dtype=np.int64)
        values = np.array([0, 1], dtype=np.int64)
        for axis, name in ((2, "above"), (-3, "below")):
            node = onnx.helper.make_node("OneHot", inputs=["indices", "depth", "values"], outputs=["y"], axis=axis)
            expect_error(node, inputs=[indices, depth, values], name=f"test_onehot_axis_{name}")
