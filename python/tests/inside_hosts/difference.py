"""A row of docs/guide/inside_hosts.md: one call, its result in the host alone and its result with Windrow inside."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Raises:
    """A result that is an error, whose text has the pattern."""

    pattern: str


@dataclass(frozen=True)
class Chance:
    """A result that depends on chance: threads race, or memory outside the tensors is read."""


@dataclass(frozen=True)
class Difference:
    """`call` is what the host's module runs; `gives_alone` and `gives_here` are an array as nested lists, a Raises or a
    Chance."""

    name: str
    where: str
    alone: str
    here: str
    call: Any
    gives_alone: Any
    gives_here: Any


def outcome(run, *arguments):
    """What `run` returns, or the exception that it raises."""
    try:
        return run(*arguments)
    except Exception as error:  # noqa: BLE001: hosts raise what they like
        return error


def refusals(*runs):
    """The number of calls that raise an exception."""
    return sum(isinstance(outcome(run), Exception) for run in runs)


def check(found, expected):
    """Fails unless `found`, a result of outcome(), matches `expected`."""
    if isinstance(expected, Chance):
        return
    if isinstance(expected, Raises):
        assert isinstance(found, Exception), f"no error but {found!r}"
        assert re.search(expected.pattern, str(found)), str(found)
        return
    if isinstance(found, Exception):
        raise AssertionError(f"not {expected} but an error") from found
    found = np.asarray(found)
    if found.dtype.kind in "OU":
        assert found.tolist() == expected
        return
    expected = np.array(expected, found.dtype).reshape(found.shape)
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind == "f":
        where = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[where]), np.signbit(expected[where]))
