"""Small calls take as many instructions as the table says: a watch on the loops without noise."""

import shutil

import count_instructions
import pytest

TABLE = count_instructions.read_table()


@pytest.fixture(scope="module")
def program():
    """The counted program, if its counts can be compared with the table's."""
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    found = count_instructions.ask_program()
    if found.build != TABLE["build"]:
        pytest.skip(f"the table is for the build '{TABLE['build']}', this one is '{found.build}'")
    return found


@pytest.mark.parametrize("kernels", count_instructions.KERNEL_SETS)
@pytest.mark.parametrize("call", TABLE["instructions_per_unit"])
def test_count_is_that_of_the_table(program, call, kernels):
    try:
        counted = count_instructions.count(program, call, kernels)
    except count_instructions.KernelsMissing as missing:
        pytest.skip(str(missing))
    expected = TABLE["instructions_per_unit"][call][kernels]
    fault = count_instructions.fault(call, kernels, expected, counted)
    if fault:
        pytest.fail(fault, pytrace=False)


def test_table_has_the_calls_of_the_program():
    assert list(TABLE["instructions_per_unit"]) == count_instructions.ask_program().calls


@pytest.mark.parametrize("counted", [9.1, 10.0, 10.9])
def test_small_changes_are_no_fault(counted):
    assert count_instructions.fault("take_1d", "avx2", 10.0, counted) is None


@pytest.mark.parametrize(("counted", "words"), [(11.1, "11% more"), (8.9, "11% fewer")])
def test_large_changes_are_faults_that_name_the_remedy(counted, words):
    text = count_instructions.fault("take_1d", "avx2", 10.0, counted)
    assert words in text
    assert count_instructions.WRITE_COMMAND in text
