"""A record of the corpus: one call of an operator, with its result or the rule that it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from .tensor import Tensor

__all__ = ["Digest", "Record"]

Dialect = Literal["onnx", "openvino", "tensorrt", "array"]
Tier = Literal["specification", "decision", "deterministic"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
TIERS: tuple[Tier, ...] = get_args(Tier)


@dataclass(frozen=True)
class Digest:
    """The result of a recipe, whose elements are not in the corpus.

    sha256: of the bytes in row-major order, little-endian. decided: whether the specification decides them, so that
    others are wrong and not only different.
    """

    dtype: str
    shape: tuple[int, ...]
    sha256: str
    decided: bool


@dataclass(frozen=True)
class Record:
    """One call. See cases/README.md for what the fields mean.

    path: unique in the corpus, "onnx/gather/example_axis_0"; a version other than the newest stands behind an @, and
    those of recipes begin with "deterministic/" and the dialect. version: the one that is called. inputs: None is an
    omitted optional input. output: None if the call must be refused, and in recipes, which have a digest instead.
    any_nan: None, or for every element of the output in row-major order (for complex types: real part, imaginary part)
    whether any NaN will do there; `output` has one of them.
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
    any_nan: np.ndarray[Any, Any] | None = None
    digest: Digest | None = None

    @property
    def must_fail(self) -> bool:
        """Whether the call must be refused."""
        return self.error_kind is not None

    @property
    def output_type(self) -> tuple[str, tuple[int, ...]] | None:
        """Element type and shape of the result; None if the call must be refused."""
        result = self.output or self.digest
        return None if result is None else (result.dtype, result.shape)
