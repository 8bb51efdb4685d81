"""Cases of GatherND-5 and -8."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64, sample
from ..semantics import tensor
from .records import Cases

cases = Cases("GatherND", [5, 8])
SQUARE = count("int32", [2, 2])
CUBE = count("int32", [2, 2, 2])


def tuples():
    cases.ok("points", [SQUARE, i64([2, 2], 0, 0, 1, 1)], out=[0, 3])
    cases.ok("rows", [SQUARE, i64([2, 1], 1, 0)], out=[2, 3, 0, 1])
    cases.ok("rows_of_a_cube", [CUBE, i64([2, 2], 0, 1, 1, 0)], out=[2, 3, 4, 5])
    cases.ok("indices_of_rank_3", [CUBE, i64([2, 1, 2], 0, 1, 1, 0)], out=[2, 3, 4, 5])
    cases.ok("negative_indices", [CUBE, i32([2, 3], -1, -2, -1, 0, -1, 0)], out=[5, 2])
    cases.ok("one_tuple", [count("int32", [2, 3, 4]), i64([3], 1, 2, 3)], out=[23])
    cases.ok("empty_tuple", [SQUARE, i64([0])], out=[0, 1, 2, 3], note="a tuple of no coordinates takes all")
    cases.ok("empty_tuples", [SQUARE, i64([3, 0])], out=[0, 1, 2, 3] * 3)
    cases.ok("empty_tuples_in_a_batch", [SQUARE, i64([2, 3, 0])], {"batch_dims": 1})
    cases.ok("no_empty_tuples", [SQUARE, i64([0, 0])], out=[])
    cases.ok("rank_32", [count("int32", [1] * 31 + [2]), i64([2, 32], *[0] * 31, 1, *[-1] * 31, -2)])
    cases.ok("no_tuples", [SQUARE, i64([0, 2])], out=[])
    cases.ok("empty_tail", [f32([2, 0]), i64([2, 1], 1, -2)], out=[])
    cases.ok("no_tuples_of_empty_data", [f32([0, 2]), i64([0, 1])], out=[])


def batches():
    data = count("int32", [2, 3, 4])
    cases.ok("batch_1_points", [data, i64([2, 2, 2], 0, 3, 2, -4, 1, 1, -1, 0)], {"batch_dims": 1})
    cases.ok("batch_1_rows", [data, i64([2, 2, 1], 0, 2, 1, -3)], {"batch_dims": 1})
    cases.ok("batch_1_no_tuple_axis", [data, i64([2, 1], 2, -1)], {"batch_dims": 1})
    cases.ok("batch_1_of_none", [f32([0, 2]), i64([0, 1])], {"batch_dims": 1}, out=[])
    two = {"2": [data, i64([2, 3, 1], 0, 1, 2, 3, -1, -4)],
           "2_more_indices": [data, i64([2, 3, 2, 1], *[i % 4 for i in range(12)])],
           "2_rows": [count("int32", [2, 2, 2, 2]), i64([2, 2, 1], 1, 0, -1, -2)],
           "3": [count("int32", [2, 1, 2, 3]), i64([2, 1, 2, 1], 0, 2, -1, 1)],
           "2_of_none": [f32([2, 0, 3]), i64([2, 0, 1])]}
    for name, inputs in two.items():
        attrs = {"batch_dims": int(name[0])}
        cases.ok(f"batch_{name}_joined", inputs, attrs, versions=[5],
                 note="GatherND-5 joins the batch axes of the result")
        cases.ok(f"batch_{name}", inputs, attrs, versions=[8])
    cases.ok("batch_dims_0", [data, i64([1, 2], 1, 2)], {"batch_dims": 0})


# Shapes of data and indices, and batch_dims, of calls that repeat batches.
REPEATED = [
    ([1, 4], [3, 1], 1), ([3, 4], [1, 1], 1), ([1, 4], [1, 1], 1), ([1, 4], [0, 1], 1), ([0, 4], [1, 1], 1),
    ([1, 4, 2], [3, 2, 1], 1), ([3, 4, 2], [1, 2, 1], 1), ([3, 4, 2], [1, 2, 2], 1), ([1, 3, 2, 2], [4, 1], 1),
    ([1, 4, 2], [2, 2, 2, 2], 1), ([1, 4], [3, 0], 1), ([3, 4], [1, 2, 0], 1), ([1, 2, 3], [3, 1, 2], 1),
    ([2, 1, 4], [2, 3, 1], 2), ([1, 3, 4], [2, 3, 1], 2), ([2, 3, 4], [1, 3, 1], 2), ([2, 3, 4], [2, 1, 1], 2),
    ([2, 3, 4], [1, 1, 1], 2), ([1, 1, 4], [2, 3, 1], 2), ([2, 1, 4], [1, 3, 1], 2), ([1, 3, 4], [2, 1, 1], 2),
    ([1, 3, 4, 2], [2, 1, 2, 1], 2), ([2, 1, 3, 2], [1, 2, 2, 2], 2), ([1, 2, 4], [3, 2, 3, 1], 2),
    ([2, 1, 2, 3], [1, 3, 2, 1], 3), ([1, 1, 1, 3], [2, 2, 2, 1], 3), ([2, 2, 2, 3], [1, 1, 1, 1], 3),
    ([2, 1, 2, 3, 2], [2, 2, 1, 2, 1], 3), ([0, 1, 3], [1, 2, 1], 2), ([1, 2, 3], [0, 1, 1], 2),
    ([1, 5], [2, 3, 1], 1), ([1, 1, 2, 5], [4, 1, 1, 2], 2),
]


def repeated_batches():
    dtypes = ["int32", "float64", "uint8", "int4", "string", "float16", "int64", "uint1", "nf4", "bool"]
    for number, (shape, inner, batch_dims) in enumerate(REPEATED):
        size = 1
        for extent in inner:
            size *= extent
        extents = shape[batch_dims:batch_dims + inner[-1]]
        values = [(7 * i + 3) % (2 * extents[i % inner[-1]]) - extents[i % inner[-1]] for i in range(size)]
        name = f"broadcast_{'x'.join(map(str, shape))}_by_{'x'.join(map(str, inner))}"
        cases.ok(name, [sample(dtypes[number % len(dtypes)], shape), i64(inner, *values)],
                 {"batch_dims": batch_dims}, versions=[8],
                 note="a batch extent of 1 stands for all" if number == 0 else None)
    inputs = [count("int32", [1, 4], 1), i64([3, 1], 1, 4, -6)]
    one = {"batch_dims": 1}
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"broadcast_out_of_range_{policy}", inputs, one, versions=[8], options={"out_of_range": policy})
    cases.error("broadcast_bad_index", "index", "C5", inputs, one, versions=[8],
                bad=fault("indices", [1, 0], 4, 1, 4, 2))
    cases.error("broadcast_bad_index_counts_once", "index", "C5", [count("int32", [3, 4]), i64([1, 1], 4)], one,
                versions=[8], bad=fault("indices", [0, 0], 4, 1, 4),
                note="one index element, though it is read in three batches")
    cases.error("broadcast_bad_index_of_no_batch", "index", "C5", [tensor("int32", [0, 4], []), i64([1, 1], 4)], one,
                versions=[8], bad=fault("indices", [0, 0], 4, 1, 4))
    for name, shape, inner, batch_dims in (("3_by_2", [3, 4], [2, 1], 1), ("2_by_0", [2, 4], [0, 1], 1),
                                           ("second_axis", [2, 3, 4], [2, 2, 1], 2)):
        size = 1
        for extent in inner:
            size *= extent
        cases.error(f"broadcast_{name}", "shape", "C2", [count("int32", shape), i64(inner, *[0] * size)],
                    {"batch_dims": batch_dims})
    cases.error("no_broadcast_in_5", "shape", "C2", inputs, one, versions=[5])
    cases.error("no_broadcast_of_indices_in_5", "shape", "C2", [count("int32", [3, 4]), i64([1, 1], 0)], one,
                versions=[5])


def policies():
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy})
        cases.ok(f"out_of_range_{policy}_rows", [count("int32", [2, 3], 1), i64([3, 1], 2, -3, 1)],
                 options={"out_of_range": policy})
    cases.error("out_of_range_by_default", "index", "C5", inputs, bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("out_of_range_error", "index", "C5", inputs, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, options={"out_of_range": "skip"})
    cases.error("empty_axis", "index", "C5", [f32([2, 0]), i64([1, 2], 1, 0)], bad=fault("indices", [0, 1], 0, 1, 0))
    for policy in ("clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C5", [f32([2, 0]), i64([1, 2], 1, 0)],
                    options={"out_of_range": policy}, bad=fault("indices", [0, 1], 0, 1, 0))
    cases.error("bad_index_of_an_empty_result", "index", "C5", [f32([2, 0]), i64([1, 1], 2)],
                bad=fault("indices", [0, 0], 2, 0, 2))


def rules():
    cases.error("index_too_large", "index", "C5", [CUBE, i64([2, 2], 0, 1, 1, 2)],
                bad=fault("indices", [1, 1], 2, 1, 2))
    cases.error("index_too_small", "index", "C5", [CUBE, i64([2, 1, 1], -2, -3)],
                bad=fault("indices", [1, 0, 0], -3, 0, 2))
    cases.error("index_of_a_batch", "index", "C5", [CUBE, i64([2, 2], 0, 2, 1, 1)], {"batch_dims": 1},
                bad=fault("indices", [0, 1], 2, 2, 2))
    for value in (-1, 2):
        cases.error(f"batch_dims_{value}", "argument", "A4", [CUBE, i64([2, 1], 0, 0)], {"batch_dims": value})
    cases.error("batch_dims_of_a_vector", "argument", "A4", [f32([2], 1.0, 2.0), i64([2, 1], 0, 0)],
                {"batch_dims": 1})
    cases.error("unknown_attribute", "argument", "A2", [CUBE, i64([2, 1], 0, 0)], {"axis": 0})
    cases.error("batch_dims_is_no_truth", "argument", "A2", [CUBE, i64([2, 1], 0, 0)], {"batch_dims": True})
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0)])
    cases.error("indices_of_rank_0", "shape", "C1", [CUBE, i64([], 0)])
    cases.error("tuples_too_long", "shape", "C3", [SQUARE, i64([1, 3], 0, 0, 0)])
    cases.error("tuples_too_long_for_the_batch", "shape", "C3", [SQUARE, i64([2, 2], 0, 0, 0, 0)], {"batch_dims": 1})
    cases.error("result_of_rank_33", "shape", "C4", [f32([1] * 32, 1.0), i64([1, 1, 1], 0)])
    cases.error("result_of_rank_33_before_joining", "shape", "C4", [f32([1] * 32, 1.0), i64([1, 1, 1, 1, 1], 0)],
                {"batch_dims": 2}, note="GatherND-5 would have 32 axes after it joined two")
    cases.error("indices_are_missing", "argument", "CALL-I1", [SQUARE])


def strict():
    negative = [CUBE, i64([2, 1], 1, -1)]
    cases.error("strict_negative_index", "index", "S1", negative, versions=[5], options={"strict": True},
                bad=fault("indices", [1, 0], -1, 0, 2))
    cases.ok("strict_negative_index_since_8", negative, versions=[8], options={"strict": True})
    cases.ok("strict_with_legal_indices", [CUBE, i64([2, 1], 1, 0)], options={"strict": True})
    cases.error("strict_large_index", "index", "S1", [CUBE, i64([1, 1], 2)], versions=[5], options={"strict": True},
                bad=fault("indices", [0, 0], 2, 0, 2))
    for policy in ("zero", "clamp", "modulo"):
        options = {"strict": True, "out_of_range": policy}
        cases.error(f"strict_negative_index_{policy}", "index", "S1", [CUBE, i64([2, 1], 9, -1)], versions=[5],
                    options=options, bad=fault("indices", [1, 0], -1, 0, 2))
        cases.ok(f"strict_large_index_{policy}", [CUBE, i64([2, 1], 9, 1)], versions=[5], options=options)


for _part in (tuples, batches, repeated_batches, policies, rules, strict):
    _part()
payloads.add_cases(cases, dict.fromkeys(cases.versions, types.T23),
                   lambda make: [make([3, 2]), i64([4, 2], 0, 0, 2, -1, -2, 1, 1, 0)],
                   lambda make: [make([3, 5]), i32([3, 1], 1, 0, 2)])
index_types.add_cases(cases, types.I10, lambda make: [CUBE, make([2, 2], [0, -1, -1, 1])])
