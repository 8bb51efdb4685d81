#!/usr/bin/env python3
"""Checks that only src/plan/choose_ways.cc makes ways to run a plan, or changes the candidates of a
plan. Prints one line per violation; exit code 1 if there is any.

The ways are the members of the variant `Way` in src/plan/ways.h. Tests may make any."""

import pathlib
import re
import sys

WAYS = "src/plan/ways.h"
CHOOSER = "src/plan/choose_ways.cc"
TEST_FILE = re.compile(r"(_test\.cc|_fixture\.h)$")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')


def ways_of(text):
    """The names of the ways, as the variant in ways.h lists them."""
    variant = re.search(r"using Way =\s*std::variant<([^;]*)>;", text)
    return [name.strip() for name in variant[1].split(",")]


def patterns_of(ways):
    """What makes a way or changes a plan's candidates, and what to say of each."""
    name = rf"\b({'|'.join(ways)})\b"
    return [
        (re.compile(rf"(?<!struct )(?<!class ){name}\s*[({{]"), "makes a way"),
        (re.compile(rf"(?<![&*<,] )(?<!const ){name}\s+\w+\s*[;=({{]"), "makes a way"),
        (re.compile(rf"\b(?:make_shared|make_unique|optional|in_place_type|emplace)<{name}>"), "makes a way"),
        (re.compile(r"\bways\s*(?:=[^=]|\.(?:push_back|emplace|insert|assign|resize|clear|erase))"),
         "changes the candidates"),
    ]


def check(root):
    """One line per violation under `root`."""
    patterns = patterns_of(ways_of((root / WAYS).read_text(encoding="utf-8")))
    faults = []
    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cc", ".inc")):
        name = path.relative_to(root).as_posix()
        if name in (WAYS, CHOOSER) or TEST_FILE.search(name):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code = COMMENT_OR_STRING.sub("", line)
            faults += [f"{name}:{number}: {what}; only {CHOOSER} may"
                       for pattern, what in patterns if pattern.search(code)]
    return faults


def main():
    faults = check(pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
