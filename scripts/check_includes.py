#!/usr/bin/env python3
"""Checks who includes whom, and that no type has two definitions. Prints one line per fault; exit code 1 if there is
any."""

import pathlib
import re
import sys

# What the sources of one room may include, besides their own room and the standard library.
# "base" and the other room names cover src/<room>/ and the room's public headers; an entry with a dot is
# one header.
ROOMS = {
    "base": [],
    "access": ["base"],
    "kernels": ["base", "<hwy>"],
    "plan": ["access", "src/kernels/registry.h", "base"],
    "execute": ["plan", "kernels", "access", "base"],
    "threads": ["base", "windrow/c.h"],
    "dialects": ["access", "base", "attribute_structs"],
    "reference": ["base", "attribute_structs"],
    "operators": ["dialects", "reference", "plan", "execute", "access", "base", "attribute_structs"],
    "explain": ["operators", "execute", "reference", "access", "base"],
    "c_api": ["operators", "base", "attribute_structs"],
    "models": ["operators", "base", "<onnx>"],
    "formats": ["models", "base", "<onnx>", "<pugixml>", "<zlib>"],
    "ranges": ["models", "operators", "base"],
    "portability": ["ranges", "models", "operators", "access", "base"],
}
# Rooms whose public headers are written for them by another room's name.
PUBLIC = {
    "base": ["dtype", "dtypes", "shape", "status", "tensor", "options", "threads", "attributes", "dim",
             "export", "call_cache", "printable", "interrupt", "element", "small_float", "nearest_name", "counted",
             "reduction_name"],
    "plan": ["plan_description"],
    "operators": ["plan", "operators", "onnx", "openvino", "tensorrt", "array", "windrow"],
    "explain": ["explain", "explain_fields"],
    "models": ["models", "inference", "constant", "prepared_model", "nvinfer", "nvinfer_types",
                "tensor_archive"],
    "ranges": ["value_ranges"],
    "portability": ["check", "check_fields", "fix", "lowest_opset"],
    "c_api": ["c", "c_operators"],
    "threads": ["c_threads"],
}
# Third-party headers, by the name that ROOMS uses for them.
THIRD_PARTY = {
    "<hwy>": r"hwy/",
    "<onnx>": r"(onnx|google/protobuf)/",
    "<pugixml>": r"pugixml\.hpp",
    "<tools>": r"(CLI|fmt|nlohmann)/",
    "<python>": r"(nanobind/|numpy/|structmember\.h)",
    "<test>": r"(gtest|gmock)/",
    "<zlib>": r"zlib\.h",
    "<host>": r"(onnxruntime_c_api\.h|openvino/|xla/|torch/)",
}
TEST_FILE = re.compile(r"(_test\.cc|/(testing|test_support|\w+_fixture)\.h)$")
TOP = ["include", "src", "tools", "python", "plugins", "examples"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Definitions as clang-format writes them: a type of a namespace begins its line and names no outer class.
NAMESPACE = re.compile(r"namespace(?: ([\w:]+))? \{$")
NAMESPACE_END = re.compile(r"\}  // namespace\b")
TYPE = re.compile(r"(?:struct|class|enum class) (?:[A-Z_]+ )?(\w+)(?: final)?(?: : [\w: ,<>]+)? \{")
TARGET_INCLUDE = re.compile(r'^\s*#\s*define\s+HWY_TARGET_INCLUDE\s+(")([^"]+)"')


def owner_of(header):
    """The room (or third party) that a header belongs to; None: the standard library."""
    parts = header.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[0] in ("tools", "tests", "python", "plugins", "examples"):
        return parts[0]
    if parts[0] == "windrow" and len(parts) == 2:
        stem = parts[1].rsplit(".", 1)[0]
        if stem.endswith("_attributes"):
            return "attribute_structs"
        return next((room for room, stems in PUBLIC.items() if stem in stems), "unknown")
    return next((name for name, pattern in THIRD_PARTY.items() if re.match(pattern, header)), None)


def fault(path, quote, header):
    """Why the source at `path` (relative to the repository) may not include `header`, or None."""
    owner = owner_of(header)
    if owner is None:
        if quote == '"':
            return "own headers are named from the repository's root (src/...) or as windrow/..."
        return None
    if owner == "unknown":
        return "the header belongs to no room; scripts/check_includes.py lists them"
    top, room = path.split("/")[:2]
    if top == "include":
        return None if header.startswith("windrow/") else "public headers include public headers only"
    if top == "python" and header in ("tools/windrow/command.h", "plugins/jax/handler.h"):
        return None
    # This plug-in is built with the library, never from an installed one.
    if (top, room, header) == ("plugins", "onnxruntime", "src/base/shelf.h"):
        return None
    if top in ("tools", "python", "plugins", "examples"):
        # A plug-in is a room of its own: it uses no other host's.
        own = f"{top}/{room}/" if top == "plugins" else f"{top}/"
        own_or_public = header.startswith(("windrow/", own))
        third_party = {"python": ("<python>",), "plugins": ("<host>", "<test>")}.get(top, ("<tools>", "<test>"))
        return None if own_or_public or owner in third_party else f"{top} uses public headers only"
    if room not in ROOMS:
        return f"room {room} is unknown; scripts/check_includes.py lists them"
    allowed = [room, *ROOMS[room]]
    if TEST_FILE.search(path):
        allowed += ["tests", "<test>"]
    if owner in allowed or header in allowed:
        return None
    return f"{room} may include {', '.join(ROOMS[room]) or 'nothing else'}; this is of {owner}"


def check(root):
    """One line per forbidden include under `root`."""
    faults = []
    for path in sorted(p for top in TOP for p in (root / top).rglob("*") if p.suffix in (".h", ".cc", ".inc")):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = INCLUDE.match(line) or TARGET_INCLUDE.match(line)
            reason = match and fault(name, *match.groups())
            if reason:
                faults.append(f"{name}:{number}: {match.group(2)}: {reason}")
    return faults


def defined_types(text):
    """The types that a source defines in a named namespace, as `namespace::Type`, with their lines."""
    open_namespaces = []
    for number, line in enumerate(text.splitlines(), start=1):
        if match := NAMESPACE.match(line):
            open_namespaces.append(match.group(1) or "")
        elif NAMESPACE_END.match(line):
            open_namespaces.pop()
        elif (match := TYPE.match(line)) and "" not in open_namespaces and open_namespaces:
            yield "::".join([*open_namespaces, match.group(1)]), number


def check_definitions(root):
    """One line per type that two files of the library define: the linker keeps one's inline functions for both."""
    first, faults = {}, []
    for path in sorted(p for top in ("include", "src") for p in (root / top).rglob("*") if p.suffix in (".h", ".cc")):
        name = path.relative_to(root).as_posix()
        if TEST_FILE.search(name):
            continue
        for type_name, number in defined_types(path.read_text(encoding="utf-8")):
            if first.setdefault(type_name, name) != name:
                faults.append(f"{name}:{number}: {type_name} is defined in {first[type_name]} too")
    return faults


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    faults = check(root) + check_definitions(root)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
