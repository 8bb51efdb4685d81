"""Cases of PutAlongAxis."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from .records import REFUSED, Cases

cases = Cases("PutAlongAxis")
ROWS = count("int32", [2, 3], 1)
COLUMNS = i64([2, 2], 2, 0, -2, -1)


def i32s(shape, *data):
    return tensor("int32", shape, data)


def good():
    cases.ok("example", [ROWS, i64([2, 1], 2, 0), i32s([], 9)], {"axis": 1}, out=[1, 2, 9, 9, 5, 6])
    cases.ok("axis_is_the_last_by_default", [ROWS, COLUMNS, count("int32", [2, 2], 10)], out=[11, 2, 10, 4, 12, 13])
    data = count("int32", [3, 2, 3])
    for axis in range(-3, 3):
        shape = [3, 2, 3]
        shape[axis] = 2
        size = shape[0] * shape[1] * shape[2]
        cases.ok(f"axis_{axis}_of_3", [data, i64(shape, *[i % 2 for i in range(size)]), count("int32", shape, 100)],
                 {"axis": axis})
    cases.ok("longer_than_data_along_the_axis", [count("int32", [2]), i64([5], 0, 1, -1, 0, 1), count("int32", [5], 10)],
             out=[13, 14])
    cases.ok("duplicates_last_wins", [count("int32", [3]), i64([4], 1, 1, -2, 0), count("int32", [4], 10)],
             out=[13, 12, 2])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3), i32s([2], 7, 8)])


def broadcasts():
    cases.ok("indices_are_repeated", [ROWS, i64([1, 2], 0, 2), count("int32", [2, 2], 10)], out=[10, 2, 11, 12, 5, 13])
    cases.ok("one_index_everywhere", [count("int32", [2, 3, 2]), i64([1, 1, 1], 1), count("int32", [2, 1, 2], 50)],
             {"axis": 1}, out=[0, 1, 50, 51, 4, 5, 6, 7, 52, 53, 10, 11])
    cases.ok("data_of_extent_1_takes_the_last", [i32s([1, 3], 0, 0, 0), i64([3, 1], 0, 0, 1), i32s([3, 1], 5, 6, 7)],
             out=[6, 7, 0], note="all rows write coordinate 0; the last one in row-major order wins")
    cases.ok("the_last_is_row_major", [i32s([1, 2], 0, 0), i64([2, 2], 0, 0, 0, 1), i32s([2, 2], 1, 2, 3, 4)],
             out=[3, 4], note="NumPy gives [2, 4] for indices and values in Fortran order")
    cases.ok("values_of_rank_0", [ROWS, COLUMNS, i32s([], 7)], out=[7, 2, 7, 4, 7, 7])
    cases.ok("values_of_one_element", [ROWS, COLUMNS, i32s([1], 7)], out=[7, 2, 7, 4, 7, 7])
    cases.ok("values_of_fewer_axes", [ROWS, COLUMNS, i32s([2], 7, 8)], out=[8, 2, 7, 4, 7, 8])
    cases.ok("a_column_of_values", [ROWS, COLUMNS, i32s([2, 1], 7, 8)], out=[7, 2, 7, 4, 8, 8])
    cases.ok("values_with_leading_ones", [ROWS, COLUMNS, i32s([1, 1, 2, 2], 10, 11, 12, 13)],
             out=[11, 2, 10, 4, 12, 13])
    cases.ok("values_of_int4_are_repeated", [count("int4", [2, 4], -4), i64([1, 1], 1), tensor("int4", [1], [7])],
             {"axis": 0}, out=[-4, -3, -2, -1, 7, 7, 7, 7])
    cases.ok("no_indices", [ROWS, i64([2, 0]), i32s([2, 0])], out=[1, 2, 3, 4, 5, 6])
    cases.ok("no_indices_and_a_scalar", [ROWS, i64([2, 0]), i32s([], 9)], out=[1, 2, 3, 4, 5, 6])
    cases.ok("no_indices_and_a_column", [ROWS, i64([2, 0]), i32s([2, 1], 8, 9)], out=[1, 2, 3, 4, 5, 6])
    cases.ok("no_data_and_one_row_of_indices", [f32([0, 3]), i64([1, 2], 0, 1), f32([], 5.0)], out=[])
    cases.error("extents_differ", "shape", "C2", [ROWS, i64([3, 1], 0, 0, 0), i32s([], 1)])
    for name, shape in (("longer", [2, 3]), ("shorter", [3, 1]), ("none", [0]), ("of_more_axes", [2, 2, 2]),
                        ("with_a_leading_zero", [0, 2, 2])):
        cases.error(f"values_{name}", "shape", "C3", [ROWS, COLUMNS, count("int32", shape)])
    cases.error("values_for_no_indices", "shape", "C3", [ROWS, i64([2, 0]), count("int32", [2, 3])])
    cases.error("values_do_not_stretch_what_is_addressed", "shape", "C3",
                [count("int32", [1, 3]), i64([1, 1], 0), i32s([2, 1], 1, 2)])


def policies():
    inputs = [ROWS, i64([1, 4], -1, 3, -4, 100), count("int32", [2, 4], 10)]
    cases.ok("out_of_range_clamp", inputs, options={"out_of_range": "clamp"}, out=[12, 2, 13, 16, 5, 17],
             note="a negative index is below the first element")
    cases.ok("out_of_range_modulo", inputs, options={"out_of_range": "modulo"}, out=[11, 13, 12, 15, 17, 16])
    cases.ok("out_of_range_skip", inputs, options={"out_of_range": "skip"}, out=[1, 2, 10, 4, 5, 14])
    nowhere = [f32([1, 0]), i64([1, 1], 0), f32([], 1.0)]
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C4", nowhere, options={"out_of_range": policy},
                    bad=fault("indices", [0, 0], 0, 1, 0))
    cases.ok("skip_on_an_empty_axis", nowhere, options={"out_of_range": "skip"}, out=[])
    for options in (None, {"out_of_range": "error"}):
        name = "_".join(options) if options else "default"
        cases.error(f"bad_indices_{name}", "index", "C4", inputs, options=options,
                    bad=fault("indices", [0, 1], 3, 1, 3, 3))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    index, one = i64([1, 1], 0), i32s([], 1)
    cases.error("axis_too_large", "argument", "A1", [ROWS, index, one], {"axis": 2})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, index, one], {"reduction": "sum"})
    cases.error("ranks_differ", "shape", "C1", [ROWS, i64([1], 0), one])
    cases.error("rank_0", "shape", "C1", [i32s([], 1), i64([], 0), one])
    cases.error("values_of_another_type", "type", "T3", [ROWS, index, f32([], 1.0)], note="NumPy casts")


def duplicates():
    twice = [count("int32", [3]), i64([2], 2, -1), count("int32", [2], 10)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        cases.error(name, "duplicate", "D1", twice, options=options)
        cases.error(f"{name}_of_data_of_extent_1", "duplicate", "D1",
                    [i32s([1, 2], 0, 0), i64([2, 1], 1, 1), i32s([], 5)], options=options)
        cases.ok(f"{name}_only_what_is_double", [ROWS, i64([1, 2], 0, 1), count("int32", [2, 2], 10)], options=options,
                 out=[10, 11, 3, 12, 13, 6])
    cases.ok("a_dropped_value_is_no_duplicate", [count("int32", [3]), i64([3], 5, 1, 5), i32s([], 7)],
             options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 7, 2])


for _part in (good, broadcasts, policies, rules, duplicates):
    _part()
payloads.add_cases(cases, {1: types.T24}, lambda make: [make([2, 3]), i64([2, 2], 2, -3, 0, -2), make([2, 2], 1)],
                   lambda make: [make([3, 3]), i32([1, 2], 2, 1), make([3, 1], 1)], refused=REFUSED)
index_types.add_cases(cases, types.INTEGERS,
                      lambda make: [ROWS, make([1, 2], [2, -2]), count("int32", [2, 2], 10)])
