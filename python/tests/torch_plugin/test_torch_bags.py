"""embedding_bag beside torch's own and beside windrow.embedding_bag: drawn calls, with gradients."""

import collections
import os
import subprocess
import sys

import pytest
import torch
import windrow.torch as ours
from torch_bags import DIFFERENCES, BagCall, difference_of, draw_bags

COUNT = int(os.environ.get("WINDROW_BAG_CALLS", "400"))
SEED = int(os.environ.get("WINDROW_BAG_SEED", "1"))
# In units of the last place of numbers near 1, a few roundings of sums of at most 9 numbers.
TOLERANCE = {torch.float64: 1e-13, torch.float32: 1e-5, torch.float16: 2e-2, torch.bfloat16: 1e-1}


def outcome(call, function):
    """The result, and the gradients of the table and of the weights that a fixed gradient gives."""
    weight = call.weight.clone().requires_grad_()
    factors = call.options.get("per_sample_weights")
    tensors = [weight] if factors is None else [weight, factors.clone().requires_grad_()]
    result = call.run(function, *tensors)
    numbers = torch.arange(1, result.numel() + 1, dtype=torch.float64).cos().to(result.dtype)
    return result.detach(), *torch.autograd.grad(result, tensors, numbers.reshape(result.shape))


def agree(found, expected):
    close = TOLERANCE[expected.dtype]
    return found.shape == expected.shape and torch.allclose(found, expected, close, close, equal_nan=True)


def alone(call):
    """What torch does; None if it fails."""
    try:
        return outcome(call, torch.nn.functional.embedding_bag)
    except RuntimeError:
        return None


def test_drawn_calls_beside_torch():
    seen = collections.Counter()
    for seed in range(SEED, SEED + COUNT):
        call = draw_bags(seed)
        float32 = None if call.weight.dtype == torch.float64 else "float32"
        mine = outcome(call, lambda *a, f=float32, **o: ours.embedding_bag(*a, accumulate=f, **o))
        difference = difference_of(call)
        theirs = None if difference and difference.crashes else alone(call)
        equal = theirs is not None and all(map(agree, mine, theirs))
        assert equal or difference, f"call {seed}: {call}\n{mine}\n{theirs}"
        seen["equal" if equal else difference.name] += 1
    print(f"{COUNT} calls: {dict(seen)}")
    assert seen["equal"] > COUNT / 2
    assert COUNT < 400 or set(seen) == {"equal", *(row.name for row in DIFFERENCES)}


def test_torch_ends_the_process_without_bags():
    """If torch no longer does so, the difference `no-bags` is obsolete."""
    program = (
        "import torch; ids, none = torch.arange(9), torch.arange(0);"
        "torch.nn.functional.embedding_bag(ids, torch.ones(9, 3).double(), none)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode < 0
    assert ours.embedding_bag(torch.arange(9), torch.ones(9, 3), torch.arange(0)).shape == (0, 3)


def test_the_first_of_equal_maxima_has_the_gradient():
    weight = torch.tensor([[1.0, 3.0], [2.0, 3.0], [2.0, 0.0]], requires_grad=True)
    ids, offsets = torch.tensor([0, 2, 1, 1]), torch.tensor([0, 3])
    for function in (ours.embedding_bag, torch.nn.functional.embedding_bag):
        result = function(ids, weight, offsets, mode="max")
        (found,) = torch.autograd.grad(result, weight, torch.tensor([[1.0, 2.0], [4.0, 8.0]]))
        assert found.tolist() == [[0, 2], [4, 8], [1, 0]]


def test_no_gradient_flows_to_what_takes_no_row():
    weight = torch.ones(3, 2, requires_grad=True)
    factors = torch.ones(5, requires_grad=True)
    ids, offsets = torch.tensor([0, 7, 1, 2, 1]), torch.tensor([0, 3, 4])
    options = {"out_of_range": "skip", "padding_index": 2, "include_last_offset": True}
    result = ours.embedding_bag(
        ids, weight, offsets, mode="sum", per_sample_weights=factors, **options
    )
    of_weight, of_factors = torch.autograd.grad(result.sum(), [weight, factors])
    assert of_weight.tolist() == [[1, 1], [1, 1], [0, 0]]
    assert of_factors.tolist() == [2, 0, 2, 0, 0]


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_the_bits_do_not_depend_on_threads(mode):
    generator, before = torch.Generator().manual_seed(2), torch.get_num_threads()
    weight = torch.randn(300, 64, generator=generator)
    ids = torch.randint(300, (20_000,), generator=generator)
    offsets = torch.randint(20_000, (999,), generator=generator).sort().values
    offsets[0] = 0
    options = {"mode": mode}
    if mode == "sum":
        options["per_sample_weights"] = torch.randn(20_000, generator=generator)
    found = set()
    try:
        for count in (1, 2, 3, 2):
            torch.set_num_threads(count)
            given = outcome(BagCall(ids, weight, offsets, options), ours.embedding_bag)
            found.add(b"".join(item.numpy().tobytes() for item in given))
    finally:
        torch.set_num_threads(before)
    assert len(found) == 1


IDS, OFFSETS, TABLE = torch.tensor([0, 3, 1]), torch.tensor([0, 2]), torch.ones(4, 2)
ERRORS = {
    r"indices\[1\] = 4 is out of range for dimension 0 of size 4": lambda f: f(IDS + 1, TABLE, OFFSETS),
    r"offsets\[1\] is 4, must be in \[0, 3\]": lambda f: f(IDS, TABLE, OFFSETS * 2),
    r"offsets\[0\] is 1, must be 0": lambda f: f(IDS, TABLE, OFFSETS + 1),
    r"offsets\[2\] is 1 after 2": lambda f: f(IDS, TABLE, torch.tensor([0, 2, 1])),
    "offsets must be given": lambda f: f(IDS, TABLE),
    "there are no offsets": lambda f: f(IDS[None], TABLE, OFFSETS),
    "must have rank 1 or 2": lambda f: f(IDS[0], TABLE),
    r"table has rank 0|table has shape \[\]": lambda f: f(IDS, TABLE[0, 0], OFFSETS),
    "offsets has the element type float32": lambda f: f(IDS, TABLE, OFFSETS.float()),
    "'max', which takes no weights": lambda f: f(IDS, TABLE, OFFSETS, mode="max", per_sample_weights=TABLE[:3, 0]),
    "mode = 'min' is none of": lambda f: f(IDS, TABLE, OFFSETS, mode="min"),
    "accumulate = 'double' is none of": lambda f: f(IDS, TABLE, OFFSETS, accumulate="double"),
    "padding_idx = 4 is out of range for 4 rows": lambda f: f(IDS, TABLE, OFFSETS, padding_idx=4),
    "include_last_offset is true": lambda f: f(IDS[None], TABLE, include_last_offset=True),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text):
    with pytest.raises(RuntimeError, match=f"windrow::embedding_bag: .*({text})"):
        ERRORS[text](ours.embedding_bag)
