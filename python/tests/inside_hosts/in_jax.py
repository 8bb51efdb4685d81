"""JAX on the CPU: a call is a pair of functions, one of jax.numpy and one of windrow.jax."""

import numpy as np
from difference import Difference, Raises, refusals

TITLE, HOST, GUIDE = "JAX", "jax 0.10.2 on the CPU", "jax.md"
NAN = float("nan")
TINY = 1.4e-45  # the smallest subnormal float32
BEYOND = 2**32 + 1


def _run(function, module):
    import jax
    import jax.numpy as jnp

    return np.asarray(jax.block_until_ready(function(jnp, module)))


def alone(call):
    return _run(call[0], None)


def here(call):
    import windrow.jax

    return _run(call[1], windrow.jax)


ROWS = [
    Difference("take-out-of-range", "`jnp.take`, an index out of range",
               "NaN; the smallest integer; the largest of unsigned types",
               "an error",
               (lambda np_, _: np_.stack([np_.isnan(np_.take(np_.arange(5.0), 9)),
                   np_.take(np_.arange(5, dtype="int32"), 9) == -(2**31),
                                          np_.take(np_.arange(5, dtype="uint8"), 9) == 255]),
                lambda np_, wj: wj.take(np_.arange(5, dtype="int32"), np_.array([9]), axis=0)),
               [True, True, True], Raises(r"indices\[0\] is 9, out of range for axis 0 of data with extent 5")),
    Difference("get-out-of-range", "`x[i]` and `.at[].get()`, an index out of range", "the nearest row", "an error",
               (lambda np_, _: np_.stack([np_.arange(5.0)[np_.array([9, -9])],
                   np_.arange(5.0).at[np_.array([9, -9])].get()]),
                lambda np_, wj: wj.take(np_.arange(5.0), np_.array([9, -9]), axis=0)),
               [[4, 0], [4, 0]], Raises("is 9, out of range")),
    Difference("set-out-of-range", "`.at[].set()` and `.add()`, an index out of range", "the update is dropped",
               'an error; `out_of_range="skip"` drops it',
               (lambda np_, _: np_.stack([np_.zeros(3).at[np_.array([1, 7])].add(np_.ones(2)),
                   np_.zeros(3).at[np_.array([1, 7])].set(1.0)]),
                lambda np_, wj: wj.index_add(np_.zeros(3), np_.array([1, 7]), np_.ones(2))),
               [[0, 1, 0], [0, 1, 0]], Raises("is 7, out of range")),
    Difference("clip-in-take", '`jnp.take(mode="clip")`, negative indices',
               "row 0", 'row 0, with `out_of_range="clamp"`',
               (lambda np_, _: np_.take(np_.arange(5.0), np_.array([-1, -9, 9]), mode="clip"),
                lambda np_, wj: wj.take(np_.arange(5.0), np_.array([-1, -9, 9]), axis=0, out_of_range="clamp")),
               [0, 0, 4], [0, 0, 4]),
    Difference("clip-elsewhere", '`.at[]` and `jnp.take_along_axis` with `mode="clip"`, negative indices',
               "-1 to -n count from the end, those below are row 0", "row 0, in all functions",
               (lambda np_, _: np_.stack([np_.arange(5.0).at[np_.array([-1, -9, 9])].get(mode="clip"),
                                          np_.take_along_axis(np_.arange(5.0),
                                          np_.array([-1, -9, 9]), 0, mode="clip")]),
                lambda np_, wj: wj.take_along_axis(np_.arange(5.0), np_.array([-1, -9, 9]), 0, out_of_range="clamp")),
               [[4, 0, 4], [4, 0, 4]], [0, 0, 4]),
    Difference("empty-axis-get", "`jnp.take` and `.at[].get()` along an axis of extent 0", "an error",
               "`windrow.IndexOutOfRange`",
               (lambda np_, _: refusals(lambda: np_.take(np_.zeros(0), np_.array([0])),
                   lambda: np_.zeros(0).at[np_.array([0])].get()),
                lambda np_, wj: wj.take(np_.zeros(0), np_.array([0]), axis=0)),
               2, Raises("extent 0")),
    Difference("empty-axis-set", "`.at[].set()` and `.add()` along an axis of extent 0", "the empty array",
               "`windrow.IndexOutOfRange`",
               (lambda np_, _: np_.concatenate([np_.zeros(0).at[np_.array([0])].add(1.0),
                   np_.zeros(0).at[np_.array([0])].set(1.0)]),
                lambda np_, wj: wj.index_add(np_.zeros(0), np_.array([0]), np_.ones(1))),
               [], Raises("extent 0")),
    Difference("wide-indices", "NumPy indices beyond 32 bits, without `jax_enable_x64`", "keep their low 32 bits",
               "an error",
               (lambda np_, _: np_.take(np_.arange(5.0), np.array([BEYOND])),
                lambda np_, wj: wj.take(np_.arange(5.0), np.array([BEYOND]), axis=0)),
               [1], Raises("indices beyond 32 bits need jax_enable_x64")),
    Difference("nan-in-max", "max, NaN in a cell or an update", "is taken, and the cell stays NaN", "the same",
               (lambda np_, _: np_.array([NAN, 1, 2]).at[np_.array([0, 1, 1])].max(np_.array([5, NAN, 2])),
                lambda np_, wj: wj.scatter(np_.array([NAN, 1, 2]), np_.array([0, 1, 1]), np_.array([5, NAN, 2]), axis=0,
                                           reduction="max")),
               [NAN, NAN, 2], [NAN, NAN, 2]),
    Difference("zeros-of-both-signs", "min meets zeros of both signs", "-0 is below 0", "the update is taken",
               (lambda np_, _: np_.array([0.0, -0.0]).at[np_.array([0, 1])].min(np_.array([-0.0, 0.0])),
                lambda np_, wj: wj.scatter(np_.array([0.0, -0.0]), np_.array([0, 1]), np_.array([-0.0, 0.0]), axis=0,
                                           reduction="min")),
               [-0.0, -0.0], [-0.0, 0.0]),
    Difference("subnormal-numbers", "sums of subnormal numbers", "are taken for zero",
               "are folded as they are",
               (lambda np_, _: np_.zeros(1).at[np_.zeros(3, "int32")].add(np_.full(3, TINY)),
                lambda np_, wj: wj.index_add(np_.zeros(1), np_.zeros(3, "int32"), np_.full(3, TINY))),
               [0], [3 * TINY]),
    Difference("sums-of-bool", "sums of bool", "an error", "or",
               (lambda np_, _: np_.array([False]).at[np_.array([0, 0])].add(np_.array([True, True])),
                lambda np_, wj: wj.index_add(np_.array([False]), np_.array([0, 0]), np_.array([True, True]))),
               Raises("add does not accept dtype bool"), [True]),
]
NOTES = """\
JAX leaves open which of several updates of a cell wins in `.at[].set()` and in which order `.at[].add()` adds them. In `windrow.jax`
the last one wins, and updates are folded in row-major order. Errors are `JaxRuntimeError` or `ValueError`, and may be raised
[where the program waits for the result](jax.md#indices-out-of-range)."""
