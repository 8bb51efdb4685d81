"""Random calls beside torch's own operators, over types, ranks, axes and strides.

One long file: the tests share one way of drawing calls.
"""

import numpy as np
import pytest
import torch
import windrow.torch as ours
from torch_samples import REDUCTIONS

INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
REALS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
NUMBERS = (*INTEGERS, *REALS)
SEEDS = range(6)


class Draw:
    """Random tensors of one type, some with strides of their own."""

    def __init__(self, seed, dtype):
        self.rng = np.random.default_rng([seed, NUMBERS_AND_MORE.index(dtype)])
        self.dtype = dtype
        self.shape = [int(n) for n in self.rng.integers(1, 6, self.rng.integers(1, 5))]
        self.dim = int(self.rng.integers(-len(self.shape), len(self.shape)))
        self.extent = self.shape[self.dim]

    def values(self, shape):
        if self.dtype == torch.bool:
            made = torch.from_numpy(self.rng.integers(0, 2, shape).astype(bool))
        elif self.dtype.is_complex:
            parts = torch.from_numpy(self.rng.integers(-4, 5, (2, *shape)).astype(np.float64))
            made = torch.complex(*parts).to(self.dtype)
        else:
            made = torch.from_numpy(self.rng.integers(1, 5, shape)).to(self.dtype)
        return self.strided(made)

    def indices(self, shape, first=0):
        made = self.strided(torch.from_numpy(self.rng.integers(first, self.extent, shape)))
        return made if self.rng.integers(3) else made.to(torch.int32)

    def strided(self, tensor):
        kind = self.rng.integers(4)
        if kind == 1:
            return tensor.mT.contiguous().mT if tensor.dim() > 1 else tensor
        if kind == 2:
            return torch.stack([tensor, tensor], -1)[..., 1]
        if kind == 3 and self.dtype.is_complex and tensor.dtype == self.dtype:
            return tensor.conj()
        return tensor

    def smaller(self):
        """A shape for index, off the axis not larger than self."""
        shape = [int(self.rng.integers(1, extent + 1)) for extent in self.shape]
        shape[self.dim] = int(self.rng.integers(0, 9))
        return shape

    def with_rows(self, count):
        shape = list(self.shape)
        shape[self.dim] = count
        return shape


NUMBERS_AND_MORE = (*NUMBERS, *COMPLEX, torch.bool)


def same(mine, theirs):
    assert mine.dtype == theirs.dtype
    assert mine.is_contiguous()
    torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize("dtype", NUMBERS_AND_MORE)
@pytest.mark.parametrize("seed", SEEDS)
def test_gathers(seed, dtype):
    draw = Draw(seed, dtype)
    data, rows = draw.values(draw.shape), draw.indices([seed])
    same(ours.index_select(data, draw.dim, rows), torch.index_select(data, draw.dim, rows))
    index = draw.indices(draw.smaller())
    theirs = torch.gather(data, draw.dim, index.long())
    same(ours.gather(data, draw.dim, index), theirs)
    flat = torch.from_numpy(draw.rng.integers(-data.numel(), data.numel(), (2, seed)))
    same(ours.take(data, flat), torch.take(data, flat))
    tuples = draw.indices([2, seed], first=-draw.extent)
    at = (slice(None),) * (draw.dim % len(draw.shape))
    same(ours.take(data, tuples, dim=draw.dim), data[(*at, tuples.long())].contiguous())


@pytest.mark.parametrize("dtype", NUMBERS_AND_MORE)
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_and_tuples(seed, dtype):
    draw = Draw(seed, dtype)
    table, indices = draw.values([draw.extent, 3]), draw.indices([2, seed])
    theirs = torch.nn.functional.embedding(indices, table)
    same(ours.embedding(indices, table), theirs)
    data, rows = draw.values(draw.shape), draw.indices([seed])
    source = draw.values(draw.with_rows(seed))
    same(
        ours.index_add(data, draw.dim, rows, source),
        torch.index_add(data, draw.dim, rows, source).contiguous(),
    )
    cube = draw.values([draw.extent, draw.extent, 2])
    places = draw.indices([seed, 2], first=-draw.extent).long()
    same(ours.gather_nd(cube, places), cube[places[:, 0], places[:, 1]].contiguous())
    src = draw.values([seed, 2])
    theirs = cube.index_put((places[:, 0], places[:, 1]), src, accumulate=True)
    same(ours.scatter_nd(cube, places, src, "sum"), theirs.contiguous())


@pytest.mark.parametrize("reduce", ["none", "sum"])
def test_one_tuple_that_names_one_element_takes_an_update_of_rank_0(reduce):
    data = torch.arange(6.0).reshape(2, 3)
    theirs = data.clone()
    theirs[1, 2] = 9.0 if reduce == "none" else theirs[1, 2] + 9.0
    same(ours.scatter_nd(data, torch.tensor([1, -1]), torch.tensor(9.0), reduce), theirs)
    ours.scatter_nd_(data, torch.tensor([1, -1]), torch.tensor(9.0), reduce)
    same(data, theirs)
    with pytest.raises(RuntimeError, match="must have shape"):
        ours.scatter_nd(data, torch.tensor([1, -1]), torch.ones(1))


