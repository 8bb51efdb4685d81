"""Finds the first value of a model that differs between two hosts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from windrow._base.progress import step
from windrow._check.iterations import MOST_ITERATIONS, run_of_body
from windrow._check.observe import HostRuns
from windrow.runners import ModelRun, Result
from windrow.runners._closeness import Distance, find_distance
from windrow.runners._onnx_graphs import Graph, OnnxGraph

# The number of nodes whose values one run exposes, besides those in front of the node in question.
_MOST_EXPOSED = 16


@dataclass(frozen=True)
class FirstDifferent:
    """A value that differs although all values from which its node computes it are equal, up to rounding.

    graph, position: the node that makes it. value: its name. place: "in iteration 2 of main/loop", or "". distance: how
    the second host's value differs. rounding: the largest difference of rounding among what the node reads, or None.
    doubt: why an earlier value may differ as well; empty if none does. read: the values that the node gets, in the first
    host, None for omitted ones; empty if they are not known. made: the value in both hosts.
    """

    graph: Graph
    position: int
    value: str
    place: str
    distance: Distance
    rounding: Distance | None = None
    doubt: str = ""
    read: tuple[Any, ...] = ()
    made: tuple[Any, ...] = ()

    @property
    def node(self) -> Any:
        return self.graph.nodes[self.position]

    @property
    def path(self) -> str:
        """The path of the node that makes the value."""
        return self.graph.paths[self.position]


@dataclass(frozen=True)
class _Seen:
    """A value in both hosts, and how that of the second one differs; None if they are equal."""

    arrays: tuple[Any, Any]
    distance: Distance | None

    @property
    def differs(self) -> bool:
        return self.distance is not None and not self.distance.rounding


class Search:
    """The search in two hosts. settings: how the model runs in each. tolerance: as for find_distance()."""

    def __init__(self, settings: Sequence[HostRuns], tolerance: float | None) -> None:
        self._settings, self._tolerance = settings, tolerance

    def first(self, graph: Graph, inputs: Mapping[str, Any], value: str, distance: Distance) -> FirstDifferent | None:
        """The first value that differs among those from which `value`, which differs, is computed, and itself.

        None if no node makes it.
        """
        position = graph.maker.get(value)
        while position is not None:
            step(f"looking for the first value that differs: {value}")
            before = graph.before(position)
            seen = self._look(graph, inputs, value, position, before)
            if seen is None:
                doubt = "with values in front of it exposed, the hosts agree on it or do not run"
                return FirstDifferent(graph, position, value, "", distance, None, doubt)
            distance = seen[value].distance or distance
            earlier = min(
                (graph.maker[name], name) for name in [*seen, value]
                if name in graph.maker and (name == value or (seen[name].differs and graph.maker[name] != position))
            )
            if earlier[1] == value:
                return self._made(graph, inputs, position, value, distance, seen)
            position, value = earlier
            distance = seen[value].distance or distance
        return None

    def _look(
        self, graph: Graph, inputs: Mapping[str, Any], value: str, position: int, before: Sequence[int]
    ) -> dict[str, _Seen] | None:
        """The values around a node and some before it, in a run in which `value` still differs; None if there is none.

        Exposed values change what hosts fuse, so that a difference may vanish; then fewer are exposed.
        """
        direct = sorted({graph.maker[name] for name in graph.reads[position] if name in graph.maker})
        choices: list[set[int]] = [{*direct, *_spread(before, _MOST_EXPOSED)}, {*direct, *_spread(before, 2)}]
        choices += [set(direct), *({each} for each in direct[:_MOST_EXPOSED]), set()]
        tried: list[set[int]] = []
        for chosen in choices:
            if chosen in tried:
                continue
            tried.append(chosen)
            seen = self._compare(graph, inputs, [*sorted(chosen), position])
            if value in seen and seen[value].differs:
                return seen
        return None

    def _compare(self, graph: Graph, inputs: Mapping[str, Any], positions: Sequence[int]) -> dict[str, _Seen]:
        """The values at these nodes in both hosts; without those that a host does not show."""
        names = {graph.exposed_as(each): each for each in positions}
        found = [self._values(graph, inputs, names, setting) for setting in self._settings]
        both = {name: (array, found[1][name]) for name, array in found[0].items() if name in found[1]}
        return {name: _Seen(pair, find_distance(*pair, self._tolerance)) for name, pair in both.items()}

    def _values(
        self, graph: Graph, inputs: Mapping[str, Any], names: Mapping[str, int], setting: HostRuns
    ) -> dict[str, Any]:
        result = _run(setting, graph, inputs, tuple(names))
        values: dict[str, Any] = {}
        for name, position in names.items():
            seen = result.observed.get(name)
            if seen is not None:
                node = graph.nodes[position]
                sides = (*zip(node.input, seen.inputs), *zip(node.output, seen.outputs))
                values |= {key: array for key, array in sides if key and array is not None}
        # What a run was given counts as what arrived.
        return {**values, **{name: array for name, array in inputs.items() if name in values}}

    def _made(
        self,
        graph: Graph,
        inputs: Mapping[str, Any],
        position: int,
        value: str,
        distance: Distance,
        seen: Mapping[str, _Seen],
    ) -> FirstDifferent:
        """The difference at a node that got equal values, or inside of one of its bodies."""
        read = [name for name in graph.reads[position] if name in seen]
        unseen = [name for name in graph.reads[position] if name not in seen and name in graph.maker]
        rounded = [each for name in read if (each := seen[name].distance) is not None]
        rounding = max(rounded, key=lambda each: each.relative or 0.0, default=None)
        doubt = f"{', '.join(unseen)} in front of it cannot be observed" if unseen else graph.not_opened(position)
        arrays = dict(self._known(graph, inputs, position, seen))
        inner = self._inside(graph, position, arrays)
        if inner is not None:
            return inner
        names = graph.nodes[position].input
        is_known = all(name in arrays for name in names if name)
        given = tuple(arrays.get(name) for name in names) if is_known else ()
        return FirstDifferent(graph, position, value, "", distance, rounding, doubt, given, seen[value].arrays)

    def _known(
        self, graph: Graph, inputs: Mapping[str, Any], position: int, seen: Mapping[str, _Seen]
    ) -> Iterator[tuple[str, Any]]:
        """The values that a node and its bodies read, as the first host has them."""
        for name in graph.reads[position]:
            array = seen[name].arrays[0] if name in seen else inputs.get(name)
            array = graph.constant(name) if array is None else array
            if array is not None:
                yield name, array

    def _inside(self, graph: Graph, position: int, arrays: Mapping[str, Any]) -> FirstDifferent | None:
        """The first different value in a body of a node, which runs alone; None if none differs there."""
        run = run_of_body(graph.nodes[position], graph.opsets.get("", 0), arrays)
        if run is None:
            return None
        given = {name: arrays[name] for name in graph.inner_reads(position, run.attribute) if name in arrays}
        if len(given) < len(graph.inner_reads(position, run.attribute)):
            return None
        for iteration in range(MOST_ITERATIONS):
            inputs = run.inputs(iteration)
            if inputs is None:
                return None
            all_inputs = {**given, **inputs}
            body = graph.body(position, run.attribute, all_inputs)
            runs = [_run(setting, body, all_inputs) for setting in self._settings]
            if any(each.outputs is None for each in runs):
                return None
            outputs = [list((each.outputs or {}).values()) for each in runs]
            found = self._first_output(body, all_inputs, outputs)
            if found is not None:
                where = f"in iteration {iteration} of {graph.paths[position]}" if run.repeats else ""
                return dataclasses.replace(found, place=found.place or where)
            run.take(outputs[0])
        return None

    def _first_output(
        self, body: OnnxGraph, inputs: Mapping[str, Any], outputs: Sequence[Sequence[Any]]
    ) -> FirstDifferent | None:
        for name, first, second in zip((each.name for each in body.model.graph.output), *outputs):
            distance = find_distance(first, second, self._tolerance)
            if distance is not None and not distance.rounding:
                return self.first(body, inputs, name, distance)
        return None


def _run(setting: HostRuns, graph: Graph, inputs: Mapping[str, Any], expose: tuple[str, ...] = ()) -> Result:
    given = {name: array for name, array in inputs.items() if name in graph.inputs}
    request = ModelRun(
        graph.file, given, expose, windrow_inside=setting.windrow_inside, threads=setting.threads
    )
    return setting.host.runner.run_batch([request], limits=setting.limits(), pool=setting.pool)[0]


def _spread(positions: Sequence[int], count: int) -> list[int]:
    """At most this number of positions, evenly spread, with the first and the last one."""
    if len(positions) <= count:
        return list(positions)
    return sorted({positions[round(each * (len(positions) - 1) / (count - 1))] for each in range(count)})
