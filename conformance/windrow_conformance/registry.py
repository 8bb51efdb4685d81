"""Runtimes by what they are called on the command line: a name, or the file of somebody's own."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from . import runtimes
from .runtime import Runtime


class UnknownRuntime(Exception):
    """There is no such runtime, or its file cannot be used."""


def known() -> dict[str, Runtime]:
    """The runtimes that this package has files of, by name, installed or not."""
    found: dict[str, Runtime] = {}
    for file in pkgutil.iter_modules(runtimes.__path__):
        module = importlib.import_module(f"{runtimes.__name__}.{file.name}")
        found.update({runtime.name: runtime for runtime in _defined_in(module)})
    return found


@lru_cache
def find(called: str) -> Runtime:
    """called: a name of known(); or the path of a file that defines one runtime, or with several "path.py:name".

    Raises UnknownRuntime.
    """
    path, _, name = called.partition(".py:")
    if called.endswith(".py") or name:
        return _from_file(Path(path if not name else f"{path}.py"), name)
    names = known()
    if called not in names:
        raise UnknownRuntime(f"there is no runtime {called!r}; there are: {', '.join(sorted(names))}, or a file: ./mine.py")
    return names[called]


def module_of(called: str) -> tuple[str, ...]:
    """The module that defines a runtime, for worker processes to import; none for a file."""
    runtime = find(called)
    return () if called.endswith(".py") or ".py:" in called else (type(runtime).__module__,)


def _defined_in(module: ModuleType) -> list[Runtime]:
    """One of each class of a module that can be made; those that it imports are others'."""
    return [
        member()
        for member in vars(module).values()
        if inspect.isclass(member)
        and issubclass(member, Runtime)
        and not inspect.isabstract(member)
        and member.__module__ == module.__name__
        and "name" in vars(member)
    ]


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
    found = {runtime.name: runtime for runtime in _defined_in(module)}
    if name and name in found:
        return found[name]
    if not name and len(found) == 1:
        return next(iter(found.values()))
    names = ", ".join(found) or "none"
    raise UnknownRuntime(f"{file} defines the runtimes: {names}; one is asked for: {file}:NAME")
