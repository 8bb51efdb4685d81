"""Cases of the pooled look-ups: EmbeddingBagOffsetsSum-3, EmbeddingBagOffsets-15, EmbeddingBagPackedSum-3,
EmbeddingBagPacked-15, EmbeddingSegmentsSum-3.

A call is written as a list of bags, each the list of its indices; `inputs` makes the operator's own inputs of them.
"""

import itertools

from .. import types
from ..records import count, cycle, f32, fault, i32, i64
from ..semantics import tensor
from . import bag_rules, reductions
from .records import Cases


class BagCases(Cases):
    """`reduces`: the values of reduction; those without the attribute have "sum" alone."""

    def __init__(self, op, version):
        super().__init__(op, [version])
        self.has_offsets, self.has_segments = "Offsets" in op, "Segments" in op
        self.is_packed = not (self.has_offsets or self.has_segments)
        self.reduces = ["sum"] if "Sum" in op else ["sum", "mean"]

    def attrs(self, reduction):
        return {} if len(self.reduces) == 1 else {"reduction": reduction}

    def rule(self, name):
        """The label of one of the rules that have another number in each operator."""
        forms = ["indices", *(["segments"] if self.has_segments else []), *(["default"] if not self.is_packed else []),
                 "weights", *(["bounds", "default_range"] if not self.is_packed else []), "range"]
        return f"C{forms.index(name) + 2}"

    def error(self, name, kind, label, inputs, attrs=None, *, bad=None, **given):
        """`bad`: of offsets and segment ids all that are outside are counted here."""
        if bad and bad["input"] in ("offsets", "segment_ids"):
            last = bad["extent"] - (bad["input"] == "segment_ids")
            bad = {**bad, "count": sum(not 0 <= number <= last for number in inputs[2]["data"])}
        super().error(name, kind, label, inputs, attrs, bad=bad, **given)

    def inputs(self, table, bags, default=None, weights=None, itype="int64", segments=None):
        """`default`: the number of a row; `weights`: one for each sample; `segments`: their number, else that of bags."""
        flat = list(itertools.chain.from_iterable(bags))
        if self.is_packed:
            shape = [len(bags), len(bags[0]) if bags else 0]
            result = [tensor(itype, shape, flat)]
        elif self.has_offsets:
            shape, begins = [len(flat)], [sum(map(len, bags[:bag])) for bag in range(len(bags))]
            result = [tensor(itype, shape, flat), tensor(itype, [len(bags)], begins)]
        else:
            shape, ids = [len(flat)], [bag for bag, samples in enumerate(bags) for _ in samples]
            number = len(bags) if segments is None else segments
            result = [tensor(itype, shape, flat), tensor(itype, shape, ids), tensor(itype, [], [number])]
        if not self.is_packed:
            result.append(None if default is None else tensor(itype, [], [default]))
        result.append(None if weights is None else tensor(table["dtype"], shape, weights))
        while result[-1] is None:
            result.pop()
        return [table, *result]

    def place(self, bags, bag, sample):
        """Where a sample stands in the tensor of indices."""
        return [bag, sample] if self.is_packed else [sum(map(len, bags[:bag])) + sample]


offsets_sum = BagCases("EmbeddingBagOffsetsSum", 3)
offsets = BagCases("EmbeddingBagOffsets", 15)
packed_sum = BagCases("EmbeddingBagPackedSum", 3)
packed = BagCases("EmbeddingBagPacked", 15)
segments_sum = BagCases("EmbeddingSegmentsSum", 3)
ALL = (offsets_sum, offsets, packed_sum, packed, segments_sum)

TABLE = f32([5, 2], *(types.round_to("float32", value) for value in (-0.2, -0.6, -0.1, -0.4, -1.9, -1.8, -1.0, 1.5, 0.8, -0.7)))
ROWS = count("float32", [4, 2], 1)
THREE, PAIRS = [[0, 2], [], [3, 4]], [[0, 2], [1, 2], [3, 4]]


def examples(cases):
    """Those of OpenVINO's pages."""
    of_bags = PAIRS if cases.is_packed else THREE
    half = [0.5] * sum(map(len, of_bags))
    cases.ok("example_weighted", cases.inputs(TABLE, of_bags, None if cases.is_packed else 0, half))
    cases.ok("example_without_weights", cases.inputs(TABLE, of_bags))
    if cases.has_offsets:
        weights = [0.5, types.round_to("float32", 0.2), -2.0, 1.0]
        cases.ok("example_of_zeros", cases.inputs(TABLE, THREE, -1, weights))
        begins = i64([5], 0, 3, 4, 4, 6)
        cases.ok("example_of_offsets", [ROWS, cycle("int64", [8], [3, 0, 1]), begins])
    if "mean" in cases.reduces:
        cases.ok("example_of_mean", cases.inputs(TABLE, of_bags), {"reduction": "mean"})


