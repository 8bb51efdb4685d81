"""Cases of SliceScatter-15: data, updates, start, stop, step, optionally axes."""

import math
import random

from .. import types
from ..records import count, cycle, f32, sample
from ..semantics import tensor
from .records import Cases

REFUSED = ["string", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64"]
LOWEST, HIGHEST = -2**63, 2**63 - 1
MATRIX = count("float32", [2, 5])

# NaN and -0, each beside 1.
SPECIAL = {
    **{dtype: {"nan": ["nan", 1.0], "zero": [-0.0, 1.0]} for dtype in types.FLOATS},
    "float8_e4m3fn": {"nan": ["0x7f", "0x38"], "zero": ["0x80", "0x38"]},
    "float8_e5m2": {"nan": ["0x7e", "0x3c"], "zero": ["0x80", "0x3c"]},
}

cases = Cases("SliceScatter", [15])


def vector(values, dtype="int64"):
    return tensor(dtype, [len(values)], values)


def vectors(*slices, axes=None, dtype="int64"):
    """start, stop and step of slices that are triples, and the axes."""
    given = [vector([one[part] for one in slices], dtype) for part in range(3)]
    return given if axes is None else [*given, vector(axes, dtype)]


def fitting(data, slices, axes=None, first=100):
    """Updates for the slices of data, in numbers from `first` on."""
    shape = list(data["shape"])
    for axis, (start, stop, step) in zip(range(len(slices)) if axes is None else axes, slices, strict=True):
        shape[axis] = len(range(*slice(start, stop, step).indices(data["shape"][axis])))
    return count(data["dtype"], shape, first)


def ok(name, data, slices, axes=None, dtype="int64", **more):
    cases.ok(name, [data, fitting(data, slices, axes), *vectors(*slices, axes=axes, dtype=dtype)], **more)


def examples():
    cases.ok("specification_example_1", [MATRIX, f32([1, 5], 10.0, 20.0, 30.0, 40.0, 50.0), *vectors((0, 1, 1), axes=[0], dtype="int32")],
             out=[10.0, 20.0, 30.0, 40.0, 50.0, 5.0, 6.0, 7.0, 8.0, 9.0])
    cases.ok("specification_example_2", [MATRIX, f32([2, 3], 10.0, 20.0, 30.0, 40.0, 50.0, 60.0), *vectors((-25, 25, 2), axes=[1], dtype="int32")],
             out=[10.0, 1.0, 20.0, 3.0, 30.0, 40.0, 6.0, 50.0, 8.0, 60.0])
    cases.ok("specification_example_3", [count("float32", [3, 5]), f32([2, 2], 50.0, 60.0, 70.0, 80.0), *vectors((0, 3, 2), (1, 5, 2), dtype="int32")],
             out=[0.0, 50.0, 2.0, 60.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 70.0, 12.0, 80.0, 14.0])


def slices():
    row = count("int32", [5])
    for name, one in {
        "whole": (0, 5, 1), "to_the_end": (2, HIGHEST, 1), "from_the_end": (-2, HIGHEST, 1), "before_the_end": (0, -1, 1),
        "clamped": (LOWEST, HIGHEST, 1), "from_beyond": (7, 9, 1), "to_before": (0, -9, 1), "empty": (3, 3, 1), "crossed": (4, 1, 1),
        "of_one": (3, 4, 1), "stepping": (0, 5, 2), "stepping_over": (1, 5, 3), "stepping_beyond": (1, 5, 100),
        "highest_step": (2, HIGHEST, HIGHEST), "backwards": (4, LOWEST, -1), "backwards_from_beyond": (9, -9, -1),
        "backwards_stepping": (-1, 0, -2), "backwards_to_one": (3, 2, -1), "backwards_of_none": (1, 3, -1),
        "backwards_from_before": (-9, LOWEST, -1), "backwards_from_just_before": (-6, LOWEST, -1), "backwards_from_the_first": (-5, LOWEST, -1),
        "backwards_stopping_at_the_last": (4, -1, -1), "backwards_by_more": (4, LOWEST, -7), "lowest_step": (2, LOWEST, LOWEST),
        "backwards_highest": (HIGHEST, LOWEST, -2), "start_at_extent": (5, HIGHEST, 1), "backwards_start_at_extent": (5, 2, -1),
    }.items():
        ok(name, row, [one])
    for name, one in {"to_the_end": (0, HIGHEST, 1), "backwards": (-1, LOWEST, -1), "of_one": (0, 1, 1)}.items():
        ok(f"{name}_of_nothing", f32([0]), [one])
        ok(f"{name}_of_a_single_element", f32([1], 1.0), [one])
    ok("rows_of_nothing", f32([3, 0]), [(1, 3, 1)])
    ok("no_slices", MATRIX, [], note="vectors without elements: data is replaced")
    ok("no_axes", MATRIX, [], [])
    ok("first_axes_by_default", count("int64", [3, 4, 2]), [(0, 2, 1), (3, 0, -1)])
    ok("axes_in_any_order", count("int64", [3, 4, 2]), [(1, 2, 1), (2, LOWEST, -2)], [2, 0])
    ok("axes_from_the_end", count("int64", [3, 4, 2]), [(1, 3, 1), (0, 2, 2)], [-2, -3])
    ok("all_axes", count("int64", [3, 4, 2]), [(1, 3, 1), (0, 4, 3), (1, 2, 1)], [0, 1, 2])
    ok("rank_32", count("int32", [3] + [1] * 31), [(2, LOWEST, -2)] + [(0, 1, 1)] * 31)
    ok("rank_32_its_last_axis", count("int32", [1] * 31 + [3]), [(0, 3, 2)], [31])
    for dtype in ("uint4", "int4", "uint1", "nf4", "uint2", "float4_e2m1fn"):
        odd = cycle(dtype, [3, 5], types.SAMPLES[dtype])
        for axis, one in ((0, (2, 0, -1)), (1, (1, 5, 2)), (1, (0, 4, 1))):
            shape = [len(range(*slice(*one).indices(extent))) if d == axis else extent for d, extent in enumerate(odd["shape"])]
            cases.ok(f"{dtype}_axis_{axis}_from_{one[0]}", [odd, sample(dtype, shape), *vectors(one, axes=[axis])])
    cases.ok("options_change_nothing", [MATRIX, f32([1, 5], *[1.0] * 5), *vectors((-1, HIGHEST, 1))],
             options={"out_of_range": "clamp", "duplicates": "error", "strict": True})


def types_of_vectors():
    for dtype in types.I10:
        ok(f"vectors_of_type_{dtype}", count("int16", [4, 6]), [(1, 5, 2), (0, 3, 1)], [1, 0], dtype)
        if not dtype.startswith("u"):
            ok(f"negative_vectors_of_type_{dtype}", count("int16", [4, 6]), [(-1, -7, -2), (-3, -1, 1)], [-1, -2], dtype)
    for dtype, high in (("uint64", 2**64 - 1), ("uint32", 2**32 - 1)):
        ok(f"highest_{dtype}", count("int16", [4]), [(1, high, high)], None, dtype, note="a number beyond int64 is as large")
    unlike = [vector([0], "uint8"), vector([-1], "int4"), vector([1]), vector([0], "uint16")]
    cases.ok("vectors_of_unlike_types", [MATRIX, f32([1, 5], *[9.0] * 5), *unlike])


def rules():
    one = f32([1, 5], *[1.0] * 5)
    cases.error("unknown_attribute", "argument", "A2", [MATRIX, one, *vectors((0, 1, 1))], {"axis": 0})
    for axis in (2, -3, HIGHEST, LOWEST):
        cases.error(f"axis_{axis}", "argument", "A1", [MATRIX, one, *vectors((0, 1, 1), axes=[axis])])
    cases.error("axis_beyond_int64", "argument", "A1", [MATRIX, one, *vectors((0, 1, 1)), vector([2**64 - 1], "uint64")])
    cases.error("axis_twice", "argument", "A3", [MATRIX, f32([1, 1], 1.0), *vectors((0, 1, 1), (0, 1, 1), axes=[1, 1])])
    cases.error("axis_twice_from_the_end", "argument", "A3", [MATRIX, f32([1, 1], 1.0), *vectors((0, 1, 1), (0, 1, 1), axes=[0, -2])])
    cases.error("axes_before_steps", "argument", "A1", [MATRIX, one, *vectors((0, 1, 0), axes=[2])])
    cases.error("step_0", "argument", "A4", [MATRIX, one, *vectors((0, 1, 0))])
    cases.error("second_step_0", "argument", "A4", [MATRIX, one, *vectors((0, 1, 1), (0, 5, 0))])
    cases.error("step_0_of_nothing", "argument", "A4", [f32([0]), f32([0]), *vectors((0, 0, 0))])
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), f32([], 1.0), *vectors()])
    for place, name in enumerate(("start", "stop", "step", "axes")):
        given = vectors((0, 1, 1), axes=[0])
        cases.error(f"{name}_of_rank_0", "shape", "C2", [MATRIX, one, *_with(given, place, {**given[place], "shape": []})])
        cases.error(f"{name}_of_rank_2", "shape", "C2", [MATRIX, one, *_with(given, place, {**given[place], "shape": [1, 1]})])
        cases.error(f"{name}_is_longer", "shape", "C2", [MATRIX, one, *_with(given, place, vector([1, 1]))])
        cases.error(f"{name}_is_empty", "shape", "C2", [MATRIX, one, *_with(given, place, vector([]))])
    cases.error("more_slices_than_axes", "shape", "C2", [f32([2], 1.0, 2.0), f32([1], 1.0), *vectors((0, 1, 1), (0, 1, 1))])
    cases.error("lengths_before_axes", "shape", "C2", [MATRIX, one, *vectors((0, 1, 1)), vector([5, 5])])
    for name, shape in (("longer", [2, 5]), ("empty", [0, 5]), ("narrower", [1, 4]), ("that_would_broadcast", [1, 1]), ("of_lower_rank", [5]),
                        ("of_higher_rank", [1, 1, 5]), ("scalar", [])):
        cases.error(f"updates_{name}", "shape", "C3", [MATRIX, count("float32", shape), *vectors((0, 1, 1))])
    cases.error("updates_for_an_empty_slice", "shape", "C3", [f32([3], 1.0, 2.0, 3.0), f32([1], 9.0), *vectors((-9, LOWEST, -1))])
    for inputs in ([MATRIX], [MATRIX, one], [MATRIX, one, *vectors((0, 1, 1))[:2]]):
        cases.error(f"{len(inputs)}_inputs", "argument", "CALL-I1", inputs)
    cases.error("7_inputs", "argument", "CALL-I1", [MATRIX, one, *vectors((0, 1, 1), axes=[0]), MATRIX])
    cases.error("zero_is_no_policy_of_scatters", "argument", "CALL-O1", [MATRIX, one, *vectors((0, 1, 1))], options={"out_of_range": "zero"})
    cases.error("padding_without_indices", "argument", "CALL-O4", [MATRIX, one, *vectors((0, 1, 1))], options={"padding_index": -1})
    for dtype in REFUSED:
        cases.error(f"type_{dtype}", "type", "T1", [sample(dtype, [2]), sample(dtype, [1]), *vectors((0, 1, 1))])
    for dtype in ("float32", "bool", "string"):
        for place, name in enumerate(("start", "stop", "step", "axes")):
            given = vectors((0, 1, 1), axes=[0])
            bad = tensor(dtype, [1], [{"float32": 1.0, "bool": True, "string": "1"}[dtype]])
            cases.error(f"{name}_of_type_{dtype}", "type", "T4", [MATRIX, one, *_with(given, place, bad)])


