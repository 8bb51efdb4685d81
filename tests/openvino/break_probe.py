"""Turns a legal probe into one that most likely breaks a rule on types, shapes or attributes."""

import numpy as np
from element_values import STORAGE


def _resized(values, shape):
    return np.resize(values, shape) if values.size else np.zeros(shape, values.dtype)


def _change_extent(probe, rng):
    """One axis of one input becomes longer or shorter."""
    names = [name for name, given in probe.inputs.items() if given.values.ndim]
    if not names:
        _change_rank(probe, rng)
        return
    given = probe.inputs[str(rng.choice(names))]
    axis = int(rng.integers(0, given.values.ndim))
    shape = list(given.values.shape)
    shape[axis] += int(rng.choice([-1, 1])) if shape[axis] else 1
    given.values = _resized(given.values, shape)


def _change_rank(probe, rng):
    """One input gets an axis of extent 1, or loses its first axis."""
    given = probe.inputs[str(rng.choice(list(probe.inputs)))]
    if given.values.ndim and rng.random() < 0.5:
        given.values = _resized(given.values, given.values.shape[1:])
    else:
        place = int(rng.integers(0, given.values.ndim + 1))
        given.values = np.expand_dims(given.values, place)


def _change_axis(probe, rng):
    """The axis lies outside the rank of data."""
    rank = probe.rank
    wrong = int(rng.choice([rank, rank + 2]))
    if "axis" in probe.inputs:
        given = probe.inputs["axis"]
        given.values = np.full_like(given.values, wrong)
    else:
        probe.attributes["axis"] = wrong if rng.random() < 0.5 else -wrong - 1


def _change_batch_dims(probe, rng):
    probe.attributes["batch_dims"] = int(rng.integers(-probe.indices.ndim - 1, probe.data.ndim + 2))


def _change_type(probe, rng):
    """One input, but not data or on_value, gets another type, and zeros."""
    given = probe.inputs[str(rng.choice([name for name in probe.inputs if name not in ("data", "on_value", "emb_table", "step_ids")]))]
    given.type = str(rng.choice(list(STORAGE)))
    given.values = np.zeros(given.values.shape, STORAGE[given.type])
    if given.type == "string":
        given.values = np.full(given.values.shape, "", object)


def break_something(probe, rng):
    ways = [_change_extent, _change_rank, _change_type]
    if "axis" in probe.inputs or "axis" in probe.attributes:
        ways.append(_change_axis)
    if probe.operator == "GatherND" or (probe.operator == "Gather" and probe.version > 1):
        ways.append(_change_batch_dims)
    ways[int(rng.integers(0, len(ways)))](probe, rng)