def empty_bags(cases):
    """Bags without samples, wherever they stand, with each default index."""
    if cases.is_packed:
        for reduction in cases.reduces:
            cases.ok(f"{reduction}_of_no_samples", cases.inputs(ROWS, [[], []]), cases.attrs(reduction), out=[0.0] * 4)
        return
    shapes = {"first": [[], [1, 2]], "middle": [[1], [], [2, 2]], "last": [[1, 2], []], "several": [[], [], [3], [], []],
              "all": [[], [], []], "none": [[1], [2, 3]]}
    for (name, of_bags), default, reduction in itertools.product(shapes.items(), (None, -1, 0, 3), cases.reduces):
        ending = {None: "absent", -1: "minus_1"}.get(default, default)
        cases.ok(f"empty_{name}_default_{ending}_{reduction}", cases.inputs(ROWS, of_bags, default), cases.attrs(reduction))
    cases.ok("default_row_keeps_bits", cases.inputs(tensor("float32", [2], [1.0, "0xffc00123"]), [[0], []], 1),
             note="the row is copied")
    cases.ok("default_row_of_negative_zero", cases.inputs(f32([1, 2], -0.0, 7.0), [[]], 0))
    cases.ok("default_row_has_no_weight", cases.inputs(ROWS, [[], [1, 2]], 3, [5.0, 0.5]))
    cases.ok("weights_without_default_index", cases.inputs(ROWS, [[0], [], [1, 2]], None, [2.0, 0.5, -1.0]))


def bounds_of_bags(cases):
    if cases.has_offsets:
        for reduction in cases.reduces:
            attrs = cases.attrs(reduction)
            cases.ok(f"samples_in_front_of_the_first_bag_{reduction}", [ROWS, i64([4], 3, 1, 2, 0), i64([2], 1, 3)], attrs)
            cases.ok(f"no_bags_{reduction}", [ROWS, i64([2], 3, 1), i64([0])], attrs, out=[])
        cases.ok("offset_at_the_end", [ROWS, i64([2], 3, 1), i64([2], 2, 2), i64([], 1)], note="both bags are empty")
    if cases.has_segments:
        cases.ok("segments_behind_the_last_id", cases.inputs(ROWS, [[1], [2, 3]], segments=5))
        cases.ok("segments_behind_the_last_id_with_default", cases.inputs(ROWS, [[1], [2, 3]], 0, segments=4))
        cases.ok("no_segments", cases.inputs(ROWS, []), out=[])
    if cases.is_packed:
        cases.ok("no_bags", [ROWS, i64([0, 3])], out=[])


def shapes(cases):
    bags = [[2, 0], [1, 1]]
    for shape in ([3], [3, 1], [3, 2, 2], [3, 1, 2, 2], [3, 2, 1, 1, 2]):
        name = "x".join(map(str, shape))
        for reduction in cases.reduces:
            cases.ok(f"table_{name}_{reduction}", cases.inputs(count("float32", shape, 1), bags), cases.attrs(reduction))
        cases.ok(f"table_{name}_weighted", cases.inputs(count("float32", shape, 1), bags, None, [0.5, 2.0, -1.0, 4.0]))
    if "Packed" in cases.op:
        cases.ok("rank_31", cases.inputs(count("int32", [3] + [1] * 30), bags))
        cases.error("rank_32", "shape", "C1", cases.inputs(count("int32", [3] + [1] * 31), bags))
    else:
        cases.ok("rank_32", cases.inputs(count("int32", [3] + [1] * 31), bags))
    cases.ok("rows_of_nothing", cases.inputs(f32([3, 0]), bags), out=[])
    cases.ok("no_rows_and_no_samples", cases.inputs(f32([0, 2]), [[], []]), out=[0.0] * 4)
    cases.ok("more_than_a_vector_of_columns", cases.inputs(count("int32", [3, 67], 1), bags))
    cases.ok("more_than_a_vector_of_columns_weighted",
             cases.inputs(count("float32", [3, 67], 1), bags, None, [0.5, 2.0, -1.0, 4.0]))
    cases.ok("a_large_bag", cases.inputs(count("int64", [7, 3], -9), [[i % 7 for i in range(150)]]))
    cases.ok("a_large_bag_weighted", cases.inputs(count("int8", [7, 3], -9), [[i % 7 for i in range(150)]], None,
                                                   [i % 3 - 1 for i in range(150)]))
    cases.ok("one_row_many_times", cases.inputs(f32([2, 1], 1.0, 0.5), [[1, 1, 1, 1, 1, 1]]), out=[3.0])
    for itype in types.I2:
        cases.ok(f"indices_of_type_{itype}", cases.inputs(ROWS, bags, None if cases.is_packed else 1, itype=itype))


