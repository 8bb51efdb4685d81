"""Common functions of the runtimes that are Windrow inside a host."""

from __future__ import annotations

import importlib.metadata
import importlib.util

from .own_windrow import DISTRIBUTION, windrow_fault
from .runtime import Runtime


def host_versions(host: str) -> dict[str, str]:
    """The versions of Windrow and of its host; empty if one of them is not installed."""
    if windrow_fault():
        return {}
    try:
        return {"windrow": _version(DISTRIBUTION, "windrow"), host: _version(host, host)}
    except ModuleNotFoundError:
        return {}


def fault_of(runtime: Runtime, face: str) -> str:
    """Why windrow.<face> cannot be used here; empty if it can, as far as is seen without importing the host."""
    host = face.removesuffix("_plugin")
    if importlib.util.find_spec(host) is None:
        return f"{runtime.name} needs the package {host}: pip install {host}"
    return windrow_fault()


def _version(distribution: str, module_name: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        # A build tree has the module without a distribution.
        module = importlib.import_module(module_name)
        version = getattr(module, "__version__", None)
        if version is None:
            raise
        return str(version)
