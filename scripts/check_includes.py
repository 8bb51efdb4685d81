#!/usr/bin/env python3
"""Checks who includes and who imports whom, that no type has two definitions and where kernels' friends are defined. Prints
one line per fault; exit code 1 if there is any."""

import ast
import graphlib
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
    "pooling": ["execute", "plan", "kernels", "access", "base"],
    "threads": ["base", "windrow/c.h", "<system>"],
    "dialects": ["access", "base", "attribute_structs", "src/operators/operators.inc"],
    "reference": ["base", "attribute_structs", "src/operators/operators.inc"],
    "operators": ["dialects", "reference", "plan", "execute", "pooling", "access", "base", "attribute_structs"],
    "explain": ["operators", "execute", "pooling", "reference", "access", "base"],
    "arrow": ["operators", "src/plan/tuning.h", "src/kernels/registry.h", "base", "attribute_structs"],
    "c_api": ["operators", "base", "attribute_structs"],
    "models": ["operators", "base", "<system>"],
    "formats": ["models", "base", "<pugixml>", "<zlib>", "<system>"],
    "ranges": ["models", "operators", "base"],
    "portability": ["ranges", "models", "operators", "access", "base"],
    "row_cache": ["base"],
    "tables": ["formats", "models", "operators", "row_cache", "base", "attribute_structs", "<uring>", "<system>"],
    "distributed": ["operators", "row_cache", "base", "attribute_structs", "<mpi>"],
}
# Rooms whose public headers are written for them by another room's name.
PUBLIC = {
    "base": ["dtype", "dtypes", "shape", "status", "tensor", "row_store", "result_pool", "options", "threads", "attributes", "dim",
             "export", "call_cache", "printable", "interrupt", "element", "small_float", "nearest_name", "counted",
             "reduction_name"],
    "plan": ["plan_description"],
    "operators": ["plan", "operators", "onnx", "openvino", "tensorrt", "array", "machine_costs", "windrow"],
    "explain": ["explain", "explain_fields"],
    "models": ["models", "inference", "constant", "prepared_model", "nvinfer", "nvinfer_types",
                "tensor_archive"],
    "ranges": ["value_ranges"],
    "portability": ["check", "check_fields", "fix", "lowest_opset"],
    "arrow": ["arrow"],
    "tables": ["table"],
    "distributed": ["distributed"],
    "c_api": ["c", "c_operators"],
    "threads": ["c_threads"],
}
# Third-party headers, by the name that ROOMS uses for them.
THIRD_PARTY = {
    "<hwy>": r"hwy/",
    "<pugixml>": r"pugixml\.hpp",
    "<tools>": r"(CLI|fmt|nlohmann)/",
    "<python>": r"(nanobind/|numpy/|structmember\.h)",
    "<test>": r"(gtest|gmock)/",
    "<zlib>": r"zlib\.h",
    "<uring>": r"liburing\.h",
    "<mpi>": r"mpi\.h",
    "<system>": r"(sys/|linux/|(unistd|fcntl|pthread|sched|dlfcn|poll|signal|malloc)\.h)",
    "<host>": r"(onnxruntime_c_api\.h|openvino/|xla/|torch/)",
}
# The one source of the core that may include system headers, which ROOMS forbids to its room.
SYSTEM_FILE = "src/base/system_posix.cc"
# What sources outside the rooms may include of others.
OUTSIDE_ROOMS = {
    "tools": ("<tools>", "<system>"),
    "python": ("<python>", "<system>"),
    "plugins": ("<host>", "<test>"),
    "examples": ("<mpi>",),
}
# Headers of the rooms whose sources the playground replaces.
PLAYGROUND_TWINS = ("src/base/system.h", "src/kernels/registry.h", "src/plan/costs.h")
TEST_FILE = re.compile(r"(_test\.cc|/(testing|test_support|\w+_fixture)\.h)$")
TOP = ["include", "src", "tools", "python", "plugins", "examples", "playground"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Definitions as clang-format writes them: a type of a namespace begins its line and names no outer class.
NAMESPACE = re.compile(r"namespace(?: ([\w:]+))? \{$")
NAMESPACE_END = re.compile(r"\}  // namespace\b")
TYPE = re.compile(r"(?:struct|class|enum class) (?:[A-Z_]+ )?(\w+)(?: final)?(?: : [\w: ,<>]+)? \{")
FRIEND_BODY = re.compile(r"^ *friend\b[^;{]*\{", re.MULTILINE)
TARGET_INCLUDE = re.compile(r'^\s*#\s*define\s+HWY_TARGET_INCLUDE\s+(")([^"]+)"')

# What the Python package's parts may import of each other, besides the extension, which is below all of them. A part is
# a folder of python/windrow/, or the modules that PYTHON_MODULES lists.
PYTHON_ROOMS = {
    "_base": [],
    "processes": [],
    "_ops": ["_base"],
    "dialects": ["_ops"],
    "arrow": ["_base"],
    "tables": ["_ops", "_base"],
    "distributed": ["tables", "_ops", "_base"],
    "_models": ["processes", "_base"],
    "_plugins": ["_base"],
    "_torch": ["distributed", "tables", "_ops", "_plugins", "_base"],
    "plugins": ["_plugins", "_torch", "_base"],
    "trt": ["_base"],
    "jax": ["root", "_base"],
    "runners": ["plugins", "_models", "_ops", "processes", "_base"],
    "_check": ["runners", "_models", "_ops", "_base"],
    "_fixes": ["_check", "runners", "_models", "_base"],
    "_explain": ["_check", "runners", "_models", "_ops", "_base"],
    "root": ["dialects", "_explain", "_fixes", "_check", "runners", "_models", "_ops", "trt", "arrow", "tables", "distributed",
             "_base"],
    "commands": ["_explain", "_fixes", "_check", "runners", "_models", "_base"],
    "onnx": ["_check", "_models", "_base"],
}
# The modules of python/windrow/ itself; "" is the package's own.
PYTHON_MODULES = {
    "dialects": ["array", "onnx", "openvino", "tensorrt"],
    "plugins": ["onnxruntime", "openvino_plugin", "torch"],
    "root": [""],
    "commands": ["__main__", "_command", "conform"],
    "onnx": ["onnx_backend", "onnx_doctor"],
}
# Imports that are left out of the search for circles, with their reasons.
IN_CIRCLES = {
    ("windrow.trt.testing", "windrow.trt"): "examples get the whole package, when they run",
}


def owner_of(header):
    """The room (or third party) that a header belongs to; None: the standard library."""
    parts = header.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[0] in ("tools", "tests", "python", "plugins", "examples", "playground"):
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
    if top == "python" and header in ("tools/windrow/command.h", "tools/windrow/playground_call.h", "plugins/jax/handler.h"):
        return None
    # This plug-in is built with the library, never from an installed one.
    if (top, room, header) == ("plugins", "onnxruntime", "src/base/shelf.h"):
        return None
    # The playground has the command's reading of words, and twins of what it does without.
    if top == "playground" and (header.startswith("tools/windrow/") or header in PLAYGROUND_TWINS):
        return None
    if top in ("tools", "python", "plugins", "examples", "playground"):
        # A plug-in is a room of its own: it uses no other host's.
        own = f"{top}/{room}/" if top == "plugins" else f"{top}/"
        own_or_public = header.startswith(("windrow/", own))
        third_party = OUTSIDE_ROOMS.get(top, ("<tools>", "<test>"))
        return None if own_or_public or owner in third_party else f"{top} uses public headers only"
    if room not in ROOMS:
        return f"room {room} is unknown; scripts/check_includes.py lists them"
    allowed = [room, *ROOMS[room]]
    if TEST_FILE.search(path):
        allowed += ["tests", "<test>", "<system>"]
    if path == SYSTEM_FILE:
        allowed += ["<system>"]
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


def check_friends(root):
    """One line per friend of the kernels that is defined in its class: there g++ compiles it without the instruction set of
    HWY_BEFORE_NAMESPACE, and where it is not inlined, caller and friend pass vectors differently."""
    faults = []
    for path in sorted(p for p in (root / "src/kernels").rglob("*") if p.suffix in (".h", ".cc")):
        text = path.read_text(encoding="utf-8")
        for match in FRIEND_BODY.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path.relative_to(root).as_posix()}:{line}: a friend is declared in its class and defined outside it")
    return faults


