"""Gradients beside finite differences and beside torch's own."""

import pytest
import torch
import torch.fx.experimental.proxy_tensor
import windrow.torch as ours
from torch_samples import REDUCTIONS, calls, label, numbers, operator, tensor


# Padding and frequencies make embedding's gradient another thing than its derivative.
DERIVATIVES = [call for call in calls(True) if call[0] != "embedding" or len(call[1]) == 2]


@pytest.mark.parametrize("call", DERIVATIVES, ids=label)
def test_first_and_second_derivative(call):
    name, arguments, options = call
    places = [i for i, item in enumerate(arguments) if getattr(item, "requires_grad", False)]

    def run(*given):
        full = list(arguments)
        for place, item in zip(places, given, strict=True):
            full[place] = item
        return operator(name)(*full, **options)

    given = [arguments[place] for place in places]
    assert torch.autograd.gradcheck(run, given)
    assert torch.autograd.gradgradcheck(run, given)


def gradients(function, *tensors):
    tensors = [item.clone().requires_grad_() for item in tensors]
    result = function(*tensors)
    weights = torch.arange(1, result.numel() + 1, dtype=result.dtype).reshape(result.shape)
    return torch.autograd.grad(result, tensors, weights)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_scatter_reduce_as_torch(reduction, include_self):
    index = numbers(4, 9, 3)
    data, src = tensor(4, 3), tensor(9, 3, seed=1)

    def run(module):
        def call(data, src):
            return module.scatter_reduce(
                data, 0, index, src, reduction, include_self=include_self
            )

        return gradients(call, data, src)

    torch.testing.assert_close(run(ours), run(torch))


def complex_tensor(*shape, seed):
    return torch.complex(tensor(*shape, seed=seed), tensor(*shape, seed=seed + 1)).requires_grad_()


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduction", ["sum", "prod", "mean"])
def test_complex_reductions(reduction, include_self):
    index = numbers(4, 6, 2)
    data, src = complex_tensor(4, 2, seed=0), complex_tensor(6, 2, seed=2)

    def run(data, src):
        return ours.scatter_reduce(data, 0, index, src, reduction, include_self=include_self)

    assert torch.autograd.gradcheck(run, (data, src))
    assert torch.autograd.gradgradcheck(run, (data, src))
    if reduction == "prod":
        zeros = src.detach().clone()
        zeros[3] = zeros[5] = 0
        assert torch.autograd.gradcheck(run, (data, zeros.requires_grad_()))
        tuples = index[:, :1]
        assert torch.autograd.gradcheck(
            lambda d, s: ours.scatter_nd(d, tuples, s, "prod"), (data, zeros)
        )


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 9)])
def test_gradients_through_an_empty_index(shape):
    index = torch.empty(shape, dtype=torch.uint8)
    data, src = tensor(4, 3), tensor(9, 3, seed=1)
    for run in (
        lambda m: gradients(lambda a: m.gather(a, 0, index), data),
        lambda m: gradients(lambda a: m.scatter(a, 0, index, 1.0), data),
        lambda m: gradients(lambda a: m.scatter(a, 0, index, src), data),
        lambda m: gradients(lambda a: m.scatter_reduce(a, 0, index, src, "sum"), data),
    ):
        torch.testing.assert_close(run(ours), run(torch))
    for reduction in ("none", *REDUCTIONS):

        def run(data, src, reduction=reduction):
            if reduction == "none":
                return ours.scatter(data, 0, index, src)
            return ours.scatter_reduce(data, 0, index, src, reduction)

        found = gradients(run, data, src)
        assert found[0].flatten().tolist() == list(range(1, 13)) and not found[1].any()


@pytest.mark.parametrize("reduction", ["amax", "amin"])
def test_equal_extremes_share_as_in_torch(reduction):
    index = torch.tensor([0, 0, 0, 1, 1])
    data, src = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0, 0.5, 2.0, 2.0])

    def run(module):
        return gradients(lambda a, b: module.scatter_reduce(a, 0, index, b, reduction), data, src)

    torch.testing.assert_close(run(ours), run(torch))


def test_an_extreme_without_self_leaves_self_out():
    def run(data, src):
        return ours.scatter_reduce(
            data, 0, torch.tensor([0, 0]), src, "amax", include_self=False
        )

    found = gradients(run, torch.tensor([3.0, 5.0]), torch.tensor([3.0, 1.0]))
    assert [item.tolist() for item in found] == [[0, 2], [1, 0]]


@pytest.mark.parametrize(
    ("data", "src", "expected"),
    [
        ([2.0], [0.0, 3.0], [[0], [6, 0]]),
        ([2.0], [0.0, 0.0], [[0], [0, 0]]),
        ([0.0], [2.0, 3.0], [[6], [0, 0]]),
    ],
)
def test_products_with_zeros(data, src, expected):
    def run(data, src):
        return ours.scatter_reduce(data, 0, torch.tensor([0, 0]), src, "prod")

    found = gradients(run, torch.tensor(data), torch.tensor(src))
    assert [item.tolist() for item in found] == expected


def test_second_derivative_of_a_product_with_several_zeros_is_refused():
    data, src = torch.ones(1), torch.zeros(2, requires_grad=True)
    result = ours.scatter_reduce(data, 0, torch.tensor([0, 0]), src, "prod")
    with pytest.raises(RuntimeError, match="several factors of 0"):
        torch.autograd.grad(result.sum(), src, create_graph=True)


