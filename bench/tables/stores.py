"""Other libraries' stores of the same rows."""

from __future__ import annotations

import importlib
import pathlib
import shutil
from typing import Any

import numpy as np

from tables.cases import Ids
from tables.contestants import Absent, Contestant
from tables.files import TableFile


class Store(Contestant):
    """A store that a library of its own reads, in a folder beside the table."""

    MODULE = ""

    def __init__(self, table: TableFile, *arguments: Any) -> None:
        super().__init__(table, *arguments)
        try:
            self.module = importlib.import_module(self.MODULE)
        except ImportError as error:
            raise Absent(f"{self.MODULE} is not installed ({error})") from None
        self.folder = table.path.parent / self.MODULE

    def version(self) -> str:
        return f"{self.MODULE} {self.module.__version__}"

    def files(self) -> list[pathlib.Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def make(self) -> None:
        """Whatever was interrupted is written anew."""
        mark = self.folder.with_suffix(".size")
        size = f"{self.table.rows} rows, {self.version()}"
        if mark.exists() and mark.read_text() == size:
            return
        mark.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.write()
        mark.write_text(size)

    def write(self) -> None:
        raise NotImplementedError


class Lmdb(Store):
    """The key is the row's number in 8 bytes, big-endian."""

    MODULE = "lmdb"

    def write(self) -> None:
        size = 4 * self.table.rows * self.table.row_bytes + (64 << 20)
        with self.module.open(str(self.folder), map_size=size, sync=False, writemap=True) as store:
            for first, rows in self.table.chunks():
                keys = self._keys(np.arange(first, first + len(rows)))
                with store.begin(write=True) as transaction, transaction.cursor() as cursor:
                    cursor.putmulti(zip(keys, map(bytes, rows), strict=True), append=True)
            store.sync(True)

    @staticmethod
    def _keys(ids: Ids) -> list[bytes]:
        packed = ids.astype(">u8").tobytes()
        return [packed[at : at + 8] for at in range(0, len(packed), 8)]

    def open(self) -> None:
        self._store = self.module.open(str(self.folder), readonly=True, lock=False, readahead=False)

    def close(self) -> None:
        self._store.close()

    def take(self, ids: Ids) -> Any:
        with self._store.begin(buffers=True) as transaction:
            rows = b"".join(map(transaction.get, self._keys(ids)))
        return np.frombuffer(rows, np.float32).reshape(len(ids), -1)


class Safetensors(Store):
    """get_slice() on the table's own file: a row at a time, since it takes no list of rows."""

    MODULE = "safetensors"

    def files(self) -> list[pathlib.Path]:
        return [self.table.path]

    def make(self) -> None:
        pass

    def open(self) -> None:
        self._file = self.module.safe_open(str(self.table.path), framework="numpy")
        self._slice = self._file.__enter__().get_slice("rows")

    def close(self) -> None:
        self._file.__exit__(None, None, None)
        del self._slice, self._file

    def take(self, ids: Ids) -> Any:
        return np.stack([self._slice[row] for row in ids.tolist()])


class Lance(Store):
    """A column of fixed-size lists. The library alone takes more than the limit of memory."""

    MODULE = "lance"
    IS_LIMITED = False

    def write(self) -> None:
        import pyarrow as pa

        schema = pa.schema({"row": pa.list_(pa.float32(), self.table.shape[1])})

        def batches() -> Any:
            for _, rows in self.table.chunks():
                column = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
                yield pa.record_batch([column], schema=schema)

        self.module.write_dataset(batches(), str(self.folder), schema=schema)

    def open(self) -> None:
        self._set = self.module.dataset(str(self.folder))

    def close(self) -> None:
        del self._set

    def take(self, ids: Ids) -> Any:
        column = self._set.take(ids, columns=["row"])["row"].combine_chunks()
        return column.flatten().to_numpy().reshape(len(ids), -1)


class Zarr(Store):
    """Chunks of 64 KiB, not compressed."""

    MODULE = "zarr"

    def write(self) -> None:
        chunk = ((64 << 10) // self.table.row_bytes, self.table.shape[1])
        array = self.module.create_array(self.folder, shape=self.table.shape, chunks=chunk, dtype="float32",
                                         compressors=None, overwrite=True)
        for first, rows in self.table.chunks():
            array[first : first + len(rows)] = rows

    def open(self) -> None:
        self._array = self.module.open_array(self.folder, mode="r")

    def take(self, ids: Ids) -> Any:
        return self._array.oindex[ids]
