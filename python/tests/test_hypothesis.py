"""Random calls of every operator: against NumPy, and every kernel set and number of threads against each other.

WINDROW_RANDOM_SECONDS above 60 makes the calls random and more; else they are the same every time.
"""

import os
import warnings

import numpy as np
import numpy_models
import pytest
import windrow
from case_data import same_bits, same_values
from call_maker import count, draw_meanings
from drawn_calls import CALLS, draw_call
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from layouts import GuardedOut, lay_out

SECONDS = float(os.environ.get("WINDROW_RANDOM_SECONDS", "60"))
# With this number of calls of each operator, the tests take about a minute.
CALLS_PER_MINUTE, LARGE_CALLS_PER_MINUTE = 300, 30
KERNELS = [name for name, supported in windrow.kernel_sets().items() if supported]
THREADS = (1, 2, 5)
# Elements of a tensor that is worth a second thread.
LARGE = 30_000


def profile(calls):
    long = SECONDS > 60
    return settings(max_examples=int(calls * SECONDS / 60) if long else calls, derandomize=not long, deadline=None,
                    database=None, phases=(Phase.generate, Phase.shrink),
                    suppress_health_check=list(HealthCheck))


def run(call, inputs, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", windrow.OperatorWarning)
        return windrow.call(call.operator.dialect, call.operator.name, *inputs, version=call.version,
                            out_of_range=call.policy, negative=call.negative, padding_index=call.padding_index,
                            **call.attributes, **options)


def exactly(array):
    """The properties that two results must share: type, shape and every bit; for strings their text."""
    if array.dtype.kind in "OTU":
        return array.shape, array.tolist()
    return array.dtype, array.shape, array.tobytes()


def model(call):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # ml_dtypes warns of overflow
        plain, policy = call.plain()
        inputs = [None if array is None else np.array(array, order="C") for array in plain]
        return numpy_models.compute(call.operator.dialect, call.operator.name, call.version, inputs, call.attributes,
                                    policy)


def check_against_numpy(call, result):
    data = call.inputs[0]
    has_products = call.reduction in ("mul", "prod") or call.operator.name == "EmbeddingBag" and len(call.inputs) > 3
    if has_products and data.dtype.kind == "c":
        return  # NumPy may contract the four products
    expected = model(call)
    if expected.dtype == object:
        assert (result.shape, result.tolist()) == (expected.shape, expected.tolist())
    elif call.reduction == "none":
        assert exactly(result) == exactly(expected.astype(result.dtype)), (expected, result)
    else:
        # Which of two equal zeros is the larger one, NumPy decides differently for different types.
        same = same_values if call.reduction in ("max", "min") else same_bits
        assert same(expected, result), (expected, result)


def check_refused(call, inputs, bad, **options):
    position, value = bad[0]
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        run(call, inputs, **options)
    error = caught.value
    assert (error.input, error.position, error.value, error.count) == (call.index_name, position, value, len(bad))


def check_in_place(call, inputs, choose, expected, bad):
    """A scatter in place, whose data an error leaves unchanged."""
    data = np.array(inputs[0])
    if data.dtype.kind == "U":
        data = data.astype(object)  # which holds updates of any length
    place = data if data.dtype.kind in "OTU" else GuardedOut(choose, data.shape, data.dtype).out
    place[...] = data
    arrays = [place, *inputs[1:]]
    if bad:
        check_refused(call, arrays, bad, out=place)
        assert exactly(place) == exactly(data)
    else:
        assert run(call, arrays, out=place) is place
        assert exactly(place) == expected


def check_into_out(call, inputs, choose, result, **options):
    guarded = GuardedOut(choose, result.shape, result.dtype)
    assert run(call, inputs, out=guarded.out, **options) is guarded.out
    assert exactly(guarded.out) == exactly(result)
    guarded.assert_untouched_around()
    dense = np.empty(result.shape, result.dtype)
    run(call, inputs, out=dense, **options)
    assert exactly(dense) == exactly(result)


def is_scatter_into_data(call):
    name = call.operator.name
    return call.row["scatter"] and name not in ("OneHot", "SegmentReduce", "SegmentMax") and not name.startswith("Embedding")


def test_every_operator_is_drawn():
    assert set(CALLS) == {(operator.dialect, operator.name) for operator in windrow.ops()}, "see drawn_calls.py"


@pytest.mark.parametrize("operator", windrow.ops(), ids=lambda op: f"{op.dialect}-{op.name}")
def test_small_calls(operator):
    @profile(CALLS_PER_MINUTE)
    @given(data=st.data())
    def check(data):
        call = draw_call(data, operator)
        draw_meanings(data, call)

        def choose(low, high):
            return count(data, low, high)

        inputs = [lay_out(choose, array) for array in call.inputs]
        bad = call.bad_indices()
        if bad:
            check_refused(call, inputs, bad, kernels=choose_kernels(choose))
        else:
            result = run(call, inputs)
            check_against_numpy(call, result)
            for kernels in KERNELS:
                assert exactly(run(call, inputs, kernels=kernels)) == exactly(result)
            if result.dtype.kind not in "OTU":
                check_into_out(call, inputs, choose, result, kernels=choose_kernels(choose))
        if is_scatter_into_data(call):
            check_in_place(call, inputs, choose, None if bad else exactly(result), bad)

    check()


def choose_kernels(choose):
    return KERNELS[choose(0, len(KERNELS) - 1)]


@pytest.mark.parametrize("operator", windrow.ops(), ids=lambda op: f"{op.dialect}-{op.name}")
def test_large_calls_with_threads(operator):
    @profile(LARGE_CALLS_PER_MINUTE)
    @given(data=st.data())
    def check(data):
        call = draw_call(data, operator, scale=LARGE)
        draw_meanings(data, call)

        def choose(low, high):
            return count(data, low, high)

        inputs = [lay_out(choose, array) for array in call.inputs]
        bad = call.bad_indices()
        if bad:
            for threads in THREADS:
                check_refused(call, inputs, bad, threads=threads)
            return
        result = run(call, inputs, threads=1)
        for kernels in KERNELS:
            for threads in THREADS:
                assert exactly(run(call, inputs, kernels=kernels, threads=threads)) == exactly(result)
        if result.dtype.kind not in "OTU":
            check_into_out(call, inputs, choose, result, threads=2)
        if is_scatter_into_data(call):
            check_in_place(call, inputs, choose, exactly(result), bad)

    check()
