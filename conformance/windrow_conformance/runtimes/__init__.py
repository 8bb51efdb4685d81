"""The runtimes that can be measured, one file each."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from abc import ABCMeta
from types import ModuleType

from ..runtime import Runtime


def all_runtimes() -> dict[str, Runtime]:
    """One runtime of every class in this folder's files, by its name. Does not import the measured packages."""
    found: dict[str, Runtime] = {}
    for file in pkgutil.iter_modules(__path__):
        found.update(runtimes_in(importlib.import_module(f"{__name__}.{file.name}")))
    return found


def runtimes_in(module: ModuleType) -> dict[str, Runtime]:
    """One runtime of every class that a module defines, by its name. Base classes and imported classes do not count."""
    # An alias such as Callable[[A], B] claims to be a class.
    classes = [one for one in vars(module).values() if issubclass(type(one), ABCMeta) and issubclass(one, Runtime)]
    return {
        one.name: one()
        for one in classes
        if one.__module__ == module.__name__ and not inspect.isabstract(one) and "name" in vars(one)
    }
