"""PyTorch's gathers and scatters, computed by Windrow: exact, safe on any index, the same bits
with any number of threads.

Needs torch 2.10 or newer and, once, `python -m windrow.torch build`. The functions have the
arguments and the meaning of torch's own functions of these names (gather_nd and scatter_nd are
ONNX's) for dense CPU tensors of any strides, with gradients, torch.compile and
torch.export. docs/guide/torch.md says where they differ.

Types: data of any type from bool to complex128 but complex32, and 8-bit floats where elements are only copied; source and src
have input's type; indices are int64 or int32, of gather_nd and scatter_nd int64. Every error of a function is a RuntimeError,
NotImplementedError for sparse tensors and other devices.

ShardedEmbedding is a module over a table that is distributed over processes, FeatureStore PyTorch Geometric's
interface over tables.

Options of all functions, which say how indices are read:
    out_of_range: "error"; gathers: "zero", scatters: "skip"; "clamp": the nearest valid index; "modulo".
    negative: "from_end": -1 is the last element, as is so by default in take, gather_nd and
        scatter_nd; "out_of_range": the default elsewhere; "error".
    padding_index: one index that stands for padding: it gives zeros in a gather and has no update
        in a scatter, whatever the other options say, and no gradient.
"""

from typing import TYPE_CHECKING, Any

from windrow._torch.library import load, main

if __name__ == "__main__":
    raise SystemExit(main())
load()

from windrow._torch.functions import (
    embedding,
    embedding_bag,
    gather,
    gather_nd,
    index_add,
    index_add_,
    index_select,
    scatter,
    scatter_,
    scatter_add,
    scatter_add_,
    scatter_nd,
    scatter_nd_,
    scatter_reduce,
    scatter_reduce_,
    take,
)
from windrow._torch.sharded import ShardedEmbedding

if TYPE_CHECKING:  # loaded on first use
    from windrow._torch.feature_store import FeatureStore as FeatureStore

__all__ = [
    "ShardedEmbedding",
    "embedding",
    "embedding_bag",
    "gather",
    "gather_nd",
    "index_add",
    "index_add_",
    "index_select",
    "scatter",
    "scatter_",
    "scatter_add",
    "scatter_add_",
    "scatter_nd",
    "scatter_nd_",
    "scatter_reduce",
    "scatter_reduce_",
    "take",
]


def __getattr__(name: str) -> Any:
    """FeatureStore, which is not in __all__ since it needs torch_geometric."""
    if name != "FeatureStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from windrow._torch.feature_store import FeatureStore

    return FeatureStore
