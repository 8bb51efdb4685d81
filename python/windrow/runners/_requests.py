"""Requests to hosts: a model on inputs, or a single node."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from windrow._base.errors import ArgumentError
from windrow._models.source import ModelProto, serialized

# The formats of model files, which are also the dialects of single nodes.
Format: TypeAlias = Literal["onnx", "openvino"]


@dataclass(frozen=True)
class ModelFile:
    """A model as it stands in its file, which is passed to a host without being parsed and written again.

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
        """The file of an argument of windrow.load(): a path (IR if it ends in .xml), bytes or an onnx.ModelProto.

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
        """The folder of external data."""
        return self.folder if self.path is None else os.path.dirname(self.path)


@dataclass(frozen=True)
class ModelRun:
    """A whole model on inputs by name.

    expose: the names of nodes whose values are to be observed; a node without a name is called by one of its outputs.
    expose_inputs: further nodes, of which only the inputs are observed. cut: whether only the part of the model runs
    that these values need, without the model's own outputs. windrow_inside: whether Windrow's operators replace the
    host's. threads: the host's number of threads, None for its default. optimize: whether the host may change the
    graph, for hosts with such a setting. inside: the paths (as in NodeReport) of nodes in bodies and functions, of which
    every execution is observed; only onnx_reference can.
    """

    model: ModelFile
    inputs: Mapping[str, Any]
    expose: tuple[str, ...] = ()
    expose_inputs: tuple[str, ...] = ()
    cut: bool = False
    windrow_inside: bool = False
    threads: int | None = None
    optimize: bool = True
    inside: tuple[str, ...] = ()

    @property
    def exposed(self) -> tuple[str, ...]:
        """Every node with values to be observed."""
        return (*self.expose, *self.expose_inputs, *self.inside)

    @property
    def format(self) -> Format:
        """That of the model: "onnx" or "openvino"."""
        return self.model.format

    @property
    def version(self) -> int | None:
        """The operator set; None, because only the host reads it from the model."""
        return None

    def types(self) -> set[str]:
        """The element types of the inputs."""
        return set(_types_in(self.inputs.values()))


@dataclass(frozen=True)
class NodeCall:
    """One node on inputs; None is an omitted input.

    version: ONNX's operator set of the node's domain, or the OpenVINO operator's own version. constants: the positions
    of inputs that are constants in the model. dynamic: whether the model leaves the other inputs' extents open.
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
        """That of a model with this node: the dialect."""
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
