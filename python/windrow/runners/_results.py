"""Results of hosts: outputs or a failure, both as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from windrow.processes import Failure
from windrow.runners._compare import Difference

@dataclass(frozen=True)
class Observation:
    """The values at a node: arrays (or lists for sequences) in the node's order, None for omitted ones."""

    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


@dataclass(frozen=True)
class Execution:
    """One execution of a node in a body or function.

    path: the node's. iteration: the numbers of the iterations of the loops around it, the outermost first. attributes:
    those of the node, with the values that a function's call gives them. outputs: empty if the node ended the run.
    """

    path: str
    iteration: tuple[int, ...]
    domain: str
    attributes: dict[str, Any]
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


@dataclass(frozen=True)
class Result:
    """A host's result for one model or node.

    outputs: by name, of the unmodified model; None if there is a failure. observed: the values at the exposed nodes
    by the requested names. not_observed: the reason for every other name. changed: the outputs that differ in their
    bits when the nodes are exposed (NaN equals NaN), because the host then fuses other nodes; `observed` then belongs
    to another computation than `outputs`. executions: those of ModelRun.inside, in their order; stopped: why later ones are
    missing, or empty.
    """

    host: str
    outputs: dict[str, Any] | None = None
    failure: Failure | None = None
    observed: dict[str, Observation] = field(default_factory=dict)
    not_observed: dict[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    executions: tuple[Execution, ...] = ()
    stopped: str = ""


@dataclass(frozen=True)
class Repeats:
    """The results of many runs of one node.

    runs: the number of runs, of which `differing` did not give the expected result, and `varying` not the result of the
    first run. first: how the first of the differing ones differed, None if there is none. failure: why there is nothing to
    compare, or None.
    """

    runs: int
    differing: int = 0
    first: Difference | None = None
    failure: Failure | None = None
    varying: int = 0
