"""Cases of GatherTree-1: step_ids, parent_ids, max_seq_len, end_token."""

from .. import types
from ..records import count, cycle, f32, fault, i32
from ..semantics import tensor
from .records import Cases

cases = Cases("GatherTree", [1])
END = 10
# Steps, one batch entry, beams.
STEPS = count("int32", [4, 1, 3], 1)
PARENTS = i32([4, 1, 3], 7, 7, 7, 0, 1, 1, 1, 2, 1, 2, 1, 0)


def inputs(steps=STEPS, parents=PARENTS, lengths=(4,), end=END):
    """All of the type of `steps`; parents, lengths and the end token may be given as tensors."""
    dtype = steps["dtype"]
    convert = float if dtype in types.FLOATS else int
    lengths = lengths if isinstance(lengths, dict) else tensor(dtype, [len(lengths)], [convert(each) for each in lengths])
    end = end if isinstance(end, dict) else tensor(dtype, [], [convert(end)])
    parents = parents if parents["dtype"] == dtype else tensor(dtype, parents["shape"], [convert(each) for each in parents["data"]])
    return [steps, parents, lengths, end]


def walks():
    cases.ok("example_of_tensorflow", inputs(i32([3, 1, 3], 1, 2, 3, 4, 5, 6, 7, 8, 9), i32([3, 1, 3], 0, 0, 0, 0, 1, 1, 2, 1, 2), [3], 10),
             out=[2, 2, 2, 6, 5, 6, 7, 8, 9])
    cases.ok("beams_cross", inputs())
    cases.ok("all_beams_of_one_parent", inputs(parents=i32([4, 1, 3], *[1] * 12)))
    cases.ok("every_beam_its_own", inputs(parents=i32([4, 1, 3], *[0, 1, 2] * 4)), out=list(range(1, 10)) + [END, 11, 12])
    cases.ok("two_batch_entries", inputs(count("int32", [3, 2, 2], 1), i32([3, 2, 2], 9, 9, 9, 9, 1, 0, 0, 1, 1, 1, 1, 0), [3, 3]))
    cases.ok("lengths_of_each_entry", inputs(count("int32", [3, 4, 2], 1), cycle("int32", [3, 4, 2], [1, 0, 0]), [3, 2, 1, 9]))
    for length in (1, 2, 3, 5, 100, 2**31 - 1):
        cases.ok(f"length_{length}", inputs(lengths=[length]))
    for length in (0, -1, -2**31):
        cases.ok(f"length_{length}".replace("-", "minus_"), inputs(lengths=[length]), out=[END] * 12)
    cases.ok("length_0_of_one_entry", inputs(count("int32", [3, 2, 2], 1), cycle("int32", [3, 2, 2], [1, 0, 0]), [0, 3]))
    cases.ok("one_beam", inputs(count("int32", [5, 2, 1], 1), cycle("int32", [5, 2, 1], [0]), [5, 4]))
    cases.ok("one_step", inputs(count("int32", [1, 2, 3], 1), i32([1, 2, 3], 9, -1, 5, 7, 7, 7), [1, 1]),
             note="parents of the first step are not read")
    cases.ok("many_beams", inputs(count("int32", [3, 2, 40], 1), cycle("int32", [3, 2, 40], [39, 0, 17, 5, 22]), [3, 3], 0))
    cases.ok("many_steps", inputs(count("int32", [70, 1, 2], 1), cycle("int32", [70, 1, 2], [1, 0, 0]), [70], 0))


