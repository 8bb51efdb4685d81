"""Prepared models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.errors import IndexOutOfRange, OperatorWarning

Outputs = dict[str, np.ndarray[Any, Any]]


def warned(run: tuple[list[tuple[str, Any]], list[str]], stacklevel: int) -> Outputs:
    """The outputs of a run. Its notes become warnings, attributed to the caller the given number of frames up."""
    outputs, notes = run
    for note in notes:
        warnings.warn(note, OperatorWarning, stacklevel=stacklevel + 1)
    return dict(outputs)


class PreparedModel:
    """A model that is prepared for many runs; made by Model.prepare().

    The first run with inputs of given types and shapes compiles the plans of the nodes and reserves
    the memory of inner values, up to 64 MiB; later runs with the same types and shapes reuse both.
    Several threads may run it at the same time.
    """

    def __init__(self, core: _core.PreparedModel) -> None:
        self._core = core

    def run(self, inputs: Mapping[str, Any], *, threads: int | None = None) -> Outputs:
        """Runs the graph: {"x": array} to {"y": array}, outputs in the graph's order.

        inputs, threads, results and errors: as for Model.run().
        """
        return warned(self._run(dict(inputs), threads), 2)

    def _run(self, inputs: dict[str, Any], threads: int | None) -> tuple[list[tuple[str, Any]], list[str]]:
        try:
            return self._core.run(inputs, threads)
        except IndexOutOfRange as error:
            error._list = lambda limit: self._list_bad_indices(inputs, threads, limit)
            raise

    def _list_bad_indices(self, inputs: dict[str, Any], threads: int | None, limit: int) -> tuple[Any, Any]:
        try:
            self._core.run(inputs, threads, limit)
        except IndexOutOfRange as error:
            if error._listed is not None:
                return error._listed
        return np.empty(0, np.int64), np.empty(0, np.int64)

    def __copy__(self) -> PreparedModel:
        return self  # it is immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> PreparedModel:
        return self
