"""Every function of the C headers with every pointer null: an error or a plain value, never a crash."""

import ctypes
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from windrow import _core

HEADERS = Path(_core.__file__).parent / "include" / "windrow"
FUNCTION = re.compile(r"^WINDROW_EXPORT\s+(?P<result>[\w\s*]+?)\b(?P<name>windrow_\w+)\((?P<parameters>[^)]*)\);", re.M)
PARAMETER = re.compile(r"(?P<type>.*?)(?P<name>\w+)$", re.S)
TEXTS = {"dialect": b"onnx", "op": b"Gather", "name": b"float32"}


def functions():
    """(name, [(type, name of parameter)]) of each function of the C headers."""
    for header in sorted(HEADERS.glob("c*.h")):
        for found in FUNCTION.finditer(header.read_text(encoding="utf-8")):
            listed = found["parameters"].strip()
            parameters = [] if listed == "void" else listed.split(",")
            parts = [PARAMETER.match(" ".join(parameter.split())) for parameter in parameters]
            yield found["name"], [(part["type"].strip(), part["name"]) for part in parts]


class Values:
    """Arguments that are not null. Memory that is all zeros stands for structs and results."""

    def __init__(self, library):
        self.library = library
        self.kept = []
        library.windrow_thread_pool_make.restype = ctypes.c_void_p
        self.objects = {"windrow_plan": self.plan(), "windrow_error": self.error(),
                        "windrow_thread_pool": library.windrow_thread_pool_make(1)}  # fmt: skip

    def compile(self, dialect, op, inputs, plan, error):
        no_attributes = (None, ctypes.c_size_t(0))
        return self.library.windrow_compile(dialect, op, 0, *no_attributes, *inputs, None, ctypes.byref(plan), error)

    def plan(self):
        class Tensor(ctypes.Structure):
            _fields_ = [("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("shape", ctypes.c_void_p),
                        ("byte_strides", ctypes.c_void_p), ("data", ctypes.c_void_p)]  # fmt: skip

        self.library.windrow_dtype_parse.argtypes = [ctypes.c_char_p]
        types = [self.library.windrow_dtype_parse(name) for name in (b"float32", b"int64")]
        shape = (ctypes.c_int64 * 1)(3)
        inputs = (Tensor * 2)(*(Tensor(dtype, 1, ctypes.addressof(shape), None, None) for dtype in types))
        plan = ctypes.c_void_p()
        code = self.compile(b"onnx", b"Gather", (inputs, ctypes.c_size_t(2)), plan, None)
        assert code == 0 and plan.value
        return plan.value

    def error(self):
        error = ctypes.c_void_p()
        slot = ctypes.c_void_p()
        self.compile(None, None, (None, ctypes.c_size_t(0)), slot, ctypes.byref(error))
        assert error.value
        return error.value

    def pointer(self, kind, name):
        if kind.replace("const ", "").rstrip("* ") in self.objects and kind.count("*") == 1:
            return ctypes.c_void_p(self.objects[kind.replace("const ", "").rstrip("* ")])
        if name in TEXTS:
            return ctypes.c_char_p(TEXTS[name])
        memory = (ctypes.c_int64 * 512)()
        self.kept.append(memory)
        return memory


def calls(values, name, parameters):
    """The arguments of the calls: every choice of null pointers, with 0 and with 1 as each number."""
    pointers = [at for at, (kind, _) in enumerate(parameters) if "*" in kind]
    frees = name.endswith("_free")
    for number, nulls in itertools.product((0, 1), itertools.product((False, True), repeat=len(pointers))):
        if not any(nulls) or (frees and not all(nulls)):
            continue
        null = {at for at, is_null in zip(pointers, nulls, strict=True) if is_null}
        arguments = []
        for at, (kind, parameter) in enumerate(parameters):
            if "*" not in kind:
                arguments.append((ctypes.c_size_t if kind in ("size_t", "uint64_t") else ctypes.c_int32)(number))
            else:
                arguments.append(None if at in null else values.pointer(kind, parameter))
        yield [parameters[at][1] for at in sorted(null)], arguments


def call_all(wanted):
    library = ctypes.CDLL(_core.__file__)
    values = Values(library)
    for name, parameters in functions():
        if name != wanted:
            continue
        for nulls, arguments in calls(values, name, parameters):
            print(name, "null:", ", ".join(nulls), [getattr(a, "value", "memory") for a in arguments], flush=True)
            getattr(library, name)(*arguments)
            values.kept.clear()
    print("done")


TAKING_POINTERS = [name for name, parameters in functions() if any("*" in kind for kind, _ in parameters)]


def test_the_headers_are_read():
    """Every name that stands in front of a parenthesis in a header, and is exported, was found."""
    text = "".join(path.read_text(encoding="utf-8") for path in HEADERS.glob("c*.h"))
    library = ctypes.CDLL(_core.__file__)
    exported = {name for name in re.findall(r"\b(windrow_\w+)\(", text) if hasattr(library, name)}
    assert exported == {name for name, _ in functions()}
    assert "windrow_infer_shape" in TAKING_POINTERS


@pytest.mark.parametrize("name", TAKING_POINTERS)
def test_null_is_no_crash(name):
    run = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, timeout=120)
    last = run.stdout.splitlines()[-1:]
    assert (run.returncode, last) == (0, ["done"]), f"{last}\n{run.stderr[-2000:]}"


if __name__ == "__main__":
    call_all(sys.argv[1])
