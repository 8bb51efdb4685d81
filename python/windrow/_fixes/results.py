"""What windrow.fix() gives."""

from __future__ import annotations

from dataclasses import dataclass

from windrow._base.text import counted
from windrow._models.model import Model


@dataclass(frozen=True)
class ModelFix:
    """A change of one node for one rule, or the reason why it was not made.

    rule: the label. node: its path in the model before the change. what: what was changed, or why
    nothing was. safe: whether results are equal wherever the specification defines one, errors
    included; an unsafe change gives a value where there was an error or, if rounds, rounds floats otherwise.
    """

    rule: str
    node: str
    what: str
    safe: bool
    rounds: bool = False

    def __str__(self) -> str:
        return f"{self.node}: {self.what} ({self.rule}{'' if self.safe else ', unsafe'})"


@dataclass(frozen=True)
class FixVerification:
    """How runs of a model before and after its change compare.

    host: "windrow": Windrow's operators, here or inside a host; otherwise the name in windrow.runners of
    a host with its own operators. The counts are numbers of runs. equal: the bits are the same, or the numbers nearly so if a change rounds otherwise; NaN is
    equal to NaN. repaired: the host gives Windrow's result after the change, and did not before it.
    gained: there is a value where Windrow gives an error before the change. refused: all others, which
    prove nothing; reasons: a sentence for each of these, with how the inputs were chosen and the host's message.
    failure: why the change is rejected; empty if it is not. cannot_run: whether the host can't be asked at all.
    """

    host: str
    equal: int
    refused: int
    gained: int
    repaired: int
    failure: str
    reasons: tuple[str, ...] = ()
    cannot_run: bool = False

    @property
    def shows_something(self) -> bool:
        """Whether a run speaks for the change and none against it."""
        return not self.failure and self.equal + self.gained + self.repaired > 0

    def __str__(self) -> str:
        counts = [(self.equal, "gave the same bits before and after"), (self.repaired, "gave Windrow's result only after"),
                  (self.gained, "gave a value only after"), (self.refused, "proved nothing")]  # fmt: skip
        told = [f"{counted(count, 'run')} {what}" for count, what in counts if count]
        begin = "verified" if self.shows_something else "not verified"
        end = self.failure or (self.reasons[0] if self.reasons else "")
        return f"{begin} in {self.host}: {', '.join(told) or 'no runs'}" + (f"; {end}" if end else "")


@dataclass(frozen=True)
class FixResult:
    """A changed model. applied, left: the changes made and those not made. verifications: how they were tested.

    notes: the changes whose rules' conditions no run met, and why.
    """

    model: Model
    applied: tuple[ModelFix, ...]
    left: tuple[ModelFix, ...]
    verifications: tuple[FixVerification, ...]
    notes: tuple[str, ...] = ()
    unproved: str = ""

    @property
    def failure(self) -> str:
        """Why the changes are rejected; empty if they are not."""
        return next((f"{row.host}: {row.failure}" for row in self.verifications if row.failure), self.unproved)

    def __str__(self) -> str:
        lines = [str(change) for change in self.applied]
        lines += [f"left: {change}" for change in self.left]
        lines += [str(row) for row in self.verifications]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines + ([f"not verified: {self.failure}"] if self.failure else []))
