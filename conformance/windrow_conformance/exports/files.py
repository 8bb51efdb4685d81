"""Files of an export: written into a folder or into an archive."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..record import Record

# A valid part of a path: it does not leave the folder, and no file system gives it a special meaning.
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)

# The first day that a zip archive can represent, so that its bytes do not depend on when it was made.
_TIME = (1980, 1, 1, 0, 0, 0)
_PERMISSIONS = 0o100644 << 16
_UNIX = 3


class File(NamedTuple):
    """path: within the export, with / between its parts."""

    path: str
    content: bytes


class ExportError(Exception):
    """An export cannot be written there, or a record has a name that no file may have."""


def case_name(record: Record) -> str:
    """The name of a record's folder, unique in its dialect: test_gather__example_axis_0__version_11.

    The version is left out where it is the newest one for which the record holds.
    """
    newest, _, older = record.path.partition("@")
    return "__".join(["test_" + newest.partition("/")[2].replace("/", "__")] + ([f"version_{older}"] if older else []))


def checked(files: Iterable[File]) -> Iterator[File]:
    """The files, each checked first. Raises ExportError for a path that is not valid or leaves the folder."""
    for file in files:
        for part in file.path.split("/"):
            if not _PART.fullmatch(part):
                raise ExportError(f"{file.path!r} is not a path of a file: {part!r} is not a name")
        yield file


def write_folder(files: Iterable[File], folder: Path) -> int:
    """Writes files into a folder that is empty or not there yet. Returns their number.

    Raises ExportError if the folder is not empty, OSError if it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ExportError(f"{folder} is not empty; an export does not mix with other files")
    made = {folder}
    count = 0
    for count, file in enumerate(checked(files), 1):
        place = folder / file.path
        if place.parent not in made:
            place.parent.mkdir(parents=True, exist_ok=True)
            made.add(place.parent)
        place.write_bytes(file.content)
    return count


def write_archive(files: Iterable[File], archive: Path | zipfile.ZipFile) -> None:
    """Writes files as a zip archive. The bytes depend only on the files, their order and the version of zlib."""
    with archive if isinstance(archive, zipfile.ZipFile) else zipfile.ZipFile(archive, "w") as opened:
        for file in checked(files):
            entry = zipfile.ZipInfo(file.path, _TIME)
            entry.create_system = _UNIX
            entry.external_attr = _PERMISSIONS
            opened.writestr(entry, file.content, zipfile.ZIP_DEFLATED, 9)
