"""Arrays whose memory alone does not give their values are refused, with a message that says what to do."""

import numpy as np
import pytest
import windrow
from array_kinds import ROWS, DLPackOnly, numbers, same

gather, scatter = windrow.onnx.gather, windrow.onnx.scatter_nd


class Refusing(DLPackOnly):
    """As a tensor of torch that is lazily conjugated: a capsule can't say so."""

    def __dlpack__(self, **options):
        raise BufferError("Can't export tensors with the conjugate bit set")

    def resolve_conj(self):
        return self.values

    def is_conj(self):
        return True


class WithGradient(DLPackOnly):
    requires_grad = True

    def __dlpack__(self, **options):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")


class Negated(DLPackOnly):
    """As a tensor of torch that is lazily negated, which `__dlpack__` gives nevertheless."""

    def resolve_neg(self):
        return -self.values

    def is_neg(self):
        return True


class Meta(DLPackOnly):
    def __dlpack_device__(self):
        raise ValueError("Unknown device type meta for Dlpack")


REFUSED = {
    "conjugated": (Refusing, ["conjugate bit", "{}.resolve_conj()"]),
    "with a gradient": (WithGradient, ["gradient", "windrow.torch", "{}.detach()"]),
    "negated": (Negated, ["negated", "{}.resolve_neg()"]),
    "meta": (Meta, ["CPU", "meta"]),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_lazy_arrays(kind):
    make, words = REFUSED[kind]
    data, out = numbers("f4"), np.zeros((3, 3), "f4")
    calls = {
        "data": lambda: gather(make(data), ROWS, out=out),
        "indices": lambda: gather(data, make(np.array(ROWS)), out=out),
        "out": lambda: gather(data, ROWS, out=make(out)),
    }
    for name, call in calls.items():
        with pytest.raises(windrow.ArgumentError) as caught:
            call()
        assert str(caught.value).startswith(name + " ")
        for word in words:
            assert word.format(name) in str(caught.value)
    assert not out.any()


def masked():
    return np.ma.masked_array(numbers("f4"), mask=numbers("f4") > 5)


MASKED = {
    "data": lambda: gather(masked(), ROWS),
    "indices": lambda: gather(numbers("f4"), np.ma.masked_array([0, 9], mask=[False, True])),
    "updates": lambda: scatter(numbers("f4"), [[0]], masked()[:1]),
    "out": lambda: gather(numbers("f4"), [0, 1, 2, 3], out=masked()),
    "a": lambda: windrow.take(masked(), ROWS),
    "arr": lambda: windrow.take_along_axis(masked(), np.zeros((4, 1), int), 1),
}


@pytest.mark.parametrize("name", MASKED)
def test_masked_arrays(name):
    with pytest.raises(windrow.DTypeError, match=r"masked array, whose mask would be lost.*\.filled\("):
        MASKED[name]()


def test_masked_text_and_models_and_plans():
    text = np.ma.masked_array(np.array(["a", "b"], object), mask=[True, False])
    with pytest.raises(windrow.DTypeError, match="masked"):
        gather(text, [0])
    with pytest.raises(windrow.DTypeError, match="masked"):
        windrow.compile("onnx", "Gather", masked(), [0])
    with pytest.raises(windrow.DTypeError, match="masked"):
        windrow.compile("onnx", "Gather", numbers("f4"), np.array(ROWS))(masked(), np.array(ROWS))
    # Other kinds of NumPy's arrays are their memory.
    same(gather(numbers("f4").view(np.matrix), ROWS), numbers("f4")[ROWS])


def test_masked_inputs_of_a_network():
    from windrow import trt

    builder = trt.Builder(trt.Logger(trt.Logger.ERROR))
    network = builder.create_network(0)
    data = network.add_input("data", trt.float32, (4, 3))
    rows = network.add_input("rows", trt.int32, (3,))
    network.mark_output(network.add_gather(data, rows, 0).get_output(0))
    for cast in (False, True):
        with pytest.raises(windrow.DTypeError, match="masked"):
            trt.testing.run(network, {"data": masked(), "rows": np.array(ROWS, "i4")}, cast=cast)


def test_the_values_of_a_masked_array():
    same(gather(masked().filled(-1), ROWS), masked().filled(-1)[ROWS])
    same(gather(masked().data, ROWS), numbers("f4")[ROWS])


def test_an_array_that_gives_no_address():
    class NoMemory(DLPackOnly):
        def __dlpack__(self, **options):
            return object()

    with pytest.raises(windrow.ArgumentError, match="data gives no memory by DLPack"):
        gather(NoMemory(numbers("f4")), ROWS)


class Interrupted(DLPackOnly):
    def __init__(self, values, where):
        super().__init__(values)
        self.where = where

    def __dlpack__(self, **options):
        raise self.where

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_is_no_refusal(error):
    for call in (
        lambda array: gather(array, ROWS),
        lambda array: gather(numbers("f4"), array),
        lambda array: gather(numbers("f4"), ROWS, out=array),
    ):
        with pytest.raises(error):
            call(Interrupted(numbers("f4"), error))
