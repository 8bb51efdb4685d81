"""Scatter, mode ELEMENT: an element of data is replaced for every index."""

import math

from .. import types
from ..records import count, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases
from .gather_default import FAR, indices

TABLE = count("int32", [3, 4])


def element(axis=0):
    return {"mode": "ELEMENT", "axis": axis}


def elements(cases):
    cases.ok("element_rows", [TABLE, i64([2, 3], 2, 0, 1, 0, -1, -3), count("int32", [2, 3], 100)], element(0),
             out=[103, 101, 105, 3, 4, 5, 102, 7, 100, 104, 10, 11])
    cases.ok("element_columns", [TABLE, i32([3, 2], 3, 0, -1, 1, 2, -4), count("int32", [3, 2], 100)], element(1),
             out=[101, 1, 2, 100, 4, 103, 6, 102, 105, 9, 104, 11])
    cases.ok("element_longer_than_data", [count("int32", [2]), i64([5], 0, 1, 0, -1, -2), count("int32", [5], 10)],
             element(), out=[14, 13], note="along the axis indices may be of any length")
    data = count("int32", [2, 3, 4])
    for axis in range(3):
        for name, off in (("whole", [2, 3, 4]), ("window", [1, 2, 3])):
            for length in (1, 5):
                shape = [*off[:axis], length, *off[axis + 1:]]
                cases.ok(f"element_axis_{axis}_{name}_by_{length}",
                         [data, indices(shape, data["shape"][axis]), count("int32", shape, 100)], element(axis))


def policies(cases):
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -3, -1, 100, 0, -100), count("int32", [2, 4], 10)]
    cases.ok("element_out_of_range_by_default", inputs, element(1), out=[13, 2, 11, 16, 5, 14])
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"element_out_of_range_{policy}", inputs, element(1), options={"out_of_range": policy})
        cases.ok(f"element_far_out_of_range_{policy}",
                 [count("int32", [3], 7), i64([6], *FAR), count("int32", [6], 10)], element(),
                 options={"out_of_range": policy}, note="indices are compared in 64 bits")
    cases.ok("element_index_beyond_32_bits", [f32([3], 1.0, 2.0, 3.0), i64([1], 2**32 + 1), f32([1], 9.0)], element(),
             out=[1.0, 2.0, 3.0], note="dropped; not element 1")
    cases.error("element_out_of_range_error", "index", "C4", inputs, element(1), options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 3, 1, 3, 4))


def empty(cases):
    cases.ok("element_no_indices", [TABLE, i64([3, 0]), tensor("int32", [3, 0], [])], element(1))
    cases.ok("element_no_data", [f32([0, 3]), i64([0, 2]), f32([0, 2])], element(1), out=[])
    nowhere = [f32([2, 0]), i64([2, 1], 0, -1), f32([2, 1], 1.0, 2.0)]
    cases.ok("element_skip_on_an_empty_axis", nowhere, element(1), out=[])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"element_{policy}_on_an_empty_axis", "index", "C4", nowhere, element(1),
                    options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 1, 0, 2))


def packed(cases):
    for shape in ([7], [3, 5], [5, 1], [3, 3, 5], [3, 1, 3]):
        for axis in range(len(shape)):
            for length in (1, 3, 4):
                inner = [*shape[:axis], length, *shape[axis + 1:]]
                cases.ok(f"int4_element_{'x'.join(map(str, shape))}_axis_{axis}_by_{length}",
                         [sample("int4", shape), indices(inner, shape[axis]),
                          tensor("int4", inner, [(3 * i) % 16 - 8 for i in range(math.prod(inner))])], element(axis))
    for number, dtype in enumerate(types.T10):
        shape = [3, 3 + number % 3]
        cases.ok(f"element_window_{dtype}", [sample(dtype, shape), indices([2, 2], 3), sample(dtype, [2, 2])],
                 element(0))


def rules(cases):
    for name, shapes in (("scalars", ([], [], [])), ("indices_too_short", ([3, 4], [3], [3])),
                         ("updates_too_long", ([4], [4], [1, 4])), ("data_too_short", ([4], [1, 4], [1, 4]))):
        data, inner, updates = shapes
        cases.error(f"element_ranks_{name}", "shape", "C1",
                    [count("int32", data), i64(inner, *[0] * math.prod(inner)), count("int32", updates)], element())
    for name, shape in (("shorter", [2, 3]), ("longer", [2, 5]), ("transposed", [4, 2])):
        cases.error(f"element_updates_{name}", "shape", "C2", [TABLE, i64([2, 4], *[0] * 8), count("int32", shape)],
                    element(0))
    for axis, shape in ((0, [1, 5]), (1, [4, 1])):
        cases.error(f"element_indices_larger_off_axis_{axis}", "shape", "C3",
                    [TABLE, i64(shape, *[0] * math.prod(shape)), count("int32", shape)], element(axis))
    cases.ok("element_rank_32", [f32([1] * 31 + [2], 1.0, 2.0), i64([1] * 31 + [1], 1), f32([1] * 32, 9.0)],
             element(31))
    releases.add_rank(cases, "element_rank_8", [[1] * 8] * 3, element(7), legal=True)
    releases.add_rank(cases, "element_rank_9", [[1] * 9] * 3, element(8), legal=False)


def add_cases(cases):
    for part in (elements, policies, empty, packed, rules):
        part(cases)
