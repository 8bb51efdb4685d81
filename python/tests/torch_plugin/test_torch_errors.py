"""Every error is a RuntimeError that names the operator, the argument, the position and the value."""

import os
import subprocess
import sys

import pytest
import torch
import windrow.torch as ours

DATA = torch.arange(12.0).reshape(4, 3)


def at(*values):
    return torch.tensor(values)


OUT_OF_RANGE = {
    "index_select": (
        lambda: ours.index_select(DATA, 0, at(3, 4, 9)),
        "windrow::index_select: index[1] = 4 is out of range for dimension 0 of size 4, whose "
        "indices are 0 to 3; 2 indices are out of range (ARRAY-Take-C3)",
    ),
    "negative": (
        lambda: ours.index_select(DATA, -1, at(2, -1, 9)),
        "windrow::index_select: index[1] = -1 is out of range for dimension 1 of size 3, whose "
        "indices are 0 to 2; 2 indices are out of range (ARRAY-Take-C3)",
    ),
    "int32": (
        lambda: ours.index_add(DATA, 0, at(-4).int(), DATA[:1]),
        "windrow::index_add: index[0] = -4 is out of range for dimension 0 of size 4, whose "
        "indices are 0 to 3 (ARRAY-IndexAdd-C4)",
    ),
    "gather": (
        lambda: ours.gather(DATA, 1, at([0, 1], [2, 3])),
        "windrow::gather: index[1, 1] = 3 is out of range for dimension 1 of size 3, whose "
        "indices are 0 to 2 (ARRAY-TakeAlongAxis-C3)",
    ),
    "embedding": (
        lambda: ours.embedding(at([0, 1], [7, 3]), DATA),
        "windrow::embedding: indices[1, 0] = 7 is out of range for dimension 0 of size 4, whose "
        "indices are 0 to 3 (ARRAY-Take-C3)",
    ),
    "scatter": (
        lambda: ours.scatter(DATA.t(), 0, at([0], [3]), 1.0),
        "windrow::scatter: index[1, 0] = 3 is out of range for dimension 0 of size 3, whose "
        "indices are 0 to 2 (OPENVINO-ScatterElementsUpdate-C4)",
    ),
    "complex": (
        lambda: ours.scatter_add(DATA.to(torch.complex64), 0, at([0], [-3]), DATA.to(torch.cfloat)),
        "windrow::scatter_reduce: index[1, 0] = -3 is out of range for dimension 0 of size 4, "
        "whose indices are 0 to 3 (OPENVINO-ScatterElementsUpdate-C4)",
    ),
    "take": (
        lambda: ours.take(DATA, torch.tensor(-13)),
        "windrow::take: index = -13 is out of range for dimension 0 of size 12, whose indices are "
        "-12 to 11 (ARRAY-Take-C3)",
    ),
    "scatter_nd": (
        lambda: ours.scatter_nd(DATA, at([0, 0], [1, -4]), torch.ones(2)),
        "windrow::scatter_nd: index[1, 1] = -4 is out of range for dimension 1 of size 3, whose "
        "indices are -3 to 2 (ONNX-ScatterND-C4)",
    ),
    "no rows": (
        lambda: ours.index_select(DATA[:0], 0, at(0)),
        "windrow::index_select: index[0] = 0 is out of range for dimension 0 of size 0 "
        "(ARRAY-Take-C3)",
    ),
}

