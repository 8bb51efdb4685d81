"""Where runtimes differ on a model: windrow.check() and what it reports."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from windrow import _core
from windrow._errors import ArgumentError
from windrow._html import table_html
from windrow._model_source import ModelProto
from windrow._models import Model, load

# How often a node is repeated whose rule concerns races.
REPEATS = 20
# The arrays of a node's inputs and outputs by the node's path; None for a value that was not observed.
Observed = dict[str, tuple[list[Any], list[Any]]]


@dataclass(frozen=True)
class FirstDifference:
    """An element for which a host and Windrow differ: its position in the node's first output, and both values."""

    position: tuple[int, ...]
    got: str
    expected: str


@dataclass(frozen=True)
class ObservedDifference:
    """How runs of a node in a host compare with Windrow's result for the same inputs.

    runtime: "onnxruntime:cpu@1.31.1". runs: the number of runs compared; differing: the number that
    differed. first: the lowest differing position of the first run that differed.
    """

    runtime: str
    runs: int
    differing: int
    first: FirstDifference


@dataclass(frozen=True)
class FindingEffect:
    """What a runtime does with a node that meets a rule's condition; effect: for example "gives zeros"."""

    runtime: str
    severity: str
    effect: str


@dataclass(frozen=True)
class TriedEffect:
    """What a runtime did with a node alone, on inputs that provoke a rule.

    outcome: "refused: ...", "crashed: ...", "differs: ..." or "as specified". agreement: with the
    rule's effect: "agrees", "no longer shown" or "worse"; "not seen" if the effect leaves the result
    open and the runtime gave Windrow's.
    """

    runtime: str
    outcome: str
    agreement: str


@dataclass(frozen=True)
class PortabilityFinding:
    """A rule of portability and a node.

    rule: its label. node: the node's path, as in NodeReport. runtimes: the requested ones that have an
    effect if the rule's condition holds. severity: the worst effect: "fails", "silent",
    "undefined" or "slow". verdict: whether a run meets the condition: "cannot" (proved, if the
    premises hold), "can" (neither proved nor seen) or "happens". evidence: "constant", "range" or
    "inputs". input: the operator's input, may be empty. position, value: those of the first element that
    meets the condition; value is empty if there is none. what: the condition on this node; effects: what
    each of the runtimes does if it holds. observed, tried: what hosts did; None and empty if nothing ran
    or nothing differed. observed_in_range: every index was in range in the given values, so that the
    finding fails no check. message: the finding as text that needs no context. fix: what to change.
    """

    rule: str
    node: str
    operator: str
    runtimes: tuple[str, ...]
    severity: str
    verdict: str
    premises: tuple[str, ...]
    evidence: str
    input: str
    position: tuple[int, ...]
    value: str
    what: str
    effects: tuple[FindingEffect, ...]
    observed: ObservedDifference | None
    tried: tuple[TriedEffect, ...]
    message: str
    fix: str
    observed_in_range: bool = False


