"""Gather, mode ELEMENT: an element of data for every index."""

import math

from ..records import count, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases
from .gather_default import FAR, indices

TABLE = count("int32", [3, 4])


def element(axis=0):
    return {"mode": "ELEMENT", "axis": axis}


def elements(cases):
    cases.ok("element_rows", [TABLE, i64([2, 4], 0, 1, 2, 0, -1, -2, -3, 1)], element(0),
             out=[0, 5, 10, 3, 8, 5, 2, 7])
    cases.ok("element_columns", [TABLE, i32([3, 2], 3, 0, -1, 1, 2, 2)], element(1), out=[3, 0, 7, 5, 10, 10])
    cases.ok("element_default_axis", [TABLE, i64([1, 4], 2, 1, 0, 2)], {"mode": "ELEMENT"}, out=[8, 5, 2, 11])
    cases.ok("element_of_a_vector", [count("float32", [3]), i64([4], 2, 2, 0, -1)], element(), out=[2.0, 2.0, 0.0, 2.0])
    data = count("int32", [2, 3, 4])
    for axis in range(3):
        for name, off in (("whole", [2, 3, 4]), ("window", [1, 2, 3])):
            for length in (1, 5):
                shape = [*off[:axis], length, *off[axis + 1:]]
                cases.ok(f"element_axis_{axis}_{name}_by_{length}", [data, indices(shape, data["shape"][axis])],
                         element(axis))
    cases.ok("element_dims_0", [TABLE, i64([3, 1], 1, 0, 2)], {**element(1), "num_elementwise_dims": 0})


def policies(cases):
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -3, -1, 100, 0, -100)]
    cases.ok("element_out_of_range_by_default", inputs, element(1), out=[0, 3, 0, 1, 6, 0, 4, 0])
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"element_out_of_range_{policy}", inputs, element(1), options={"out_of_range": policy})
        cases.ok(f"element_far_out_of_range_{policy}", [count("int32", [3], 7), i64([6], *FAR)], element(),
                 options={"out_of_range": policy})
    cases.error("element_out_of_range_error", "index", "C5", inputs, element(1), options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 3, 1, 3, 4))


def empty(cases):
    cases.ok("element_no_indices", [TABLE, i64([3, 0])], element(1), out=[])
    cases.ok("element_no_rows", [TABLE, i64([0, 2])], element(1), out=[])
    nowhere = [f32([2, 0]), i64([2, 1], 0, -1)]
    cases.ok("element_zero_on_an_empty_axis", nowhere, element(1), out=[0.0, 0.0])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"element_{policy}_on_an_empty_axis", "index", "C5", nowhere, element(1),
                    options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 1, 0, 2))


def packed(cases):
    for shape in ([7], [3, 5], [5, 1], [3, 3, 5], [3, 1, 3]):
        for axis in range(len(shape)):
            for length in (1, 3, 4):
                inner = [*shape[:axis], length, *shape[axis + 1:]]
                cases.ok(f"int4_element_{'x'.join(map(str, shape))}_axis_{axis}_by_{length}",
                         [sample("int4", shape), indices(inner, shape[axis])], element(axis))


def rules(cases):
    for name, shape, inner in (("scalars", [], []), ("indices_too_short", [3, 4], [3]),
                               ("indices_too_long", [4], [1, 4])):
        cases.error(f"element_ranks_{name}", "shape", "C1",
                    [count("int32", shape), i64(inner, *[0] * math.prod(inner))], element())
    for dims in (-1, 1, 2):
        cases.error(f"element_dims_{dims}".replace("-", "minus_"), "argument", "A4",
                    [TABLE, i64([3, 1], 0, 0, 0)], {**element(1), "num_elementwise_dims": dims})
    for axis, shape in ((0, [1, 5]), (1, [4, 1])):
        cases.error(f"element_indices_larger_off_axis_{axis}", "shape", "C2",
                    [TABLE, i64(shape, *[0] * math.prod(shape))], element(axis))
    cases.error("element_indices_of_no_rows_too_wide", "shape", "C2", [TABLE, tensor("int64", [0, 5], [])], element(0))
    cases.ok("element_rank_32", [f32([1] * 31 + [2], 1.0, 2.0), i64([1] * 31 + [3], 1, 0, -1)], element(31))
    releases.add_rank(cases, "element_rank_8", [[1] * 8, [1] * 8], element(7), legal=True)
    releases.add_rank(cases, "element_rank_9", [[1] * 9, [1] * 9], element(8), legal=False)


def add_cases(cases):
    for part in (elements, policies, empty, packed, rules):
        part(cases)
