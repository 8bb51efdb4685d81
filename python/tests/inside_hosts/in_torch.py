"""PyTorch on the CPU: a call is a pair of functions, one of torch and one of windrow.torch.

python/tests/torch_plugin runs the calls, because torch is installed there."""

from difference import Chance, Difference, Raises, refusals

TITLE, HOST, GUIDE = "PyTorch", "torch 2.15 on the CPU", "torch.md"
NAN = float("nan")
MANY = 1_000_000


def alone(call):
    import torch

    return call[0](torch, None).detach()


def here(call):
    import torch

    import windrow.torch

    return call[1](torch, windrow.torch).detach()


def _distinct_sums(torch, add):
    """The number of different results of ten sums of the same numbers."""
    generator = torch.Generator().manual_seed(1)
    cells, values = torch.randint(50, (MANY,), generator=generator), torch.randn(MANY, generator=generator)
    return torch.tensor(len({add(torch.zeros(50), cells, values).numpy().tobytes() for _ in range(10)}))


def _refused(torch, functions):
    """The number of functions, of four, that refuse the index -1."""
    row, index, one = torch.arange(5.0), torch.tensor([-1]), torch.ones(1)
    return torch.tensor(refusals(
        lambda: functions.gather(row, 0, index), lambda: functions.index_select(row, 0, index),
        lambda: functions.index_add(row, 0, index, one), lambda: functions.scatter(row, 0, index, one)))


def _half_sums(torch, functions):
    """The number whose spacing is 2, plus three ones: in float16, then in bfloat16."""
    cells, sums = torch.tensor([0, 0, 0]), []
    for start, dtype in ((2048.0, torch.float16), (256.0, torch.bfloat16)):
        data, ones = torch.tensor([start], dtype=dtype), torch.ones(3, dtype=dtype)
        sums += [functions.scatter_add(data, 0, cells, ones), functions.scatter_reduce(data, 0, cells, ones, "sum")]
    return torch.cat([each.float() for each in sums])


def _gradient(torch, scatter):
    source = torch.ones(2, requires_grad=True)
    scatter(torch.zeros(2), torch.tensor([0, 0]), source).sum().backward()
    return source.grad


def _extreme(torch, scatter_reduce, data, src):
    cells = torch.arange(len(src))
    return scatter_reduce(torch.tensor(data), 0, cells, torch.tensor(src), "amax")


def _bag(torch, embedding_bag, numbers, offsets, **options):
    """Each number once, in this order."""
    table = torch.tensor(numbers)[:, None]
    return embedding_bag(torch.arange(len(numbers)), table, torch.tensor(offsets), **options)


ROWS = [
    Difference("error-text", "`embedding` and `index_select`, an index out of range", '"index out of range in self"',
               "an error that has input, position, value, dimension and size",
               (lambda torch, _: torch.nn.functional.embedding(torch.tensor([0, 9]), torch.ones(5, 1)),
                lambda torch, wt: wt.embedding(torch.tensor([0, 9]), torch.ones(5, 1))),
               Raises("index out of range in self$"),
               Raises(r"indices\[1\] = 9 is out of range for dimension 0 of size 5")),
    Difference("negative-index", "`gather`, `index_select`, `index_add`, `scatter`: a negative index", "an error",
               "an error, too",
               (lambda torch, _: _refused(torch, torch), _refused), 4, 4),
    Difference("negative-index-in-take", "`take`, a negative index", "counts from the end", "the same",
               (lambda torch, _: torch.take(torch.arange(5.0), torch.tensor([-1])),
                lambda torch, wt: wt.take(torch.arange(5.0), torch.tensor([-1]))),
               [4], [4]),
    Difference("varying-sums", "`index_put_(accumulate=True)`, several updates of a cell, two threads or more",
               "other bits in every run", "`index_add`: the same bits in every run",
               (lambda torch, _: _distinct_sums(torch, lambda d, c, v: d.index_put_((c,), v, accumulate=True)),
                lambda torch, wt: _distinct_sums(torch, lambda d, c, v: wt.index_add(d, 0, c, v))),
               Chance(), 1),
    Difference("half-sums", "`scatter_add` and `scatter_reduce` of float16 and bfloat16, several updates of a cell",
               "folded in float32, rounded once", "rounded after every step, as `index_add` does in both",
               (lambda torch, _: _half_sums(torch, torch), _half_sums), [2052, 2052, 260, 260], [2048, 2048, 256, 256]),
    Difference("nan-in-max", "amax, NaN in a cell or an update", "is taken, and the cell stays NaN", "the same",
               (lambda torch, _: _extreme(torch, torch.scatter_reduce, [NAN, 1.0], [5.0, NAN]),
                lambda torch, wt: _extreme(torch, wt.scatter_reduce, [NAN, 1.0], [5.0, NAN])),
               [NAN, NAN], [NAN, NAN]),
    Difference("zeros-of-both-signs", "amax meets zeros of both signs", "the cell stays", "the update is taken",
               (lambda torch, _: _extreme(torch, torch.scatter_reduce, [0.0, -0.0], [-0.0, 0.0]),
                lambda torch, wt: _extreme(torch, wt.scatter_reduce, [0.0, -0.0], [-0.0, 0.0])),
               [0.0, -0.0], [-0.0, 0.0]),
    Difference("nan-in-a-bag", "`embedding_bag`, the maximum of a bag with NaN behind a number", "the number", "NaN",
               (lambda torch, _: _bag(torch, torch.nn.functional.embedding_bag, [1.0, NAN], [0], mode="max"),
                lambda torch, wt: _bag(torch, wt.embedding_bag, [1.0, NAN], [0], mode="max")),
               [[1]], [[NAN]]),
    Difference("end-of-the-last-bag", "`embedding_bag` with `include_last_offset`, samples behind the last offset",
               "are counted by the mean of the last bag; in float64 they belong to it", "belong to no bag",
               (lambda torch, _: _bag(torch, torch.nn.functional.embedding_bag, [1.0, 2.0], [0, 1], include_last_offset=True),
                lambda torch, wt: _bag(torch, wt.embedding_bag, [1.0, 2.0], [0, 1], include_last_offset=True)),
               [[0.5]], [[1]]),
    Difference("fraction-of-alpha", "`index_add` of integers, `alpha=2.5`",
               "the fraction is dropped: adds 2 times source", "an error",
               (lambda torch, _: torch.index_add(torch.tensor([0]), 0, torch.tensor([0]), torch.tensor([2]), alpha=2.5),
                lambda torch, wt: wt.index_add(torch.tensor([0]), 0, torch.tensor([0]), torch.tensor([2]), alpha=2.5)),
               [4], Raises("alpha = 2.5 is not a whole number")),
    Difference("gradient-of-scatter", "`scatter`, several elements for one place: the gradient of src",
               "goes to all of them", "goes to the one that stayed",
               (lambda torch, _: _gradient(torch, lambda d, i, s: torch.scatter(d, 0, i, s)),
                lambda torch, wt: _gradient(torch, lambda d, i, s: wt.scatter(d, 0, i, s))),
               [1, 1], [0, 1]),
]
NOTES = """\
torch does not specify which of several elements for one place `scatter` keeps; `windrow.torch` keeps the last one in row-major
order. [The guide](torch.md#where-it-is-more-than-torch) has more about gradients. This part is tested by `./dev test --torch`."""
