"""testing.run: inputs, types, shapes, options, errors."""

import threading

import ml_dtypes
import numpy as np
import pytest
import windrow
import windrow.trt as trt

DATA = np.arange(6, dtype=np.float32).reshape(2, 3)
INDICES = np.array([2, 0, -1, 1], np.int32)
RESULT = DATA[:, INDICES]


@pytest.fixture
def lookup(network, gather):
    """The network of the gather layer, with its output `result`."""
    gather.get_output(0).name = "result"
    network.mark_output(gather.get_output(0))
    return network


def run(network, data=DATA, indices=INDICES, **options):
    return trt.testing.run(network, {"data": data, "indices": indices}, **options)["result"]


def test_a_run(lookup):
    result = run(lookup)
    assert result.dtype == np.float32 and np.array_equal(result, RESULT)
    assert np.array_equal(run(lookup, np.asfortranarray(DATA), INDICES.tolist()), RESULT)


def test_outputs_are_in_their_order(network, gather):
    other = network.add_cast(gather.get_output(0), trt.int32)
    for number, layer in enumerate([other, gather]):
        layer.get_output(0).name = f"output {number}"
        network.mark_output(layer.get_output(0))
    outputs = trt.testing.run(network, {"data": DATA, "indices": INDICES})
    assert list(outputs) == ["output 0", "output 1"]
    assert outputs["output 0"].dtype == np.int32
    assert np.array_equal(outputs["output 0"], outputs["output 1"])


def test_arrays_take_the_declared_shape(lookup):
    assert np.array_equal(run(lookup, DATA.reshape(3, 2), INDICES.reshape(2, 2)), RESULT)
    assert np.array_equal(run(lookup, DATA.T), DATA.T.reshape(2, 3)[:, INDICES])
    assert np.array_equal(run(lookup, memoryview(DATA.reshape(-1)), [[2, 0], [-1, 1]]), RESULT)
    with pytest.raises(windrow.ShapeError, match=r"'data' is float32\[2, 4\], the model declares"):
        run(lookup, np.zeros((2, 4), np.float32))


