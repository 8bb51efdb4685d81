"""Models that the kit writes are what ONNX's package and OpenVINO read, and what ONNX's package would write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from windrow_conformance.corpus import Corpus
from windrow_conformance.element_bytes import PACKED_BITS
from windrow_conformance.onnx_model import model_bytes, result_type, tensor_bytes
from windrow_conformance.openvino_model import ELEMENT_TYPES, axis_inputs, model_files, stand_in
from windrow_conformance.protobuf_writer import varint
from windrow_conformance.record import Record
from windrow_conformance.runtime import Unsupported
from windrow_conformance.tensor import Tensor

SCATTER_IS_DEPRECATED_IN = 11


def model_of(record: Record, **options: Any) -> onnx.ModelProto:
    model: onnx.ModelProto = onnx.ModelProto.FromString(model_bytes(record, **options))
    return model


def some(corpus: Corpus, dialect: Any, step: int) -> Iterator[Record]:
    """Every `step`-th record of the dialect; the step has no common divisor with the number of versions."""
    return map(corpus.record, corpus.paths(dialects=[dialect], tiers=["specification", "decision"])[::step])


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**63, 2**64 - 1, -1, -(2**63)])
def test_integers_are_protobufs(value: int) -> None:
    expected = onnx.AttributeProto(i=value if value < 2**63 else value - 2**64).SerializeToString()
    assert expected[1:] == varint(value)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1])
def test_an_integer_of_more_bits_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        varint(value)


def test_a_model_is_what_the_package_onnx_makes(corpus: Corpus) -> None:
    record = corpus.record("onnx/scatter_elements/example_axis_1")
    values = [helper.make_tensor_value_info(f"input_{n}", _number(t), t.shape) for n, t in enumerate(record.inputs) if t]
    expected = helper.make_model(
        helper.make_graph(
            [helper.make_node("ScatterElements", ["input_0", "input_1", "input_2"], ["output_0"], **record.attrs)],
            "record",
            values,
            [helper.make_tensor_value_info("output_0", TensorProto.FLOAT, [None, None])],
        ),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=8,
        producer_name="windrow-conformance",
    )
    assert model_of(record) == expected


def test_every_onnx_record_is_a_model_that_reads_back(corpus: Corpus) -> None:
    count = 0
    for record in corpus.records(dialects=["onnx"], tiers=["specification", "decision"]):
        try:
            content = model_bytes(record)
        except Unsupported as error:
            assert "uint1" in str(error), record.path
            continue
        model = onnx.ModelProto.FromString(content)
        assert model.SerializeToString(deterministic=True) == content, record.path
        assert model.ir_version >= helper.find_min_ir_version_for(model.opset_import, ignore_unknown=True), record.path
        count += 1
    assert count > 9000


def test_records_with_results_pass_the_checker(corpus: Corpus) -> None:
    for record in some(corpus, "onnx", 1):
        if record.output is None or (record.op == "Scatter" and record.version >= SCATTER_IS_DEPRECATED_IN):
            continue
        assert result_type(record) == (record.output.dtype, len(record.output.shape)), record.path
        onnx.checker.check_model(model_of(record))


def test_initializers_hold_the_inputs(corpus: Corpus) -> None:
    record = corpus.record("onnx/gather/example_axis_0")
    graph = model_of(record, constants=(1,)).graph
    assert [value.name for value in graph.input] == ["input_0"]
    [tensor] = graph.initializer
    assert tensor.name == "input_1"
    assert record.inputs[1] is not None
    np.testing.assert_array_equal(numpy_helper.to_array(tensor), record.inputs[1].array)


def test_an_omitted_input_has_no_name(corpus: Corpus) -> None:
    record = next(r for r in corpus.records("onnx/tensor_scatter/") if r.inputs[2:3] == (None,))
    graph = model_of(record).graph
    assert list(graph.node[0].input[:3]) == ["input_0", "input_1", ""]
    assert "input_2" not in [value.name for value in graph.input]


def test_tensors_of_every_type_hold_their_elements(corpus: Corpus) -> None:
    seen = set()
    for record in some(corpus, "onnx", 3):
        for tensor in record.inputs:
            if tensor is None or tensor.dtype == "uint1":
                continue
            seen.add(tensor.dtype)
            read = numpy_helper.to_array(TensorProto.FromString(tensor_bytes(tensor, "t")))
            assert read.shape == tensor.shape
            assert _bits(read, tensor.dtype) == _bits(tensor.array, tensor.dtype), (record.path, tensor.dtype)
    assert len(seen) == 25


@pytest.mark.parametrize("dtype", ["uint1", "nf4"])
def test_a_type_that_onnx_lacks_is_unsupported(dtype: str) -> None:
    with pytest.raises(Unsupported, match=dtype):
        tensor_bytes(Tensor(dtype, np.zeros(1, np.uint8)), "t")


def _number(tensor: Tensor) -> int:
    return int(helper.np_dtype_to_tensor_dtype(tensor.array.dtype))


def _bits(array: np.ndarray[Any, Any], dtype: str) -> bytes:
    """The elements, of small types one to a byte with the upper bits cleared."""
    if dtype == "string":
        return repr(array.tolist()).encode()
    raw = array.tobytes()
    return bytes(byte & (1 << PACKED_BITS[dtype]) - 1 for byte in raw) if dtype in PACKED_BITS else raw


# OpenVINO


@pytest.fixture(scope="module")
def core() -> Any:
    # Importing openvino sends usage data from a thread of its own, unless this package is missing.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    import openvino

    return openvino.Core()


def refused_by_openvino(record: Record) -> bool:
    """Calls that OpenVINO 2026.4 refuses when it infers shapes: batches that are broadcast, a negative axis of type
    int4 in a constant, of which it takes the sign for a bit, SliceScatter's vectors of 4-bit types and of numbers
    beyond int64, which it reads wrong, and its slices backwards from before the first element.
    """
    if record.op == "SliceScatter":
        vectors = [tensor.array.tolist() for tensor in record.inputs[2:] if tensor is not None]
        if any(tensor.dtype in ("int4", "uint4") for tensor in record.inputs[2:] if tensor is not None):
            return True
        starts, _, steps, *axes = vectors
        assert record.inputs[0] is not None
        extents = [record.inputs[0].shape[axis] for axis in (axes[0] if axes else range(len(starts)))]
        backwards = any(start < -extent and step < 0 for start, step, extent in zip(starts, steps, extents, strict=True))
        return backwards or any(number >= 2**63 for vector in vectors for number in vector)
    first, second = record.inputs[:2]
    axis = [record.inputs[position] for position in axis_inputs(record)]
    if record.op == "GatherND" and first is not None and second is not None:
        batch = int(record.attrs.get("batch_dims", 0))
        return first.shape[:batch] != second.shape[:batch]
    return any(tensor is not None and tensor.dtype == "int4" and (tensor.array >= 8).all() for tensor in axis)


def lacks_an_input(record: Record) -> bool:
    """Whether the record leaves out an input for which nothing stands in a model: the row or the number of segments."""
    try:
        for number, tensor in enumerate(record.inputs):
            if tensor is None:
                stand_in(record, number)
    except Unsupported:
        assert record.op in ("EmbeddingSegmentsSum", "SegmentMax")
        return True
    return False


def opset_of(record: Record) -> int:
    """The opset whose class OpenVINO makes."""
    return 4 if (record.op, record.version) == ("ScatterNDUpdate", 3) else record.version


def test_openvino_reads_the_models(corpus: Corpus, core: Any) -> None:
    import openvino

    count = 0
    for record in some(corpus, "openvino", 11):
        if record.output is None or refused_by_openvino(record) or lacks_an_input(record):
            continue
        model = core.read_model(*model_files(record, axis_inputs(record)))
        given = sum(tensor is not None for tensor in record.inputs)
        assert len(model.inputs) == given - len(axis_inputs(record)), record.path
        [result] = model.outputs
        assert result.get_names() == {"output_0"}
        assert result.get_element_type().get_type_name() == ELEMENT_TYPES[record.output.dtype], record.path
        assert result.get_partial_shape().compatible(openvino.PartialShape(list(record.output.shape))), record.path
        [operator] = [node for node in model.get_ordered_ops() if node.get_type_name() == record.op]
        assert operator.get_type_info().version_id == f"opset{opset_of(record)}"
        count += 1
    assert count > 250


def test_constants_of_every_type_hold_their_elements(corpus: Corpus, core: Any) -> None:
    seen = set()
    for record in some(corpus, "openvino", 13):
        if record.output is None or refused_by_openvino(record) or lacks_an_input(record):
            continue
        model = core.read_model(*model_files(record, range(len(record.inputs))))
        assert not model.inputs
        for node in model.get_ordered_ops():
            if node.get_type_name() == "Constant":
                number = int(node.get_friendly_name().removeprefix("input_"))
                tensor = record.inputs[number] or stand_in(record, number)
                seen.add(tensor.dtype)
                assert tuple(node.get_output_shape(0)) == tensor.shape
                if tensor.array.size:
                    assert _constant(node, tensor) == _bits(tensor.array, tensor.dtype), (record.path, tensor.dtype)
    assert seen == set(ELEMENT_TYPES)


def _constant(node: Any, tensor: Tensor) -> bytes:
    if tensor.dtype == "string":
        return repr(np.array(node.get_value_strings()).reshape(tensor.shape).tolist()).encode()
    if tensor.dtype not in PACKED_BITS:
        return bytes(np.ascontiguousarray(node.data).tobytes())
    width = PACKED_BITS[tensor.dtype]
    packed = np.frombuffer(np.ascontiguousarray(node.data).tobytes(), np.uint8)
    bits = np.unpackbits(packed, bitorder="big" if width == 1 else "little")[: tensor.array.size * width]
    return bytes((bits.reshape(-1, width) @ (1 << np.arange(width))).astype(np.uint8))


@pytest.mark.parametrize("dtype", ["complex64", "float8_e4m3fnuz"])
def test_a_type_that_openvino_lacks_is_unsupported(corpus: Corpus, dtype: str) -> None:
    record = next(r for r in corpus.records("openvino/gather/") if r.inputs[0] is not None and r.inputs[0].dtype == dtype)
    with pytest.raises(Unsupported, match=dtype):
        model_files(record)
