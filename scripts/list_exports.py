#!/usr/bin/env python3
"""Prints the names that a shared library of this project exports, one per line, sorted.

Left out are the typed functions, which the rows of the operator table make, and weak instantiations of the C++ standard
library's templates: which of them a compiler leaves behind depends on what it inlines.
"""

import re
import subprocess
import sys
from pathlib import Path

ROWS = Path(__file__).resolve().parents[1] / "src" / "operators" / "operators.inc"


def exports(library):
    command = ["nm", "--dynamic", "--defined-only", "--demangle", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    symbols = (line.split(maxsplit=2)[1:] for line in lines)
    return sorted({name for kind, name in symbols if "windrow" in name or kind not in "WVu"})


def typed_functions():
    """The functions that every operator's row makes."""
    row = re.compile(r"^WINDROW_OPERATOR\((\w+), (\w+), (\w+), (\d),", re.MULTILINE)
    for dialect, operator, function, inputs in row.findall(ROWS.read_text(encoding="utf-8")):
        of_operator = f"windrow::{dialect}::{operator} const&"
        specs = "std::span<windrow::TensorSpec const, 18446744073709551615ul>"
        yield f"windrow::compile({of_operator}, {specs}, windrow::CallOptions const&)"
        views = "windrow::TensorView const&, " * int(inputs)
        yield f"windrow::{dialect}::{function}({views}{of_operator}, windrow::CallOptions const&, windrow::RunOptions const&)"


if __name__ == "__main__":
    made = set(typed_functions())
    print("\n".join(name for name in exports(sys.argv[1]) if name not in made))
