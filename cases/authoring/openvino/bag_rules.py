"""Records of the rules of pooled look-ups on types, shapes, offsets, segment ids and the default index, and of their order.

`cases` is one of bags.py's lists.
"""

from .. import types
from ..records import f32, fault, i32, i64
from ..semantics import tensor

BAGS = [[1, 2], [0, 3]]
WEIGHTS = [0.5, 2.0, 1.0, -1.0]
HUGE = f32([0, 2**60])


def _with(inputs, place, given):
    result = list(inputs) + [None] * (place + 1 - len(inputs))
    result[place] = given
    return result


def _places(cases):
    """The places of the optional inputs: default_index, which packed bags lack, and the weights."""
    if cases.is_packed:
        return None, 2
    return (4, 5) if cases.has_segments else (3, 4)


def _types(cases, table):
    inputs = cases.inputs(table, BAGS)
    default, weights = _places(cases)
    for dtype in [*types.I10, "float32", "bool", "string"]:
        if dtype not in types.I2:
            given = tensor(dtype, inputs[1]["shape"], [types.SAMPLES[dtype][0]] * 4)
            cases.error(f"indices_of_type_{dtype}", "type", "T2", _with(inputs, 1, given))
    for dtype in ("float64", "float16", "int32"):
        given = tensor(dtype, inputs[1]["shape"], [1 if dtype == "int32" else 1.0] * 4)
        cases.error(f"weights_of_type_{dtype}", "type", "T3", _with(inputs, weights, given))
    if cases.is_packed:
        return
    others = {"offsets" if cases.has_offsets else "segment_ids": 2, "default_index": default,
              **({"num_segments": 3} if cases.has_segments else {})}
    for name, place in others.items():
        shape, data = (inputs[place]["shape"], inputs[place]["data"]) if name != "default_index" else ([], [0])
        rule = "T4" if name == "num_segments" else "T2"
        cases.error(f"{name}_of_type_int16", "type", rule, _with(inputs, place, tensor("int16", shape, data)))
        cases.error(f"{name}_of_type_float32", "type", rule, _with(inputs, place, tensor("float32", shape, list(map(float, data)))))
        cases.error(f"{name}_of_another_type", "type", "T5", _with(inputs, place, tensor("int32", shape, data)))


def _shapes(cases, table):
    inputs = cases.inputs(table, BAGS)
    default, weights = _places(cases)
    cases.error("table_of_rank_0", "shape", "C1", _with(inputs, 0, f32([], 1.0)))
    of_indices = {"rank_0": i64([], 1), **({"rank_1": i64([4], 1, 2, 0, 3)} if cases.is_packed else {"rank_2": i64([2, 2], 1, 2, 0, 3)}),
                  "rank_3": i64([1, 2, 2], 1, 2, 0, 3)}
    for name, given in of_indices.items():
        cases.error(f"indices_of_{name}", "shape", cases.rule("indices"), _with(inputs, 1, given))
    for name, shape in (("rank_0", []), ("another_extent", [3]), ("another_rank", [1, 4]), ("rank_3", [2, 2, 1])):
        count = 3 if shape == [3] else 4 if shape else 1
        cases.error(f"weights_of_{name}", "shape", cases.rule("weights"), _with(inputs, weights, f32(shape, *[1.0] * count)))
    if cases.has_offsets:
        for name, given in (("rank_0", i64([], 0)), ("rank_2", i64([1, 2], 0, 2))):
            cases.error(f"offsets_of_{name}", "shape", "C2", _with(inputs, 2, given))
    if cases.has_segments:
        for name, given in (("rank_0", i64([], 0)), ("another_extent", i64([3], 0, 0, 1)), ("rank_2", i64([2, 2], 0, 0, 1, 1))):
            cases.error(f"segment_ids_of_{name}", "shape", "C2", _with(inputs, 2, given))
        for name, given in (("of_rank_1", i64([1], 2)), ("of_two", i64([2], 2, 2)), ("of_none", i64([0])), ("negative", i64([], -1)),
                            ("lowest", i64([], -2**63))):
            cases.error(f"num_segments_{name}", "shape", "C3", _with(inputs, 3, given))
    if not cases.is_packed:
        for name, given in (("rank_1", i64([1], 0)), ("none", i64([0])), ("rank_2", i64([1, 1], 0))):
            cases.error(f"default_index_of_{name}", "shape", cases.rule("default"), _with(inputs, default, given))


