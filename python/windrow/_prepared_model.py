"""Models that are ready for many runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from windrow import _core
from windrow._errors import OperatorWarning

Outputs = dict[str, np.ndarray[Any, Any]]


def warned(run: tuple[list[tuple[str, Any]], list[str]], stacklevel: int) -> Outputs:
    """The outputs of a run, whose notes become warnings of the caller so many levels up."""
    outputs, notes = run
    for note in notes:
        warnings.warn(note, OperatorWarning, stacklevel=stacklevel + 1)
    return dict(outputs)


class PreparedModel:
    """A model that is ready for many runs; made by Model.prepare().

    The first run with inputs of some types and shapes compiles the plans of the nodes and reserves
    the memory of inner values, up to 64 MiB; later runs with such inputs find them. Any threads may
    run it at the same time.
    """

    def __init__(self, core: _core.PreparedModel) -> None:
        self._core = core

    def run(self, inputs: Mapping[str, Any], *, threads: int | None = None) -> Outputs:
        """Runs the graph: {"x": array} to {"y": array}, outputs in the graph's order.

        inputs, threads: as for Model.run(), as are the results and what is raised.
        """
        return warned(self._core.run(dict(inputs), threads), 2)

    def __copy__(self) -> PreparedModel:
        return self  # nothing changes it

    def __deepcopy__(self, memo: dict[int, Any]) -> PreparedModel:
        return self
