"""Records as .npz archives, one for each file of the corpus."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from itertools import groupby

from ..corpus import Corpus
from ..record import Record
from .arrays import any_nan_array, npy_bytes, plain_array
from .files import File, write_archive
from .index import Index


def npz_archives(corpus: Corpus, records: Iterable[Record]) -> Iterator[File]:
    """DIALECT/FILE.npz, index.json and rules.json.

    The members of an archive are NAME/input_0, .., NAME/output_0 and, where any NaN will do, NAME/any_nan_0. An omitted
    input has none. Versions of a record share its members, and the index lists them.
    """
    index = Index(corpus, "npz")
    for stem, rows in groupby(records, lambda record: record.path.rpartition("/")[0]):
        members: list[File] = []
        for record in rows:
            if record.digest is not None:
                index.leave_out("a recipe of the deterministic tier")
                continue
            name = record.path.partition("@")[0]
            if index.add_version(name, record):
                members += _members(record, name.rpartition("/")[2])
        if members:
            archive = io.BytesIO()
            write_archive(members, zipfile.ZipFile(archive, "w"))
            yield File(f"{stem}.npz", archive.getvalue())
    yield from index.files()


def _members(record: Record, name: str) -> list[File]:
    named = [(f"input_{number}", tensor) for number, tensor in enumerate(record.inputs)]
    arrays = {key: plain_array(tensor) for key, tensor in [*named, ("output_0", record.output)] if tensor is not None}
    any_nan = any_nan_array(record)
    if any_nan is not None:
        arrays["any_nan_0"] = any_nan
    return [File(f"{name}/{key}.npy", npy_bytes(array)) for key, array in arrays.items()]
