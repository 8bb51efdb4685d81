"""The runtimes that can be measured, one file each."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from ..runtime import Runtime


def all_runtimes() -> dict[str, Runtime]:
    """A runtime of every class of this folder's files, by its name. The runtimes themselves are not imported."""
    found: dict[str, Runtime] = {}
    for file in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{file.name}")
        for kind in vars(module).values():
            if inspect.isclass(kind) and kind.__module__ == module.__name__ and _is_runtime(kind):
                found[kind.name] = kind()
    return found


def _is_runtime(kind: type) -> bool:
    return issubclass(kind, Runtime) and not inspect.isabstract(kind)
