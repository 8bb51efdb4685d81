"""Drawn calls of embedding_bag that torch takes, and why a result of torch may be another one."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

MODES = ("sum", "mean", "max")
TYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


@dataclass
class BagCall:
    """The arguments of a call, by torch's names; `input` has rank 1 exactly if there are offsets."""

    input: torch.Tensor
    weight: torch.Tensor
    offsets: torch.Tensor | None
    options: dict[str, object]

    def run(self, function, weight=None, factors=None):
        options = dict(self.options)
        if factors is not None:
            options["per_sample_weights"] = factors
        return function(self.input, self.weight if weight is None else weight, self.offsets, **options)

    @property
    def mode(self):
        return self.options["mode"]

    def bags(self):
        """Their number."""
        if self.offsets is None:
            return len(self.input)
        return len(self.offsets) - self.options["include_last_offset"]

    def __str__(self):
        words = [f"input={self.input.tolist()}", f"weight={self.weight.tolist()} of {self.weight.dtype}"]
        words.append(f"offsets={None if self.offsets is None else self.offsets.tolist()}")
        return "embedding_bag(" + ", ".join([*words, *(f"{k}={v}" for k, v in self.options.items())]) + ")"


def draw_bags(seed):
    """The call of that number."""
    generator = torch.Generator().manual_seed(seed)

    def upto(most):
        return int(torch.randint(most + 1, (), generator=generator))

    def rarely_zero(most):
        return upto(most) or upto(most)

    rows, columns, dtype = 1 + upto(6), rarely_zero(5), TYPES[upto(3)]
    if upto(3) == 0:  # equal numbers, and special ones
        table = torch.tensor([0.0, -0.0, 1.0, 1.0, float("nan"), float("-inf")])
        weight = table[torch.randint(4 + 2 * (upto(3) == 0), (rows, columns), generator=generator)].to(dtype)
    else:
        weight = torch.randn((rows, columns), generator=generator).to(dtype)
    index = (torch.int64, torch.int32)[upto(1)]
    shape = (rarely_zero(5), rarely_zero(4)) if upto(1) else (upto(9),)
    ids = torch.randint(rows, shape, generator=generator).to(index)
    options = {"mode": MODES[upto(2)], "include_last_offset": False, "padding_idx": None}
    offsets = None
    if len(shape) == 1:
        count = rarely_zero(5)
        offsets = torch.randint(shape[0] + 1, (count,), generator=generator).sort().values.to(index)
        offsets[:1] = 0
        options["include_last_offset"] = count > 0 and upto(2) == 0
        if options["include_last_offset"] and upto(1) and count > 1:
            offsets[-1] = shape[0]
    if upto(2) == 0:
        options["padding_idx"] = upto(2 * rows - 1) - rows
    if options["mode"] == "sum" and upto(1):
        options["per_sample_weights"] = torch.randn(shape, generator=generator).to(dtype)
    if options["mode"] != "max" and upto(3) == 0:
        options["scale_grad_by_freq"] = True
    return BagCall(ids, weight, offsets, options)


@dataclass(frozen=True)
class Difference:
    """Why torch's results differ, and which calls have this cause."""

    name: str
    cause: str
    applies: Callable[[BagCall], bool]
    crashes: bool = False  # torch ends the process


DIFFERENCES = (
    Difference(
        "no-bags",
        "torch reads and writes a bag of samples although there are no bags",
        lambda call: call.bags() == 0 and call.input.numel() > 0,
        crashes=True,
    ),
    Difference(
        "samples-behind-the-end",
        "torch's last bag has the samples behind the last offset, or, of some types, its mean counts them",
        lambda call: call.options["include_last_offset"] and int(call.offsets[-1]) < len(call.input),
    ),
    Difference(
        "nan-in-a-maximum",
        "torch's maximum is a NaN only if the first row of the bag has it",
        lambda call: call.mode == "max" and bool(call.weight.isnan().any()),
    ),
    Difference(
        "rows-without-columns",
        "torch's kernel for floats of at most 32 bits refuses indices of rows without elements",
        lambda call: call.weight.shape[1] == 0 and call.mode != "max" and call.weight.dtype != torch.float64,
    ),
    Difference(
        "no-columns-of-indices",
        "torch makes the offsets of a matrix in steps of its number of columns, and fails if that is 0",
        lambda call: call.offsets is None and call.input.shape[1] == 0,
    ),
)


def difference_of(call):
    """The first difference that the call has; None if torch must agree."""
    return next((row for row in DIFFERENCES if row.applies(call)), None)
