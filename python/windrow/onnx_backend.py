"""ONNX's back-end interface: prepare, run_model, run_node, supports_device, is_compatible.

For code that takes any back end, such as the official onnx.backend.test.BackendTest. Needs the
package onnx. A model is compatible if every node is one that windrow.load() can run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from windrow._base.errors import ArgumentError, Error, Unsupported, needed_by
from windrow._base.text import counted
from windrow._models.model import Model, load

with needed_by("windrow.onnx_backend", "onnx"):
    import onnx
    from onnx import ModelProto, NodeProto
    from onnx.backend.base import Backend, BackendRep, namedtupledict

__all__ = [
    "WindrowBackend",
    "WindrowRep",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]


def _read(model: ModelProto) -> Model:
    for value in (*model.graph.input, *model.graph.output):
        kind = value.type.WhichOneof("value")
        if kind not in (None, "tensor_type"):
            raise Unsupported(f"{value.name!r} is not a tensor but a {kind.removesuffix('_type')}")
    return load(model)


def _incompatible(message: str) -> Unsupported:
    """The error by which onnx's own tests recognise what a back end does not support."""
    from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

    class Incompatible(Unsupported, BackendIsNotSupposedToImplementIt):
        pass

    Incompatible.__name__ = Incompatible.__qualname__ = Unsupported.__name__
    Incompatible.__module__ = Unsupported.__module__
    return Incompatible(message)


class WindrowRep(BackendRep):
    """A prepared model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Runs the model. inputs: a dict by name, or a sequence in the graph's order.

        A single array is taken as the only input. kwargs: those of windrow.Model.run(). Returns a named
        tuple of the outputs. Raises windrow.Error.
        """
        names = [value.name for value in (*self._model.inputs, *self._model.default_inputs)]
        if not isinstance(inputs, Mapping):
            values = list(inputs) if isinstance(inputs, Sequence) else [inputs]
            if len(values) > len(names):
                raise ArgumentError(f"{counted(len(values), 'input')} given, the model takes {len(names)}")
            inputs = dict(zip(names, values))
        outputs = self._model.run(inputs, **kwargs)
        result: tuple[Any, ...] = namedtupledict("Outputs", list(outputs))(*outputs.values())
        return result


class WindrowBackend(Backend):
    """The back end, as onnx.backend.base.Backend describes one."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Only "CPU", with any number behind a colon."""
        return device.partition(":")[0] == "CPU"

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether prepare() would take the model."""
        try:
            return cls.supports_device(device) and not _read(model).unsupported()
        except Error:
            return False

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> WindrowRep:
        """Checks the model with onnx.checker and reads it.

        Raises windrow.Unsupported for another device or unsupported operators, and the errors of
        onnx.checker.
        """
        if not cls.supports_device(device):
            raise Unsupported(f"there is no device {device!r}; there is: CPU")
        onnx.checker.check_model(model)
        try:
            read = _read(model)
        except Unsupported as error:
            raise _incompatible(str(error)) from error
        if read.unsupported():
            raise _incompatible(f"unsupported operators: {'; '.join(read.unsupported())}")
        return WindrowRep(read)

    @classmethod
    def run_model(
        cls, model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """prepare(), then run()."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Runs one node. inputs: arrays, one per input of the node that is not omitted.

        opset_version: the version of the node's domain; by default the newest that onnx knows.
        """
        import numpy as np

        arrays = [np.asarray(value) for value in inputs]
        names = [name for name in node.input if name]
        values = [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in zip(names, arrays)
        ]
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        graph = onnx.helper.make_graph([node], "node", values, outputs)
        newest = 1 if node.domain == "ai.onnx.ml" else onnx.defs.onnx_opset_version()
        opset = onnx.helper.make_opsetid(node.domain, kwargs.get("opset_version", newest))
        model = onnx.helper.make_model(graph, opset_imports=[opset])
        if not cls.supports_device(device):
            raise Unsupported(f"there is no device {device!r}; there is: CPU")
        return WindrowRep(_read(model)).run(arrays)


is_compatible = WindrowBackend.is_compatible
prepare = WindrowBackend.prepare
run_model = WindrowBackend.run_model
run_node = WindrowBackend.run_node
supports_device = WindrowBackend.supports_device