def test_the_element_that_stayed_has_the_gradient():
    def run(data, src):
        return ours.scatter(data, 0, torch.tensor([1, 1, 0]), src)

    found = gradients(run, torch.zeros(3), torch.ones(3))
    assert [item.tolist() for item in found] == [[0, 0, 3], [0, 2, 1]]


@pytest.mark.parametrize("padding", [None, 2, -1])
@pytest.mark.parametrize("by_frequency", [False, True])
def test_embedding_as_torch(padding, by_frequency):
    indices, weight = numbers(5, 3, 4), tensor(5, 2)

    def run(function):
        def call(weight):
            return function(indices, weight, padding, scale_grad_by_freq=by_frequency)

        return gradients(call, weight)

    torch.testing.assert_close(run(ours.embedding), run(torch.nn.functional.embedding))


def test_a_larger_src_has_zeros_where_it_is_not_read():
    index = torch.tensor([[0, 1]])
    found = gradients(lambda src: ours.scatter(torch.zeros(3, 3), 0, index, src), torch.ones(2, 3))
    assert found[0].tolist() == [[1, 5, 0], [0, 0, 0]]


def test_in_place_with_gradients():
    source = tensor(6, 3, seed=1, grad=True)
    data = tensor(4, 3)
    index = numbers(4, 6)
    theirs = data.clone().index_add_(0, index, source, alpha=2)
    result = ours.index_add_(data, 0, index, source, alpha=2)
    assert result is data
    torch.testing.assert_close(result, theirs)
    mine = torch.autograd.grad(result.square().sum(), source)
    torch.testing.assert_close(mine, torch.autograd.grad(theirs.square().sum(), source))


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduction", ["sum", "prod", "mean", "amax", "amin"])
def test_reductions_in_place_as_torch(reduction, include_self):
    index = torch.tensor([[0, 1, 2], [0, 3, 1]])
    found = []
    for reduce in (torch.Tensor.scatter_reduce_, ours.scatter_reduce_):
        data, source = tensor(4, 3, grad=True), tensor(2, 3, seed=1, grad=True)
        changed = data * 2
        reduce(changed, 0, index, source, reduction, include_self=include_self)
        (changed * tensor(4, 3, seed=2)).sum().backward()
        found.append((changed.detach(), data.grad, source.grad))
    for mine, theirs in zip(found[1], found[0], strict=True):
        torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize("reduction", ["prod", "amax", "amin"])
def test_tuples_in_place_have_the_gradient_of_the_form_out_of_place(reduction):
    index = torch.tensor([[0], [2]])
    found = []
    for in_place in (False, True):
        data, source = tensor(4, 3, grad=True), tensor(2, 3, seed=1, grad=True)
        changed = data * 2
        result = (ours.scatter_nd_ if in_place else ours.scatter_nd)(changed, index, source, reduction)
        result.sum().backward()
        found.append((data.grad, source.grad))
    for mine, expected in zip(found[1], found[0], strict=True):
        torch.testing.assert_close(mine, expected)


def test_a_tensor_of_inference_mode_is_not_changed_outside_of_it():
    with torch.inference_mode():
        made, theirs = torch.zeros(3), torch.zeros(3)
    index, ones = torch.tensor([1]), torch.ones(1)
    with pytest.raises(RuntimeError, match="inference"):
        theirs.index_add_(0, index, ones)
    for write in (
        lambda: ours.index_add_(made, 0, index, ones),
        lambda: ours.scatter_(made, 0, index, ones),
        lambda: ours.scatter_reduce_(made, 0, index, ones, "amax"),
        lambda: ours.scatter_nd_(made, index[:, None], ones),
    ):
        with pytest.raises(RuntimeError, match="made in inference mode"):
            write()
    assert made.tolist() == [0, 0, 0]
    with torch.inference_mode():
        assert ours.index_add_(made, 0, index, ones).tolist() == [0, 1, 0]


def test_a_write_invalidates_what_autograd_saved():
    data = tensor(4, 3)
    product = data * tensor(4, 3, grad=True)
    ours.scatter_(data, 0, torch.zeros(1, 3, dtype=torch.int64), 1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_forward_mode_is_refused():
    data, index = tensor(4, 3), torch.tensor([0, 2])
    with pytest.raises(RuntimeError, match="no forward-mode gradients"):
        torch.func.jvp(lambda x: ours.index_select(x, 0, index), (data,), (data,))
    with pytest.raises(RuntimeError, match="no forward-mode gradients"):
        torch.func.jvp(lambda x: ours.index_add_(x, 0, index, data[:2]), (data,), (data,))


@pytest.mark.parametrize("inner", [lambda call: call, torch.vmap])
def test_functional_gradients_are_refused_rather_than_lost(inner):
    index = torch.tensor([0, 2])
    call = inner(lambda x: ours.index_select(x, 0, index))
    with pytest.raises(RuntimeError, match="functorch transforms"):
        torch.func.grad(lambda x: call(x).sum())(tensor(4, 3))


def test_a_traced_function_holds_the_operator():
    make_fx = torch.fx.experimental.proxy_tensor.make_fx
    traced = make_fx(lambda x: ours.index_select(x, 0, torch.tensor([0])))(tensor(4, 3))
    assert "windrow.index_select" in traced.code
