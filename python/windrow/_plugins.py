"""Plug-ins that are built on the user's machine, because they depend on the host's release."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path

from windrow import _core
from windrow._errors import FileError, Unsupported

_PACKAGE = Path(__file__).parent
_MOST_LINES_SHOWN = 40
# Faces whose module can't have the host's name: a dialect has it.
_MODULES = {"openvino": "openvino_plugin"}


def build(host: str, tag: str, definitions: Mapping[str, str]) -> Path:
    """Compiles plugins/<host> with these CMake variables; gives the library.

    The CMake project makes windrow_<host>.so in its build folder. tag: what the library depends on,
    such as the host's release. Raises Unsupported (a missing tool, what the compiler says) and
    FileError (the library can't be written).
    """
    if not (_PACKAGE / "plugins" / host / "CMakeLists.txt").is_file():
        raise Unsupported(f"this installation has no sources of the plug-in for {host}")
    cmake = _find_cmake()
    _require_compiler()
    variables = {
        "CMAKE_BUILD_TYPE": "Release",
        "WINDROW_INCLUDE": str(_PACKAGE / "include"),
        "WINDROW_LIBRARY": str(Path(_core.__file__).resolve()),
        **definitions,
    }
    with tempfile.TemporaryDirectory(prefix="windrow-") as folder:
        source = (_PACKAGE / "plugins" / host).resolve()
        words = [f"-D{name}={value}" for name, value in variables.items()]
        _run([cmake, "-S", str(source), "-B", folder, *words], host)
        jobs = len(os.sched_getaffinity(0))
        _run([cmake, "--build", folder, "--parallel", str(jobs)], host)
        return _put(Path(folder, f"windrow_{host}.so"), _place(host, tag))


def find_library(host: str, tag: str) -> Path:
    """The library that build() made; ImportError naming the command if there is none."""
    library = _place(host, tag)
    if not library.is_file():
        module = _MODULES.get(host, host)
        raise ImportError(
            f"the plug-in for {host} {tag} is not built: python -m windrow.{module} build"
            f" (looked for {library})"
        )
    return library


def _place(host: str, tag: str) -> Path:
    chosen = os.environ.get("WINDROW_PLUGINS")
    if chosen:
        folder = Path(chosen)
    else:
        cache = os.environ.get("XDG_CACHE_HOME")
        folder = Path(cache) if cache else Path.home() / ".cache"
        folder = folder / "windrow" / _core.__version__
    return folder.absolute() / f"{host}-{tag}.so"


def _find_cmake() -> str:
    """CMake on the path, or the one that pip puts beside this interpreter."""
    beside = sysconfig.get_path("scripts")
    cmake = shutil.which("cmake") or shutil.which("cmake", path=beside)
    if cmake is None:
        raise Unsupported(
            "building a plug-in needs cmake: pip install cmake, or the system's package"
        )
    return cmake


def _require_compiler() -> None:
    chosen = os.environ.get("CXX")
    names = [chosen.split()[0]] if chosen else ["c++", "g++", "clang++"]
    if not any(shutil.which(name) for name in names):
        raise Unsupported(
            f"building a plug-in needs a C++ compiler; none of these is there: {', '.join(names)}"
        )


def _run(command: list[str], host: str) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        said = "\n".join(done.stdout.splitlines()[-_MOST_LINES_SHOWN:])
        raise Unsupported(f"the plug-in for {host} does not build: {' '.join(command)}\n{said}")


def _put(library: Path, place: Path) -> Path:
    """Puts the library in its place at once: who looks there sees a whole one or none."""
    aside = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library, aside)
        os.replace(aside, place)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise FileError(f"{place} can't be written: {error}") from error
    return place
