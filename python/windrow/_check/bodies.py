"""The gather and scatter nodes in bodies and functions: the values that enter them, and what hosts make of these."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from windrow._base.text import counted
from windrow._check.nodes import OwnNode
from windrow._check.observe import listed_paths
from windrow._models.reports import Node, NodeReport
from windrow.runners import ModelFile, Observation, runner
from windrow.runners._requests import Format, ModelRun
from windrow.runners._results import Execution

# The evaluator whose runs show the values that enter bodies.
_EVALUATOR = "onnx_reference"
_OF_IR = "no evaluator runs OpenVINO IR with its bodies; with the ONNX model that it was made from, check judges them"
# How many different executions of a node are compared with hosts, besides the first one that is an error.
_MOST_COMPARED = 32


@dataclasses.dataclass(frozen=True)
class Entered:
    """The values that entered a node in one execution. place: "in iteration 2", or "" outside of loops."""

    node: OwnNode
    place: str
    inputs: tuple[Any, ...]


class InsideNodes:
    """The executions of the nodes in bodies and functions on given inputs.

    The values come from onnx's evaluator, which runs every body and function, and goes on to the first error. notes: what
    is not known, and why; known: the executions to compare with hosts; unreached: the paths of nodes that the run does not reach; exist:
    whether there are nodes in bodies or functions.
    """

    def __init__(self, file: ModelFile, reports: Sequence[NodeReport], arrays: Mapping[str, Any]) -> None:
        self.notes: list[str] = []
        self.known: list[Entered] = []
        self.unreached: set[str] = set()
        self.exist = bool(reports)
        if not reports:
            return
        paths = [report.path for report in reports]
        evaluator = runner(_EVALUATOR)
        reason = evaluator.fault() or (_OF_IR if file.format == "openvino" else evaluator.why_not(file.format))
        if reason:
            self._note(paths, reason)
            return
        run = ModelRun(file, arrays, cut=True, inside=tuple(paths))
        result = evaluator.run_batch([run])[0]
        if result.failure is not None:
            self._note(paths, str(result.failure))
            return
        for path, why in result.not_observed.items():
            self._note([path], why)
        reached = {execution.path for execution in result.executions}
        by_path = {report.path: report for report in reports}
        self.known = list(self._entered(result.executions, by_path, file.format))
        left = [path for path in paths if path not in reached and path not in result.not_observed]
        if left:
            self._note(left, result.stopped or "the run does not reach them")
        elif result.stopped:
            self.notes.append(f"later values in bodies and functions are not observed: {result.stopped}")
        if not result.stopped:
            self.unreached = set(left)

    def rounds(self) -> Iterator[list[Entered]]:
        """The executions in groups that have each node at most once, the first ones first."""
        left = list(self.known)
        while left:
            by_path = {each.node.path: each for each in reversed(left)}
            group = [each for each in left if by_path[each.node.path] is each]
            left = [each for each in left if by_path[each.node.path] is not each]
            yield group

    def _note(self, paths: Sequence[str], reason: str) -> None:
        self.notes.append(f"not observed in bodies or functions: {listed_paths(paths)}: {reason}")

    def _entered(
        self, executions: Sequence[Execution], reports: Mapping[str, NodeReport], dialect: Format
    ) -> Iterator[Entered]:
        """The first executions of each node with different values, and the first one that is an error."""
        seen: dict[str, set[bytes]] = {}
        failed: set[str] = set()
        left: dict[str, int] = {}
        for execution in executions:
            path = execution.path
            known = seen.setdefault(path, set())
            key = _key_of(execution)
            if key in known:
                continue
            node = _own_node(reports[path], execution, dialect)
            is_full = len(known) >= _MOST_COMPARED
            if is_full and (path in failed or isinstance(node.compute(execution.inputs), np.ndarray)):
                left[path] = left.get(path, 0) + 1
                continue
            if not isinstance(node.compute(execution.inputs), np.ndarray):
                failed.add(path)
            known.add(key)
            yield Entered(node, _place_of(execution), execution.inputs)
        for path, count in left.items():
            self.notes.append(
                f"{path}: {counted(count, 'further execution', 'further executions')} with other values "
                f"{'was' if count == 1 else 'were'} not compared"
            )


def _place_of(execution: Execution) -> str:
    if not execution.iteration:
        return ""
    return "in iteration " + " of iteration ".join(str(number) for number in reversed(execution.iteration))


def _key_of(execution: Execution) -> bytes:
    parts = [repr(sorted(execution.attributes.items(), key=lambda item: item[0])).encode()]
    for value in execution.inputs:
        array = np.asarray(value)
        content = repr(array.tolist()).encode() if array.dtype.hasobject else array.tobytes()
        parts.append(f"{array.dtype}{array.shape}".encode() + content)
    return b"|".join(parts)


def _own_node(report: NodeReport, execution: Execution, dialect: Format) -> OwnNode:
    """The node with the attributes of this execution."""
    kind = report.operator.partition(".")[2]
    name, _, version = kind.rpartition("-")
    node = Node(
        report.node,
        name,
        execution.domain,
        int(version),
        tuple("" if value is None else f"input_{place}" for place, value in enumerate(execution.inputs)),
        tuple(value.name for value in report.outputs),
        {key: value for key, value in execution.attributes.items() if value is not None},
    )
    return OwnNode(
        report.path, report.operator, report.path, dialect, node, report.inputs, report.outputs, ()
    )


def observation_of(entered: Entered, outputs: Mapping[str, Any] | None) -> Observation:
    """The values of an execution, with what a host gave for it alone; no outputs if it gave none."""
    return Observation(entered.inputs, () if outputs is None else tuple(outputs.values()))
