"""Models with gather and scatter nodes: reading, running, inspecting and writing them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, ClassVar, Literal

import numpy as np

from windrow import _core
from windrow._base.arrays import as_numpy, from_python
from windrow._base.errors import ArgumentError, Unsupported
from windrow._base.text import counted
from windrow._models.prepared import PreparedModel, warned
from windrow._models.reports import Finding, Inference, Inspection, Node, NodeReport, Value, listed
from windrow._models.source import ModelProto, Source, serialized, state_of


def _host_input(value: Any, name: str, declared: Mapping[str, str | None]) -> Any:
    """An input as an array; lists take the declared type. Raises windrow.Error."""
    if name not in declared:
        raise ArgumentError(f"the model has no input '{name}'")
    is_array = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__dlpack__")
    return as_numpy(value, name) if is_array else from_python(value, name, declared[name] or "", False)


class Model:
    """A graph of gather and scatter nodes; made by windrow.load().

    Constant, Identity and Cast or Convert nodes run too; others are listed by unsupported(), and a
    model that has them runs in a host: see run().
    """

    # Runs a model's file in a host and gives its outputs. The package sets it: what knows hosts stands above models.
    _host_run: ClassVar[Callable[..., dict[str, Any]]]

    def __init__(self, core: _core.Model, source: Source | None = None) -> None:
        self._core = core
        self._source = source
        self._runs_here: bool | None = None  # not inferred yet
        self._prepared: tuple[dict[str, Any], PreparedModel] | None = None

    @property
    def dialect(self) -> str:
        """ "onnx" or "openvino"."""
        return self._core.dialect

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The inputs that a run requires."""
        return tuple(Value(*value) for value in self._core.inputs())

    @property
    def default_inputs(self) -> tuple[Value, ...]:
        """Inputs with a default value in the model, which a run may override."""
        return tuple(Value(*value) for value in self._core.default_inputs())

    @property
    def outputs(self) -> tuple[Value, ...]:
        """The outputs, in the model's order."""
        return tuple(Value(*value) for value in self._core.outputs())

    @property
    def nodes(self) -> tuple[Node, ...]:
        """In the file's order."""
        return tuple(
            Node(**{**row, "inputs": tuple(row["inputs"]), "outputs": tuple(row["outputs"])})
            for row in self._core.nodes()
        )

    def unsupported(self) -> list[str]:
        """The operators that Windrow cannot run, with their nodes."""
        return self._core.unsupported()

    def infer(self, *, ask_onnx: bool = True) -> Inference:
        """The types and shapes of the values of all graphs, as far as inference can find them.

        The result has the main graph's values by name, each with its basis; .graphs has those of bodies
        and functions. Nodes that break rules of their operators, and wrong declarations of values, are
        in .findings. ask_onnx: whether onnx's shape inference is used for other operators that a gather
        or scatter depends on, in a process of its own; if the package onnx is missing or fails, .notes
        say so.
        """
        graphs, rest = self._core.infer(self._ask(ask_onnx))
        values = {path: {name: Value(*value) for name, value in found.items()} for path, found in graphs}
        return Inference(values, *_findings_and_notes(rest))

    def _ask(self, ask_onnx: bool) -> Callable[[bytes], tuple[Any, str]] | None:
        """The function that infers other operators."""
        if not ask_onnx or self.dialect != "onnx":
            return None
        from windrow._models.onnx_shapes import ask

        return ask

    def run(
        self,
        inputs: Mapping[str, Any],
        *,
        out_of_range: str | None = None,
        negative: str | None = None,
        padding_index: int | None = None,
        strict: bool = False,
        duplicates: str | None = None,
        kernels: str | None = None,
        threads: int | None = None,
        reference: bool = False,
        host: str | Literal[False] | None = None,
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Runs the graph: {"x": array} to {"y": array}, outputs in the graph's order.

        inputs: by name, as for windrow.call(); lists take the declared type. out_of_range, negative,
        padding_index, strict, duplicates, kernels, threads: as for windrow.call(), for every gather and
        scatter node. reference: runs the slow reference implementation.
        host: a model with unsupported() operators runs as a whole in an installed host, in a process of
        its own, with Windrow's gathers and scatters inside (windrow.runners); options other than
        threads are then an error. None takes the first host that can run it, "onnxruntime" or
        "openvino" uses that host for any model, False forbids hosts.
        Raises windrow.Error: a missing or unknown name, a type or shape that differs from the declared
        one, an unsupported operator, no host (windrow.Unsupported, which says what to install), a
        host's own error (windrow.HostError), or a node's error with the node's name.
        """
        if self._runs_here is None:
            self._runs_here = not self.unsupported()
        options = {
            "out_of_range": out_of_range,
            "negative": negative,
            "padding_index": padding_index,
            "strict": strict,
            "duplicates": duplicates,
            "kernels": kernels,
        }
        if host is not False and (host is not None or not self._runs_here):
            given = {**options, "reference": reference}
            chosen = [name for name, value in given.items() if value is not None and value is not False]
            return self._run_in_host(inputs, threads, host, chosen)
        if reference:
            return warned(self._core.run_reference(dict(inputs), options), 2)
        return warned(self._prepared_with(options)._run(dict(inputs), threads), 2)

    def prepare(
        self,
        *,
        out_of_range: str | None = None,
        negative: str | None = None,
        padding_index: int | None = None,
        strict: bool = False,
        duplicates: str | None = None,
        kernels: str | None = None,
    ) -> PreparedModel:
        """Prepares the model for many runs by Windrow.

        out_of_range, negative, padding_index, strict, duplicates, kernels: as for run(). run() prepares
        the model implicitly, and keeps the prepared model for the most recent options. Raises
        windrow.Error: an unsupported operator, or a node or constant that cannot be read.
        """
        return self._prepared_with(
            {
                "out_of_range": out_of_range,
                "negative": negative,
                "padding_index": padding_index,
                "strict": strict,
                "duplicates": duplicates,
                "kernels": kernels,
            }
        )

    def _prepared_with(self, options: dict[str, Any]) -> PreparedModel:
        if self._prepared is None or self._prepared[0] != options:
            self._prepared = options, PreparedModel(self._core.prepare(options))
        return self._prepared[1]

    def _run_in_host(
        self, inputs: Mapping[str, Any], threads: int | None, host: str | None, chosen: list[str]
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Runs the model's file in a host. chosen: the names of the options that the caller gave."""
        if chosen:
            raise ArgumentError(f"{chosen[0]} is not for models that run in a host")
        if self._source is None:
            raise Unsupported(
                "this model has no file that a host could read: give windrow.runners.run_with_host() "
                "its path or its bytes"
            )
        arrays = host_inputs(self, inputs)
        source = self._source
        outputs = self._host_run(source.model(), arrays, host=host, folder=source.folder, threads=threads)
        # OpenVINO may use another of an IR output's names; the order is the same.
        return dict(zip((value.name for value in self.outputs), outputs.values()))

    def inspect(
        self,
        *,
        out_of_range: str | None = None,
        negative: str | None = None,
        padding_index: int | None = None,
        strict: bool = False,
        duplicates: str | None = None,
        kernels: str | None = None,
        ask_onnx: bool = True,
    ) -> Inspection:
        """A report per gather or scatter node, in bodies and functions too: versions, values, axis, plan.

        out_of_range, negative, padding_index, strict, duplicates, kernels: as for run(), for the plans of the nodes. ask_onnx: as for infer(); the result has the .findings and .notes of infer(), too.
        """
        rows, rest = self._core.inspect(
            {
                "out_of_range": out_of_range,
                "negative": negative,
                "padding_index": padding_index,
                "strict": strict,
                "duplicates": duplicates,
                "kernels": kernels,
            },
            self._ask(ask_onnx),
        )
        inspection = Inspection(
            NodeReport(
                **{
                    **row,
                    "inputs": tuple(Value(*value) for value in row["inputs"]),
                    "outputs": tuple(Value(*value) for value in row["outputs"]),
                    "notes": tuple(row["notes"]),
                }
            )
            for row in rows
        )
        inspection.findings, inspection.findings_left_out, inspection.notes = _findings_and_notes(rest)
        return inspection

    def only_node(self, name: str) -> Model:
        """A model that consists only of the node that is called `name` or has an output of that name."""
        return Model(self._core.only_node(name))

    def save(self, path: str | os.PathLike[str], *, external_data: str | None = None) -> None:
        """Writes the model as OpenVINO IR (.xml with .bin beside it) or ONNX, atomically.

        The format must be that of the model's dialect. external_data, only for ONNX: the name of a file
        beside the model for all initializers of at least 1 KiB.
        """
        self._core.save(os.fspath(path), external_data or "")

    def __reduce__(self) -> tuple[Any, ...]:
        """The files that save() writes."""
        import tempfile  # here, because it makes every other program's first import of this package slower

        name = "model.xml" if self.dialect == "openvino" else "model.onnx"
        with tempfile.TemporaryDirectory() as folder:
            self.save(os.path.join(folder, name))
            files = {file: _content(os.path.join(folder, file)) for file in os.listdir(folder)}
        return _restore, (name, files)

    def __copy__(self) -> Model:
        return self  # models are immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def _title(self) -> str:
        inputs, outputs = listed(self.inputs), listed(self.outputs)
        return f"{self.dialect} model, {counted(len(self.nodes), 'node')}: {inputs} -> {outputs}"

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self._title())}</b></p>{self.inspect()._repr_html_()}"


