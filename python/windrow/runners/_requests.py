"""What a host can be asked: a model on inputs, or a single node."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from windrow._errors import ArgumentError
from windrow._model_source import ModelProto, serialized

# The formats of model files, which are also the dialects of single nodes.
Format: TypeAlias = Literal["onnx", "openvino"]


@dataclass(frozen=True)
class ModelFile:
    """A model as its file has it: nothing reads and writes it again on the way to a host.

    format: "onnx", or "openvino" for OpenVINO IR. path: absolute, or None for a model in memory, whose bytes are
    `data`. folder: where external data of a model in memory stands, or None. weights: the content of the .bin file of
    an IR in memory.
    """

    format: Format
    path: str | None = None
    data: bytes | None = None
    folder: str | None = None
    weights: bytes | None = None

    @classmethod
    def of(
        cls,
        model: ModelFile | str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
        folder: str | os.PathLike[str] | None = None,
    ) -> ModelFile:
        """The file of what windrow.load() takes: a path (IR where it ends in .xml), bytes or an onnx.ModelProto.

        Raises windrow.ArgumentError for a folder beside a path; TypeError for anything else.
        """
        if isinstance(model, ModelFile):
            return model
        if isinstance(model, (str, os.PathLike)):
            if folder is not None:
                raise ArgumentError("folder is for models in memory: a file has its own folder")
            path = os.path.abspath(os.fspath(model))
            return cls("openvino" if path.endswith(".xml") else "onnx", path)
        beside = None if folder is None else os.path.abspath(os.fspath(folder))
        return cls("onnx", data=serialized(model), folder=beside)

    def read(self) -> bytes:
        """The bytes of the model, without external data. Raises OSError."""
        if self.data is not None:
            return self.data
        assert self.path is not None
        return Path(self.path).read_bytes()

    def data_folder(self) -> str | None:
        """Where external data stands."""
        return self.folder if self.path is None else os.path.dirname(self.path)


@dataclass(frozen=True)
class ModelRun:
    """A whole model on inputs by name.

    expose: the names of nodes whose values are to be observed; a node without a name is called by one of its outputs.
    expose_inputs: more of them, of which the inputs alone are observed. cut: whether only that part of the model runs
    which these values need; it has no outputs of its own then.
    windrow_inside: whether Windrow's operators take the place of the host's. threads: the host's, None for its
    default. optimize: whether the host may change the graph, for hosts that can be told.
    """

    model: ModelFile
    inputs: Mapping[str, Any]
    expose: tuple[str, ...] = ()
    expose_inputs: tuple[str, ...] = ()
    cut: bool = False
    windrow_inside: bool = False
    threads: int | None = None
    optimize: bool = True

    @property
    def exposed(self) -> tuple[str, ...]:
        """Every node of which values are to be observed."""
        return (*self.expose, *self.expose_inputs)

    @property
    def format(self) -> Format:
        return self.model.format

    @property
    def version(self) -> int | None:
        """The operator set, which only the host reads out of a model."""
        return None

    def types(self) -> set[str]:
        """The element types of the inputs."""
        return set(_types_in(self.inputs.values()))


@dataclass(frozen=True)
class NodeCall:
    """One node on inputs; None is an omitted input.

    version: ONNX's operator set of the node's domain, or the OpenVINO operator's own version. constants: the positions
    of inputs that are constants of the model. dynamic: whether the model leaves the other inputs' extents open.
    outputs: how many outputs the node has; they are called output_0 and so on.
    """

    op_type: str
    inputs: tuple[Any, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    version: int = 0
    domain: str = ""
    dialect: Format = "onnx"
    constants: tuple[int, ...] = ()
    dynamic: bool = False
    outputs: int = 1
    threads: int | None = None

    @property
    def format(self) -> Format:
        return self.dialect

    def types(self) -> set[str]:
        """The element types of the inputs."""
        return set(_types_in(self.inputs))


def to_value(request: ModelRun | NodeCall) -> dict[str, Any]:
    """The request as a value that can go to another process."""
    value = {field.name: getattr(request, field.name) for field in dataclasses.fields(request)}
    for name in ("inputs", "attributes"):
        if isinstance(value.get(name), Mapping):
            value[name] = dict(value[name])
    if isinstance(request, ModelRun):
        value["model"] = dataclasses.asdict(request.model)
    return value


def from_value(value: dict[str, Any]) -> ModelRun | NodeCall:
    """The inverse of to_value()."""
    if "model" in value:
        return ModelRun(**{**value, "model": ModelFile(**value["model"])})
    return NodeCall(**value)


def _types_in(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _types_in(value)
        elif value is not None:
            dtype = np.asarray(value).dtype
            yield "string" if dtype.kind in "OTU" else dtype.name
