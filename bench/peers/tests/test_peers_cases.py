"""The rows of cases: what follows from each."""

import numpy as np
import pytest
from peers.cases import BAGS, GRADIENT, QUANTIZED, VARIANTS, VARIED, WEIGHTED, Case, all_cases, make_inputs
from peers.check import difference, expected_result, row_offsets, where
from peers.kinds import KINDS

QUICK = [case.quick() for case in all_cases()]
INSIDE = [case.quick() for kind in KINDS.values() for case in kind.cases() if kind.cases is not all_cases]


def test_names_are_unique():
    names = [case.name for case in QUICK]
    assert len(set(names)) == len(names)
    assert set(VARIED) < set(names)


def test_every_varied_case_has_every_variant():
    names = {case.name for case in QUICK}
    assert {f"{name}_{label}" for name in VARIED for label in VARIANTS} < names


@pytest.mark.parametrize("case", QUICK + INSIDE, ids=lambda case: case.name)
def test_inputs_fit_the_row(case):
    inputs = make_inputs(case)
    if case.operator == QUANTIZED:
        assert inputs["data"].shape == (case.data[0], case.data[1] // 2) and inputs["data"].dtype == np.uint8
        assert inputs["scales"].shape == (case.data[0], case.data[1] // 32) and inputs["scales"].dtype == case.dtype
    else:
        assert inputs["data"].shape == case.data and inputs["data"].dtype == case.dtype
    assert inputs["indices"].shape == case.indices and inputs["indices"].dtype == case.index_dtype
    assert tuple(inputs) == case.operands and ("updates" in inputs) == case.is_scatter
    assert all(array.flags.c_contiguous for array in inputs.values())
    again = make_inputs(case)
    assert all(np.array_equal(array, again[name]) for name, array in inputs.items())


@pytest.mark.parametrize("case", QUICK + INSIDE, ids=lambda case: case.name)
def test_result_has_the_shape_of_the_row(case):
    result = expected_result(case, make_inputs(case))
    assert result.shape == case.output and result.dtype == case.dtype


ASSIGNMENTS = [case for case in QUICK if case.is_scatter and case.reduction == "none"]


@pytest.mark.parametrize("case", ASSIGNMENTS, ids=lambda case: case.name)
def test_assignments_write_no_cell_twice(case):
    hits = np.zeros(case.data, np.int64)
    np.add.at(hits, where(case, make_inputs(case)["indices"]), 1)
    assert hits.max() == 1


SINGLE = [case for case in QUICK if case.moves_single_elements]


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.name)
def test_row_offsets_are_the_cells_that_are_addressed(case):
    inputs = make_inputs(case)
    offsets = row_offsets(case, inputs["indices"])
    assert offsets.dtype == np.uint32 and offsets.shape == case.direct
    cells = np.arange(inputs["data"].size).reshape(case.data)
    assert np.array_equal(offsets, cells[where(case, inputs["indices"])])


def test_rows_and_single_elements():
    by_name = {case.name: case for case in all_cases()}
    assert by_name["nd_rows"].row_bytes == by_name["gather_middle_axis"].row_bytes == 256
    assert by_name["gather_rows_512B_uint8"].row_bytes == 128
    single = {name for name, case in by_name.items() if case.moves_single_elements}
    assert {"gather_1d_of_16M_int64", "elements_axis_0", "nd_scalars", "scatter_nd_scalars",
            "scatter_elements_1d_add", "scatter_elements_last_axis"} < single
    # One index for a whole column; small cells, but in runs; a row that is no element.
    assert not single & {"gather_last_axis", "scatter_elements_row_constant_add", "gather_small"}


def test_bytes_moved():
    by_name = {case.name: case for case in all_cases()}
    # 1,000,000 rows of 64 bytes read and written, and as many int64.
    assert by_name["gather_rows_64B"].bytes_moved == 136_000_000
    # Data copied, updates and indices read.
    assert by_name["scatter_elements_1d_add"].bytes_moved == (2 * 64 + 16 + 32) * 1_000_000


def test_difference_names_the_first_wrong_element():
    right = np.arange(6, dtype=np.float32).reshape(2, 3)
    wrong = right.copy()
    wrong[1, 0] = 7
    assert difference(right, right) == ""
    assert difference(wrong, right) == "1 of 6 elements, first at [1, 0]: 7.0 instead of 3.0"
    assert "shape" in difference(right[0], right)
    assert "type" in difference(right.astype(np.int32), right)


def test_what_a_case_expects_inside_a_host():
    data, indices = np.array([[1], [2], [4]], np.float32), np.array([2, 2, 0])
    updates = np.array([[8], [3], [5]], np.float32)
    inputs = {"data": data, "indices": indices, "updates": updates}

    def expected(operator, **fields):
        case = Case("", "", operator, data.shape, indices.shape, **fields)
        return expected_result(case, inputs).reshape(-1).tolist()

    assert expected("IndexAdd", reduction="max") == [5, 2, 8]
    assert expected("IndexAdd", reduction="mean") == [3, 2, 5]
    assert expected("IndexAdd", reduction="add", nodes=2) == [11, 2, 26]
    assert expected("Take", nodes=3) == [4, 4, 1] and expected("Take", nodes=2) == [1, 1, 4]
    assert expected("Take", how=GRADIENT) == [1, 0, 8]


def test_what_a_quantized_case_expects():
    case = Case("", "", QUANTIZED, (2, 64), (1,))
    inputs = {"data": np.full((2, 32), 0x19, np.uint8), "indices": np.array([1]),
              "scales": np.array([[9, 9], [0.5, 2]], np.float32)}
    result = expected_result(case, inputs)
    assert result.shape == (1, 64) and result.dtype == np.float32
    # The low half of a byte is the first value: 9 - 8, then 1 - 8.
    assert result[0, :2].tolist() == [0.5, -3.5] and result[0, -2:].tolist() == [2, -14]


def test_what_a_case_of_bags_expects():
    inputs = {"data": np.array([[1], [2], [4]], np.float32), "indices": np.array([0, 1, 2, 2]),
              "offsets": np.array([0, 2]), "weights": np.array([1, 3, 1, 2], np.float32)}
    case = Case("", "", BAGS, (3, 1), (4,), bag=2)
    assert expected_result(case, inputs).tolist() == [[3], [8]]
    weighted = Case("", "", BAGS, (3, 1), (4,), bag=2, how=WEIGHTED)
    assert expected_result(weighted, inputs).tolist() == [[7], [12]]
