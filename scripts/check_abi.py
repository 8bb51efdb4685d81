#!/usr/bin/env python3
"""Compares the C interface, as the headers declare it, with what is recorded: its binary interface in
src/c_api/c_interface.abi, its numbers in src/c_api/c_numbers.txt.

A program that was linked with a library of the recorded name (libwindrow.so.0.1) must run with every later library of that
name. Compatible are a new function, a new number, and a new last member of a structure that begins with its size; a changed
type of a function, another change of a structure, a changed number, and what is gone are not. Exit code 1 if there is such a
change, 3 where the types were not compared because Debian's abigail-tools are not installed.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from project_version import project_version

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "src" / "c_api" / "c_interface.abi"
NUMBERS = RECORD.with_name("c_numbers.txt")
TOOLS = ("abidw", "abidiff")
HEADERS = "c*.h"
DECLARATION = re.compile(r"^WINDROW_EXPORT\s+([^;{]*?(\w+)\([^;{]*\));", re.MULTILINE)
ENUMERATOR = re.compile(r"^ +(WINDROW_\w+) = (-?\d+)", re.MULTILINE)
SIZED_STRUCTURE = re.compile(r"^typedef struct (\w+) \{\n  size_t size;", re.MULTILINE)


def is_c(header):
    """Headers of C++ have names like theirs, but no guard for C++."""
    return "#ifdef __cplusplus" in header.read_text(encoding="utf-8")


def headers(include):
    return sorted(header for header in (include / "windrow").glob(HEADERS) if is_c(header))


def text_of(include):
    return "\n".join(header.read_text(encoding="utf-8") for header in headers(include))


def declarations(include):
    """The declarations of the exported functions by name, in the order of the headers."""
    return {name: text for text, name in DECLARATION.findall(text_of(include))}


def numbers(include):
    """The lines of NUMBERS for these headers. Programs keep the numbers, of which debug information of C knows nothing."""
    return [f"{name} {number}" for name, number in ENUMERATOR.findall(text_of(include))]


def library_name():
    """The name that programs ask the loader for; it has the version's first two numbers (cmake/libraries.cmake)."""
    return f"libwindrow.so.{'.'.join(project_version().split('.')[:2])}"


def write_interface(include, file, name):
    """Writes the interface of a library that defines every function that the headers declare: the interface of ours without
    its C++ types, which debug information has too."""
    lines = [f"#include <windrow/{header.name}>" for header in headers(include)]
    lines += [f"{text} {{ __builtin_trap(); }}" for text in declarations(include).values()]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "interface.c").write_text("\n".join(lines) + "\n", encoding="utf-8")
        compile_ = ["gcc", "-std=c11", "-g", "-shared", "-fPIC", f"-I{include}", f"-ffile-prefix-map={include}=include",
                    f"-Wl,-soname,{name}", "interface.c", "-o", "interface.so"]
        subprocess.run(compile_, cwd=folder, check=True)
        write = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash",
                 "--out-file", str(file), "interface.so"]
        subprocess.run(write, cwd=folder, check=True)


def recorded_name(record):
    return re.search(r"<abi-corpus [^>]*soname='([^']*)'", record.read_text(encoding="utf-8"))[1]


def changed_numbers(record, include):
    """A line for each recorded number that the headers no longer have."""
    now = set(numbers(include))
    recorded = record.read_text(encoding="utf-8").splitlines()
    return "".join(f"the headers no longer have the number {line}\n" for line in recorded if line not in now)


def without_new_last_members(now, record, structures):
    """Takes the members that lie behind the recorded end of these structures out of the interface in the file `now`. A member in
    what was padding stays: the size that older programs give has it."""
    recorded = {each.get("name"): int(each.get("size-in-bits")) for each in ElementTree.parse(record).iter("class-decl")
                if each.get("name") in structures and each.get("size-in-bits")}
    tree = ElementTree.parse(now)
    for each in tree.iter("class-decl"):
        end = recorded.get(each.get("name"))
        if end is not None and int(each.get("size-in-bits", 0)) > end:
            each.set("size-in-bits", str(end))
            for member in each.findall("data-member"):
                if int(member.get("layout-offset-in-bits")) >= end:
                    each.remove(member)
    tree.write(now)


def changed_types(record, include, name):
    """What a program that was linked with the recorded library would notice of functions and types, as text."""
    if recorded_name(record) != name:
        return f"the record is of {recorded_name(record)}, this version makes {name}: record its interface\n"
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder, "now.abi")
        write_interface(include, now, name)
        without_new_last_members(now, record, SIZED_STRUCTURE.findall(text_of(include)))
        # What abidiff calls harmless are changed names: of a member, or of two members that changed places.
        compare = ["abidiff", "--harmless", "--no-added-syms", str(record), str(now)]
        done = subprocess.run(compare, capture_output=True, text=True, check=False)
    # Bits 0 and 1 say that the tool failed.
    if done.returncode & 3:
        raise RuntimeError(f"{' '.join(compare)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout if done.returncode else ""


def write_records(include):
    NUMBERS.write_text("\n".join(numbers(include)) + "\n", encoding="utf-8")
    write_interface(include, RECORD, library_name())


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--record", action="store_true", help="write the records anew, from the headers")
    parser.add_argument("--include", type=Path, default=ROOT / "include", help="the folder of windrow/c.h")
    options = parser.parse_args(arguments)
    include = options.include.resolve()
    missing = any(shutil.which(tool) is None for tool in TOOLS)
    if missing:
        print(f"left out: the types of the C interface are compared by {' and '.join(TOOLS)}; "
              "as root: apt-get install --no-install-recommends abigail-tools", file=sys.stderr)
    elif options.record:
        write_records(include)
    found = changed_numbers(NUMBERS, include) + ("" if missing else changed_types(RECORD, include, library_name()))
    if found:
        print(f"the C interface is not compatible with {RECORD.relative_to(ROOT)} and {NUMBERS.name}:\n{found}"
              "Take the change back; or give the project a new minor version, then run scripts/check_abi.py --record", file=sys.stderr)
        return 1
    print(f"C interface: {len(numbers(include))} numbers{'' if missing else f' and {len(declarations(include))} functions'}"
          " are compatible with what is recorded")
    return 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