def _bounds(cases, table):
    """Offsets, segment ids and default indices outside their ranges, and some that fall."""
    if cases.is_packed:
        return
    inputs, rule = cases.inputs(table, BAGS), cases.rule("bounds")
    default, _ = _places(cases)
    if cases.has_offsets:
        for name, begins, place, value in (("offset_above_the_number_of_indices", (0, 5), 1, 5), ("offset_negative", (0, -1), 1, -1),
                                           ("first_offset_negative", (-4, 0), 0, -4), ("offset_far_above", (2**40, 2**40), 0, 2**40),
                                           ("offset_is_a_number_of_32_bits", (0, 2**32 + 2), 1, 2**32 + 2)):
            cases.error(name, "index", rule, _with(inputs, 2, i64([2], *begins)), bad=_bad("offsets", [place], value, 4))
        cases.error("offset_without_indices", "index", rule, [table, i64([0]), i64([2], 0, 1)], bad=_bad("offsets", [1], 1, 0))
        cases.error("offsets_fall", "argument", rule, _with(inputs, 2, i64([3], 0, 3, 2)))
        cases.error("offsets_fall_without_cells", "argument", rule, _with(_with(inputs, 0, f32([4, 0])), 2, i64([2], 3, 2)))
        cases.error("offsets_fall_before_one_is_outside", "argument", rule, _with(inputs, 2, i64([3], 3, 2, 9)))
        cases.error("offset_is_outside_before_one_falls", "index", rule, _with(inputs, 2, i64([3], 0, 9, 2)),
                    bad=_bad("offsets", [1], 9, 4))
        cases.error("offsets_under_skip", "argument", rule, _with(inputs, 2, i64([2], 3, 2)), options={"out_of_range": "skip"})
    else:
        for name, ids, place, value in (("id_above_the_last_segment", (0, 0, 1, 2), 3, 2), ("id_negative", (-1, 0, 1, 1), 0, -1),
                                        ("id_negative_behind_others", (0, -1, 1, 1), 1, -1),
                                        ("id_is_a_number_of_32_bits", (0, 0, 1, 2**32 + 1), 3, 2**32 + 1)):
            cases.error(name, "index", rule, _with(inputs, 2, i64([4], *ids)), bad=_bad("segment_ids", [place], value, 2))
        cases.error("no_segments_for_ids", "index", rule, _with(inputs, 3, i64([], 0)), bad=_bad("segment_ids", [0], 0, 0))
        cases.error("ids_fall", "argument", rule, _with(inputs, 2, i64([4], 0, 1, 0, 1)))
        cases.error("ids_fall_without_cells", "argument", rule, _with(_with(inputs, 0, f32([4, 0])), 2, i64([4], 1, 1, 0, 0)))
        cases.error("ids_under_skip", "index", rule, _with(inputs, 2, i64([4], 0, 0, 1, 5)), options={"out_of_range": "skip"},
                    bad=_bad("segment_ids", [3], 5, 2))
    rule = cases.rule("default_range")
    for name, value in (("above", 4), ("below", -2), ("far_above", 2**32), ("far_below", -2**63)):
        cases.error(f"default_index_{name}", "index", rule, _with(inputs, default, i64([], value)),
                    bad=_bad("default_index", [], value, 4), note="no bag is empty")
        cases.error(f"default_index_{name}_of_an_empty_bag", "index", rule, cases.inputs(table, [[], [1]], value),
                    bad=_bad("default_index", [], value, 4))
    cases.error("default_index_of_no_rows", "index", rule, cases.inputs(f32([0, 2]), [[], []], 0), bad=_bad("default_index", [], 0, 0))
    cases.ok("default_index_minus_1_of_no_rows", cases.inputs(f32([0, 2]), [[], []], -1), out=[0.0] * 4)
    cases.error("default_index_under_clamp", "index", rule, cases.inputs(table, [[], [1]], 7), options={"out_of_range": "clamp"},
                bad=_bad("default_index", [], 7, 4))


def _bad(name, position, value, extent):
    return fault(name, position, value, 0, extent)


def _calls(cases, table):
    """Numbers of inputs, attributes and options."""
    inputs = cases.inputs(table, BAGS)
    _, weights = _places(cases)
    required = 2 if cases.is_packed else 4 if cases.has_segments else 3
    for number in range(1, required):
        cases.error(f"only_{number}_inputs", "argument", "CALL-I1", inputs[:number])
    cases.error("indices_are_left_out", "argument", "CALL-I1", _with(inputs, 1, None))
    full = _with(inputs, weights, f32(inputs[1]["shape"], *WEIGHTS))
    all_given = full if cases.is_packed else _with(full, weights - 1, i64([], 0))
    cases.error("too_many_inputs", "argument", "CALL-I1", [*all_given, inputs[1]])
    cases.error("unknown_attribute", "argument", "A2", inputs, {"axis": 0})
    cases.error("zero_is_no_policy", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})
    if len(cases.reduces) == 1:
        cases.error("reduction_is_no_attribute", "argument", "A2", inputs, {"reduction": "sum"})
        return
    cases.error("reduction_is_no_text", "argument", "A2", inputs, {"reduction": 1})
    for name in ("max", "SUM", "average", ""):
        cases.error(f"reduction_{name or 'empty'}", "argument", "A3", inputs, {"reduction": name})
    cases.error("mean_with_weights", "argument", "A4", full, {"reduction": "mean"})
    cases.ok("sum_by_name_with_weights", full, {"reduction": "sum"})


