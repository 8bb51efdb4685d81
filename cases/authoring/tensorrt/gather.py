"""Cases of Gather: what all modes share, and the records of every mode."""

from .. import index_types, payloads, types
from ..records import count, f32, i32, i64, sample
from ..semantics import tensor
from . import gather_corrections, gather_default, gather_element, gather_examples, gather_nd, releases
from .records import RELEASES, Cases

cases = Cases("Gather", RELEASES)
TABLE = count("int32", [3, 4])
REFUSED = ["float8_e4m3fnuz", "float4_e2m1fn", "complex64", "float8_e5m2", "float64", "int16", "uint16", "uint4",
           "string"]


def rules():
    index = i64([1, 1], 0)
    cases.ok("without_settings", [TABLE, i64([2], 2, 0)], note="mode DEFAULT, axis 0, num_elementwise_dims 0")
    for mode in ("default", "ELEMENTS", "GATHER", ""):
        cases.error(f"mode_{mode or 'of_no_name'}", "argument", "A3", [TABLE, index], {"mode": mode})
    cases.error("mode_is_no_number", "argument", "A2", [TABLE, index], {"mode": 2})
    cases.error("axis_is_no_text", "argument", "A2", [TABLE, index], {"axis": "0"})
    cases.error("num_elementwise_dims_is_no_truth", "argument", "A2", [TABLE, index],
                {"axis": 1, "num_elementwise_dims": True})
    for name in ("batch_dims", "nbElementWiseDims", "reduction"):
        cases.error(f"unknown_setting_{name}", "argument", "A2", [TABLE, index], {name: 0})
    for mode in ("DEFAULT", "ELEMENT"):
        for axis in (-1, -2, 2, 2**40):
            cases.error(f"axis_{axis}_of_{mode}".replace("-", "minus_"), "argument", "A1", [TABLE, index],
                        {"mode": mode, "axis": axis})
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", [TABLE, index],
                options={"out_of_range": "skip"})
    cases.error("indices_are_missing", "argument", "CALL-I1", [TABLE])
    cases.error("too_many_inputs", "argument", "CALL-I1", [TABLE, index, index])


def order():
    """Calls that break two rules: the first one in the page's order is named."""
    strict = {"strict": True}
    wide = f32([1] * 9, 1.0)
    cases.error("order_type_before_setting", "type", "T1", [sample("string", [2]), i64([1], 0)], {"axis": 9})
    cases.error("order_policy_before_release", "argument", "CALL-O1", [sample("uint8", [2]), i64([1], 0)],
                options={**strict, "out_of_range": "skip"})
    cases.error("order_release_before_mode", "type", "S2", [sample("uint8", [2]), i64([1], 0)], {"mode": "OTHER"},
                options=strict)
    cases.error("order_mode_before_rank", "argument", "A3", [f32([], 1.0), i64([1], 0)], {"mode": "OTHER"})
    cases.error("order_data_of_rank_0_before_axis", "shape", "C1", [f32([], 1.0), i64([1], 0)], {"axis": 5})
    cases.error("order_axis_before_elementwise_dims", "argument", "A1", [TABLE, i64([1], 0)],
                {"axis": 5, "num_elementwise_dims": 5})
    cases.error("order_elementwise_dims_before_shapes", "argument", "A4", [TABLE, i64([2, 1], 0, 0)],
                {"axis": 1, "num_elementwise_dims": 2})
    cases.error("order_shapes_before_rank_8", "shape", "C2", [f32([2] + [1] * 8, 1.0, 2.0), i32([3, 1], 0, 0, 0)],
                {"axis": 1, "num_elementwise_dims": 1}, options=strict)
    cases.error("order_rank_8_before_indices", "shape", "S1", [wide, i32([1], 7)],
                options={**strict, "out_of_range": "error"})


for _part in (rules, order):
    _part()
for _module in (gather_examples, gather_corrections, gather_default, gather_element, gather_nd):
    _module.add_cases(cases)
_EVERY = dict.fromkeys(RELEASES, types.T10)
payloads.add_cases(cases, _EVERY, lambda make: [make([3, 2]), i64([4], 2, 0, 2, -1)],
                   lambda make: [make([3, 5]), i32([2], 2, 1)], {"mode": "DEFAULT"}, prefix="default_",
                   refused=REFUSED)
payloads.add_cases(cases, _EVERY, lambda make: [make([3, 2]), i64([3, 3], 1, 0, -2, 0, 5, 1, 1, 1, -1)],
                   lambda make: [make([3, 5]), i32([2, 3], 2, 1, 0, -5, 4, 4)], {"mode": "ELEMENT", "axis": 1},
                   prefix="element_", refused=REFUSED[:1])
payloads.add_cases(cases, _EVERY, lambda make: [make([3, 2]), i64([4, 2], 0, 0, 2, -1, -2, 1, 1, 7)],
                   lambda make: [make([3, 5]), i32([3, 1], 1, 0, 2)], {"mode": "ND"}, prefix="nd_",
                   refused=REFUSED[:1])
index_types.add_cases(cases, types.I2, lambda make: [TABLE, make([3], [2, -1, 3])])
releases.add_types(cases, releases.TYPES["Gather"], types.T10,
                   lambda dtype, index: [sample(dtype, [3]), tensor(index, [2], [2, -1])])
