"""Reports as files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ..results import RunResults
from .json import read_json

# The largest file that is read, in bytes; a whole run of twenty runtimes has a few million.
MOST_BYTES = 1 << 28


def read_run(path: Path) -> RunResults:
    """The run in a file. Raises ValueError, which names the file, if it cannot be read or does not contain a run."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError(f"the file has more than {MOST_BYTES} bytes")
        return read_json(content.decode("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_file(path: Path, text: str) -> None:
    """Replaces the file atomically. An existing name that is not a plain file, such as /dev/stdout, is written to
    instead. Raises OSError, and UnicodeEncodeError for halves of surrogate pairs.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # The mode of a file made by open().
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
