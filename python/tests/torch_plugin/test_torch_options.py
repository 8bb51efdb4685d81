"""The options out_of_range, negative and padding_index, beside torch's own functions and modules."""

import pytest
import torch
import windrow.torch as ours
from torch_samples import numbers, tensor

TABLE = torch.arange(1.0, 16.0).reshape(5, 3)
BEYOND = torch.tensor([-9, -5, -1, 0, 4, 5, 12])  # on an axis of extent 5


def test_embeddings_beside_those_of_torch():
    """nn.Embedding has its own row for padding: zeros at first, and without a gradient."""
    indices = torch.tensor([[2, 0, 3], [0, 0, 6]])
    theirs = torch.nn.Embedding(7, 3, padding_idx=0, dtype=torch.float64)
    weight = theirs.weight.detach().clone().requires_grad_()
    # Whatever stands in that row, padding_index reads zeros.
    weight.data[0] = 5
    expected, found = theirs(indices), ours.embedding(indices, weight, padding_index=0)
    assert torch.equal(found, expected)
    weights = tensor(2, 3, 3)
    expected.backward(weights)
    found.backward(weights)
    torch.testing.assert_close(weight.grad, theirs.weight.grad)
    assert not weight.grad[0].any()


@pytest.mark.parametrize("scale_grad_by_freq", [False, True])
def test_embeddings_with_both_kinds_of_padding(scale_grad_by_freq):
    """padding_idx is torch's: a row that is read and has no gradient. padding_index has no row, and is not counted."""
    weight = tensor(7, 3, grad=True)
    padded, plain = torch.tensor([2, -1, 3, 3, -1]), torch.tensor([2, 3, 3])
    options = {"padding_idx": 2, "scale_grad_by_freq": scale_grad_by_freq}
    result = ours.embedding(padded, weight, padding_index=-1, **options)
    assert torch.equal(result[[0, 2, 3]], weight[plain]) and not result[[1, 4]].any()
    (found,) = torch.autograd.grad(result.sum(), weight)
    theirs = torch.nn.functional.embedding(plain, weight, **options)
    (expected,) = torch.autograd.grad(theirs.sum(), weight)
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("padding", [None, -1, 0, 4, 12])
@pytest.mark.parametrize("negative", ["from_end", "out_of_range"])
@pytest.mark.parametrize("policy", ["zero", "clamp", "modulo"])
def test_policies(policy, negative, padding):
    counted = torch.where((BEYOND < 0) & (negative == "from_end"), BEYOND + 5, BEYOND)
    cells = BEYOND % 5 if policy == "modulo" else counted.clamp(0, 4)
    kept = (counted >= 0) & (counted < 5) | (policy != "zero")
    if padding is not None:
        kept = kept & (BEYOND != padding)
    options = {"out_of_range": policy, "negative": negative, "padding_index": padding}
    rows = torch.where(kept[:, None], TABLE[cells], 0)
    columns = BEYOND[:, None].expand(7, 3)
    assert torch.equal(ours.index_select(TABLE, 0, BEYOND, **options), rows)
    assert torch.equal(ours.take(TABLE, BEYOND, dim=0, **options), rows)
    assert torch.equal(ours.embedding(BEYOND, TABLE, **options), rows)
    assert torch.equal(ours.gather(TABLE, 0, columns, **options), rows)
    assert torch.equal(ours.gather_nd(TABLE, BEYOND[:, None], **options), rows)
    options["out_of_range"] = "skip" if policy == "zero" else policy
    source = torch.arange(21.0).reshape(7, 3)
    summed = TABLE.index_add(0, cells[kept], source[kept])
    put = TABLE.clone()
    for cell, row in zip(cells[kept], source[kept], strict=True):
        put[cell] = row
    for name, arguments, expected in (
        ("index_add", (0, BEYOND, source), summed),
        ("scatter_add", (0, columns, source), summed),
        ("scatter_reduce", (0, columns, source, "sum"), summed),
        ("scatter", (0, columns, source), put),
        ("scatter_nd", (BEYOND[:, None], source), put),
    ):
        assert torch.equal(getattr(ours, name)(TABLE, *arguments, **options), expected), name
        changed = TABLE.clone()
        getattr(ours, f"{name}_")(changed, *arguments, **options)
        assert torch.equal(changed, expected), name


def test_padding_of_complex_numbers():
    data = torch.complex(tensor(4), tensor(4, seed=1))
    src = torch.complex(tensor(5, seed=2), tensor(5, seed=3))
    index = torch.tensor([-1, 2, -1, 0, 2])
    kept = index >= 0
    for reduction in ("sum", "prod", "mean"):
        found = ours.scatter_reduce(data, 0, index, src, reduction, padding_index=-1)
        expected = ours.scatter_reduce(data, 0, index[kept], src[kept], reduction)
        assert torch.equal(found, expected)


def test_no_gradient_flows_to_padding():
    src, index = tensor(5, 2, grad=True), torch.tensor([3, 1, 3, 0, 1])
    columns = index[:, None].expand(5, 2)
    for reduction in ("sum", "prod", "mean", "amax", "amin"):
        result = ours.scatter_reduce(tensor(4, 2), 0, columns, src, reduction, padding_index=3)
        (found,) = torch.autograd.grad((result * tensor(4, 2, seed=1)).sum(), src)
        assert not found[[0, 2]].any() and found[[1, 3, 4]].any(), reduction


def test_bad_indices_beside_padding_and_refused_negatives():
    with pytest.raises(RuntimeError, match="index.2. = 7 is out of range"):
        ours.index_select(TABLE, 0, torch.tensor([-1, 0, 7]), padding_index=-1)
    with pytest.raises(RuntimeError, match=r"index.1. = -2 .*CALL-O3"):
        ours.take(TABLE, torch.tensor([-1, -2]), dim=0, padding_index=-1, negative="error")
    with pytest.raises(RuntimeError, match="CALL-O4"):
        ours.gather_nd(TABLE, torch.tensor([[0, 1]]), padding_index=0)
    with pytest.raises(RuntimeError, match="CALL-O1"):
        ours.index_select(TABLE, 0, torch.tensor([0]), out_of_range="skip")
    with pytest.raises(RuntimeError, match="negative = 'wrap' is none of 'from_end', 'out_of_range', 'error'"):
        ours.index_select(TABLE, 0, torch.tensor([0]), negative="wrap")
    with pytest.raises(RuntimeError, match="out_of_range = 'none' is none of"):
        ours.index_select(TABLE, 0, torch.tensor([0]), out_of_range="none")


def test_compiled_with_options():
    torch._dynamo.reset()

    def run(table, ids, source):
        rows = ours.embedding(ids, table, padding_index=-1)
        return ours.index_add(table, 0, ids, rows * source, padding_index=-1, negative="error")

    table, source = tensor(5, 3, grad=True), tensor(6, 3, seed=1)
    ids = torch.where(numbers(2, 6, seed=2) > 0, numbers(5, 6), -1)
    assert (ids < 0).any() and (ids >= 0).any()
    compiled = torch.compile(run, fullgraph=True)
    expected, found = run(table, ids, source), compiled(table, ids, source)
    torch.testing.assert_close(found, expected)
    weights = tensor(5, 3, seed=3)
    (mine,) = torch.autograd.grad(found, table, weights)
    (theirs,) = torch.autograd.grad(expected, table, weights)
    torch.testing.assert_close(mine, theirs)
