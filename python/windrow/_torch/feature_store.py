"""PyTorch Geometric's interface to features, over tables in memory, on disk and over ranks."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from windrow._base.errors import ArgumentError, needed_by
from windrow._ops.rows import put_along_axis, take
from windrow.distributed import ShardedTable
from windrow.tables import Table

with needed_by("windrow.torch.FeatureStore", "torch_geometric"):
    from torch_geometric.data import FeatureStore as _Interface

_Features: TypeAlias = "Tensor | Table | ShardedTable"
_Key: TypeAlias = tuple[tuple[str, Any], ...]


class FeatureStore(_Interface):
    """torch_geometric.data.FeatureStore: tensors by group and name, of which rows are read and written.

    put_tensor(features, group_name, attr_name, index=None) keeps a tensor, a NumPy array, a table on disk
    (windrow.open_table()) or a table over ranks (windrow.distributed.ShardedTable), without a copy of it. With an
    index, rows of what is kept become those of `features`, a tensor or an array; of equal indices the last one wins. A
    table on disk must have been opened with writable=True. Where nothing is kept, the index must name each row once,
    from 0 on.

    index: None: all rows; a slice; a number, which gives a tensor of one row; integers of shape (n,), which may count
    from the end; booleans, one for each row. PyTorch Geometric itself refuses an array of several numbers: give a
    tensor. get_tensor() returns a tensor of its own memory, except that index=None returns a kept tensor itself. All
    ranks make the calls of a table over ranks together, each with its own index.

    update_tensor() writes rows as put_tensor() does, and removes nothing; index=None puts `features` in place of what is
    kept. get_tensor_size() reads no rows. Raises KeyError (nothing is kept of that name), windrow.IndexOutOfRange,
    windrow.ShapeError, windrow.DTypeError, windrow.ArgumentError, windrow.Unsupported. Nothing has changed then.
    """

    def __init__(self, tensor_attr_cls: Any = None) -> None:
        super().__init__(tensor_attr_cls)
        self.__dict__["_kept"] = {}

    def update_tensor(self, tensor: Any, *args: Any, **kwargs: Any) -> bool:
        """put_tensor(), for a name that is kept. Raises KeyError."""
        attr = self._tensor_attr_cls.cast(*args, **kwargs)
        self._find(attr)
        return bool(self.put_tensor(tensor, attr))

    def get_all_tensor_attrs(self) -> list[Any]:
        """The group and the name of each."""
        return [self._attr_of(key) for key in self._kept]

    def _put_tensor(self, tensor: Any, attr: Any) -> bool:
        key = _key_of(attr)
        if isinstance(attr.index, slice) and attr.index == slice(None):
            attr.index = None
        if isinstance(tensor, (Table, ShardedTable)):
            if attr.index is not None:
                raise ArgumentError("a table is put as a whole: index must be None")
            self._kept[key] = tensor
            return True
        rows = torch.as_tensor(tensor)
        if attr.index is None:
            self._kept[key] = rows
        elif key in self._kept:
            _write(self._kept[key], attr.index, rows)
        else:
            self._kept[key] = _in_order(rows, attr.index)
        return True

    def _get_tensor(self, attr: Any) -> Tensor:
        return _read(self._find(attr), attr.index)

    def _remove_tensor(self, attr: Any) -> bool:
        return self._kept.pop(_key_of(attr), None) is not None

    def _get_tensor_size(self, attr: Any) -> tuple[int, ...] | None:
        features = self._kept.get(_key_of(attr))
        if features is None:
            return None
        count = features.shape[0] if attr.index is None else len(_numbers(attr.index, features.shape[0]))
        return (count, *features.shape[1:])

    def _attr_of(self, key: _Key) -> Any:
        """The attribute of a key, without an index."""
        attr = self._tensor_attr_cls()
        for name, value in key:
            setattr(attr, name, value)
        return attr

    def _find(self, attr: Any) -> _Features:
        try:
            found: _Features = self._kept[_key_of(attr)]
        except KeyError:
            raise KeyError(f"no tensor is kept for {attr}") from None
        return found


def _key_of(attr: Any) -> _Key:
    """All that identifies a tensor: the fields of the attribute but the index."""
    return tuple((name, value) for name, value in vars(attr).items() if name != "index")


def _numbers(index: Any, rows: int) -> Tensor:
    """The numbers of the rows of an index, a copy of shape (n,)."""
    if isinstance(index, slice):
        chosen = range(*index.indices(rows))
        return torch.from_numpy(np.arange(chosen.start, chosen.stop, chosen.step))
    numbers = torch.tensor(index) if isinstance(index, (int, np.integer)) else torch.as_tensor(index).detach().clone()
    if numbers.dtype == torch.bool:
        if numbers.shape != (rows,):
            raise ArgumentError(f"an index of bools has the shape {tuple(numbers.shape)}, must have ({rows},)")
        return numbers.nonzero().reshape(-1)
    return numbers.reshape(1) if numbers.dim() == 0 else numbers


def _read(features: _Features, index: Any) -> Tensor:
    if isinstance(features, Tensor) and index is None:
        return features
    numbers = _numbers(slice(None) if index is None else index, features.shape[0])
    if isinstance(features, ShardedTable):
        return torch.from_numpy(features.take(numbers))
    dtype = features.dtype if isinstance(features, Tensor) else getattr(torch, features.dtype)
    out = torch.empty((len(numbers), *features.shape[1:]), dtype=dtype)
    if isinstance(features, Table):
        features.take(numbers, out=out)
    else:
        take(features.detach(), numbers, 0, out=out)
    return out


def _write(features: _Features, index: Any, rows: Tensor) -> None:
    numbers = _numbers(index, features.shape[0])
    if not isinstance(features, Tensor):
        features.assign(numbers, rows)
        return
    due = (len(numbers), *features.shape[1:])
    if rows.dtype != features.dtype or rows.shape != due:
        raise ArgumentError(f"the rows are {rows.dtype} {list(rows.shape)}, must be {features.dtype} {list(due)}")
    columns = numbers.reshape(-1, *[1] * (features.dim() - 1))
    written: Any = features.detach()
    put_along_axis(written, columns, rows.detach(), 0)


def _in_order(rows: Tensor, index: Any) -> Tensor:
    """The rows as a tensor of its own in which row index[i] is rows[i]."""
    numbers = _numbers(index, len(rows)).to(torch.int64)
    if not torch.equal(numbers.sort().values, torch.arange(len(rows))):
        raise ArgumentError(f"nothing is kept yet: index must name each of {len(rows)} rows once, from 0 on")
    return rows.detach()[numbers.argsort()]
