"""Tests of check_includes.py on small trees."""

import pathlib

import check_includes
import pytest


def faults_of(tmp_path, path, line):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(f"// A file.\n{line}\n")
    return check_includes.check(tmp_path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/access/a.cc", "#include <vector>"),
        ("src/access/a.cc", '#include "windrow/shape.h"'),
        ("src/access/a.cc", '#include "src/base/integers.h"'),
        ("src/plan/a.cc", '#include "src/kernels/registry.h"'),
        ("src/dialects/onnx/a.cc", '#include "windrow/onnx_attributes.h"'),
        ("src/kernels/copy_rows/a.cc", '#define HWY_TARGET_INCLUDE "src/kernels/copy_rows/a.cc"'),
        ("src/kernels/copy_rows/a.cc", '#include "hwy/highway.h"'),
        ("src/access/a_test.cc", '#include "tests/support/elements.h"'),
        ("src/formats/openvino_ir/a.cc", "#include <pugixml.hpp>"),
        ("tools/windrow/a.cc", '#include "windrow/models.h"'),
        ("tools/windrow/a.cc", '#include "tools/windrow/b.h"'),
        ("include/windrow/a.h", '#include "windrow/dtypes.inc"'),
        ("plugins/onnxruntime/a.cc", '#include "windrow/operators.h"'),
        ("plugins/onnxruntime/a.cc", '#include "plugins/onnxruntime/b.h"'),
        ("plugins/onnxruntime/a.cc", "#include <onnxruntime_c_api.h>"),
        ("src/base/system_posix.cc", "#include <sys/mman.h>"),
        ("src/tables/a.cc", "#include <unistd.h>"),
        ("src/plan/a_test.cc", "#include <sys/stat.h>"),
        ("tools/windrow/a.cc", "#include <fcntl.h>"),
        ("src/base/a.cc", "#include <csignal>"),
        ("playground/a.cc", '#include "tools/windrow/documents.h"'),
        ("playground/a.cc", '#include "src/kernels/registry.h"'),
    ],
)
def test_allowed(tmp_path, path, line):
    assert faults_of(tmp_path, path, line) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/base/a.cc", '#include "src/access/access_map.h"'),
        ("playground/a.cc", '#include "src/explain/scene.h"'),
        ("src/access/a.cc", '#include "windrow/plan.h"'),
        ("src/plan/a.cc", '#include "src/kernels/other.h"'),
        ("src/reference/a.cc", '#include "src/access/access_map.h"'),
        ("src/base/a.cc", "#include <hwy/highway.h>"),
        ("src/operators/a.cc", "#include <fmt/format.h>"),
        ("src/base/memory.cc", "#include <sys/mman.h>"),
        ("src/operators/a.cc", "#include <sys/utsname.h>"),
        ("src/plan/a.h", "#include <unistd.h>"),
        ("src/access/a.cc", '#include "tests/support/elements.h"'),
        ("src/access/a.cc", '#include "access_map.h"'),
        ("src/access/a.cc", '#include "windrow/no_such.h"'),
        ("src/newroom/a.cc", '#include "windrow/shape.h"'),
        ("tools/windrow/a.cc", '#include "src/base/integers.h"'),
        ("include/windrow/a.h", '#include "src/base/integers.h"'),
        ("plugins/onnxruntime/a.cc", '#include "src/base/integers.h"'),
        ("plugins/onnxruntime/a.cc", '#include "plugins/jax/b.h"'),
        ("src/operators/a.cc", "#include <onnxruntime_c_api.h>"),
        ("python/src/a.cc", '#include "plugins/jax/b.h"'),
    ],
)
def test_forbidden(tmp_path, path, line):
    faults = faults_of(tmp_path, path, line)
    assert len(faults) == 1
    assert faults[0].startswith(f"{path}:2: ")


HEADER = "namespace windrow::internal {{\n\nstruct {} {{\n  int size = 0;\n}};\n\n}}  // namespace windrow::internal\n"


