"""The runtimes that can be measured, one file each."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from abc import ABCMeta
from types import ModuleType

from ..runtime import Runtime


def all_runtimes() -> dict[str, Runtime]:
    """A runtime of every class of this folder's files, by its name. The runtimes themselves are not imported."""
    found: dict[str, Runtime] = {}
    for file in pkgutil.iter_modules(__path__):
        found.update(runtimes_in(importlib.import_module(f"{__name__}.{file.name}")))
    return found


def runtimes_in(module: ModuleType) -> dict[str, Runtime]:
    """A runtime of every class that a module defines, by its name; a base, or one that it imports, is not the module's."""
    # An alias such as Callable[[A], B] says of itself that it is a class.
    classes = [one for one in vars(module).values() if issubclass(type(one), ABCMeta) and issubclass(one, Runtime)]
    return {
        one.name: one()
        for one in classes
        if one.__module__ == module.__name__ and not inspect.isabstract(one) and "name" in vars(one)
    }
