"""Dims: a sequence that can be changed, and what makes one."""

import copy

import numpy as np
import pytest
import windrow.trt as trt


def test_a_dims_is_a_sequence():
    dims = trt.Dims((2, 1, 5))
    assert len(dims) == 3
    assert (dims[0], dims[-1], dims[1:], dims[::-1]) == (2, 5, (1, 5), (5, 1, 2))
    assert list(dims) == [2, 1, 5]
    assert 5 in dims and 3 not in dims
    assert dims.count(1) == 1 and dims.index(5) == 2
    assert np.zeros(dims).shape == (2, 1, 5)
    with pytest.raises(IndexError):
        dims[3]


def test_extents_can_be_set():
    dims = trt.Dims([2, 1, 5])
    dims[-1] = 7
    dims[0:2] = (8, 9)
    assert dims == (8, 9, 7)
    with pytest.raises(ValueError, match="3 extents in place of 2"):
        dims[0:2] = (1, 2, 3)
    with pytest.raises(IndexError):
        dims[3] = 1
    with pytest.raises(TypeError):
        dims[0] = 1.5
    assert dims == (8, 9, 7)


def test_a_dims_equals_lists_tuples_and_dims():
    assert trt.Dims((2, 3)) == [2, 3] == trt.Dims2(2, 3)
    assert (2, 3) == trt.Dims((2, 3))
    assert trt.Dims((2, 3)) != (2, 3, 1)
    assert trt.Dims(()) == ()
    assert trt.Dims((2,)) != 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(trt.Dims((2, 3)))


@pytest.mark.parametrize(
    ("shape", "text"), [((2, 1, 5), "(2, 1, 5)"), ((5,), "(5,)"), ((), "()"), ((-1, 4), "(-1, 4)")]
)
def test_a_dims_prints_as_a_tuple(shape, text):
    assert str(trt.Dims(shape)) == repr(trt.Dims(shape)) == text


def test_copies_are_separate():
    dims = trt.Dims((2, 3))
    other, deep = trt.Dims(dims), copy.deepcopy(dims)
    other[0] = 9
    assert dims == deep == (2, 3)


def test_fixed_ranks():
    assert trt.Dims2() == (0, 0)
    assert trt.Dims3(1, 2, 3) == trt.Dims3((1, 2, 3)) == (1, 2, 3)
    assert trt.Dims4([1, 2, 3, 4]) == (1, 2, 3, 4)
    size = trt.DimsHW(4, 6)
    size.w = 7
    assert (size.h, size.w) == (4, 7) and size == (4, 7)
    for wrong in [lambda: trt.Dims2((1, 2, 3)), lambda: trt.Dims3(1, 2), lambda: trt.Dims2(5)]:
        with pytest.raises((ValueError, TypeError)):
            wrong()


def test_no_more_than_eight_extents_of_64_bits():
    assert trt.Dims.MAX_DIMS == 8
    assert len(trt.Dims([1] * 8)) == 8
    with pytest.raises(ValueError, match="Input length 9. Max expected length is 8"):
        trt.Dims([1] * 9)
    assert trt.Dims([2**63 - 1])[0] == 2**63 - 1
    with pytest.raises(ValueError, match="beyond 64 bits"):
        trt.Dims([2**63])


@pytest.mark.parametrize("shape", ["ab", (1.5,), (None,), 3, None])
def test_what_is_no_shape(network, shape):
    with pytest.raises(TypeError):
        trt.Dims(shape)
    with pytest.raises(TypeError):
        network.add_input("x", trt.float32, shape)
    assert network.num_inputs == 0


@pytest.mark.parametrize(
    "shape", [(2, 3), [2, 3], trt.Dims((2, 3)), trt.Dims2(2, 3), np.array([2, 3]), (np.int32(2), 3)]
)
def test_what_does_for_a_shape(network, shape):
    assert network.add_input("x", trt.float32, shape).shape == (2, 3)


def test_volume():
    assert trt.volume((2, 3, 4)) == trt.volume(trt.Dims3(2, 3, 4)) == 24
    assert trt.volume(()) == 1
    assert trt.volume([0, 5]) == 0


def test_the_shape_of_a_broken_layer_has_no_length(gather, logger):
    gather.axis = 2
    shape = gather.get_output(0).shape
    [line] = logger.take()
    assert "TENSORRT-Gather-A1" in line and "axis is 2" in line
    assert str(shape) == "(no shape)"
    assert shape != () and shape != (2, 4) and shape != gather.get_output(0).shape
    logger.take()
    for use in [len, list, lambda dims: dims[0], lambda dims: dims[0:1], trt.volume]:
        with pytest.raises(ValueError, match=r"__len__\(\) should return >= 0"):
            use(shape)
    gather.axis = 1
    assert gather.get_output(0).shape == (2, 4)


def test_a_rank_that_only_a_run_tells_has_no_length_either(network):
    data = network.add_input("data", trt.float32, (2, 3))
    indices = network.add_input("indices", trt.int32, (4, -1))
    layer = network.add_gather_v2(data, indices, trt.GatherMode.ND)
    with pytest.raises(ValueError, match="its rank depends on the inputs of a run"):
        len(layer.get_output(0).shape)
