"""Plug-ins that are built on the user's machine because they depend on the host's release, and the command that does so.

A library is built, kept and loaded only where nobody else can change it (windrow._plugins.trust).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from windrow import _core
from windrow._base.errors import Error, FileError, Unsupported
from windrow._plugins.trust import UntrustedFile, require_trusted

_PACKAGE = Path(__file__).parents[1]
_MOST_LINES_SHOWN = 40
# Plug-ins whose Python module cannot have the host's name, because a dialect has it.
_MODULES = {"openvino": "openvino_plugin"}
_ADVICE = (
    "whoever can change a plug-in can run code as you. Take the permission away and build it again,"
    " or set WINDROW_PLUGINS to a folder that is yours"
)
# What the command says of itself.
_EPILOG = """\
commands:
  build   compiles the plug-in for the installed {host}, with cmake and a C++ compiler, and prints where it is

{pages}

exit codes: 0 the plug-in is built; 1 it is not, and standard error says why; 2 bad arguments
"""


def build(host: str, tag: str, definitions: Mapping[str, str]) -> Path:
    """Compiles plugins/<host> with these CMake variables and returns the library's path.

    The CMake project makes windrow_<host>.so in its build folder. tag: what the library depends on,
    such as the host's release. Raises Unsupported (a missing tool, or the compiler's errors) and
    FileError (the library cannot be written).
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
    place = _prepare(_place(host, tag))
    with tempfile.TemporaryDirectory(prefix="windrow-") as folder:
        _require_trusted_folder(Path(folder))
        source = (_PACKAGE / "plugins" / host).resolve()
        words = [f"-D{name}={value}" for name, value in variables.items()]
        _run([cmake, "-S", str(source), "-B", folder, *words], host)
        jobs = len(os.sched_getaffinity(0))
        _run([cmake, "--build", folder, "--parallel", str(jobs)], host)
        return _put(Path(folder, f"windrow_{host}.so"), place)


def find_library(host: str, tag: str) -> Path:
    """The path of the library that build() made.

    Raises ImportError if there is none (the error names the command to run) or if another user could have
    changed it (the error says where).
    """
    try:
        library = _place(host, tag)
    except FileError as error:
        raise ImportError(str(error)) from None
    try:
        require_trusted(library)
        built = library.is_file()
    except (FileNotFoundError, NotADirectoryError):
        built = False
    except UntrustedFile as error:
        raise ImportError(
            f"the plug-in for {host} {tag} is not loaded: {error}; {_ADVICE}"
        ) from None
    except OSError as error:
        raise ImportError(f"the plug-in for {host} {tag} can't be loaded: {error}") from error
    if not built:
        module = _MODULES.get(host, host)
        raise ImportError(
            f"the plug-in for {host} {tag} is not built: python -m windrow.{module} build"
            f" (looked for {library})"
        )
    return library


def _place(host: str, tag: str) -> Path:
    """The absolute path of the library of this release of Windrow. Raises FileError without a home folder."""
    chosen = os.environ.get("WINDROW_PLUGINS")
    if chosen:
        folder = Path(chosen)
    else:
        folder = _user_cache() / "windrow" / _core.__version__
    return folder.absolute() / f"{host}-{tag}.so"


def _user_cache() -> Path:
    """The cache folder of the XDG Base Directory Specification, which ignores a relative $XDG_CACHE_HOME."""
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if chosen.is_absolute():
        return chosen
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        raise FileError(
            "this user has no home folder: set WINDROW_PLUGINS to a folder for built plug-ins"
        ) from None


def _find_cmake() -> str:
    """The CMake on the path, or the one that pip installs beside this interpreter."""
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
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        said = "\n".join(done.stdout.splitlines()[-_MOST_LINES_SHOWN:])
        raise Unsupported(f"the plug-in for {host} does not build: {' '.join(command)}\n{said}")


def _prepare(place: Path) -> Path:
    """Makes the folder of the library before anything is compiled; only the user may access a cache."""
    mode = 0o755 if os.environ.get("WINDROW_PLUGINS") else 0o700
    try:
        missing = [folder for folder in place.parents if not folder.exists()]
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode)
    except OSError as error:
        raise FileError(f"{place} can't be written: {error}") from error
    _require_trusted_folder(place.parent)
    return place


def _require_trusted_folder(folder: Path) -> None:
    try:
        require_trusted(folder)
    except UntrustedFile as error:
        raise FileError(f"no plug-in is built in {folder}: {error}; {_ADVICE}") from None
    except OSError as error:
        raise FileError(f"no plug-in can be built in {folder}: {error}") from error


def _put(library: Path, place: Path) -> Path:
    """Puts the library in its place atomically: a reader sees a complete library or none."""
    aside = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        # An existing file or link of this name is an error. Other users may read the library, whatever the umask is.
        number = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        try:
            with library.open("rb") as source, open(number, "wb") as target:
                shutil.copyfileobj(source, target)
                target.flush()
                os.fsync(number)
            os.replace(aside, place)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(f"{place} can't be written: {error}") from error
    return place


def run_command(module: str, host: str, guide: str, build: Callable[[], Path], arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code.

    module: the module's name as the user gave it. host: the host's name in messages. guide: the name of its page in
    docs/guide. build: the function that builds; it may raise windrow.Error and ImportError.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=f"Windrow's operators inside {host}.",
        epilog=_EPILOG.format(host=host, pages=f"WINDROW_PLUGINS names another folder for plug-ins; the guide is docs/guide/{guide}."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["build"], metavar="COMMAND", help="build")
    parser.parse_args(arguments)
    try:
        print(build())
    except (Error, ImportError) as error:
        print(f"windrow: error: {error}", file=sys.stderr)
        return 1
    return 0