def _order(cases, table):
    """Calls that break two rules: the first one in the page's order is named."""
    inputs = cases.inputs(table, BAGS)
    default, weights = _places(cases)
    shape = inputs[1]["shape"]
    texts, truths = tensor("string", shape, ["a"] * 4), tensor("bool", [2], [True, False])
    other = tensor("float64", shape, [1.0] * 4)
    cases.error("order_attribute_before_types", "argument", "A2", _with(inputs, 0, truths), {"depth": 1})
    cases.error("order_table_before_indices", "type", "T1", _with(_with(inputs, 0, truths), 1, texts))
    cases.error("order_indices_before_weights", "type", "T2", _with(_with(inputs, 1, texts), weights, other))
    cases.error("order_weights_before_policy", "type", "T3", _with(inputs, weights, other), options={"out_of_range": "zero"})
    cases.error("order_policy_before_shapes", "argument", "CALL-O1", _with(inputs, 0, f32([], 1.0)), options={"out_of_range": "zero"})
    cases.error("order_table_before_shape_of_indices", "shape", "C1", _with(_with(inputs, 0, f32([], 1.0)), 1, i64([], 0)))
    cases.error("order_indices_before_shape_of_weights", "shape", "C2", _with(_with(inputs, 1, i64([], 0)), weights, f32([], 1.0)))
    of_none = cases.inputs(HUGE, [[], []])
    cases.error("result_too_large", "shape", "CALL-I2", of_none)
    if len(cases.reduces) > 1:
        cases.error("order_policy_before_reduction", "argument", "CALL-O1", inputs, {"reduction": "max"}, options={"out_of_range": "zero"})
        cases.error("order_reduction_before_table", "argument", "A3", _with(inputs, 0, f32([], 1.0)), {"reduction": "max"})
        cases.error("order_mean_before_table", "argument", "A4", _with(_with(inputs, 0, f32([], 1.0)), weights, f32([], 1.0)),
                    {"reduction": "mean"})
    if cases.is_packed:
        return
    cases.error("order_one_type_before_table", "type", "T5", _with(_with(inputs, 0, f32([], 1.0)), default, i32([], 0)))
    cases.error("order_default_before_weights", "shape", cases.rule("default"),
                _with(_with(inputs, default, i64([1], 0)), weights, f32([], 1.0)))
    bounds = i64([2], 9, 9) if cases.has_offsets else i64([4], 9, 9, 9, 9)
    name = "offsets" if cases.has_offsets else "segment_ids"
    cases.error("order_weights_before_bounds", "shape", cases.rule("weights"), _with(_with(inputs, 2, bounds), weights, f32([], 1.0)))
    cases.error("order_bounds_before_default", "index", cases.rule("bounds"), _with(_with(inputs, 2, bounds), default, i64([], 9)),
                bad=_bad(name, [0], 9, 4 if cases.has_offsets else 2))
    cases.error("order_default_before_indices", "index", cases.rule("default_range"),
                _with(_with(inputs, 1, i64([4], 0, 9, 0, 0)), default, i64([], 9)), bad=_bad("default_index", [], 9, 4))
    if len(cases.reduces) > 1:
        cases.error("order_mean_before_one_type", "argument", "A4",
                    _with(_with(inputs, 2, tensor("int32", [2], [0, 2])), weights, f32([4], *WEIGHTS)), {"reduction": "mean"})
    if cases.has_offsets:
        cases.error("order_size_before_offsets", "shape", "CALL-I2", _with(of_none, 2, i64([2], 5, 5)))
    else:
        cases.error("order_weights_before_num_segments", "type", "T3", _with(_with(inputs, weights, other), 3, f32([], 2.0)))
        cases.error("order_num_segments_before_policy", "type", "T4", _with(inputs, 3, f32([], 2.0)), options={"out_of_range": "zero"})
        cases.error("order_indices_before_num_segments", "shape", "C2", _with(_with(inputs, 2, i64([3], 0, 0, 1)), 3, i64([], -1)))
        cases.error("order_num_segments_before_default", "shape", "C3", _with(_with(inputs, 3, i64([], -1)), default, i64([1], 0)))
        cases.error("result_too_large_by_num_segments", "shape", "CALL-I2", _with(inputs, 3, i64([], 2**62)))
        cases.error("order_size_before_ids", "shape", "CALL-I2", _with(_with(inputs, 3, i64([], 2**62)), 2, i64([4], -1, 0, 0, 0)))


def add_rules(cases, table):
    for part in (_types, _shapes, _bounds, _calls, _order):
        part(cases, table)
