"""The symbols that the extension exports: its module and the C interface, nothing else."""

import re
import subprocess
from pathlib import Path

from windrow import _core

HEADERS = Path(_core.__file__).parent / "include" / "windrow"
MODULE = {"PyInit__core"}
# Exported if the extension is built with ONNX Runtime's provider.
PROVIDER = {"CreateEpFactories", "ReleaseEpFactory"}


def declared():
    """The functions of the C headers that the package carries."""
    text = "\n".join(header.read_text(encoding="utf-8") for header in HEADERS.glob("c*.h"))
    return set(re.findall(r"^WINDROW_EXPORT[^;]*?\b(windrow_\w+)\(", text, re.MULTILINE))


def exported():
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", _core.__file__]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0] for line in lines}


def test_the_c_interface_and_nothing_else():
    assert {"windrow_compile", "windrow_thread_pool_make"} <= declared()
    assert exported() - PROVIDER == declared() | MODULE


def test_the_name_by_which_plugins_find_it():
    output = subprocess.run(
        ["readelf", "--dynamic", _core.__file__], capture_output=True, text=True, check=True
    ).stdout
    release = ".".join(_core.__version__.split(".")[:2])
    assert f"soname: [libwindrow_python.so.{release}]" in output