@dataclass(frozen=True)
class InputContract:
    """A condition that the model's caller must meet: `low` and `high` bound the elements of `input`.

    low, high: numbers or texts such as "table.shape[0] - 1". rules: their labels. nodes: at most 8
    of those that read it. sentence: "ids must lie in 0 to 30521".
    """

    input: str
    low: str
    high: str
    rules: tuple[str, ...]
    nodes: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class UnjudgedOperator:
    """Inputs of indices that the check leaves out: those called `input` of `count` nodes of an operator, and why.

    nodes: the paths of the first 8. sentence: all of this, complete by itself.
    """

    operator: str
    input: str
    count: int
    nodes: tuple[str, ...]
    why: str
    sentence: str


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The result of windrow.check(); str() gives the command's text, notebooks show a table.

    model: its name. nodes: the number of nodes checked: gathers, scatters, and others whose indices
    rules know. findings: in the order of nodes, at most 10000; left_out: the number of further ones.
    notes: what the check could not examine. not_judged: the inputs of indices that no rule judges.
    """

    model: str
    nodes: int
    findings: tuple[PortabilityFinding, ...]
    left_out: int
    contracts: tuple[InputContract, ...]
    notes: tuple[str, ...]
    not_judged: tuple[UnjudgedOperator, ...]

    _MOST_IN_HTML = 1000  # a notebook keeps what it shows

    def fails(self, at: str = "undefined") -> bool:
        """Whether a finding with the verdict "can" or "happens" is at least as severe as `at`.

        at: "fails", "silent", "undefined" or "slow", or "never". Raises windrow.ArgumentError.
        """
        return _core.check_fails(dataclasses.asdict(self), at)

    def format(self, format: str = "text", *, at: str = "undefined") -> str:
        """The report as `windrow check --format` writes it.

        format: "text", "json", "sarif", "github", "junit", "html" or "model-explorer". at: as for
        fails(); JUnit's failures are the findings from there on. Raises windrow.ArgumentError.
        """
        return _core.format_check(dataclasses.asdict(self), format, at)

    def to_json(self) -> str:
        """One JSON document, which docs/formats/check.schema.json describes."""
        return self.format("json")

    def model_explorer(self) -> dict[str, Any]:
        """The findings as custom node data of the viewer Model Explorer, ready for json.dump()."""
        data: dict[str, Any] = json.loads(self.format("model-explorer"))
        return data

    def __repr__(self) -> str:
        return self.format("text").rstrip("\n")

    def _repr_html_(self) -> str:
        headings = ("node", "operator", "rule", "verdict", "worst", "runtimes")
        shown = self.findings[: self._MOST_IN_HTML]
        rows = [
            (
                finding.node.removeprefix("main/"),
                finding.operator,
                finding.rule,
                finding.verdict,
                finding.severity,
                ", ".join(finding.runtimes),
            )
            for finding in shown
        ]
        ends = [contract.sentence for contract in self.contracts]
        ends += [f"not judged: {unjudged.sentence}" for unjudged in self.not_judged]
        ends += [f"note: {note}" for note in self.notes]
        left_out = len(self.findings) - len(shown) + self.left_out
        if left_out:
            ends.append(f"{left_out} more findings are left out")
        return table_html(headings, rows, ends, (table_html((), _details(finding)) for finding in shown))


def _details(finding: PortabilityFinding) -> list[tuple[str, str]]:
    """The lines below a finding."""
    lines = [("", finding.message)]
    lines += [("premise", premise) for premise in finding.premises]
    return [*lines, ("fix", finding.fix)]


def report_from(model: str, row: Mapping[str, Any]) -> CheckReport:
    """A report from the dict that _core.check() returns."""
    return CheckReport(
        model,
        row["nodes"],
        tuple(_finding(finding) for finding in row["findings"]),
        row["left_out"],
        tuple(InputContract(**contract) for contract in row["contracts"]),
        tuple(row["notes"]),
        tuple(UnjudgedOperator(**{**unjudged, "nodes": tuple(unjudged["nodes"])}) for unjudged in row["not_judged"]),
    )


def _finding(row: Mapping[str, Any]) -> PortabilityFinding:
    observed = row["observed"]
    if observed is not None:
        observed = ObservedDifference(**{**observed, "first": FirstDifference(**observed["first"])})
    effects = tuple(FindingEffect(**effect) for effect in row["effects"])
    tried = tuple(TriedEffect(**effect) for effect in row["tried"])
    return PortabilityFinding(**{**row, "effects": effects, "observed": observed, "tried": tried})


def check(
    model: Model | str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
    *,
    runtimes: str | Sequence[str] | None = None,
    inputs: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    assume: Mapping[str, tuple[int, int]] | None = None,
    attempt: bool = False,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    show_cannot: bool = False,
    host: str | None = None,
    runs: int | None = None,
    tolerance: float | None = None,
    strict: bool = False,
    ask_onnx: bool = True,
    folder: str | os.PathLike[str] | None = None,
) -> CheckReport:
    """Says of each gather and scatter node of a model where runtimes differ on it, and why.

    model: a Model, or what load() takes; folder: as for load(). runtimes: "onnxruntime:cpu@1.31,tensorrt" or
    a list of such texts; one without a version means the newest. None: every runtime that
    rules know. One that no rule knows gets a note and is judged by the specification. assume: bounds of the elements of inputs of integers or floats, both ends included: {"ids": (0,
    30521)}. select, ignore: labels of rules, or prefixes of them. show_cannot: also reports what is
    proved impossible. ask_onnx: as for Model.infer().
    inputs: arrays by name, or an .npz or .safetensors file: the model runs in installed hosts, the rules are judged
    on the values that its nodes get, each node's result is compared with Windrow's, and the outputs and the nodes'
    inputs are compared across hosts. Values that break a promise in assume, or a premise of the report about
    shapes, are an error. attempt: each
    suspected node runs alone in the installed hosts, on inputs that provoke its rule. host: the name
    of the host to use, as in windrow.runners; None: every suitable installed one. runs: how often every
    gather and scatter node is repeated; None: 20 times those whose rule concerns races. tolerance: the
    largest error of floats in two hosts that counts as rounding, relative to the largest of both
    elements, 1 and the median magnitude; None: 1e-4, and 1e-2 for types of 16 bits or less. strict: what can be out of range
    fails a check though it was in range in `inputs`; it is not the option of calls of this name.
    Raises windrow.Error: what load() raises; an unknown label or input; an input that is
    missing; windrow.Unsupported without a host to run in.
    """
    loaded = model if isinstance(model, Model) else load(model, folder=folder)
    if isinstance(model, Model) and folder is not None:
        raise ArgumentError("folder is for models in memory")
    if runs is not None and runs < 1:
        raise ArgumentError(f"runs is {runs}, must be at least 1")
    if tolerance is not None and not tolerance >= 0:
        raise ArgumentError(f"tolerance is {tolerance}, must be at least 0")
    name = os.fspath(model) if isinstance(model, (str, os.PathLike)) else name_of(loaded)
    wanted = runtimes if isinstance(runtimes, str) else ",".join(runtimes or ())
    options = {
        "runtimes": wanted,
        "select": list(select),
        "ignore": list(ignore),
        "show_cannot": show_cannot,
        "assume": dict(assume or {}),
    }

    def judge(observed: Observed, given: Mapping[str, Any] = {}, run: Mapping[str, Any] = {}) -> CheckReport:
        """The report on values seen at nodes, or on the runs with the given values of the model's inputs.

        run: the inputs of a run; a premise of the report that their shapes break is an error.
        """
        shapes = {name: list(array.shape) for name, array in run.items() if hasattr(array, "shape")}
        asked = {**options, "given": dict(given), "run_shapes": shapes}
        return report_from(name, _core.check(loaded._core, asked, observed, loaded._ask(ask_onnx)))

    targets = _core.parse_targets(wanted)
    if inputs is None:
        report = judge({})
    else:
        from windrow._check_runs import observe_and_compare

        report = observe_and_compare(
            loaded,
            judge,
            inputs,
            targets=targets,
            host=host,
            runs=runs,
            tolerance=tolerance,
            assume=assume or {},
            strict=strict,
            ignore=ignore,
        )
    if attempt:
        from windrow._check_tries import try_findings

        report = try_findings(loaded, report, targets=targets, host=host, runs=runs or REPEATS)
    return report


def name_of(model: Model) -> str:
    """The path that the model was read from, or a word for one in memory."""
    path = model._source.path if model._source is not None else None
    return path or "model"
