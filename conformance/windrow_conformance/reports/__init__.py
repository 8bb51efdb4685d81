"""What people and programs read of a run: a file for each format, and what they know beside the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..record import Record


@dataclass(frozen=True)
class Background:
    """What reports say of a failure that is not in the results; each answers with nothing where nothing is known.

    record: of a path. sentence: of a rule's label, what the rule says and, if it is a decision, why.
    reproduction: of a runtime's name and a record, Runtime.reproduction.
    """

    record: Callable[[str], Record | None] = lambda path: None
    sentence: Callable[[str], str] = lambda label: ""
    reproduction: Callable[[str, Record], str] = lambda runtime, record: ""