def _with(given, place, other):
    return [*given[:place], other, *given[place + 1:]]


def _drawn(draw, rank):
    """A shape, axes, and slices of them that are near the extents."""
    shape = [draw.randint(1, 4 if rank < 4 else 2) for _ in range(rank)]
    axes = draw.sample(range(rank), draw.randint(1, rank))
    chosen = [(draw.randint(-extent - 1, extent + 1), draw.randint(-extent - 1, extent + 1), draw.choice([1, 1, 2, 3, -1, -2]))
              for extent in (shape[axis] for axis in axes)]
    return shape, axes, chosen


def _call(draw, dtype, rank, values=None):
    shape, axes, chosen = _drawn(draw, rank)
    sliced = fitting({"dtype": "int8", "shape": shape}, chosen, axes)["shape"]
    data, updates = sample(dtype, shape), cycle(dtype, sliced, values or list(reversed(types.SAMPLES[dtype])))
    if values:
        data["data"] = (values * math.prod(shape))[:math.prod(shape)]
    given = [axis - rank if draw.randint(0, 1) else axis for axis in axes]
    return [data, updates, *vectors(*chosen, axes=given, dtype=draw.choice(["int8", "int16", "int32", "int64"]))]


def drawn():
    """Every type with every rank, and with every rule that it can break."""
    draw = random.Random(15)
    for dtype in types.T22:
        for rank in range(1, 6):
            cases.ok(f"drawn_{dtype}_of_rank_{rank}", _call(draw, dtype, rank))
        for name, values in SPECIAL.get(dtype, {}).items():
            for rank in range(1, 6):
                cases.ok(f"drawn_{name}_of_{dtype}_of_rank_{rank}", _call(draw, dtype, rank, values))
        data, updates, *given = _call(draw, dtype, 2)
        bad = {"C1": [{**data, "shape": [], "data": data["data"][:1]}, updates, *given], "C2": [data, updates, *given[:3], vector([0, 1, 2])],
               "C3": [data, cycle(dtype, [3, 3, 3], types.SAMPLES[dtype]), *given]}
        for label, inputs in bad.items():
            cases.error(f"drawn_{label}_{dtype}", "shape", label, inputs)
        cases.error(f"drawn_inputs_{dtype}", "argument", "CALL-I1", [data, updates])
        cases.error(f"drawn_policy_{dtype}", "argument", "CALL-O1", [data, updates, *given], options={"out_of_range": "zero"})
        cases.error(f"drawn_A2_{dtype}", "argument", "A2", [data, updates, *given], {"keepdims": 1})
        cases.error(f"drawn_T3_{dtype}", "type", "T3", [data, sample("int8" if dtype != "int8" else "int16", updates["shape"]), *given])
    for rank in range(1, 6):
        data, updates, *given = _call(draw, "int32", rank)
        cases.error(f"drawn_inputs_of_rank_{rank}", "argument", "CALL-I1", [data])
        cases.error(f"drawn_policy_of_rank_{rank}", "argument", "CALL-O1", [data, updates, *given], options={"out_of_range": "zero"})
        cases.error(f"drawn_T1_of_rank_{rank}", "type", "T1", [sample("string", data["shape"]), updates, *given])
        cases.error(f"drawn_T3_of_rank_{rank}", "type", "T3", [data, sample("int8", updates["shape"]), *given])
        cases.error(f"drawn_T4_of_rank_{rank}", "type", "T4", [data, updates, *given[:3], f32([1], 0.0)])


for _part in (examples, slices, types_of_vectors, rules, drawn):
    _part()
