"""The values at the nodes of a model while it runs in a host, and the node at which a run ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from windrow._check_hosts import Host
from windrow._check_nodes import OwnNode, known_bytes
from windrow.runners import Failure, Limits, ModelFile, ModelRun, Observation, Pool, Result

# Bytes of values that are looked at in one run, as far as they are known before it.
MOST_BYTES = 1 << 30
# How often a group of nodes is halved that a host cannot show together.
_MOST_HALVINGS = 24


@dataclass(frozen=True)
class HostRuns:
    """How a model runs in a host.

    pool: the host's processes. inputs: arrays by name. extents: the extents that the model has names for. threads: the
    host's, None for its default. windrow_inside: as in ModelRun.
    """

    host: Host
    pool: Pool
    model: ModelFile
    inputs: Mapping[str, Any]
    extents: Mapping[str, int]
    threads: int | None = None
    windrow_inside: bool = False

    def run(self, nodes: Sequence[OwnNode], inputs_of: Sequence[OwnNode] = (), *, cut: bool = False) -> Result:
        """Runs with the values at these nodes exposed, and the inputs of more nodes."""
        request = ModelRun(
            self.model,
            self.inputs,
            tuple(node.exposed_as for node in nodes),
            tuple(node.exposed_as for node in inputs_of),
            cut,
            self.windrow_inside,
            self.threads,
        )
        limits = Limits(None, _memory_limit())
        return self.host.runner.run_batch([request], limits=limits, pool=self.pool)[0]

    def values(self, result: Result, nodes: Sequence[OwnNode]) -> dict[OwnNode, Observation]:
        """What the nodes got, and gave. What a run was given counts as what arrived, whatever the host made of it."""
        found = {}
        for node in nodes:
            seen = result.observed.get(node.exposed_as)
            if seen is not None:
                given = [self.inputs.get(name, value) for name, value in zip(node.node.inputs, seen.inputs)]
                found[node] = Observation(tuple(given), seen.outputs)
        return found

    def groups(self, nodes: Sequence[OwnNode], most: int) -> tuple[list[list[OwnNode]], list[OwnNode]]:
        """The nodes in groups whose values are at most so many bytes, and those that have more alone."""
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

    failure: the host's, of the whole model; None: it runs. notes: what is not observed, and why.
    """

    def __init__(self, runs: HostRuns) -> None:
        self.runs = runs
        self.failure: Failure | None = None
        self.notes: list[str] = []
        self._halvings = _MOST_HALVINGS

    def batches(
        self, nodes: Sequence[OwnNode], most_bytes: int = MOST_BYTES
    ) -> Iterator[dict[OwnNode, Observation]]:
        """Values of some nodes, which are in memory together, and then of others."""
        groups, too_large = self.runs.groups(nodes, most_bytes)
        for node in too_large:
            self.notes.append(f"{node.path}: its values are more than {most_bytes} bytes and not looked at")
        changed: set[str] = set()
        while groups or not nodes:
            group = groups.pop(0) if groups else []
            result = self.runs.run(group)
            self.failure = result.failure
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
                "looked at: it then computes in another way, or never gives the same twice"
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
    """Where a run ends that fails.

    node: the first node that fails on inputs which it got; None: another operator does. before: the nodes that ran,
    with what they got and gave, and `node` with what it got.
    """

    node: OwnNode | None
    before: dict[OwnNode, Observation]


def find_ending(runs: HostRuns, nodes: Sequence[OwnNode], most_bytes: int = MOST_BYTES) -> Ending:
    """Finds the node that ends a run, by runs of ever smaller parts of the model.

    nodes: in an order in which they can run. Those whose values are more than so many bytes are not looked at.
    """
    groups, _ = runs.groups(nodes, most_bytes)
    known = groups[0] if groups else []
    # The longest part that is known to run; none of the nodes is in it yet.
    step, result = 0, None

    def fails(tried: int) -> bool:
        """Part 2k runs what gives the first k nodes' outputs, part 2k+1 also what gives the next one's inputs."""
        nonlocal step, result
        done, odd = divmod(tried, 2)
        tried_result = runs.run(known[:done], known[done : done + odd], cut=True)
        if tried_result.failure is None:
            step, result = tried, tried_result
        return tried_result.failure is not None

    _first(fails, 1, 2 * len(known) + 1)
    if result is None:
        return Ending(None, {})
    done, odd = divmod(step, 2)
    return Ending(known[done] if odd else None, runs.values(result, known[: done + odd]))


def _first(fails: Callable[[int], bool], low: int, high: int) -> int:
    """The first number from `low` on for which `fails` holds, as it does for all behind; `high`: there is none."""
    while low < high:
        middle = (low + high) // 2
        if fails(middle):
            high = middle
        else:
            low = middle + 1
    return low


def listed_paths(paths: Sequence[str]) -> str:
    """The first few of these, and how many more there are."""
    shown = ", ".join(paths[:5])
    return shown if len(paths) <= 5 else f"{shown} and {len(paths) - 5} more"


def _memory_limit() -> int | None:
    """Bytes that a host may take: most of what is free; None where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024 * 3 // 4
    except (OSError, KeyError, ValueError):
        return None