def element_types(cases):
    """Sums, weighted sums and means of every type: of special values, and of plain ones."""
    bags, weights = [[0, 1, 4], [2, 2, 5], [3, 5, 1]], [1, 5, 0, 4, 3, 3, 2, 0, 1]
    plain = {"float8_e4m3fn": ["0x38", "0x40", "0xb8"], "float8_e5m2": ["0x3c", "0x40", "0xbc"],
             **dict.fromkeys(types.FLOATS, [1.0, 2.0, -1.5])}
    for dtype in types.M16:
        special = reductions.UPDATES[dtype]
        small = plain.get(dtype) or [1, 2, 1]
        tables = {"": tensor(dtype, [6], special), "plain_": cycle(dtype, [6, 2], small)}
        for (kind, table), reduction in itertools.product(tables.items(), cases.reduces):
            cases.ok(f"{kind}{reduction}_{dtype}", cases.inputs(table, bags), cases.attrs(reduction))
        for kind, table in tables.items():
            given = [(special if not kind else small)[place % (6 if not kind else 3)] for place in weights]
            cases.ok(f"{kind}weighted_{dtype}", cases.inputs(table, bags, None, given))
    for dtype in ("bool", "string", "uint1", "uint2", "nf4", "float4_e2m1fn", "float8_e8m0fnu", "float8_e4m3fnuz", "complex64"):
        cases.error(f"type_{dtype}", "type", "T1", cases.inputs(cycle(dtype, [6], types.SAMPLES[dtype]), bags))


def folds(cases):
    """Rounding at every step, wrapping, computed NaN: a sum is a bag, a product a sample and its weight."""
    for name, dtype, start, updates, reduction, note in reductions.FOLDS:
        if dtype == "bool":
            continue
        if reduction == "sum":
            values = [start, *updates]
            cases.ok(name, cases.inputs(tensor(dtype, [len(values)], values), [list(range(len(values)))]), note=note)
        elif reduction == "prod" and len(updates) == 1:
            cases.ok(name, cases.inputs(tensor(dtype, [1], [start]), [[0]], None, updates), note=note)
    for name, dtype, start, updates, result, reduction in reductions.BITS:
        if dtype == "bool" or reduction not in ("sum", "prod"):
            continue
        values, is_sum = [start, *updates], reduction == "sum"
        inputs = cases.inputs(tensor(dtype, [2], values), [[0, 1]]) if is_sum else \
            cases.inputs(tensor(dtype, [1], [start]), [[0]], None, updates)
        # A sum begins with +0.
        given = "0x00000000" if name == "nan_free_negative_zeros_sum" else result
        cases.given(name, inputs, tensor(dtype, [1], [given]))
    alone = f32([2], -0.0, 3.0)
    cases.ok("negative_zero_alone", cases.inputs(alone, [[0]]), out=[0.0], note="0 + -0 is +0")
    cases.ok("weighted_negative_zero", cases.inputs(alone, [[1]], None, [-0.0]), out=[0.0])
    cases.ok("product_rounds_before_the_sum", cases.inputs(f32([2], 1.0 + 2.0**-12, -1.0), [[0, 1]], None, [1.0 + 2.0**-12, 1.0]),
             note="a fused multiply-add gives 2^-11 + 2^-24")
    cases.ok("weights_of_zero_and_infinity", cases.inputs(f32([2], 1.0, 2.0), [[0, 1]], None, ["inf", 0.0]))


def means(cases):
    if "mean" not in cases.reduces:
        return
    mean = {"reduction": "mean"}
    for name, dtype, values in (("goes_down", "int32", [-2, -1]), ("goes_down_far", "int64", [-1, 0, 0, 0, 0, 0, 0]),
                                ("of_uint8", "uint8", [3, 4]), ("of_int4", "int4", [-3, -2]), ("of_uint4", "uint4", [7, 8]),
                                ("wraps_before_it_is_divided", "int8", [127, 1]), ("of_int64_beyond_a_double", "int64",
                                [2**53 + 1, 2**53 + 3]), ("of_uint64", "uint64", [2**63, 2**63 - 1]),
                                ("of_thirds", "float32", [1.0, 0.0, 0.0]), ("of_thirds_float64", "float64", [1.0, 0.0, 0.0]),
                                ("of_thirds_float16", "float16", [1.0, 0.0, 0.0]), ("of_thirds_bfloat16", "bfloat16", [1.0, 0.0, 0.0]),
                                ("of_infinities", "float32", ["inf", "inf"]), ("overflows", "float16", [65504.0, 65504.0]),
                                ("of_float8_e5m2", "float8_e5m2", ["0x3c", "0x40", "0x40"])):
        cases.ok(f"mean_{name}", cases.inputs(tensor(dtype, [len(values)], values), [list(range(len(values)))]), mean)
    cases.ok("mean_of_unlike_rows", cases.inputs(count("int16", [4, 3], -6), [[0, 1, 2], [3, 3, 3]]), mean)