def ends():
    """The first end token from the front of a walk, and what is behind it."""
    steps = i32([4, 1, 2], 5, 6, 10, 7, 8, 10, 9, 9)
    own = cycle("int32", [4, 1, 2], [0, 1])
    cases.ok("end_tokens_within", inputs(steps, own), out=[5, 6, 10, 7, 10, 10, 10, 10])
    cases.ok("end_token_at_the_first_step", inputs(i32([2, 1, 2], 10, 1, 3, 10), cycle("int32", [2, 1, 2], [0, 1]), [2]),
             out=[10, 1, 10, 10])
    cases.ok("end_token_at_the_last_step", inputs(i32([2, 1, 1], 1, 10), i32([2, 1, 1], 0, 0), [2]), out=[1, 10])
    cases.ok("end_token_on_another_beam", inputs(steps, i32([4, 1, 2], 0, 0, 0, 0, 1, 1, 0, 0)))
    cases.ok("parents_behind_an_end_token_are_read", inputs(steps, i32([4, 1, 2], 0, 0, 1, 1, 0, 0, 1, 0)))
    cases.ok("end_token_behind_the_length", inputs(steps, own, [2]), out=[5, 6, 10, 7, 10, 10, 10, 10])
    cases.ok("end_token_nowhere", inputs(steps, own, [3], -1))
    cases.ok("end_token_only", inputs(i32([2, 1, 2], *[3] * 4), cycle("int32", [2, 1, 2], [1, 0]), [2], 3), out=[3] * 4)
    for dtype in types.FLOATS:
        tokens = tensor(dtype, [3, 1, 1], [1.0, "nan", 2.0])
        flat = tensor(dtype, [3, 1, 1], [0.0] * 3)
        cases.ok(f"nan_is_no_end_token_{dtype}", inputs(tokens, flat, [3], tensor(dtype, [], ["nan"])), out=[1.0, "nan", 2.0])
        cases.ok(f"zeros_are_one_end_token_{dtype}", inputs(tensor(dtype, [3, 1, 1], [1.0, -0.0, 2.0]), flat, [3], 0),
                 out=[1.0, -0.0, 0.0])
        cases.ok(f"negative_zero_is_the_end_token_{dtype}", inputs(tensor(dtype, [3, 1, 1], [1.0, 0.0, 2.0]), flat, [2],
                                                                   tensor(dtype, [], [-0.0])), out=[1.0, 0.0, -0.0])
    cases.ok("moves_bits", [tensor("float32", [2, 1, 1], ["0x7fc00123", "0xffc00001"]), f32([2, 1, 1], 0.0, 0.0), f32([1], 2.0), f32([], 1.0)])


def element_types():
    for dtype in types.N12:
        steps = count(dtype, [4, 2, 3], 1)
        parents = cycle("int32", [4, 2, 3], [2, 0, 1, 1])
        cases.ok(f"beams_{dtype}", inputs(steps, parents, [4, 3], 15))
        cases.ok(f"samples_{dtype}", inputs(cycle(dtype, [3, 1, 2], types.SAMPLES[dtype]), cycle("int32", [3, 1, 2], [1, 0]), [3], 7))
    for dtype in types.FLOATS:
        cases.ok(f"fractions_{dtype}", inputs(count(dtype, [3, 1, 2], 1), tensor(dtype, [3, 1, 2], [0.5, 0.5, 1.75, 0.25, -0.5, 1.5]),
                                              tensor(dtype, [1], [3.75]), 9), note="truncated toward zero")
    cases.ok("length_beyond_int64", inputs(count("uint64", [2, 1, 2], 1), cycle("int32", [2, 1, 2], [1, 0]), [2**64 - 1], 9))
    cases.ok("wide_tokens", inputs(tensor("int64", [2, 1, 2], [2**53, 2**53 + 1, 2**40, 7]), cycle("int32", [2, 1, 2], [0, 1]), [2], 2**53 + 1),
             out=[2**53, 2**53 + 1, 2**40, 2**53 + 1], note="equal as doubles")
    for dtype in ("bool", "string", "int4", "uint4", "float8_e4m3fn", "float8_e5m2", "uint1", "uint2", "nf4", "complex64"):
        values = [tensor(dtype, shape, types.SAMPLES[dtype][:1] * size) for shape, size in (([2, 1, 1], 2), ([2, 1, 1], 2), ([1], 1), ([], 1))]
        cases.error(f"type_{dtype}", "type", "T1", values)
    for place, name in ((1, "parent_ids"), (2, "max_seq_len"), (3, "end_token")):
        for dtype in ("int64", "float32", "uint32"):
            given = inputs()
            convert = float if dtype == "float32" else abs
            given[place] = tensor(dtype, given[place]["shape"], [convert(each) for each in given[place]["data"]])
            cases.error(f"{name}_of_type_{dtype}", "type", "T3", given)


def empty():
    for dtype in types.N12:
        for name, shape in (("no_steps", [0, 2, 3]), ("no_entries", [3, 0, 2]), ("no_beams", [3, 2, 0]), ("nothing", [0, 0, 0])):
            none = tensor(dtype, shape, [])
            cases.ok(f"{name}_{dtype}", inputs(none, none, [2] * shape[1]), out=[])