WRONG = {
    "dim": (lambda: ours.gather(DATA, 2, at([0])), "dim = 2 is out of range"),
    "index axes": (lambda: ours.index_select(DATA, 0, at([0])), "must have at most one axis"),
    "index type": (lambda: ours.index_select(DATA, 0, at(0.0)), "it must be int64 or int32"),
    "larger index": (
        lambda: ours.gather(DATA, 0, torch.zeros(1, 4, dtype=torch.int64)),
        "off dim = 0 index must not be larger",
    ),
    "src": (
        lambda: ours.scatter_add(DATA, 0, at([0, 0, 0]), DATA[:, :2]),
        "src has the shape (4, 2) and index (1, 3)",
    ),
    "type of src": (
        lambda: ours.scatter_add(DATA, 0, at([0]), DATA.double()),
        "OPENVINO-ScatterElementsUpdate-T3",
    ),
    "source": (lambda: ours.index_add(DATA, 0, at(0), DATA), "ARRAY-IndexAdd-C3"),
    "alpha": (
        lambda: ours.index_add(DATA.int(), 0, at(0), DATA[:1].int(), alpha=0.5),
        "windrow::index_add: alpha = 0.5 is not a whole number; the tensors are torch.int32",
    ),
    "complex maximum": (
        lambda: ours.scatter_reduce(DATA.cfloat(), 0, at([0]), DATA.cfloat(), "amax"),
        "OPENVINO-ScatterElementsUpdate-T1",
    ),
    "reduce": (lambda: ours.scatter_reduce(DATA, 0, at([0]), DATA, "max"), "none of 'sum'"),
    "mean of tuples": (lambda: ours.scatter_nd(DATA, at([0]), DATA, "mean"), "none of 'sum'"),
    "tuple": (lambda: ours.gather_nd(DATA, at([0, 0, 0])), "holds 1 to 2 coordinates"),
    "table": (lambda: ours.embedding(at(0), DATA[0]), "it must have two axes"),
    "table without axes": (lambda: ours.embedding(at(0), DATA[0, 0]), "it must have two axes"),
    "padding without axes": (lambda: ours.embedding(at(0), DATA[0, 0], 0), "it must have two axes"),
    "table of a traced shape": (
        lambda: torch.compile(ours.embedding, backend="eager")(at(0), DATA[0, 0].clone()),
        "it must have two axes",
    ),
    "padding": (lambda: ours.embedding(at(0), DATA, 4), "padding_idx = 4"),
    "overlap": (lambda: ours.index_add_(DATA, 0, at(0), DATA[1:2]), "overlap"),
    "shared cells": (
        lambda: ours.index_add_(torch.ones(1, 3).expand(4, 3), 0, at(0), DATA[:1]),
        "its elements overlap",
    ),
    "sparse": (lambda: ours.index_select(DATA.to_sparse(), 0, at(0)), "Could not run"),
    "type": (
        lambda: ours.index_select(torch.zeros(3, dtype=torch.complex32), 0, at(0)),
        "of torch is none of Windrow's",
    ),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_the_first_bad_index_is_named(name):
    run, text = OUT_OF_RANGE[name]
    with pytest.raises(RuntimeError) as caught:
        run()
    assert str(caught.value) == text


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_named(name):
    run, text = WRONG[name]
    with pytest.raises(RuntimeError) as caught:
        run()
    assert text in str(caught.value)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32])
def test_a_bad_index_among_many_changes_nothing(dtype):
    data = torch.zeros(1000, 4)
    index = torch.randint(1000, (400_000,)).to(dtype)
    source = torch.ones(400_000, 4)
    for bad in (-1, 1000):
        index[399_999] = bad
        with pytest.raises(RuntimeError, match=rf"index\[399999\] = {bad} is out of range"):
            ours.index_add_(data, 0, index, source)
        with pytest.raises(RuntimeError, match=rf"index\[399999, 0\] = {bad} is out of range"):
            ours.scatter_reduce_(
                data, 0, index[:, None], source, "amax", include_self=False
            )
        assert not data.any()


@pytest.mark.parametrize("count", [3, 800_000])
@pytest.mark.parametrize(
    "layout",
    [
        lambda index: index[:, :1].expand(-1, 2),
        lambda index: index.t().contiguous().t(),
        lambda index: torch.stack([index, index.abs()], -1)[..., 0],
        lambda index: index.t().contiguous()[:, :, None].expand(-1, -1, 2)[..., 0].t(),
    ],
)
def test_a_negative_index_is_found_in_any_layout(layout, count):
    index = torch.zeros(count, 2, dtype=torch.int64)
    index[count - 1, 0] = -1
    data = torch.zeros(4, 2)
    with pytest.raises(RuntimeError, match=rf"index\[{count - 1}, 0\] = -1 is out of range"):
        ours.gather(data, 0, layout(index))
    assert not ours.gather(data, 0, layout(index.abs() * 0)).any()


def test_errors_inside_a_compiled_graph():
    torch._dynamo.reset()
    run = torch.compile(lambda index: ours.index_select(DATA, 0, index) + 1, fullgraph=True)
    with pytest.raises(RuntimeError, match=r"index\[0\] = 8 is out of range"):
        run(at(8))


def test_a_missing_library_names_the_command(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import windrow.torch"],
        env={**os.environ, "WINDROW_PLUGINS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "ImportError" in done.stderr and "python -m windrow.torch build" in done.stderr
