#!/usr/bin/env python3
"""Prints the names that a shared library of this project exports, one per line, sorted.

Left out are weak instantiations of the C++ standard library's templates: which of them a compiler leaves
behind depends on what it inlines.
"""

import subprocess
import sys


def exports(library):
    command = ["nm", "--dynamic", "--defined-only", "--demangle", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    symbols = (line.split(maxsplit=2)[1:] for line in lines)
    return sorted({name for kind, name in symbols if "windrow" in name or kind not in "WVu"})


if __name__ == "__main__":
    print("\n".join(exports(sys.argv[1])))
