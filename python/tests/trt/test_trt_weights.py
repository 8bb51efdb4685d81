"""Constants and Weights: types, memory, lifetimes."""

import gc
import weakref

import ml_dtypes
import numpy as np
import pytest
import windrow
import windrow.trt as trt
from case_data import same_bits

TYPES = {
    trt.float32: np.float32,
    trt.float16: np.float16,
    trt.int8: np.int8,
    trt.int32: np.int32,
    trt.bool: np.bool_,
    trt.uint8: np.uint8,
    trt.fp8: ml_dtypes.float8_e4m3fn,
    trt.bfloat16: ml_dtypes.bfloat16,
    trt.int64: np.int64,
    trt.int4: ml_dtypes.int4,
}


def run_constant(network, layer):
    """The result of casting a constant to its own type."""
    cast = network.add_cast(layer.get_output(0), layer.get_output(0).dtype)
    network.mark_output(cast.get_output(0))
    [result] = trt.testing.run(network, {}).values()
    return result


@pytest.mark.parametrize("wrap", [lambda array: array, trt.Weights], ids=["array", "Weights"])
@pytest.mark.parametrize("data_type", TYPES, ids=lambda data_type: data_type.name)
def test_every_type(network, data_type, wrap):
    array = np.array([[0, 1, 2], [3, 4, 5]]).astype(TYPES[data_type])
    layer = network.add_constant(shape=(2, 3), weights=wrap(array))
    assert layer.shape == (2, 3) and layer.get_output(0).shape == (2, 3)
    assert layer.get_output(0).dtype == data_type
    assert same_bits(array.reshape(-1), layer.weights)
    assert same_bits(array, run_constant(network, layer))


@pytest.mark.parametrize("dtype", ["float64", "int16", "uint64", "complex64", "<U3", "object"])
def test_types_that_tensorrt_has_not(network, dtype):
    array = np.zeros(3, dtype)
    for call in [lambda: network.add_constant((3,), array), lambda: trt.Weights(array)]:
        with pytest.raises(windrow.DTypeError):
            call()
    assert len(network) == 0


def test_weights_are_read_when_the_network_runs(network):
    array = np.arange(3, dtype=np.float32)
    layer = network.add_constant((3,), array)
    array[0] = 7
    assert run_constant(network, layer).tolist() == [7, 1, 2]


def test_weights_in_any_order(network):
    array = np.arange(12, dtype=np.int32).reshape(3, 4)
    for view in [array.T, array[::-1, ::2], np.broadcast_to(array[:1], (3, 4))]:
        layer = network.add_constant(view.shape, view)
        assert layer.weights.tolist() == view.reshape(-1).tolist()


def test_other_arrays_than_numpys(network):
    assert network.add_constant((3,), memoryview(b"abc")).weights.tolist() == [97, 98, 99]
    with pytest.raises(TypeError):
        network.add_constant((3,), None)


def test_weights_must_fit_the_shape(network, logger):
    array = np.zeros(5, np.float32)
    assert network.add_constant((2, 3), array) is None
    assert logger.take() == [
        "INetworkDefinition::addConstant: there are 5 weights, dimensions [2, 3] hold 6"
    ]
    assert network.add_constant((-1,), array) is None
    assert "dimension 0 is -1" in logger.take()[0]
    assert len(network) == 0


def test_weights_and_shape_can_be_set(network):
    layer = network.add_constant((3,), np.zeros(3, np.float32))
    layer.shape = (2, 2)
    layer.weights = np.arange(8, dtype=np.int64)[::2]
    assert layer.shape == (2, 2) and layer.get_output(0).dtype == trt.int64
    assert run_constant(network, layer).tolist() == [[0, 2], [4, 6]]


def test_setting_weights_is_refused_as_adding_them_is(network):
    layer = network.add_constant((3,), np.ones(3, np.float32))
    with pytest.raises(windrow.DTypeError, match="float64"):
        layer.weights = np.zeros(3)
    assert layer.weights.tolist() == [1, 1, 1]


def test_weights_live_as_long_as_the_network(builder):
    class Array(np.ndarray):
        """One that can be watched."""

    arrays = [np.arange(3, dtype=np.float32).view(Array) for _ in range(2)]
    watched = [weakref.ref(array) for array in arrays]
    network = builder.create_network()
    layer = network.add_constant((3,), arrays[0])
    layer.weights = arrays[1]
    del arrays
    gc.collect()
    assert all(array() is not None for array in watched)
    assert run_constant(network, layer).tolist() == [0, 1, 2]
    del layer
    gc.collect()
    assert watched[1]() is not None
    del network
    gc.collect()
    assert all(array() is None for array in watched)


def test_refused_weights_are_let_go(network, logger):
    class Array(np.ndarray):
        """One that can be watched."""

    array = np.zeros(3, np.float32).view(Array)
    watched = weakref.ref(array)
    assert network.add_constant((4,), array) is None
    logger.take()
    del array
    gc.collect()
    assert watched() is None


def test_networks_do_not_take_each_others_weights(builder):
    """Constants of networks that come and go, at addresses that are used again."""
    for number in range(200):
        network = builder.create_network()
        layer = network.add_constant((2,), np.zeros(2, np.int32))
        layer.weights = np.array([number, number + 1], np.int32)
        del network
        assert layer.weights.tolist() == [number, number + 1]


def test_members_of_weights():
    weights = trt.Weights(np.arange(6, dtype=np.float16).reshape(2, 3))
    assert (weights.dtype, weights.size, weights.nbytes, len(weights)) == (trt.float16, 6, 12, 6)
    assert weights.numpy().tolist() == [0, 1, 2, 3, 4, 5]
    assert trt.Weights(a=np.zeros(3, ml_dtypes.int4)).nbytes == 2


def test_weights_at_an_address(network):
    array = np.arange(5, dtype=np.int32)
    weights = trt.Weights(trt.int32, array.ctypes.data, 5)
    array[4] = 9
    assert weights.numpy().tolist() == [0, 1, 2, 3, 9]
    assert network.add_constant((5,), weights).weights.tolist() == [0, 1, 2, 3, 9]
    floats = np.arange(3).astype(ml_dtypes.bfloat16)
    assert same_bits(
        floats, trt.Weights(type=trt.bfloat16, ptr=floats.ctypes.data, count=3).numpy()
    )
    packed = np.array([0x21, 0x0F], np.uint8)
    assert trt.Weights(trt.int4, packed.ctypes.data, 3).numpy().tolist() == [1, 2, -1]


@pytest.mark.parametrize(("address", "count"), [(0, 1), (4096, -1)])
@pytest.mark.parametrize("data_type", [trt.float32, trt.int4])
def test_weights_at_no_address(data_type, address, count):
    with pytest.raises(windrow.ArgumentError, match=f"{count} weights at address {address}"):
        trt.Weights(data_type, address, count)


def test_weights_without_elements(network):
    weights = trt.Weights(trt.float32)
    assert (weights.dtype, weights.size, weights.nbytes) == (trt.float32, 0, 0)
    layer = network.add_constant((0, 4), weights)
    assert run_constant(network, layer).shape == (0, 4)
