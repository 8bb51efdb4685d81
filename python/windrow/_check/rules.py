"""The rules of portability, and what runtimes do where their conditions hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from windrow import _core


@dataclass(frozen=True)
class RuleEffect:
    """What a runtime does where a rule's condition holds.

    since, until: the range of versions for which this is known; empty: no bound. ran: whether it was
    observed in a run; otherwise it was read in `source`. seen: the date of the last verification.
    """

    runtime: str
    device: str
    since: str
    until: str
    severity: str
    effect: str
    ran: bool
    source: str
    seen: str


@dataclass(frozen=True)
class PortabilityRule:
    """A condition under which runtimes differ.

    example: a node that shows it, as JSON. provocation: the kind of inputs that show it, by a name that
    windrow/check.h explains; empty if no inputs do.
    """

    label: str
    sentence: str
    fix: str
    example: str
    provocation: str
    effects: tuple[RuleEffect, ...]


def portability_rules() -> tuple[PortabilityRule, ...]:
    """Every rule of portability with what runtimes do, in the order of docs/guide/portability.md."""
    return _core.portability_rules()


def operator_rules() -> tuple[PortabilityRule, ...]:
    """The rules that nodes must keep by the definitions of their operators, by their labels in docs/operators.

    A finding of such a rule is about a node that breaks it. The sentence says what must hold, and the effects
    are what runtimes were seen to do with nodes that break it; examples and provocations are empty.
    """
    return _core.operator_rules()


@cache
def rules_by_label() -> dict[str, PortabilityRule]:
    """The rules of portability and of operators, which findings name."""
    return {rule.label: rule for rule in (*portability_rules(), *operator_rules())}
