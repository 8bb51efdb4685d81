"""Finds runtimes by their names on the command line: a known name, or the path of a user's file."""

from __future__ import annotations

import difflib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path

from .runtime import Runtime
from .runtimes import all_runtimes, runtimes_in


# Words of the command line that are not names of runtimes.
_COMMANDS = ("all", "export", "report")


class UnknownRuntime(Exception):
    """There is no such runtime, or its file cannot be used."""


@lru_cache
def find(called: str) -> Runtime:
    """called: a name of all_runtimes(); or the path of a file that defines one runtime, or with several "path.py:name".

    Raises UnknownRuntime.
    """
    if _is_file(called):
        path, _, name = called.partition(".py:")
        return _from_file(Path(f"{path}.py") if name else Path(called), name)
    names = all_runtimes()
    if called not in names:
        near = difflib.get_close_matches(called, [*names, *_COMMANDS], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownRuntime(f"there is no runtime {called!r}; there are: {', '.join(names)}, or a file: ./mine.py{hint}")
    return names[called]


def module_of(called: str) -> tuple[str, ...]:
    """The module that defines a runtime, for worker processes to import before they fork; none for a file."""
    return () if _is_file(called) else (type(find(called)).__module__,)


def _is_file(called: str) -> bool:
    return called.endswith(".py") or ".py:" in called


def _from_file(file: Path, name: str) -> Runtime:
    module_name = f"windrow_conformance_file_{file.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise UnknownRuntime(f"there is no file {file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UnknownRuntime(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    found = runtimes_in(module)
    if name in found:
        return found[name]
    if not name and len(found) == 1:
        return next(iter(found.values()))
    raise UnknownRuntime(f"{file} defines the runtimes: {', '.join(found) or 'none'}; one is asked for, as {file}:NAME")