def python_room(module):
    """The part of the Python package that a module belongs to; None: the extension."""
    parts = module.split(".")[1:] or [""]
    if parts[0] == "_core":
        return None
    listed = next((room for room, names in PYTHON_MODULES.items() if parts[0] in names), parts[0])
    return listed if listed in PYTHON_ROOMS else "unknown"


def python_modules(root):
    """The Python package's modules by their names, as paths."""
    found = {}
    for path in sorted((root / "python" / "windrow").rglob("*.py")):
        parts = path.relative_to(root / "python").with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(path, modules):
    """The package's modules that a source imports anywhere, in functions and for type checkers too, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            named = [name if name in modules or name == "windrow._core" else node.module for name in inner]
        else:
            continue
        for name in dict.fromkeys(named):
            if name.split(".")[0] == "windrow":
                yield name, node.lineno


def circle_in(arrows, what):
    """One line if the arrows {from: {to, ...}} have a circle."""
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        return [f"{what} import each other in a circle: {' -> '.join(reversed(error.args[1]))}"]
    return []


def check_imports(root):
    """One line per import that PYTHON_ROOMS forbids, and per circle of modules or of parts."""
    modules = python_modules(root)
    faults, arrows, parts = [], {}, {}
    for name, path in modules.items():
        room, file = python_room(name), path.relative_to(root).as_posix()
        if room == "unknown":
            faults.append(f"{file}:1: the module belongs to no part; scripts/check_includes.py lists them")
            continue
        for imported, line in imports_of(path, modules):
            owner = python_room(imported)
            if owner is None:
                continue
            if owner != room and owner not in PYTHON_ROOMS[room]:
                allowed = ", ".join(PYTHON_ROOMS[room]) or "no other part"
                faults.append(f"{file}:{line}: {imported}: {room} may import {allowed}; this is of {owner}")
            if (name, imported) not in IN_CIRCLES:
                arrows.setdefault(name, set()).add(imported)
                parts.setdefault(room, set()).update({owner} - {room})
    return faults + circle_in(arrows, "the modules") + circle_in(parts, "the parts")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    faults = check(root) + check_definitions(root) + check_friends(root) + check_imports(root)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
