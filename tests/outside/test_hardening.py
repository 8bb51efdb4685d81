"""What the compiler and the linker put into the binaries against the exploitation of faults (cmake/hardening.cmake)."""

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"


def binaries():
    """The command, the extension of the build tree and, in the wheel, ours beside those of Debian."""
    return [RELEASE / "bin/windrow", *sorted((RELEASE / "python/windrow").glob("_core*.so"))]


def read(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=[*map(str, range(2)), "wheel"])
def binary(request, tmp_path):
    if request.param != "wheel":
        return binaries()[int(request.param)]
    (wheel,) = (ROOT / "dist").glob("windrow_ops-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if re.fullmatch(r"windrow/_core.*\.so", name)]
        return Path(archive.extract(name, tmp_path))


def test_memory_of_addresses_is_read_only_once_loaded(binary):
    assert "GNU_RELRO" in read("readelf", "-lW", binary)
    assert re.search(r"\(FLAGS_1\).*\bNOW\b", read("readelf", "-dW", binary))


def test_the_stack_is_no_code(binary):
    (flags,) = re.findall(r"GNU_STACK\s+(?:0x\w+\s+){5}(\w+)", read("readelf", "-lW", binary))
    assert "E" not in flags


def test_programs_load_anywhere(binary):
    assert re.search(r"Type:\s+DYN", read("readelf", "-hW", binary))


def test_stacks_are_protected_and_calls_are_checked(binary):
    symbols = read("readelf", "--dyn-syms", "-W", binary)
    assert "__stack_chk_fail" in symbols
    assert re.search(r"__(mem|str|v?sn?printf|read|f?printf)\w*_chk", symbols)


def test_jump_targets_are_marked(binary):
    """Whether the loader enforces them depends on the system's own objects; ours have the marks."""
    functions = re.findall(
        r"^[0-9a-f]+ <(PyInit__core|main)(?:@@[^>]*)?>:\n\s+[0-9a-f]+:\s+(\w+)",
        read("objdump", "-d", "--no-show-raw-insn", binary),
        re.MULTILINE,
    )
    assert functions
    assert {instruction for _, instruction in functions} == {"endbr64"}
