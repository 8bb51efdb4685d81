"""Common functions of the runtimes that are Windrow inside a host."""

from __future__ import annotations

import importlib.metadata
import importlib.util

from .runtime import Runtime


def host_versions(host: str) -> dict[str, str]:
    """The versions of Windrow and of its host; empty if one of them is not installed."""
    try:
        return {package: _version(package) for package in ("windrow", host)}
    except ModuleNotFoundError:
        return {}


def fault_of(runtime: Runtime, face: str) -> str:
    """Why windrow.<face> cannot be used here; empty if it can, as far as is seen without importing the host."""
    host = face.removesuffix("_plugin")
    for module in ("windrow", host):
        if importlib.util.find_spec(module) is None:
            return f"{runtime.name} needs the package {module}: pip install {module}"
    return ""


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        # A build tree has the module without a distribution.
        module = importlib.import_module(package)
        version = getattr(module, "__version__", None)
        if version is None:
            raise
        return str(version)
