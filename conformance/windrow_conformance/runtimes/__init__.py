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
        kinds = [one for one in vars(module).values() if inspect.isclass(one) and issubclass(one, Runtime)]
        for kind in kinds:
            # A base or a neighbour that the file imports is not the file's.
            if kind.__module__ == module.__name__ and not inspect.isabstract(kind):
                found[kind.name] = kind()
    return found
