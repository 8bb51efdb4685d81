"""Observes the values at a model's nodes while it runs in a host, and finds the node at which a run ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from windrow._base.progress import step
from windrow._base.text import counted
from windrow._check.hosts import Host
from windrow._check.nodes import OwnNode, known_bytes
from windrow.runners import Failure, Limits, ModelFile, ModelRun, Observation, Pool, Result

# Bytes of values that one run observes, as far as their sizes are known in advance.
MOST_BYTES = 1 << 30
# How often a group of nodes is halved that a host cannot expose together.
_MOST_HALVINGS = 24


@dataclass(frozen=True)
class HostRuns:
    """How a model runs in a host.

    pool: the host's processes. inputs: arrays by name. extents: the named extents of the model. threads: the host's
    number of threads, None for its default. windrow_inside: as in ModelRun.
    """

    host: Host
    pool: Pool
    model: ModelFile
    inputs: Mapping[str, Any]
    extents: Mapping[str, int]
    threads: int | None = None
    windrow_inside: bool = False

    def run(self, nodes: Sequence[OwnNode], inputs_of: Sequence[OwnNode] = (), *, cut: bool = False) -> Result:
        """Runs with the values at these nodes exposed, and with the inputs of further nodes."""
        request = ModelRun(
            self.model,
            self.inputs,
            tuple(node.exposed_as for node in nodes),
            tuple(node.exposed_as for node in inputs_of),
            cut,
            self.windrow_inside,
            self.threads,
        )
        return self.host.runner.run_batch([request], limits=self.limits(), pool=self.pool)[0]

    def limits(self) -> Limits:
        """No limit of time, and most of the memory that is free."""
        return Limits(None, _memory_limit())

    def values(self, result: Result, nodes: Sequence[OwnNode]) -> dict[OwnNode, Observation]:
        """The inputs and outputs of the nodes. The run's inputs count as received, even if the host converted them."""
        found = {}
        for node in nodes:
            seen = result.observed.get(node.exposed_as)
            if seen is not None:
                given = [self.inputs.get(name, value) for name, value in zip(node.node.inputs, seen.inputs)]
                found[node] = Observation(tuple(given), seen.outputs)
        return found

    def groups(self, nodes: Sequence[OwnNode], most: int) -> tuple[list[list[OwnNode]], list[OwnNode]]:
        """The nodes in groups whose values have at most this number of bytes; a node with more is a group of its own."""
        groups: list[list[OwnNode]] = []
        too_large: list[OwnNode] = []
        held: dict[str, int] = {}
        for node in nodes:
            sizes = {value.name: known_bytes(value, self.extents) for value in (*node.inputs, *node.outputs)}
            if sum(sizes.values()) > most:
                too_large.append(node)
                continue
            together = {**held, **sizes}
            if not groups or sum(together.values()) > most:
                groups.append([])
                together = sizes
            held = together
            groups[-1].append(node)
        return groups, too_large


class Observer:
    """Runs a model in a host until every node has been observed, or the host fails.

    failure: the host's failure on the whole model; None if it runs. outputs: of the whole model, by name; None if it does
    not run. notes: what is not observed, and why.
    """

    def __init__(self, runs: HostRuns) -> None:
        self.runs = runs
        self.failure: Failure | None = None
        self.outputs: dict[str, Any] | None = None
        self.notes: list[str] = []
        self._halvings = _MOST_HALVINGS

    def batches(
        self, nodes: Sequence[OwnNode], most_bytes: int = MOST_BYTES
    ) -> Iterator[dict[OwnNode, Observation]]:
        """Yields the values of one group of nodes after another; one group is in memory at a time."""
        groups, too_large = self.runs.groups(nodes, most_bytes)
        for node in too_large:
            self.notes.append(f"{node.path}: its values are more than {most_bytes} bytes, so they are not observed")
        changed: set[str] = set()
        while groups or self.outputs is None:
            group = groups.pop(0) if groups else []
            step(f"{self.runs.host.name} runs the model: {counted(sum(map(len, groups)) + len(group), 'node')} left")
            result = self.runs.run(group)
            self.failure, self.outputs = result.failure, self.outputs or result.outputs
            if result.failure is not None or not group:
                return
            if not result.observed and len(group) > 1 and self._halvings > 0:
                self._halvings -= 1
                half = len(group) // 2
                groups[:0] = [group[:half], group[half:]]
                continue
            changed.update(result.changed)
            found = self.runs.values(result, group)
            self._note_missing(group, result, found)
            yield found
        if changed:
            self.notes.append(
                f"{self.runs.host.name} gave other values of {', '.join(sorted(changed))} while the values at nodes were "
                "observed: it then computes in another way, or differs from run to run"
            )

    def _note_missing(
        self, group: Sequence[OwnNode], result: Result, found: Mapping[OwnNode, Observation]
    ) -> None:
        reasons: dict[str, list[str]] = {}
        for node in group:
            if node not in found:
                reasons.setdefault(result.not_observed[node.exposed_as], []).append(node.path)
        for reason, paths in reasons.items():
            self.notes.append(f"not observed in {self.runs.host.name}: {listed_paths(paths)}: {reason}")


@dataclass(frozen=True)
class Ending:
    """Where a failing run ends.

    node: the first gather or scatter that fails although it got its inputs; None if another operator fails. before: the
    nodes that ran, with their inputs and outputs, and `node` with its inputs. all_ran: whether all nodes ran.
    """

    node: OwnNode | None
    before: dict[OwnNode, Observation]
    all_ran: bool


def find_ending(runs: HostRuns, nodes: Sequence[OwnNode], most_bytes: int = MOST_BYTES) -> Ending:
    """Finds the node that ends a run, by bisection: it runs parts of the model.

    nodes: in an order in which they can run. Nodes with more bytes of values than the limit are not observed.
    """
    groups, _ = runs.groups(nodes, most_bytes)
    known = groups[0] if groups else []
    # The longest part that is known to run; at first it has none of the nodes.
    step, result = 0, None

    def fails(tried: int) -> bool:
        """Part 2k computes the outputs of the first k nodes; part 2k+1 also computes the inputs of the next one."""
        nonlocal step, result
        done, odd = divmod(tried, 2)
        tried_result = runs.run(known[:done], known[done : done + odd], cut=True)
        if tried_result.failure is None:
            step, result = tried, tried_result
        return tried_result.failure is not None

    _first(fails, 1, 2 * len(known) + 1)
    if result is None:
        return Ending(None, {}, not nodes)
    done, odd = divmod(step, 2)
    return Ending(
        known[done] if odd else None, runs.values(result, known[: done + odd]), not odd and done == len(nodes)
    )


def _first(fails: Callable[[int], bool], low: int, high: int) -> int:
    """The first number in [low, high) for which the monotonic `fails` holds; `high` if there is none."""
    while low < high:
        middle = (low + high) // 2
        if fails(middle):
            high = middle
        else:
            low = middle + 1
    return low


def listed_paths(paths: Sequence[str]) -> str:
    """The first few of these, and the number of the others."""
    shown = ", ".join(paths[:5])
    return shown if len(paths) <= 5 else f"{shown} and {len(paths) - 5} more"


def _memory_limit() -> int | None:
    """The memory that a host may take, in bytes: most of what is free; None if the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024 * 3 // 4
    except (OSError, KeyError, ValueError):
        return None
