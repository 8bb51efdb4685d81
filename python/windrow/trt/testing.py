"""Runs networks, for which TensorRT needs engines, and the examples of NVIDIA's operator pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.arrays import as_numpy
from windrow._base.errors import ArgumentError, DTypeError
from windrow.trt import _network
from windrow.trt._dims import Dims, volume
from windrow.trt._logger import Logger
from windrow.trt._network import Builder, INetworkDefinition, ITensor
from windrow.trt._types import array_dtype

__all__ = ["Example", "run"]


def run(
    network: INetworkDefinition,
    inputs: Mapping[str, Any],
    *,
    cast: bool = False,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    kernels: str | None = None,
    threads: int | None = None,
) -> dict[str, np.ndarray[Any, Any]]:
    """Runs a network on the CPU, from arrays by input name to arrays by output name.

    inputs: arrays of the declared types; lists and numbers are converted if no value changes. If the
        declared shape is known, an array of another shape with the same number of elements is
        reshaped to it in row-major order; -1 stands for any extent, and then the ranks must agree.
    cast: also converts arrays of other types to the declared ones if no value changes.
    out_of_range, negative, padding_index, strict, duplicates, kernels, threads: as for windrow.call(), for
        every layer.

    Raises windrow.ArgumentError (a network without outputs, an input that is missing or unknown),
    windrow.DTypeError, windrow.ShapeError, windrow.IndexOutOfRange, windrow.DuplicateIndex.
    """
    declared = {tensor.name: tensor for tensor in _inputs(network)}
    given = {}
    for name, value in inputs.items():
        if not isinstance(name, str):
            raise ArgumentError(f"inputs are given by name, which {name!r} is not")
        tensor = declared.get(name)
        given[name] = value if tensor is None else _as_declared(tensor, value, cast)
    options = {
        "out_of_range": out_of_range,
        "negative": negative,
        "padding_index": padding_index,
        "strict": strict,
        "duplicates": duplicates,
        "kernels": kernels,
    }
    outputs, _ = _network.to_model(network).prepare(options).run(given, threads)
    return dict(outputs)


def _inputs(network: INetworkDefinition) -> list[ITensor]:
    return [network.get_input(number) for number in range(network.num_inputs)]


def _as_declared(tensor: ITensor, value: Any, cast: bool) -> Any:
    if cast or isinstance(value, (list, tuple, bool, int, float)):
        value = _cast(tensor, value)
    shape = getattr(value, "shape", None)
    if shape is None or -1 in tensor.shape or tuple(shape) == tuple(tensor.shape):
        return value
    if math.prod(shape) != volume(tensor.shape):
        return value
    return as_numpy(value, "an input").reshape(tuple(tensor.shape))


def _cast(tensor: ITensor, value: Any) -> Any:
    """An array of the declared type, or `value` itself if it cannot be converted to numbers.

    Raises windrow.DTypeError for values that the type cannot represent.
    """
    try:
        array = as_numpy(value, "an input")
    except (ValueError, OverflowError):
        return value
    wanted = array_dtype(tensor.dtype)
    numbers = array.dtype.kind in "biufV" and array.dtype.name in _core.dtype_names()
    if array.dtype == wanted or not numbers:
        return value
    with np.errstate(all="ignore"):
        result = array.astype(wanted)
        back = result.astype(array.dtype)
    if not np.all((back == array) | ((back != back) & (array != array))):
        raise DTypeError(
            f"input '{tensor.name}' has values of type {array.dtype} that {wanted} does not hold"
        )
    return result


class Example:
    """An example from NVIDIA's operator pages, which builds a network and fills dictionaries.

    network: empty until the example adds to it. inputs: arrays by the names of inputs. outputs:
    shapes by the names of outputs. expected: arrays by the names of outputs.
    """

    def __init__(self) -> None:
        self.network: INetworkDefinition = Builder(Logger()).create_network()
        self.inputs: dict[str, Any] = {}
        self.outputs: dict[str, Dims] = {}
        self.expected: dict[str, Any] = {}

    def execute(self, source: str) -> None:
        """Runs Python code that knows network, inputs, outputs, expected, trt and np."""
        from windrow import trt

        exec(compile(source, "<example>", "exec"), {"trt": trt, "np": np, **vars(self)})

    def run(self) -> dict[str, np.ndarray[Any, Any]]:
        """The outputs. Inputs are cast, because the examples leave types to NumPy."""
        return run(self.network, self.inputs, cast=True)

    def check(self) -> None:
        """Raises AssertionError unless the outputs have the announced shapes and the expected values."""
        results = self.run()
        for name, shape in self.outputs.items():
            if shape != results[name].shape:
                raise AssertionError(f"{name}: shape {results[name].shape}, announced as {shape}")
        for name, value in self.expected.items():
            expected, result = np.asarray(value), results[name]
            if expected.shape != result.shape:
                raise AssertionError(f"{name}: shape {result.shape}, expected {expected.shape}")
            np.testing.assert_array_equal(result, expected, err_msg=name)
