"""Records every execution of nodes in bodies and functions while onnx's evaluator runs a model.

Called in processes that run hosts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from windrow.runners._onnx_models import path_of

# Bytes of values and the number of executions that are recorded.
_MOST_BYTES = 1 << 28
_MOST_EXECUTIONS = 20_000


class _Full(Exception):
    """There is no room for further executions."""


def record(
    model: Any, inputs: Mapping[str, Any], paths: Sequence[str]
) -> tuple[list[dict[str, Any]], str, list[str]]:
    """The executions of the nodes with these paths as fields of Execution, why the recording ended before the run did (or
    ""), and the paths that the model does not have."""
    wanted = set(paths)
    found = set()
    for path, node in _nodes(model):
        node.doc_string = path if path in wanted else ""
        found.add(path)
    recorder = _Recorder(wanted)
    stopped = ""
    try:
        recorder.evaluator(model).run(None, dict(inputs))
    except _Full as full:
        stopped = str(full)
    except Exception as error:  # the evaluator raises whatever an operator's code raises
        stopped = f"onnx's evaluator ends the run: {type(error).__name__}: {error}"
    return recorder.executions, stopped, [path for path in paths if path not in found]


def _nodes(model: Any) -> Iterator[tuple[str, Any]]:
    """Every node of a model with its path."""
    taken: set[str] = set()
    yield from _nodes_in(model.graph.node, "main", taken)
    for function in model.functions:
        name = f"{function.domain}.{function.name}" if function.domain else function.name
        yield from _nodes_in(function.node, f"function {name}", taken)


def _nodes_in(nodes: Any, place: str, taken: set[str]) -> Iterator[tuple[str, Any]]:
    names: set[str] = set()
    for number, node in enumerate(nodes):
        path = path_of(node, number, place, names, taken)
        yield path, node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes_in(attribute.g.node, f"{path}.{attribute.name}", taken)
            for position, graph in enumerate(attribute.graphs):
                yield from _nodes_in(graph.node, f"{path}.{attribute.name}[{position}]", taken)


class _Recorder:
    """The executions of one run."""

    def __init__(self, wanted: set[str]) -> None:
        self.executions: list[dict[str, Any]] = []
        self._wanted = wanted
        self._bytes = 0
        self._iteration: list[int] = []

    def evaluator(self, model: Any) -> ReferenceEvaluator:
        """An evaluator that records; those of bodies and functions are made by it."""
        recorder = self

        class Recording(ReferenceEvaluator):
            """Records the executions of its nodes."""

            def _init(self) -> None:
                super()._init()
                for node in self.rt_nodes_:
                    recorder.watch(node)

        return Recording(model)

    def watch(self, node: Any) -> None:
        """Makes a node's execution record itself, or count the iterations of its body."""
        proto = node.onnx_node
        if proto.op_type in ("Loop", "Scan") and proto.domain == "":
            self._count_iterations(node)
        elif proto.doc_string in self._wanted:
            run = node.run

            def recording(*inputs: Any, **options: Any) -> Any:
                execution = self._begin(proto, inputs, options.get("linked_attributes") or {})
                outputs = run(*inputs, **options)
                execution["outputs"] = tuple(outputs)
                return outputs

            node.run = recording

    def _begin(self, proto: Any, inputs: Sequence[Any], linked: Mapping[str, Any]) -> dict[str, Any]:
        self._bytes += sum(value.nbytes for value in inputs if isinstance(value, np.ndarray))
        if self._bytes > _MOST_BYTES or len(self.executions) == _MOST_EXECUTIONS:
            raise _Full(f"only the first {len(self.executions)} executions of nodes in bodies and functions are kept")
        attributes = {attribute.name: _attribute(attribute, linked) for attribute in proto.attribute}
        # A later iteration may change an array in place.
        kept = tuple(None if value is None else np.array(value) for value in inputs)
        execution = {
            "path": proto.doc_string,
            "iteration": tuple(self._iteration),
            "domain": proto.domain,
            "attributes": attributes,
            "inputs": kept,
            "outputs": (),
        }
        self.executions.append(execution)
        return execution

    def _count_iterations(self, node: Any) -> None:
        body = node.body.run
        run = node.run

        def counting(*arguments: Any, **options: Any) -> Any:
            self._iteration[-1] += 1
            return body(*arguments, **options)

        def looping(*inputs: Any, **options: Any) -> Any:
            self._iteration.append(-1)
            try:
                return run(*inputs, **options)
            finally:
                self._iteration.pop()

        node.body.run = counting
        node.run = looping


def _attribute(attribute: Any, linked: Mapping[str, Any]) -> Any:
    if attribute.ref_attr_name:
        return linked.get(attribute.ref_attr_name)
    value = onnx.helper.get_attribute_value(attribute)
    return value.decode() if isinstance(value, bytes) else value
