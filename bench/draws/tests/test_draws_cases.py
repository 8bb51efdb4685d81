"""What is drawn: the same for a seed, inside its bounds, and with one right result."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from draws.cases import BROADCAST, DISTRIBUTIONS, LAYOUTS, DrawnCase, Layout
from draws.draw import OPERATORS, WITHOUT_UINT32, draw_case
from draws.inputs import draw_positions, make_inputs
from peers.cases import bases
from peers.check import expected_result, where

MANY = [draw_case(7, number, "given") for number in range(1000)]
SMALL = [draw_case(7, number, "given", 20_000) for number in range(200)]


def test_case_follows_from_seed_and_number():
    assert [draw_case(7, number, "given") for number in (0, 999)] == [MANY[0], MANY[999]]
    assert draw_case(8, 0, "given") != MANY[0]


def test_seed_and_number_stay_the_same_call():
    """Also in later versions: who names a call by these two means this one."""
    assert [MANY[number].title for number in (0, 5, 11, 42, 999)] == [
        "ScatterElements float64 [1,5,7,1] axis 1 by [1,189,7,1] uniform int32",
        "Gather uint8 [4741] axis 0 by [2997,18] permuted int32",
        "Gather int64 [220,2,1] axis 0 by [1994] permuted int64 indices strided",
        "ScatterElements float32 [1127,19] axis 0 by [5610,19] zipf int64 in place",
        "GatherElements int32 [7,111] axis 1 by [7,55] uniform int64",
    ]


def test_every_kind_is_drawn():
    assert {case.distribution for case in MANY} == set(DISTRIBUTIONS)
    layouts = [one for case in MANY for one in case.layouts]
    drawn = {(one.operand, one.kind) for one in layouts}
    assert drawn == set(itertools.product(("data", "indices", "updates"), LAYOUTS))
    assert {len(case.layouts) for case in MANY} == {0, 1, 2}
    assert {case.index_dtype for case in MANY} == {"int32", "int64", "uint32"}
    assert {case.in_place for case in MANY} == {False, True}
    assert min(case.row_bytes for case in MANY) == 1 and max(case.row_bytes for case in MANY) > 2000
    assert {len(case.data) for case in MANY} >= {1, 2, 3, 4}


def has_short_loops(case):
    """Behind the addressed axes, or along an addressed axis in the middle."""
    inner = case.data[len(case.row_grid) :] or case.indices[case.axis + 1 :]
    return bool(inner) and max(inner) <= 8 and len(inner) <= 3


@pytest.mark.parametrize(("operator", "reduction"), OPERATORS)
def test_short_inner_loops_are_drawn(operator, reduction):
    drawn = [case for case in MANY if (case.operator, case.reduction) == (operator, reduction)]
    assert sum(map(has_short_loops, drawn)) >= len(drawn) / 6


def test_what_is_written_is_never_broadcast():
    assert not any(case.in_place and case.broadcast_axes("data") for case in MANY)


@pytest.mark.parametrize("largest", [5000, 10**6, 200 * 10**6])
def test_operands_are_not_larger_than_asked(largest):
    for number in range(300):
        case = draw_case(9, number, "given", largest)
        item, index_item = np.dtype(case.dtype).itemsize, np.dtype(case.index_dtype).itemsize
        assert min(case.data + case.indices) >= 1
        assert math.prod(case.data) * item <= largest
        moved = case.direct_elements * item + math.prod(case.indices) * index_item
        # A row and its index at least.
        assert moved <= largest + case.row_bytes + 3 * index_item


def test_fresh_outputs_are_never_in_place():
    assert not any(draw_case(7, number, "fresh").in_place for number in range(300))


def test_types_are_those_that_our_operators_take():
    for case in MANY:
        assert case.index_dtype != "uint32" or (case.operator, case.reduction) not in WITHOUT_UINT32


def test_case_comes_back_from_json():
    for case in MANY[:100]:
        assert DrawnCase.from_json(case.to_json()) == case


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_inputs_fit_the_case(case):
    inputs = make_inputs(case)
    for name, array in inputs.items():
        assert array.shape == case.shape_of(name)
        layout = case.layout_of(name)
        assert layout is not None or array.flags.c_contiguous
        steps = {axis for axis, step in enumerate(array.strides) if step == 0 < array.shape[axis] - 1}
        assert steps == (set(layout.axes) if layout is not None and layout.kind == BROADCAST else set())
        assert array.flags.writeable == (not steps)
    assert inputs["data"].dtype == case.dtype and inputs["indices"].dtype == case.index_dtype
    assert all(base.flags.c_contiguous for base in bases(case, inputs).values())
    result = expected_result(case, inputs)
    assert result.shape == case.output and result.dtype == case.dtype
    again = make_inputs(case)
    assert all(np.array_equal(array, again[name]) for name, array in inputs.items())


def test_broadcast_operands_move_what_they_hold():
    case = DrawnCase("0-0", "", "ScatterElements", (100, 8), (50, 8), reduction="add")
    layouts = Layout("indices", BROADCAST, (1,)), Layout("updates", BROADCAST, (0, 1))
    repeated = dataclasses.replace(case, layouts=layouts)
    assert case.bytes_moved - repeated.bytes_moved == 50 * 7 * 8 + (50 * 8 - 1) * 4
    assert repeated.draw == "row-constant" and case.draw == "any"


SCATTERS = [case for case in SMALL if case.is_scatter]


@pytest.mark.parametrize("case", SCATTERS, ids=lambda case: case.name)
def test_result_of_a_scatter_does_not_depend_on_its_order(case):
    inputs = make_inputs(case)
    cells = np.arange(math.prod(case.data)).reshape(case.data)[where(case, inputs["indices"])]
    backwards = inputs["data"].copy().reshape(-1)
    flat, updates = cells.reshape(-1)[::-1], inputs["updates"].reshape(-1)[::-1]
    if case.reduction == "add":
        np.add.at(backwards, flat, updates)
    else:
        backwards[flat] = updates
    expected = expected_result(case, inputs)
    assert np.array_equal(backwards.reshape(case.data), expected)
    if case.reduction == "add":
        exact = inputs["data"].astype(np.int64, order="C")
        np.add.at(exact.reshape(-1), flat, updates.astype(np.int64))
        assert np.array_equal(expected.astype(np.int64), exact)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("extent", [1, 7, 1000])
def test_positions_are_inside(distribution, extent):
    for axis in (0, 1):
        drawn = draw_positions(np.random.default_rng(1), distribution, (50, 20), extent, axis)
        assert drawn.shape == (50, 20) and drawn.min() >= 0 and drawn.max() < extent


def test_distributions_are_what_they_are_called():
    def draw(distribution, shape=(2000, 3)):
        return draw_positions(np.random.default_rng(2), distribution, shape, 5000)

    assert (np.diff(draw("sorted"), axis=0) >= 0).all()
    assert all(len(set(lane)) == 2000 for lane in draw("permuted").T)
    assert (draw("constant") == draw("constant")[:, :1]).all()
    assert np.abs(np.diff(draw("near"), axis=0)).max() <= 70
    for name, share in (("hot", 0.85), ("zipf", 0.4)):
        counts = np.bincount(draw(name).reshape(-1), minlength=5000)
        assert np.sort(counts)[-60:].sum() > share * counts.sum()


def test_peers_are_promised_only_what_holds():
    for case in SMALL:
        indices = make_inputs(case)["indices"]
        if case.draw == "sorted":
            assert (np.diff(indices) >= 0).all()
        if case.draw == "row-constant":
            assert (indices == indices[:, :1]).all()
        if case.draw == "distinct":
            cells = np.arange(math.prod(case.row_grid)).reshape(case.row_grid)
            parts = where(case, indices)[: len(case.row_grid)]
            assert np.bincount(cells[parts].reshape(-1)).max() == 1