@pytest.mark.parametrize("dtype", NUMBERS_AND_MORE)
@pytest.mark.parametrize("seed", SEEDS)
def test_scatters(seed, dtype):
    draw = Draw(seed, dtype)
    data, index = draw.values(draw.shape), draw.indices(draw.smaller())
    larger = draw.values([extent + 1 for extent in index.shape])
    theirs = torch.scatter_add(data, draw.dim, index.long(), larger)
    same(ours.scatter_add(data, draw.dim, index, larger), theirs.contiguous())
    order = draw.rng.permutation(draw.extent)  # every cell once: torch defines no winner
    shape = draw.with_rows(len(order))
    along = [1] * len(shape)
    along[draw.dim] = len(order)
    once = torch.from_numpy(order).reshape(along).expand(shape)
    src = draw.values(shape)
    theirs = torch.scatter(data, draw.dim, once, src)
    same(ours.scatter(data, draw.dim, once, src), theirs.contiguous())
    theirs = torch.scatter(data, draw.dim, index.long(), 1)
    same(ours.scatter(data, draw.dim, index, 1), theirs.contiguous())


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_scatter_reduce(seed, dtype, reduction, include_self):
    draw = Draw(seed, dtype)
    data, index = draw.values(draw.shape), draw.indices(draw.smaller())
    src = draw.values(index.shape)
    options = {"include_self": include_self}
    theirs = torch.scatter_reduce(data, draw.dim, index.long(), src, reduction, **options)
    mine = ours.scatter_reduce(data, draw.dim, index, src, reduction, **options)
    same(mine, theirs.contiguous())


