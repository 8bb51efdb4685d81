"""A sample call of every operator of torch.ops.windrow, which the tests run in different ways."""

import torch

REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


def tensor(*shape, dtype=torch.float64, seed=0, grad=False):
    generator = torch.Generator().manual_seed(seed)
    made = torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)
    return made.requires_grad_(grad)


def numbers(limit, *shape, seed=0):
    return torch.randint(limit, shape, generator=torch.Generator().manual_seed(seed))


def calls(grad):
    """Name, positional arguments, keyword arguments; float64, with gradients if `grad`."""

    def x(*shape, seed=0):
        return tensor(*shape, seed=seed, grad=grad)

    yield "index_select", (x(5, 4, 3), 1, numbers(4, 6)), {}
    yield "index_select", (x(5), -1, numbers(5, 1).reshape(())), {}
    yield "take", (x(5, 4), torch.tensor([[19, -20], [0, 0]])), {}
    yield "take", (x(5, 4, 3), numbers(4, 2, 3) - 2), {"dim": 1}
    yield "gather", (x(5, 4, 3), 1, numbers(4, 3, 6, 2)), {}
    yield "embedding", (x(7, 3), numbers(7, 4, 2)), {}
    yield "embedding", (x(7, 3), numbers(7, 9), 2, True), {}
    yield from bags(x)
    yield "gather_nd", (x(5, 4, 3), numbers(4, 6, 2) - 2), {}
    yield "index_add", (x(5, 4, 3), 1, numbers(4, 6), x(5, 6, 3, seed=1)), {}
    yield "scatter", (x(5, 4), 0, numbers(5, 3, 4), x(3, 4, seed=1)), {}
    for reduction in REDUCTIONS:
        for include_self in (True, False):
            arguments = (x(5, 4), 0, numbers(5, 8, 3), x(8, 3, seed=1), reduction)
            yield "scatter_reduce", arguments, {"include_self": include_self}
    for reduction in ("none", "sum", "prod", "amax", "amin"):
        yield "scatter_nd", (x(5, 4, 3), numbers(4, 6, 2) - 1, x(6, 3, seed=1), reduction), {}
    padded = {"padding_index": 1}
    skipping = {"out_of_range": "skip", "negative": "from_end", **padded}
    yield "index_select", (x(5, 4, 3), 1, numbers(4, 6)), padded
    yield "take", (x(5, 4, 3), numbers(4, 2, 3) - 2), {"dim": 1, "padding_index": -1}
    yield "gather", (x(5, 4, 3), 1, numbers(8, 3, 6, 2)), {"out_of_range": "zero", **padded}
    yield "embedding", (x(7, 3), numbers(7, 4, 2)), padded
    yield "gather_nd", (x(5, 4, 3), numbers(4, 6, 1) - 2), padded
    yield "index_add", (x(5, 4, 3), 1, numbers(4, 6), x(5, 6, 3, seed=1)), padded
    yield "scatter", (x(5, 4), 0, numbers(9, 3, 4) - 2, x(3, 4, seed=1)), skipping
    for reduction in REDUCTIONS:
        arguments = (x(5, 4), 0, numbers(9, 8, 3) - 2, x(8, 3, seed=1), reduction)
        yield "scatter_reduce", arguments, skipping
    yield "scatter_nd", (x(5, 4, 3), numbers(4, 6, 1), x(6, 4, 3, seed=1), "prod"), padded


def bags(x):
    ids, offsets = numbers(7, 9), torch.tensor([0, 2, 2, 6])
    skipping = {"out_of_range": "skip", "negative": "from_end", "padding_index": 1}
    for mode in ("sum", "mean", "max"):
        yield "embedding_bag", (x(7, 3), ids, offsets, mode), {}
        yield "embedding_bag", (x(7, 3), numbers(7, 4, 2), None, mode), {"padding_index": 2}
        yield "embedding_bag", (x(7, 3, 2), numbers(12, 9) - 3, offsets, mode, None, True), skipping
    yield "embedding_bag", (x(7, 3), ids, offsets, "sum", x(9, seed=1)), {"padding_index": 2}
    yield "embedding_bag", (x(7), numbers(7, 4, 2), None, "sum", x(4, 2, seed=1)), {}
    weighted = (x(7, 3, 2), numbers(12, 9) - 3, offsets, "sum", x(9, seed=1), True)
    yield "embedding_bag", weighted, skipping
    yield "embedding_bag", (x(7, 3), numbers(7, 4, 0), None, "max"), {}
    yield "embedding_bag", (x(7, 3), ids, offsets[:0], "mean"), {}


# The operators that have an in-place form.
IN_PLACE = ("index_add", "scatter", "scatter_reduce", "scatter_nd")


def in_place_calls():
    for name, arguments, options in calls(False):
        if name in IN_PLACE:
            yield f"{name}_", arguments, options


def label(call):
    name, arguments, options = call
    words = [item for item in arguments if isinstance(item, str)]
    return "-".join([name, *words, *(f"{key}={value}" for key, value in options.items())])


def operator(name):
    return getattr(torch.ops.windrow, name).default
