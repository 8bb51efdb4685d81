"""For which processors the public headers compile."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def compile_for(target, language):
    """Compiles the one header that every other one includes, and which needs no library."""
    return subprocess.run(["clang", f"--target={target}", "-I", str(ROOT / "include"), "-fsyntax-only", "-x", language, "-"],
                          input='#include "windrow/export.h"\n', capture_output=True, text=True, check=False)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("target", ["s390x-linux-gnu", "powerpc64-linux-gnu", "aarch64_be-linux-gnu", "i686-linux-gnu",
                                    "armv7-linux-gnueabihf", "x86_64-linux-gnux32"])
def test_32_bits_and_big_endian_are_refused(target, language):
    done = compile_for(target, language)
    assert done.returncode != 0
    assert "Windrow needs a little-endian processor with 64-bit addresses" in done.stderr


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "aarch64-linux-gnu", "powerpc64le-linux-gnu", "riscv64-linux-gnu",
                                    "aarch64-apple-macos11"])
def test_little_endian_64_bits_are_accepted(target):
    done = compile_for(target, "c++")
    assert done.returncode == 0, done.stderr
