"""A record of the corpus: one call of an operator, with its result or the rule that it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .tensor import Tensor

Dialect = Literal["onnx", "openvino", "tensorrt", "array"]
Tier = Literal["specification", "decision", "deterministic"]


@dataclass(frozen=True)
class Record:
    """One call. See cases/README.md for what the fields mean.

    path: unique in the corpus, "onnx/gather/example_axis_0"; a version other than the newest stands behind an @.
    version: the one that is called. inputs: None is an omitted optional input. output: None if the call must be refused.
    """

    path: str
    dialect: Dialect
    op: str
    version: int
    attrs: Mapping[str, Any]
    inputs: tuple[Tensor | None, ...]
    output: Tensor | None
    rule: str
    tier: Tier
    error_kind: str | None = None
    fault: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    @property
    def must_fail(self) -> bool:
        return self.output is None
