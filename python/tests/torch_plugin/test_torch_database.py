"""Every sample of these functions in torch's own operator database, compared with torch: results,
gradients and errors."""

import warnings

import pytest
import torch
import windrow.torch as ours

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

# By torch's names.
FUNCTIONS = {
    "gather": ours.gather,
    "index_select": ours.index_select,
    "take": ours.take,
    "nn.functional.embedding": ours.embedding,
    "index_add": ours.index_add,
    "scatter": ours.scatter,
    "scatter_add": ours.scatter_add,
    "scatter_reduce": ours.scatter_reduce,
}
# Arguments of torch that the functions do not have.
OTHER_ARGUMENTS = ("reduce", "max_norm", "norm_type", "sparse")
ENTRIES = [entry for entry in op_db if entry.name in FUNCTIONS]


def samples(entry):
    """Type, whether gradients flow, arguments, options. Without complex32, which Windrow lacks."""
    torch.manual_seed(0)
    for dtype in sorted(entry.supported_dtypes("cpu") - {torch.complex32}, key=str):
        inexact = dtype.is_floating_point or dtype.is_complex
        for grad in (False, True) if inexact else (False,):
            for sample in entry.sample_inputs("cpu", dtype, requires_grad=grad):
                if not any(name in sample.kwargs for name in OTHER_ARGUMENTS):
                    yield dtype, grad, [sample.input, *sample.args], sample.kwargs


def attempt(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except (RuntimeError, IndexError, AssertionError, NotImplementedError) as error:
        return error


def agree(mine, theirs, dtype, call):
    if isinstance(theirs, Exception):
        assert isinstance(mine, RuntimeError), call
        return
    assert not isinstance(mine, Exception), f"{call}: {mine}"
    # Sums of 16-bit floats, which torch rounds once and Windrow after every step.
    short = dtype in (torch.float16, torch.bfloat16)
    close = {"rtol": 0.1, "atol": 0.05} if short else {}
    torch.testing.assert_close(mine, theirs, equal_nan=True, **close)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.name}-{e.variant_test_name}")
def test_samples(entry):
    mine, theirs = FUNCTIONS[entry.name], entry.op
    count = 0
    for dtype, grad, arguments, options in samples(entry):
        given = [item.shape if isinstance(item, torch.Tensor) else item for item in arguments]
        call = f"{entry.name} of {dtype}: {given} {options}"
        own = arguments
        if entry.name == "nn.functional.embedding":
            own = [arguments[1], arguments[0], *arguments[2:]]
        expected, found = attempt(theirs, *arguments, **options), attempt(mine, *own, **options)
        agree(found, expected, dtype, call)
        count += 1
        if isinstance(expected, Exception) or not grad:
            continue
        assert found.requires_grad == expected.requires_grad, call
        if not expected.requires_grad:
            continue
        tensors = [item for item in arguments if isinstance(item, torch.Tensor)]
        tensors = [item for item in tensors if item.requires_grad]
        weights = torch.randn_like(expected)
        rule = torch.autograd.grad
        of_theirs = attempt(rule, expected, tensors, weights)
        of_mine = attempt(rule, found, tensors, weights)
        agree(of_mine, of_theirs, dtype, f"gradient of {call}")
    assert count >= 20
