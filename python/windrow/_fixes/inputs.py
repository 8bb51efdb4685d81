"""The inputs with which windrow.fix() runs a model before and after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windrow import _core
from windrow._check.nodes import OwnNode, own_nodes
from windrow._check.provoke import NodeForm, NoInputs, provoke
from windrow._check.rules import portability_rules
from windrow._check.tries import OF_INDICES, form_of
from windrow._fixes.bodies import provoke_in_body
from windrow._models.model import Model

if TYPE_CHECKING:
    from windrow._check.report import CheckReport
    from windrow._fixes.results import ModelFix

Inputs = Mapping[str, Any]

_SAMPLES = 6
_MOST_PROVOKING = 8


@dataclass(frozen=True)
class Sample:
    """The inputs of a run. what: how they were chosen. rule: the one whose condition they were made to meet, or ""."""

    inputs: Inputs
    what: str
    rule: str = ""


def given_samples(given: Inputs | Sequence[Inputs]) -> list[Sample]:
    return [Sample(inputs, "the given inputs") for inputs in ([given] if isinstance(given, Mapping) else given)]


def drawn_samples(model: Model, report: CheckReport) -> list[Sample]:
    """Small ones within the contracts of the report, and every third one beyond them."""
    return [
        Sample(
            _core.sample_inputs(model._core, report, seed, seed % 3 == 2),
            "drawn beyond the contracts" if seed % 3 == 2 and report.contracts else "drawn",
        )
        for seed in range(_SAMPLES)
    ]


def provoking_samples(
    model: Model, drawn: Sequence[Sample], applied: Sequence[ModelFix]
) -> tuple[list[Sample], list[str]]:
    """Inputs that meet the conditions of changed nodes' rules, and why there are none for others.

    They are the drawn ones with others where inputs of the model enter the node. Rules that every legal run meets need none.
    """
    rules = {rule.label: rule.provocation for rule in portability_rules()}
    own = own_nodes(model)
    nodes = {node.path: node for node in own.nodes}
    inside = {report.path: report for report in own.inside}
    inputs = [sample.inputs for sample in drawn]
    samples: list[Sample] = []
    reasons = []
    for change in applied:
        provocation = rules.get(change.rule, "")
        if not provocation or provocation == "any":
            continue
        if len(samples) == _MOST_PROVOKING:
            reasons.append(f"inputs were made for {_MOST_PROVOKING} findings only")
            break
        try:
            if change.node in nodes:
                made = _provoking(model, nodes[change.node], provocation, inputs[0])
            elif change.node in inside:
                made = provoke_in_body(model, inside[change.node], provocation, inputs, _deciding(provocation))
            else:
                raise NoInputs("the library does not compute it")
            if made is not None:
                samples.append(Sample(made, f"made for {change.rule} on {change.node}", change.rule))
        except NoInputs as error:
            reasons.append(f"no inputs were made for {change.rule} on {change.node}: {error}")
    return samples, reasons


def _provoking(model: Model, node: OwnNode, provocation: str, drawn: Inputs) -> Inputs | None:
    """The drawn inputs, changed so that the node gets a provocation; None if its constants alone decide."""
    form = form_of(model, node)
    if isinstance(form, str):
        raise NoInputs(form)
    names = [value.name for value in node.inputs]
    deciding = _deciding(provocation)
    open_places = [place for place, role in enumerate(form.roles) if role in deciding and place not in node.constants]
    if not open_places:
        return None
    if not any(names[place] in drawn for place in open_places):
        raise NoInputs(f"its {deciding[0] if len(deciding) == 1 else 'data'} are computed inside the model")
    arrays = provoke(_with_shapes_of(form, names, drawn), provocation)
    changed = dict(drawn)
    for name, array in zip(names, arrays):
        if array is None or name not in drawn:
            continue
        if array.shape != drawn[name].shape:
            raise NoInputs(f"they would need the shape {list(array.shape)} for {name}")
        changed[name] = array
    return changed


def _deciding(provocation: str) -> tuple[str, ...]:
    """The roles of the inputs that meet a provocation, one of which must come from the model's inputs."""
    return ("indices",) if provocation in OF_INDICES else ("data", "updates")


def _with_shapes_of(form: NodeForm, names: Sequence[str], drawn: Inputs) -> NodeForm:
    """The form with the extents of the drawn inputs."""
    return replace(
        form,
        inputs=tuple(
            replace(given, dims=tuple(drawn[name].shape)) if given is not None and name in drawn else given
            for name, given in zip(names, form.inputs)
        ),
    )
