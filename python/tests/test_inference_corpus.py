"""What inference proves of the models of ONNX's back-end tests, beside the outputs that come with them.

A proven type or extent that an actual output does not have is a wrong proof, whatever the file declares.
"""

import collections
import warnings
from pathlib import Path

import numpy as np
import onnx
import windrow
from onnx.backend.test.case.node import collect_testcases
from windrow._models import onnx_shapes

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"


def shape_and_type(tensor):
    """(shape, onnx's number of the type) of a value of test data; None if it is not a tensor."""
    if isinstance(tensor, onnx.TensorProto):
        return tuple(tensor.dims), tensor.data_type
    if isinstance(tensor, (np.ndarray, np.generic)):
        array = np.asarray(tensor)
        if array.dtype.kind in "OTUS":
            return array.shape, onnx.TensorProto.STRING
        return array.shape, onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    return None


def parse(file):
    """Shape and type of a value in a file, or None for sequences and optionals."""
    try:
        return shape_and_type(onnx.TensorProto.FromString(file.read_bytes()))
    except Exception:  # protobuf's DecodeError
        return None


def cases():
    """(name, model, data sets) of the package's models: a data set is the values of inputs and of outputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        generated = collect_testcases(None)
    for case in generated:
        if case.model is not None:
            sets = [tuple([shape_and_type(value) for value in side] for side in both) for both in case.data_sets]
            yield case.name, case.model, sets
    for path in sorted(DATA.glob("*/*/model.onnx")):
        model = onnx.load(path)
        sets = []
        for folder in path.parent.glob("test_data_set_*"):
            counts = {"input": len(model.graph.input), "output": len(model.graph.output)}
            files = [
                [folder / f"{side}_{i}.pb" for i in range(count)] for side, count in counts.items()
            ]
            sets.append(tuple([parse(file) if file.exists() else None for file in side] for side in files))
        yield path.parent.name, model, sets


def symbols_of(found, model, inputs):
    """The values of symbols, by the inputs of this data."""
    values = {}
    for value, given in zip(model.graph.input, inputs):
        if given is not None:
            for dim, extent in zip(found[value.name].shape or (), given[0]):
                if isinstance(dim, str):
                    values[dim] = extent
    return values


def faults(name, found, model, inputs, outputs):
    symbols = symbols_of(found, model, inputs)
    for output, given in zip(model.graph.output, outputs):
        value = found[output.name]
        if value.basis not in ("proven", "onnx") or given is None or not output.type.HasField("tensor_type"):
            continue
        shape, data_type = given
        if value.dtype is not None and value.dtype != onnx_shapes.type_name(data_type):
            yield f"{name}: {value.name} has the type {onnx_shapes.type_name(data_type)}, not {value}"
        if value.shape is None:
            continue
        wanted = tuple(symbols.get(dim) if isinstance(dim, str) else dim for dim in value.shape)
        fits = len(wanted) == len(shape) and all(a is None or a == b for a, b in zip(wanted, shape))
        if not fits:
            yield f"{name}: {value.name} has the shape {shape}, not {value}"


def test_what_is_proven_is_true():
    read, wrong, compared, bases = 0, [], 0, collections.Counter()
    for name, model, sets in cases():
        loaded = windrow.load(model)
        read += 1
        graphs, rest = loaded._core.infer(lambda skeleton: (onnx_shapes.infer(skeleton), ""))
        found = {key: windrow.Value(*value) for key, value in graphs[0][1].items()}
        bases.update(value.basis for _, values in graphs for value in map(lambda row: windrow.Value(*row), values.values()))
        for inputs, outputs in sets:
            compared += 1
            wrong += faults(name, found, model, inputs, outputs)
    print(f"{read} models, {compared} data sets, values by basis: {dict(bases)}")
    assert not wrong, "\n".join(wrong)
    assert read > 1500 and compared > 1500
    assert bases["proven"] > 1000 and bases["onnx"] > 0