class DlpackArray:
    """An object that gives access to its memory only by DLPack."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **wishes):
        return self.array.__dlpack__(**wishes)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries(lookup):
    assert np.array_equal(run(lookup, DlpackArray(DATA)), RESULT)
    assert np.array_equal(run(lookup, DlpackArray(DATA.reshape(-1))), RESULT)
    assert np.array_equal(run(lookup, DlpackArray(DATA.astype(np.float64)), cast=True), RESULT)


def test_dynamic_shapes_are_taken_as_they_are(lookup, gather):
    gather.get_input(1).shape = (-1,)
    assert run(lookup, indices=INDICES[:3]).shape == (2, 3)
    with pytest.raises(windrow.ShapeError):
        run(lookup, indices=INDICES.reshape(2, 2))


def test_no_array_is_cast_silently(lookup):
    for data, indices in [(DATA.astype(np.float64), INDICES), (DATA, INDICES.astype(np.int64))]:
        with pytest.raises(windrow.DTypeError, match="the model declares"):
            run(lookup, data, indices)
        assert np.array_equal(run(lookup, data, indices, cast=True), RESULT)


@pytest.mark.parametrize(
    ("data", "indices"),
    [
        (DATA + np.float64(2.0**-40), INDICES),
        (DATA * np.float64(1e300), INDICES),
        (DATA, INDICES.astype(np.int64) + 2**32),
        (DATA, INDICES + 0.5),
    ],
)
def test_a_cast_that_changes_values_is_refused(lookup, data, indices):
    with pytest.raises(windrow.DTypeError, match="values of type .* that .* does not hold"):
        run(lookup, data, indices, cast=True)


def test_a_cast_keeps_what_is_no_number(lookup):
    data = DATA.astype(np.float64)
    data[0, 0], data[1, 1] = np.nan, -np.inf
    assert np.array_equal(run(lookup, data, cast=True), data[:, INDICES], equal_nan=True)
    for data in (DATA.astype(complex), DATA.astype(str)):
        with pytest.raises(windrow.DTypeError):
            run(lookup, data, cast=True)


def test_lists_take_the_declared_type_if_no_value_changes(network):
    x = network.add_input("x", trt.bfloat16, (-1,))
    i = network.add_input("i", trt.int64, (-1,))
    network.mark_output(network.add_gather(x, i, 0).get_output(0))
    [result] = trt.testing.run(network, {"x": [0.5, 2], "i": [1, 0]}).values()
    assert result.dtype == ml_dtypes.bfloat16 and result.tolist() == [2, 0.5]
    [result] = trt.testing.run(network, {"x": [], "i": []}).values()
    assert result.shape == (0,)
    for inputs in [{"x": [0.1], "i": [0]}, {"x": [1], "i": [0.5]}, {"x": [1], "i": [2**70]}]:
        with pytest.raises(windrow.DTypeError):
            trt.testing.run(network, inputs)
    with pytest.raises(windrow.ShapeError):
        trt.testing.run(network, {"x": [1], "i": [[0], [0, 0]]})


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"data": DATA}, "missing input 'indices'"),
        ({"data": DATA, "indices": None}, "missing input 'indices'"),
        ({"data": DATA, "indices": INDICES, "more": DATA}, "there is no input 'more'"),
        ({"data": DATA, 1: INDICES}, "by name, which 1 is not"),
    ],
)
def test_wrong_names(lookup, inputs, text):
    with pytest.raises(windrow.ArgumentError, match=text):
        trt.testing.run(lookup, inputs)


def test_a_network_without_outputs(network):
    with pytest.raises(windrow.ArgumentError, match="no output; markOutput"):
        trt.testing.run(network, {})


def test_a_layer_that_depends_on_itself(lookup, gather):
    gather.set_input(0, gather.get_output(0))
    with pytest.raises(windrow.ArgumentError, match="depends on itself"):
        run(lookup)


def test_two_outputs_of_one_name(lookup, network, gather):
    other = network.add_cast(gather.get_output(0), trt.float16).get_output(0)
    other.name = "result"
    network.mark_output(other)
    with pytest.raises(windrow.ArgumentError, match="called 'result'"):
        run(lookup)


def test_a_broken_rule_has_its_label(lookup, gather):
    gather.axis = 2
    with pytest.raises(windrow.ArgumentError, match="axis is 2") as caught:
        run(lookup)
    assert caught.value.constraint == "TENSORRT-Gather-A1"
    assert caught.value.operator == "tensorrt.Gather-11"


def test_indices_out_of_range(lookup):
    indices = np.array([0, 3, -4, 9], np.int32)
    assert run(lookup, indices=indices).tolist() == [[0, 0, 0, 0], [3, 0, 0, 0]]
    assert run(lookup, indices=indices, out_of_range="clamp").tolist() == [
        [0, 2, 0, 2],
        [3, 5, 3, 5],
    ]
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        run(lookup, indices=indices, out_of_range="error")
    assert (caught.value.input, caught.value.position, caught.value.value) == ("indices", (1,), 3)
    with pytest.raises(windrow.ArgumentError, match="out_of_range is 'none'"):
        run(lookup, out_of_range="none")


def test_duplicates_and_strict(network):
    data, indices, updates = (
        network.add_input(name, kind, (3,))
        for name, kind in [("d", trt.int32), ("i", trt.int32), ("u", trt.int32)]
    )
    layer = network.add_scatter(data, indices, updates, trt.ScatterMode.ELEMENT)
    network.mark_output(layer.get_output(0))
    inputs = {"d": [0, 0, 0], "i": [1, 1, 7], "u": [5, 6, 8]}
    [result] = trt.testing.run(network, inputs).values()
    assert result.tolist() == [0, 6, 0]
    with pytest.raises(windrow.DuplicateIndex):
        trt.testing.run(network, inputs, duplicates="error")
    with pytest.raises(windrow.IndexOutOfRange):
        trt.testing.run(network, inputs, strict=True)


def test_kernel_sets_and_threads_do_not_matter(builder):
    network = builder.create_network()
    table = network.add_constant((500, 64), np.arange(32000, dtype=np.float32))
    ids = network.add_input("ids", trt.int64, (-1,))
    network.mark_output(network.add_gather(table.get_output(0), ids, 0).get_output(0))
    given = np.random.default_rng(1).integers(-500, 500, 20000)
    expected = np.arange(32000, dtype=np.float32).reshape(500, 64)[given]
    sets = [name for name, there in windrow.kernel_sets().items() if there]
    for options in [{}, *({"kernels": name} for name in sets), {"threads": 1}, {"threads": 3}]:
        [result] = trt.testing.run(network, {"ids": given}, **options).values()
        assert np.array_equal(result, expected)


def test_many_threads_run_one_network(lookup):
    wrong = []

    def work(seed):
        indices = np.random.default_rng(seed).integers(-3, 3, 4).astype(np.int32)
        for _ in range(200):
            if not np.array_equal(run(lookup, indices=indices), DATA[:, indices]):
                wrong.append(indices)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_cache_is_left_as_it_is(network):
    cache = np.zeros((1, 1, 4, 2), np.float16)
    tensors = [
        network.add_input(name, kind, shape)
        for name, kind, shape in [
            ("cache", trt.float16, cache.shape),
            ("update", trt.float16, (1, 1, 1, 2)),
            ("at", trt.int32, (1,)),
        ]
    ]
    layer = network.add_kv_cache_update(*tensors, trt.KVCacheMode.LINEAR)
    network.mark_output(layer.get_output(0))
    [result] = trt.testing.run(
        network, {"cache": cache, "update": [[[[1, 2]]]], "at": [2]}
    ).values()
    assert result[0, 0].tolist() == [[0, 0], [0, 0], [1, 2], [0, 0]]
    assert not cache.any()
