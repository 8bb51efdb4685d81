"""Random probes: the same seed and number always give the same probe."""

import dataclasses
import itertools
import sys
from pathlib import Path

import numpy as np
from break_probe import break_something
from element_values import NUMPY_NAMES, STORAGE
from probe import Input, Probe

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
sys.path.insert(0, str(BUILD / "python"))
sys.path += [str(ROOT / "python" / "tests"), str(ROOT / "tests" / "python")]
import windrow  # noqa: E402
from call_maker import SeededDraws  # noqa: E402
from drawn_calls import CALLS, draw_call  # noqa: E402

# What OpenVINO's evaluate() has code for in most operators.
EVALUATED = ("bool", "int32", "int64", "uint32", "uint64", "float16", "bfloat16", "float32")
BROKEN_PART, DYNAMIC_PART, CONSTANT_PART, CONSTANT_AXIS_PART = 0.1, 0.2, 0.3, 0.8


# Each operator of the table with each of its versions alone.
OPERATORS = [dataclasses.replace(operator, rows=(row,)) for operator in windrow.ops("openvino") for row in operator.rows]


def undrawn():
    """The names of the operators of which drawn_calls.py can draw no call."""
    return sorted({operator.name for operator in OPERATORS} - {name for dialect, name in CALLS if dialect == "openvino"})


def numbers_of(name, count):
    """The numbers of the first probes of an operator, of all its versions in turn."""
    places = [place for place, operator in enumerate(OPERATORS) if operator.name == name]
    numbers = (round_ * len(OPERATORS) + place for round_ in itertools.count() for place in places)
    return list(itertools.islice(numbers, count))


def _input(name, type_, array, rng):
    usual = name in ("axis", "depth", "on_value", "off_value", "num_segments", "start", "stop", "step", "axes")
    constant = rng.random() < (CONSTANT_AXIS_PART if usual else CONSTANT_PART)
    return Input(type_, np.array(array).astype(STORAGE[type_]), constant)


def generate(seed, number):
    source = SeededDraws(seed, number)
    operator = OPERATORS[number % len(OPERATORS)]
    call = draw_call(source, operator, preferred=EVALUATED, codes=True, far=False)
    names = [given["name"] for given in call.row["inputs"]]
    payloads = tuple(given["name"] for given in call.row["inputs"] if given["type_group"] == "T")
    # A model has no holes: -1 stands for an absent row of empty bags in front of weights.
    arrays = {name: np.array(-1, call.inputs[1].dtype) if array is None else array
              for name, array in zip(names, call.inputs, strict=False)}
    if arrays.get("updates") is not None and operator.name == "ScatterNDUpdate" and arrays["updates"].shape == ():
        arrays["updates"] = arrays["updates"].reshape((1,) * int(source.rng.integers(0, 3)))
    types = {name: call.type if name in payloads else array.dtype.name for name, array in arrays.items()}
    inputs = {name: _input(name, NUMPY_NAMES[types[name]], array, source.rng) for name, array in arrays.items()}
    dynamic = source.rng.random() < DYNAMIC_PART
    probe = Probe(seed, number, operator.name, call.version, call.attributes, inputs, payloads, dynamic)
    if source.rng.random() < BROKEN_PART:
        break_something(probe, source.rng)
    return probe
