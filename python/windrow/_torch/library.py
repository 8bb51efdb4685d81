"""Builds and loads the library of torch.ops.windrow."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from windrow._base.errors import needed_by
from windrow._plugins.library import build, find_library, run_command

# The oldest torch with the interface that the library uses.
_OLDEST = (2, 10)
_TAG = "2.10"
_loaded = False


def load() -> None:
    """Loads torch.ops.windrow. Raises ImportError, which names the build command, if it is not built."""
    global _loaded
    if _loaded:
        return
    _check_release()
    import torch

    operators: Any = torch.ops
    operators.load_library(str(find_library("torch", _TAG)))
    from windrow._torch import gradients, shapes

    shapes.register()
    gradients.register()
    _loaded = True


def main() -> int:
    """The command: python -m windrow.torch build."""
    return run_command("windrow.torch", "PyTorch", "torch.md", _build, sys.argv[1:])


def _build() -> Path:
    _check_release()
    import torch

    folder = Path(torch.__file__).parent
    definitions = {
        "TORCH_INCLUDE": str(folder / "include"),
        "TORCH_LIBRARY": str(folder / "lib" / "libtorch_cpu.so"),
    }
    return build("torch", _TAG, definitions)


def _check_release() -> None:
    with needed_by("windrow.torch", "torch"):
        import torch

    release = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if release < _OLDEST:
        raise ImportError(f"windrow.torch needs torch {_TAG} or newer, not {torch.__version__}")
