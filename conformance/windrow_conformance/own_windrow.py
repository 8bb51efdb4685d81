"""Whether `import windrow` finds this project's package: the distribution `windrow` on PyPI is another project's.

Needs the standard library alone. The folders bench/peers and examples have links to this file.
"""

from __future__ import annotations

import importlib.util
import re
from importlib.machinery import ModuleSpec

DISTRIBUTION = "windrow-ops"
INSTALL = "pip install dist/windrow_ops-*.whl, which ./dev wheel makes in a checkout of Windrow"
# The line of this project's windrow/__init__.py.
_MARK = re.compile(rf'^__distribution__ = "{DISTRIBUTION}"$', re.MULTILINE)


def windrow_fault() -> str:
    """Why `import windrow` does not give this project's package, with what to install; empty if it does.

    Reads the file that an import finds, and runs none of its code.
    """
    spec = importlib.util.find_spec("windrow")
    if spec is None:
        return f"windrow is not installed: {INSTALL}"
    if _MARK.search(_source(spec)):
        return ""
    found = spec.origin or next(iter(spec.submodule_search_locations or ["windrow"]))
    return f"{found} is another project's package windrow; install {DISTRIBUTION} in its place: {INSTALL}"


def refuse_stranger() -> None:
    """Raises ImportError if `import windrow` finds another project's package; does nothing if it finds none."""
    if importlib.util.find_spec("windrow") is not None and (fault := windrow_fault()):
        raise ImportError(fault, name="windrow")


def _source(spec: ModuleSpec) -> str:
    """The text of a module; empty if it has none that can be read."""
    get_source = getattr(spec.loader, "get_source", None)
    try:
        return (get_source(spec.name) if get_source else None) or ""
    except (ImportError, SyntaxError, UnicodeError):
        return ""