def policies(cases):
    """Samples that are left out, or take another row."""
    bags, weights = [[-9, 1, 3], [4, -1, 100], [2, 2, 0]], [float(value) for value in range(1, 10)]
    for policy, negative, reduction in itertools.product(("skip", "clamp", "modulo"), (None, "from_end", "out_of_range"), cases.reduces):
        if negative:  # index_options.py has those
            continue
        options = {"out_of_range": policy}
        cases.ok(f"out_of_range_{policy}_{reduction}", cases.inputs(ROWS, bags), cases.attrs(reduction), options=options)
        if reduction == "sum":
            cases.ok(f"out_of_range_{policy}_weighted", cases.inputs(ROWS, bags, None, weights), options=options)
    for reduction in cases.reduces:
        default = None if cases.is_packed else 2
        cases.ok(f"a_bag_of_samples_left_out_is_not_empty_{reduction}", cases.inputs(ROWS, [[7, 9], [1, 7]], default),
                 cases.attrs(reduction), options={"out_of_range": "skip"})
    far = [[2**32 + 1, 1], [-2**32, 2**63 - 1]]
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"far_out_of_range_{policy}", cases.inputs(ROWS, far), options={"out_of_range": policy},
                 note="indices are compared in 64 bits")
    cases.ok("strict_changes_nothing", cases.inputs(ROWS, [[1, 2], [0, 3]]), options={"strict": True})
    cases.ok("duplicates_refuse_nothing", cases.inputs(ROWS, [[1, 1], [1, 3]]), options={"duplicates": "error"},
             note="no cell is written twice")


def bad_indices(cases):
    bags = [[0, 4], [-1, 1]]
    rule = cases.rule("range")
    place = cases.place(bags, 0, 1)
    cases.error("index_too_large", "index", rule, cases.inputs(ROWS, [[0, 4], [2, 1]]), bad=fault("indices", place, 4, 0, 4))
    cases.error("two_bad_indices", "index", rule, cases.inputs(ROWS, bags), bad=fault("indices", place, 4, 0, 4, 2))
    cases.error("index_negative", "index", rule, cases.inputs(ROWS, [[0, 3], [2, -1]]), options={"out_of_range": "error"},
                bad=fault("indices", cases.place(bags, 1, 1), -1, 0, 4))
    cases.error("index_negative_strict", "index", rule, cases.inputs(ROWS, [[0, 3], [2, -4]]), options={"strict": True},
                bad=fault("indices", cases.place(bags, 1, 1), -4, 0, 4))
    cases.error("index_beyond_32_bits", "index", rule, cases.inputs(ROWS, [[0, 2**32 + 1]]),
                bad=fault("indices", cases.place([[]], 0, 1), 2**32 + 1, 0, 4), note="it is 1 in 32 bits")
    cases.error("bad_index_of_rows_of_nothing", "index", rule, cases.inputs(f32([2, 0]), [[0, 2]]),
                bad=fault("indices", cases.place([[]], 0, 1), 2, 0, 2))
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"table_without_rows_{policy}", "index", rule, cases.inputs(f32([0, 2]), [[0, 1]]),
                    options={"out_of_range": policy}, bad=fault("indices", cases.place([[]], 0, 0), 0, 0, 0, 2))
    cases.ok("table_without_rows_skip", cases.inputs(f32([0, 2]), [[0, 1]]), options={"out_of_range": "skip"}, out=[0.0, 0.0])
    if cases.has_offsets:
        cases.error("bad_index_in_front_of_the_first_bag", "index", rule, [ROWS, i64([2], 4, 0), i64([1], 1)],
                    bad=fault("indices", [0], 4, 0, 4), note="it is checked although no bag has it")
        cases.error("bad_index_without_bags", "index", rule, [ROWS, i32([2], 0, 4), i32([0])], bad=fault("indices", [1], 4, 0, 4))


for _cases in ALL:
    for _part in (examples, empty_bags, bounds_of_bags, shapes, element_types, folds, means, policies, bad_indices):
        _part(_cases)
    bag_rules.add_rules(_cases, ROWS)