def of_each_type():
    """Bad parents, parents that no walk reads and the rules on shapes, for every type."""
    for dtype in types.N12:
        steps = count(dtype, [3, 1, 2], 1)
        signed = not dtype.startswith("u")
        outside = {"just_above": 2, "far": 100, **({"just_below": -1, "far_below": -100} if signed else {}),
                   **({"beyond_32_bits": 2**40 + 1} if dtype in ("int64", "uint64", "float64") else {}),
                   **({"beyond_32_bits_below": -2**40 - 1} if dtype in ("int64", "float64") else {})}
        for name, value in outside.items():
            cases.error(f"bad_parent_{name}_{dtype}", "index", "C5", inputs(steps, _whole([0, 0, 0, value, 0, 1]), [3]),
                        bad=fault("parent_ids", [1, 0, 1], value, 2, 2))
            cases.ok(f"parent_{name}_is_not_read_{dtype}", inputs(steps, _whole([value, 1, 1, 0, 0, 0]), [3], 9))
            cases.ok(f"parent_{name}_behind_the_length_{dtype}", inputs(steps, _whole([0, 0, 1, 0, value, value]), [2], 9))
            if dtype in types.FLOATS:
                for token in ("nan", -0.0):
                    special = tensor(dtype, [3, 1, 2], [1.0, token, 3.0, 4.0, 5.0, token])
                    ending = "nan" if token == "nan" else "negative_zero"
                    cases.ok(f"parent_{name}_is_not_read_with_{ending}_{dtype}", inputs(special, _whole([value, 1, 1, 0, 0, 0]), [3], 9))
        for place, shape in ((0, [3, 2]), (1, [3, 2, 1]), (2, [2]), (3, [1])):
            given = inputs(steps, _whole([0, 0, 1, 0, 1, 1]), [3])
            given[place] = cycle(dtype, shape, given[place]["data"])
            cases.error(f"shape_of_input_{place}_{dtype}", "shape", f"C{place + 1}", given)
        cases.error(f"out_of_range_zero_{dtype}", "argument", "CALL-O1", inputs(steps, _whole([0, 0, 1, 0, 1, 1]), [3]),
                    options={"out_of_range": "zero"})


def _whole(values):
    return tensor("integers", [3, 1, 2], values)


def parents():
    beams = i32([3, 1, 2], -1, 7, 1, 0, 7, -7)
    cases.ok("only_parents_of_walks_are_read", inputs(count("int32", [3, 1, 2], 1), beams, [2]))
    cases.ok("parents_of_a_beam_that_no_walk_reaches", inputs(count("int32", [3, 1, 2], 1), i32([3, 1, 2], 0, 0, 9, 1, 1, 1), [3]))
    steps = count("int32", [3, 1, 2], 1)
    for name, values, place, value, bad in (("above", (0, 0, 2, 0, 0, 1), [1, 0, 0], 2, 1), ("negative", (0, 0, -1, 0, 0, 1), [1, 0, 0], -1, 1),
                                            ("at_the_last_step", (0, 0, 0, 1, 5, 0), [2, 0, 0], 5, 1),
                                            ("of_two_beams", (0, 0, 9, -3, 0, 1), [1, 0, 0], 9, 2),
                                            ("that_two_beams_read", (0, 0, 9, 0, 0, 0), [1, 0, 0], 9, 1),
                                            ("far_away", (0, 0, 0, 2**31 - 1, 1, 1), [1, 0, 1], 2**31 - 1, 1)):
        cases.error(f"bad_parent_{name}", "index", "C5", inputs(steps, i32([3, 1, 2], *values), [3]),
                    bad=fault("parent_ids", place, value, 2, 2, bad))
    cases.error("bad_parent_behind_an_end_token", "index", "C5", inputs(i32([3, 1, 1], 10, 2, 3), i32([3, 1, 1], 0, 0, 4), [3]),
                bad=fault("parent_ids", [2, 0, 0], 4, 2, 1))
    cases.error("bad_parents_of_two_entries", "index", "C5", inputs(count("int32", [2, 2, 1], 1), i32([2, 2, 1], 9, 9, 1, -1), [2, 2]),
                options={"out_of_range": "error"}, bad=fault("parent_ids", [1, 0, 0], 1, 2, 1, 2))
    cases.error("bad_parent_beyond_32_bits", "index", "C5",
                inputs(count("int64", [2, 1, 2], 1), tensor("int64", [2, 1, 2], [0, 0, 2**32 + 1, 0]), [2]),
                bad=fault("parent_ids", [1, 0, 0], 2**32 + 1, 2, 2), note="it is 1 in 32 bits")
    cases.error("bad_parent_of_a_float", "index", "C5", inputs(count("float32", [2, 1, 2], 1), f32([2, 1, 2], 0.0, 0.0, 1.0, 2.5), [2]),
                bad=fault("parent_ids", [1, 0, 1], 2, 2, 2))
    cases.ok("parent_just_below_zero", inputs(count("float32", [2, 1, 2], 1), f32([2, 1, 2], 0.0, 0.0, -0.75, 1.0), [2]),
             note="truncated toward zero: beam 0")