@pytest.mark.parametrize(
    ("second", "faults"),
    [
        (HEADER.format("Row"), ["src/plan/b.cc:3: windrow::internal::Row is defined in src/access/a.h too"]),
        (HEADER.format("Column"), []),
        ("namespace windrow::internal {\nnamespace {\n\nstruct Row {};\n\n}  // namespace\n}  // namespace windrow::internal\n",
         []),
        ("namespace windrow::onnx {\nstruct Row {};\n}  // namespace windrow::onnx\n", []),
    ],
)
def test_a_type_has_one_definition(tmp_path, second, faults):
    for path, text in {"src/access/a.h": HEADER.format("Row"), "src/plan/b.cc": second}.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text)
    assert check_includes.check_definitions(tmp_path) == faults


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("  friend Vec f(Vec v);\n", []),
        ("  friend class Other;\n\n  int get() { return 1; }\n", []),
        ("\n  friend HWY_INLINE Vec f(Vec v) {\n    return v;\n  }\n", [2]),
        ("  friend Vec f(Vec v,\n               Vec w) { return v; }\n  friend Vec g(Vec v) { return v; }\n", [1, 3]),
    ],
)
def test_friends_of_kernels(tmp_path, text, lines):
    file = tmp_path / "src/kernels/a-inl.h"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert [int(fault.split(":")[1]) for fault in check_includes.check_friends(tmp_path)] == lines


def import_faults(tmp_path, sources):
    for name, text in sources.items():
        file = tmp_path / "python/windrow" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return check_includes.check_imports(tmp_path)


@pytest.mark.parametrize(
    "sources",
    [
        {"_models/model.py": "import numpy\nfrom windrow import _core\nfrom windrow._base import text\n", "_base/text.py": ""},
        {"_check/api.py": "def check():\n    from windrow._check.runs import run\n", "_check/runs.py": "import windrow.runners\n",
         "runners/__init__.py": ""},
        {"jax/__init__.py": "import windrow\n", "__init__.py": "from windrow._base.text import width\n", "_base/text.py": ""},
    ],
)  # fmt: skip
def test_imports_allowed(tmp_path, sources):
    assert import_faults(tmp_path, sources) == []


@pytest.mark.parametrize("line", ["from windrow.runners import runner", "import windrow.runners", "def f():\n    from windrow import runners"])
def test_an_import_of_a_part_above(tmp_path, line):
    [fault] = import_faults(tmp_path, {"_models/model.py": f"{line}\n", "runners/__init__.py": ""})
    assert fault.startswith("python/windrow/_models/model.py:") and fault.endswith("this is of runners")


def test_a_module_of_no_part(tmp_path):
    [fault] = import_faults(tmp_path, {"_lost.py": ""})
    assert fault.startswith("python/windrow/_lost.py:1: the module belongs to no part")


@pytest.mark.parametrize("back", ["from windrow._base.a import x", "def f():\n    from windrow._base import a"])
def test_modules_in_a_circle(tmp_path, back):
    faults = import_faults(
        tmp_path, {"_base/a.py": "import windrow._base.b\n", "_base/b.py": "import windrow._base.c\n", "_base/c.py": f"{back}\n"}
    )
    assert len(faults) == 1 and faults[0].startswith("the modules import each other in a circle: windrow._base.")


def test_parts_in_a_circle(tmp_path, monkeypatch):
    monkeypatch.setitem(check_includes.PYTHON_ROOMS, "_base", ["_ops"])
    faults = import_faults(
        tmp_path,
        {"_base/a.py": "import windrow._ops.b\n", "_ops/b.py": "", "_ops/c.py": "import windrow._base.d\n", "_base/d.py": ""},
    )
    assert len(faults) == 1 and faults[0].startswith("the parts import each other in a circle: ")


@pytest.mark.parametrize("arrow", check_includes.IN_CIRCLES)
def test_every_listed_import_closes_a_circle(monkeypatch, arrow):
    monkeypatch.delitem(check_includes.IN_CIRCLES, arrow)
    root = pathlib.Path(check_includes.__file__).resolve().parent.parent
    assert [fault for fault in check_includes.check_imports(root) if " -> ".join(arrow[::-1]) in fault]