def host_inputs(model: Model, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a run in a host, as arrays. Raises windrow.Error: a missing or unknown name, a wrong type."""
    declared = {value.name: value.dtype for value in (*model.inputs, *model.default_inputs)}
    arrays = {name: _host_input(array, name, declared) for name, array in inputs.items()}
    missing = [value.name for value in model.inputs if value.name not in arrays]
    if missing:
        raise ArgumentError(f"the model's input '{missing[0]}' is not given")
    return arrays


def name_of(model: Model) -> str:
    """The path that the model was read from, or a word for one in memory."""
    path = model._source.path if model._source is not None else None
    return path or "model"


def _findings_and_notes(rest: dict[str, Any]) -> tuple[tuple[Finding, ...], int, tuple[str, ...]]:
    findings = tuple(Finding(**row) for row in rest["findings"])
    return findings, rest["left_out"], tuple(rest["notes"])


def _restore(name: str, files: dict[str, bytes]) -> Model:
    """The model in these files; `name` is the first of them."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for file, content in files.items():
            with open(os.path.join(folder, file), "wb") as stream:
                stream.write(content)
        return load(os.path.join(folder, name))


def _content(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def load(
    model: str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
    *,
    folder: str | os.PathLike[str] | None = None,
) -> Model:
    """Reads a model: OpenVINO IR if the name ends in .xml, otherwise ONNX with its external data.

    model: a path, or an ONNX model in memory: its bytes, or an onnx.ModelProto. folder: the folder of
    the external data of a model in memory; without it, external data is an error. Constants stay in
    their files, which are kept open, until a run needs them; if a file has changed by then, the run
    raises windrow.FormatError.
    Raises windrow.FileError, windrow.FormatError, windrow.Unsupported, windrow.OutOfMemory;
    windrow.ArgumentError for external data without a folder, or a folder beside a path.
    """
    if isinstance(model, (str, os.PathLike)):
        if folder is not None:
            raise ArgumentError("folder is for models in memory: a file has its own folder")
        given = os.fspath(model)
        state = state_of(given)
        return Model(_core.load_model(given), Source(os.path.abspath(given), state, None, None))
    content = serialized(model)
    beside = None if folder is None else os.path.abspath(os.fspath(folder))
    parsed = _core.parse_model(content, "" if folder is None else os.fspath(folder) or ".")
    # A model that Windrow can run does not need the bytes any more.
    return Model(parsed, Source(None, None, content, beside) if parsed.unsupported() else None)
