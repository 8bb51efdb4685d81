"""torch's tensors in the functions for NumPy: read without a copy, or refused."""

import numpy as np
import pytest
import torch
import windrow
from torch._subclasses.fake_tensor import FakeTensorMode

ROWS = torch.tensor([2, 0, -1])


def taken(data):
    return windrow.take(data, ROWS, axis=0)


def test_tensors_are_read_where_they_lie():
    data = torch.arange(12.0).reshape(4, 3)
    assert np.array_equal(taken(data), data[ROWS].numpy())
    assert np.array_equal(taken(data.t()), data.t()[ROWS].numpy())
    assert np.array_equal(taken(data.to(torch.complex64)), data[ROWS].numpy())


def lazy():
    values = torch.tensor([1 + 2j, 3 - 4j, 5 + 6j])
    return {"conj": values.conj(), "neg": values.conj().imag, "neg strided": values.conj().imag[::2]}


@pytest.mark.parametrize("kind", ["conj", "neg", "neg strided"])
def test_lazily_conjugated_and_negated_tensors(kind):
    data = lazy()[kind]
    assert data.is_conj() or data.is_neg()
    with pytest.raises(windrow.ArgumentError, match=r"a .*a\.resolve_(conj|neg)\(\)"):
        windrow.take(data, [0, 1])
    resolved = data.resolve_conj().resolve_neg()
    assert windrow.take(resolved, [1, 0]).tolist() == [data[1].item(), data[0].item()]
    before = data.clone()
    with pytest.raises(windrow.ArgumentError, match="out"):
        windrow.take(resolved, [0] * len(data), out=data)
    assert torch.equal(data, before)


def test_tensors_that_require_grad():
    table = torch.ones(4, 3, requires_grad=True)
    for data in (table, table * 2, torch.nn.Parameter(torch.ones(4, 3))):
        with pytest.raises(windrow.ArgumentError, match=r"windrow\.torch.*a\.detach\(\)"):
            taken(data)
        with torch.no_grad(), pytest.raises(windrow.ArgumentError, match=r"out.*windrow\.torch"):
            windrow.index_add(torch.zeros(4, 3), [0], torch.ones(1, 3), out=data)
    assert taken(table.detach()).shape == (3, 3)
    assert torch.equal(table, torch.ones(4, 3))


def test_autograd_sees_what_out_changed():
    weights = torch.ones(3, requires_grad=True)
    saved = torch.arange(3.0)
    product = (weights * saved).sum()
    windrow.index_add(saved, [0], torch.ones(1), out=saved)
    assert saved[0] == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_out_made_in_inference_mode():
    with torch.inference_mode():
        out = torch.zeros(3)
    assert windrow.take(torch.arange(4.0), ROWS, out=out) is out
    assert out.tolist() == [2, 0, 3]


def without_memory():
    with FakeTensorMode():
        fake = torch.ones(4, 3)
    return {
        "meta": torch.ones(4, 3, device="meta"),
        "fake": fake,
        "zeros of autodiff": torch._efficientzerotensor((4, 3)),
        "sparse": torch.ones(4, 3).to_sparse(),
    }


@pytest.mark.filterwarnings("ignore:Accessing the data pointer")
@pytest.mark.parametrize("kind", ["meta", "fake", "zeros of autodiff", "sparse"])
def test_tensors_without_memory(kind):
    data = without_memory()[kind]
    with pytest.raises(windrow.ArgumentError, match="^a "):
        taken(data)
    with pytest.raises(windrow.ArgumentError, match="^out "):
        windrow.take(torch.ones(4, 3), [0, 1, 2, 3], axis=0, out=data)


def test_tensors_under_vmap():
    def inside(row):
        with pytest.raises(windrow.ArgumentError, match="^a .*CPU"):
            windrow.take(row, [0])
        return row

    torch.func.vmap(inside)(torch.ones(2, 3))
