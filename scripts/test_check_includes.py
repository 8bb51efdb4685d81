"""Tests of check_includes.py on small trees."""

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
        ("src/formats/onnx/a.cc", "#include <onnx/onnx_pb.h>"),
        ("tools/windrow/a.cc", '#include "windrow/models.h"'),
        ("tools/windrow/a.cc", '#include "tools/windrow/b.h"'),
        ("include/windrow/a.h", '#include "windrow/dtypes.inc"'),
        ("plugins/onnxruntime/a.cc", '#include "windrow/operators.h"'),
        ("plugins/onnxruntime/a.cc", '#include "plugins/onnxruntime/b.h"'),
        ("plugins/onnxruntime/a.cc", "#include <onnxruntime_c_api.h>"),
    ],
)
def test_allowed(tmp_path, path, line):
    assert faults_of(tmp_path, path, line) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/base/a.cc", '#include "src/access/access_map.h"'),
        ("src/access/a.cc", '#include "windrow/plan.h"'),
        ("src/plan/a.cc", '#include "src/kernels/other.h"'),
        ("src/reference/a.cc", '#include "src/access/access_map.h"'),
        ("src/base/a.cc", "#include <hwy/highway.h>"),
        ("src/operators/a.cc", "#include <fmt/format.h>"),
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