@pytest.mark.parametrize("reduction", ["amax", "amin"])
@pytest.mark.parametrize("dtype", REALS)
def test_infinities_and_nan(reduction, dtype):
    inf, nan = float("inf"), float("nan")
    index = torch.tensor([0, 0, 1, 2, 2, 3])
    src = torch.tensor([-inf, -inf, inf, 1, nan, -inf], dtype=dtype)
    data = torch.tensor([0, 0, 0, inf, 7], dtype=dtype)
    for include_self in (True, False):
        theirs = data.scatter_reduce(0, index, src, reduction, include_self=include_self)
        mine = ours.scatter_reduce(data, 0, index, src, reduction, include_self=include_self)
        torch.testing.assert_close(mine, theirs, equal_nan=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_place_with_strides(seed):
    draw = Draw(seed, torch.float32)
    data, rows = draw.values(draw.shape), draw.indices([7])
    source = draw.values(draw.with_rows(7))
    expected = data.clone().index_add_(draw.dim, rows, source, alpha=3)
    version = data._version
    assert ours.index_add_(data, draw.dim, rows, source, alpha=3) is data
    torch.testing.assert_close(data, expected)
    assert data._version > version
    index = draw.indices(draw.smaller())
    src = draw.values(index.shape)
    expected = data.clone().scatter_reduce_(draw.dim, index.long(), src, "amax")
    torch.testing.assert_close(
        ours.scatter_reduce_(data, draw.dim, index, src, "amax"), expected
    )
    expected = data.clone().scatter_add_(draw.dim, index.long(), src)
    torch.testing.assert_close(ours.scatter_add_(data, draw.dim, index, src), expected)
    expected = data.clone().scatter_(draw.dim, index.long(), 5)
    torch.testing.assert_close(ours.scatter_(data, draw.dim, index, 5), expected)
    expected = data.clone()
    expected[0] += 2
    ours.scatter_nd_(data, torch.tensor([[0], [0]]), torch.ones(2, *data.shape[1:]), "sum")
    torch.testing.assert_close(data, expected)


@pytest.mark.parametrize("dim", [0, -1])
def test_tensors_without_axes(dim):
    data, zero = torch.tensor(3.0), torch.tensor(0)
    same(ours.index_select(data, dim, zero), torch.index_select(data, dim, zero))
    same(ours.gather(data, dim, zero), torch.gather(data, dim, zero))
    same(ours.take(data, zero), torch.take(data, zero))
    one = torch.tensor(1.0)
    same(ours.scatter(data, dim, zero, one), torch.scatter(data, dim, zero, one))
    same(ours.scatter_add(data, dim, zero, one), torch.scatter_add(data, dim, zero, one))
    same(ours.index_add(data, dim, zero, one), torch.index_add(data, dim, zero, one))
    vector = torch.arange(4.0)
    same(ours.take(vector, torch.tensor(-1), dim=0), torch.tensor(3.0))
    same(ours.gather_nd(vector, torch.tensor([-1])), torch.tensor(3.0))
    same(ours.index_select(vector, 0, zero), torch.index_select(vector, 0, zero))


def test_empty_tensors():
    data, none = torch.ones(3, 0), torch.zeros(0, dtype=torch.int64)
    same(ours.index_select(data, 0, none), torch.index_select(data, 0, none))
    same(ours.index_add(data, 1, none, data), torch.index_add(data, 1, none, data))
    index = none.reshape(0, 4)
    full = torch.ones(3, 4)
    same(ours.gather(full, 0, index), torch.gather(full, 0, index))
    same(ours.scatter_add(full, 0, index, full), torch.scatter_add(full, 0, index, full))


EMPTY_SHAPES = [(0,), (0, 0), (0, 3), (4, 0), (0, 9), (9, 0), (2, 0, 3)]
EMPTY_TYPES = [torch.int64, torch.int32, torch.int16, torch.uint8, torch.bool, torch.float32]


@pytest.mark.parametrize("dtype", EMPTY_TYPES)
@pytest.mark.parametrize("shape", EMPTY_SHAPES)
@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize("data", [torch.arange(12.0).reshape(4, 3), torch.tensor(3.0)])
def test_an_empty_index_may_have_any_shape_and_type(data, dim, shape, dtype):
    index = torch.empty(shape, dtype=dtype)
    same(ours.gather(data, dim, index), torch.gather(data, dim, index))
    for src in (torch.empty(shape), data, torch.ones(5, 5, 5)):
        for include_self in (True, False):
            options = {"include_self": include_self}
            mine = ours.scatter_reduce(data, dim, index, src, "amax", **options)
            same(mine, torch.scatter_reduce(data, dim, index, src, "amax", **options))
        same(ours.scatter(data, dim, index, src), torch.scatter(data, dim, index, src))
        same(ours.scatter_add(data, dim, index, src), torch.scatter_add(data, dim, index, src))
        same(ours.scatter_(data.clone(), dim, index, src), data)
    same(ours.scatter(data, dim, index, 7), torch.scatter(data, dim, index, 7))


def test_an_empty_index_does_not_excuse_the_rest():
    data, none = torch.ones(4, 3), torch.empty(0, dtype=torch.uint8)
    for call in (
        lambda m: m.gather(data, 2, none),
        lambda m: m.scatter(data, -3, none, data),
        lambda m: m.scatter(data, 0, none, data.double()),
        lambda m: m.scatter_add(data, 0, none, data.double()),
        lambda m: m.index_select(data, 0, none),
        lambda m: m.index_select(data, 0, none.long().reshape(0, 3)),
        lambda m: m.index_add(data, 0, none, data[:0]),
        lambda m: m.index_add(data, 0, none.long(), data),
        lambda m: m.take(data, none),
    ):
        for module in (torch, ours):
            with pytest.raises((RuntimeError, IndexError)):
                call(module)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduction", ["sum", "prod", "mean"])
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("seed", SEEDS)
def test_complex_reductions(seed, dtype, reduction, include_self):
    draw = Draw(seed, dtype)
    data, index = draw.values(draw.shape), draw.indices(draw.smaller())
    src = draw.values(index.shape)
    options = {"include_self": include_self}
    theirs = torch.scatter_reduce(data, draw.dim, index.long(), src, reduction, **options)
    same(ours.scatter_reduce(data, draw.dim, index, src, reduction, **options), theirs.contiguous())
    found = data.clone()
    ours.scatter_reduce_(found, draw.dim, index, src, reduction, **options)
    torch.testing.assert_close(found, theirs)


ALPHAS = [2, -3, 0, True, False, 2.0, -1.0, 2.5, 2 + 0j, 1 + 2j, 300, 70000, 2**40, 1e30, 1e300]
ALPHAS += [float("nan"), float("inf"), -float("inf"), 2**63 - 1, -128, -256, 255, np.float64(3)]


@pytest.mark.parametrize("dtype", NUMBERS_AND_MORE)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_alpha(alpha, dtype):
    data, source = torch.ones(2, 2).to(dtype), torch.ones(3, 2).to(dtype)
    index = torch.tensor([0, 0, 1])

    def run(module):
        try:
            return module.index_add(data, 0, index, source, alpha=alpha)
        except RuntimeError as error:
            return error

    theirs, mine = run(torch), run(ours)
    if alpha == 2.5 and dtype in INTEGERS:  # torch adds 2 times source
        assert "alpha = 2.5 is not a whole number" in str(mine)
    elif isinstance(theirs, RuntimeError):
        assert "windrow::index_add: alpha = " in str(mine)
    else:
        torch.testing.assert_close(mine, theirs, equal_nan=True)


def test_alpha_of_false_adds_nothing_to_bool():
    data, source = torch.zeros(2, dtype=torch.bool), torch.ones(1, dtype=torch.bool)
    for alpha, expected in ((0, False), (False, False), (0.5, True), (-1, True)):
        found = ours.index_add(data, 0, torch.tensor([0]), source, alpha=alpha)
        assert found.tolist() == [expected, False]
        theirs = torch.index_add(data, 0, torch.tensor([0]), source, alpha=alpha)
        assert torch.equal(found, theirs)


def test_eight_bit_floats_are_copied():
    data = torch.arange(6.0).to(torch.float8_e4m3fn)
    found = ours.index_select(data, 0, torch.tensor([5, 0]))
    assert found.dtype == data.dtype and found.float().tolist() == [5, 0]