def options():
    steps, beams = count("int32", [3, 1, 2], 1), i32([3, 1, 2], -9, 9, -1, -2, 1, -2)
    cases.ok("negative_from_end", inputs(steps, beams, [3]), options={"negative": "from_end"},
             read=inputs(steps, i32([3, 1, 2], 0, 0, 1, 0, 1, 0), [3]))
    for negative, label, count_ in (("out_of_range", "C5", 2), ("error", "CALL-O3", 2)):
        cases.error(f"negative_{negative}", "index", label, inputs(steps, i32([3, 1, 2], -9, 9, 0, -2, -1, 1), [3]),
                    options={"negative": negative}, bad=fault("parent_ids", [1, 0, 1], -2, 2, 2, count_))
        cases.ok(f"negative_{negative}_of_parents_that_are_not_read", inputs(steps, i32([3, 1, 2], -9, -1, 0, 1, 1, 1), [3]),
                 options={"negative": negative})
    cases.ok("strict_changes_nothing", inputs(), options={"strict": True})
    for policy in ("zero", "clamp", "modulo", "skip"):
        cases.error(f"out_of_range_{policy}", "argument", "CALL-O1", inputs(), options={"out_of_range": policy})
    cases.error("padding_index", "argument", "CALL-O4", inputs(), options={"padding_index": -1})
    cases.error("padding_index_nowhere", "argument", "CALL-O4", inputs(), options={"padding_index": 77, "negative": "from_end"})


def rules():
    for name, shape in (("rank_0", []), ("rank_2", [4, 3]), ("rank_4", [4, 1, 3, 1])):
        given = inputs()
        given[0] = cycle("int32", shape, [1])
        cases.error(f"step_ids_of_{name}", "shape", "C1", given)
    for name, shape in (("fewer_steps", [3, 1, 3]), ("more_entries", [4, 2, 3]), ("fewer_beams", [4, 1, 2]), ("rank_2", [4, 3])):
        cases.error(f"parent_ids_of_{name}", "shape", "C2", inputs(parents=cycle("int32", shape, [0])))
    for name, shape in (("rank_0", []), ("two", [2]), ("none", [0]), ("rank_2", [1, 1])):
        cases.error(f"max_seq_len_of_{name}", "shape", "C3", inputs(lengths=cycle("int32", shape, [2])))
    for name, shape in (("one", [1]), ("none", [0]), ("rank_3", [4, 1, 3])):
        cases.error(f"end_token_of_{name}", "shape", "C4", inputs(end=cycle("int32", shape, [2])))
    for number in (1, 2, 3):
        cases.error(f"only_{number}_inputs", "argument", "CALL-I1", inputs()[:number])
    cases.error("max_seq_len_is_left_out", "argument", "CALL-I1", [*inputs()[:2], None, inputs()[3]])
    cases.error("too_many_inputs", "argument", "CALL-I1", [*inputs(), inputs()[3]])
    for name in ("axis", "end_token", "reduction"):
        cases.error(f"unknown_attribute_{name}", "argument", "A2", inputs(), {name: 0})
    float_parents = inputs()
    float_parents[1] = f32([4, 1, 3], *[0.0] * 12)
    cases.error("order_attribute_before_types", "argument", "A2", float_parents, {"axis": 0})
    cases.error("order_types_before_policy", "type", "T3", float_parents, options={"out_of_range": "zero"})
    cases.error("order_policy_before_padding", "argument", "CALL-O1", inputs(), options={"out_of_range": "clamp", "padding_index": 0})
    flat = inputs(lengths=i32([2], 1, 1))
    flat[0] = cycle("int32", [4, 3], [1])
    cases.error("order_padding_before_rank", "argument", "CALL-O4", flat, options={"padding_index": 0})
    cases.error("order_rank_before_shapes", "shape", "C1", flat)
    cases.error("order_parents_before_lengths", "shape", "C2", inputs(parents=i32([1], 0), lengths=i32([2], 1, 1)))
    cases.error("order_lengths_before_end_token", "shape", "C3", inputs(lengths=i32([2], 1, 1), end=i32([1], 0)))
    cases.error("order_end_token_before_parents", "shape", "C4", inputs(parents=i32([4, 1, 3], *[9] * 12), end=i32([1], 0)))


for _part in (walks, ends, element_types, empty, of_each_type, parents, options, rules):
    _part()
