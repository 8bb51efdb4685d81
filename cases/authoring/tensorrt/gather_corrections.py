"""Gather: a case for every formula of NVIDIA's pages that docs/operators/tensorrt.md corrects, by its number there."""

from ..records import count, f32, fault, i32
from .gather_examples import INPUT


def shapes(cases):
    default = {"mode": "DEFAULT", "axis": 2}
    cases.ok("correction_1_rank_of_default", [INPUT, i32([1, 3], 2, 1, 0)], default,
             out=[-1.0, -2.0, -3.0, 2.0, 1.0, 0.0], note="n = 2, m = 1: rank 4, not 2")
    cases.ok("correction_2_rank_of_nd", [count("int32", [2, 3, 4]), i32([2, 3, 1], 0, 1, 2, 3, 2, 1)],
             {"mode": "ND", "axis": 2, "num_elementwise_dims": 1},
             note="n = 2, m = 2, i_m = 1: rank 3; axis is not in the formula")
    cases.ok("correction_4_leading_dimension_is_broadcast",
             [count("int32", [1, 2, 3]), i32([4, 2], 0, 1, 2, 0, 2, 1, 0, 2)],
             {"mode": "DEFAULT", "axis": 2, "num_elementwise_dims": 1}, note="[4, 2, 2], not [1, 2, 2]")
    cases.error("correction_4_axis_not_below_elementwise_dims", "argument", "A4",
                [count("int32", [2, 3]), i32([2], 0, 1)], {"mode": "DEFAULT", "axis": 0, "num_elementwise_dims": 1})
    cases.ok("correction_9_trailing_dimensions_of_default", [count("int32", [2, 3, 4]), i32([2, 2], 1, 0, 2, 1)],
             {"mode": "DEFAULT", "axis": 1}, note="[2, 2, 2, 4]: what follows the axis begins at axis + 1")
    cases.ok("correction_11_shape_of_nd", [count("int32", [2, 3, 4]), i32([5, 1], 1, 0, 0, -1, 1)], {"mode": "ND"},
             note="[5, 3, 4]: indices without their last extent, data from nb + k on")
    cases.ok("correction_15_last_dimensions_of_nd", [count("int32", [2, 3, 4, 5]), i32([1, 1], 1)], {"mode": "ND"},
             note="[1, 3, 4, 5]: shape(data)[k:], not the last k extents")


def settings(cases):
    data = count("int32", [2, 2, 2, 3])
    cases.ok("correction_3_default_of_elementwise_dims", [count("int32", [2, 3]), i32([2], 2, 0)],
             {"mode": "DEFAULT", "axis": 1}, note="0 is legal, and the default")
    cases.error("correction_3_no_elementwise_dims_of_element", "argument", "A4",
                [count("int32", [2, 3]), i32([2, 1], 0, 1)], {"mode": "ELEMENT", "axis": 1, "num_elementwise_dims": 1})
    cases.ok("correction_3_elementwise_dims_3_of_nd", [data, i32([2, 2, 2, 1], 0, 1, 2, 0, 1, 2, -1, -2)],
             {"mode": "ND", "num_elementwise_dims": 3})
    cases.ok("correction_5_elementwise_dims_are_leading_dimensions", [count("int32", [2, 2, 3]), i32([2, 1], 2, 0)],
             {"mode": "DEFAULT", "axis": 2, "num_elementwise_dims": 1},
             note="elements are gathered from axis 2; dimension 0 is walked along together")
    cases.ok("correction_12_elementwise_dims_one_less_than_rank", [count("int32", [2, 3]), i32([2, 1], 2, 1)],
             {"mode": "ND", "num_elementwise_dims": 1}, note="rank - 1 is legal")
    cases.ok("correction_13_leading_dimensions_of_element",
             [count("int32", [3, 4]), i32([2, 4], *range(4), 3, 2, 1, 0)], {"mode": "ELEMENT", "axis": 1},
             note="indices may be shorter than data")
    cases.error("correction_16_mode_elements", "argument", "A3", [INPUT, i32([2, 1, 5], *[0] * 10)],
                {"mode": "ELEMENTS", "axis": 2})


def indices(cases):
    cases.ok("correction_6_zero_outside", [f32([3], 1.0, 2.0, 3.0), i32([3], 3, 0, -4)], {"mode": "DEFAULT"},
             out=[0.0, 1.0, 0.0])
    cases.ok("correction_6_negative_indices", [f32([3], 1.0, 2.0, 3.0), i32([2], -1, -3)], {"mode": "DEFAULT"},
             out=[3.0, 1.0])
    bounds = {"mode": "ND", "axis": 0, "num_elementwise_dims": 1}
    cases.ok("correction_6_bounds_of_nd", [count("int32", [2, 3, 5], 1), i32([2, 2], 2, 4, -3, -5)], bounds,
             out=[15, 16], note="component j is bounded by dimension nb + j")
    cases.error("correction_6_bounds_of_nd_error", "index", "C5", [count("int32", [2, 3, 5]), i32([2, 2], 2, 5, 0, 0)],
                bounds, options={"out_of_range": "error"}, bad=fault("indices", [0, 1], 5, 2, 5))
    cases.ok("correction_7_shape_of_the_nd_example", [INPUT, i32([2, 3], 0, 0, 2, 1, 0, 2)], {"mode": "ND"},
             out=[-1.0, 2.0], note="[2], not [1, 2]")
    for name, shape in (("as_declared", [1, 3]), ("as_fed", [3])):
        cases.ok(f"correction_8_indices_of_the_first_example_{name}", [INPUT, i32(shape, 1, 2, 1)],
                 {"mode": "DEFAULT", "axis": 2}, out=[-2.0, -1.0, -2.0, 1.0, 2.0, 1.0])
    cases.error("correction_14_tuples_too_long", "shape", "C3", [count("int32", [2, 3]), i32([2, 2], 0, 0, 0, 0)],
                {"mode": "ND", "num_elementwise_dims": 1}, note="at most rank(data) - nb coordinates")


def add_cases(cases):
    for part in (shapes, settings, indices):
        part(cases)
