"""Calls that Python itself refuses, specs and plans of wrong inputs, and what is odd but legal."""

import numpy as np
import pytest
import windrow
from small_table import ROWS, TABLE, check, gather


@pytest.mark.parametrize("call", [
    lambda: gather(),
    lambda: gather(TABLE),
    lambda: gather(indices=ROWS),
    lambda: gather(TABLE, ROWS, 0, 0),
    lambda: gather(TABLE, ROWS, 0, axis=0),
    lambda: gather(TABLE, ROWS, data=TABLE),
    lambda: gather(TABLE, ROWS, axes=0),
    lambda: gather(TABLE, ROWS, Axis=0),
    lambda: windrow.call("onnx", "Gather", TABLE, ROWS, axes=0),
    lambda: windrow.call("onnx"),
    lambda: windrow.compile("onnx", "Gather", TABLE),
    lambda: windrow.openvino.gather(TABLE, ROWS),
    lambda: windrow.compile("onnx", "Gather", TABLE, ROWS)(TABLE, ROWS, ROWS),
    lambda: windrow.compile("onnx", "Gather", TABLE, ROWS)(TABLE, ROWS, axis=0),
    lambda: gather(TABLE, ROWS, version="13"),
    lambda: gather(TABLE, ROWS, version=13.0),
])
def test_signatures(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert not isinstance(caught.value, windrow.Error)
    assert str(caught.value)


def test_a_required_attribute_is_missing():
    with pytest.raises((TypeError, windrow.ArgumentError), match="axis"):
        windrow.openvino.gather_elements(TABLE, np.zeros((4, 3), "i8"))


# --- Plans ---


def test_plans_check_their_inputs():
    plan = windrow.compile("onnx", "Gather", TABLE, ROWS)
    check(lambda: plan(TABLE.astype("f8"), ROWS), windrow.DTypeError, ["data", "float64", "float32"])
    check(lambda: plan(TABLE[:3], ROWS), windrow.ShapeError, ["data", "[3, 3]", "[4, 3]"])
    check(lambda: plan(TABLE, ROWS[:2]), windrow.ShapeError, ["indices", "[2]", "[3]"])
    check(lambda: plan(TABLE, ROWS.astype("i4")), windrow.DTypeError, ["indices", "int32", "int64"])
    check(lambda: plan(TABLE), windrow.DTypeError, ["indices", "absent"])
    check(lambda: plan(TABLE, None), windrow.DTypeError, ["indices", "absent"])
    check(lambda: plan(TABLE, [0, 1, 4]), windrow.IndexOutOfRange, ["4"])
    check(lambda: plan(TABLE, ROWS, threads=0), windrow.ArgumentError, ["threads"])
    assert np.array_equal(plan(TABLE, ROWS), TABLE[ROWS])


def test_plans_know_the_axis_they_were_made_for():
    plan = windrow.compile("openvino", "Gather", TABLE, ROWS, 0)
    assert np.array_equal(plan(TABLE, ROWS, 0), TABLE[ROWS])
    check(lambda: plan(TABLE, ROWS, 1), windrow.ArgumentError, ["axis"])


SPECS = {
    "no type": (lambda: windrow.Spec("float99", (3,)), windrow.DTypeError, ["float99", "float32"]),
    "a type that nobody takes": (lambda: windrow.Spec("M8[s]", (3,)), windrow.DTypeError, ["datetime64"]),
    "the other byte order": (lambda: windrow.Spec(">f4", (3,)), windrow.DTypeError, ["byte order"]),
    "an extent below 0": (
        lambda: windrow.compile("onnx", "Gather", windrow.Spec("f4", (-3,)), ROWS), windrow.ShapeError, ["-3"]),
    "an extent beyond 63 bits": (lambda: windrow.Spec("f4", (2**63,)), windrow.ShapeError, [str(2**63)]),
    "a stride beyond 63 bits": (lambda: windrow.Spec("f4", (2,), (2**63,)), windrow.ShapeError, [str(2**63)]),
    "strides of another rank": (lambda: windrow.Spec("f4", (2, 3), (4,)), windrow.ShapeError, ["strides"]),
    "a value of another size": (lambda: windrow.Spec("i8", (2,), value=0), windrow.ShapeError, ["value"]),
    "a value that the type lacks": (lambda: windrow.Spec("i1", (), value=300), windrow.DTypeError, ["300", "int8"]),
    "too many axes": (
        lambda: windrow.compile("onnx", "Gather", windrow.Spec("f4", (1,) * 33), ROWS), windrow.ShapeError, ["32"]),
    "a value that is not known": (
        lambda: windrow.compile("openvino", "Gather", TABLE, ROWS, windrow.Spec("i8", ())),
        windrow.ArgumentError, ["axis"]),
}


@pytest.mark.parametrize("name", SPECS)
def test_specs(name):
    check(*SPECS[name])


def test_extents_are_integers():
    assert windrow.Spec("f4", (np.int64(2), True)).shape == (2, 1)
    for shape in ((2.5,), ("2",), 3):
        with pytest.raises(TypeError):
            windrow.Spec("f4", shape)


def test_known_values():
    for dtype, value in (("int4", -1), ("f4", 3.0), ("u8", np.array([7])), ("bfloat16", 2)):
        spec = windrow.Spec(dtype, np.shape(value), value=value)
        assert spec.value.astype("f8") == value
    depth = windrow.compile("onnx", "OneHot", ROWS, windrow.Spec("f4", (), value=4.0), np.zeros(2, "f4"))
    assert depth.shape == (3, 4)
    for value in (1.5, -1, 256):
        check(lambda value=value: windrow.Spec("u1", (), value=value), windrow.DTypeError, [str(value), "uint8"])


def test_specs_take_what_numpy_takes_for_a_type():
    for dtype in (np.float32, "float32", "f4", np.dtype("f4"), "<f4"):
        assert windrow.Spec(dtype, (2,)).dtype == "float32"
    assert windrow.Spec(object, (2,)).dtype == windrow.Spec("U3", (2,)).dtype == windrow.Spec(str, ()).dtype == "string"
    assert windrow.Spec("bfloat16", (2,)).dtype == "bfloat16"


# --- Odd but legal ---


def test_numpy_s_own_numbers_are_numbers():
    assert np.array_equal(gather(TABLE, [2], axis=np.int32(1), threads=np.int64(2), version=np.int64(13)),
                          TABLE[:, 2:])


@pytest.mark.parametrize("truth", [np.True_, np.False_])
def test_numpy_s_own_truths_are_truths(truth):
    options = {"reduction": "sum", "use_init_val": bool(truth)}
    call = [TABLE, np.zeros((1, 3), "i8"), TABLE[1:2], 0]
    expected = windrow.openvino.scatter_elements_update(*call, **options)
    options["use_init_val"] = truth
    assert np.array_equal(windrow.openvino.scatter_elements_update(*call, **options), expected)


def test_a_truth_that_is_none():
    with pytest.raises(ValueError, match="ambiguous"):
        gather(TABLE, ROWS, strict=np.ones(2))


def test_a_version_beyond_32_bits():
    assert np.array_equal(gather(TABLE, ROWS, version=2**31 - 1), TABLE[ROWS])
    for version in (2**32 + 1, 2**63, -2**32 + 13):
        with pytest.raises((windrow.Unsupported, windrow.ArgumentError)):
            gather(TABLE, ROWS, version=version)


def test_warnings_say_that_a_version_is_deprecated():
    with pytest.warns(windrow.OperatorWarning, match="deprecated"):
        windrow.onnx.scatter(TABLE, np.zeros((1, 3), "i8"), TABLE[:1])


def test_functions_look_like_functions():
    function = windrow.onnx.gather
    assert repr(function)
    assert function.__name__ == "gather"
    assert "Shapes:" in function.__doc__
    with pytest.raises((AttributeError, TypeError)):
        type(function)()
    with pytest.raises((AttributeError, TypeError)):
        type(windrow.compile("onnx", "Gather", TABLE, ROWS))()


def test_a_list_takes_the_type_of_the_list_of_data():
    result = windrow.onnx.scatter_elements([1.5, 2.5], [0], [9])
    assert result.tolist() == [9.0, 2.5]
    with pytest.raises(windrow.DTypeError, match="values that int64 can't hold"):
        windrow.onnx.scatter_elements([1, 2], [0], [9.5])
