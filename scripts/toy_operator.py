#!/usr/bin/env python3
"""Shows what it takes to add an operator: adds a toy to the tree and takes it out again.

    toy_operator.py          # prints the files that an operator touches, apart from its own
    toy_operator.py build    # adds it, builds, runs it from the command and from Python, and restores the tree and the build

`build` works in the folder build/release, which `./dev build release` makes.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
MOST_SHARED = 12
DIALECT, NAME = "array", "ToyAlongAxis"


class Edit(NamedTuple):
    """`text` goes in before `anchor`, which stands once in the file."""

    path: str
    anchor: str
    text: str


SHARED = [
    Edit("CHANGELOG.md", "- The element types uint1", "- ToyAlongAxis.\n"),
    Edit("docs/operators/array.md", "\n## Decisions\n", """
## ToyAlongAxis

Inputs data, indices; attribute axis. As [TakeAlongAxis](#takealongaxis), with another default.
"""),
    Edit("docs/operators/array.md", "| ARRAY-PutAlongAxis-T1 |", """\
| ARRAY-ToyAlongAxis-T1 | type of data: T24 |
| ARRAY-ToyAlongAxis-T2 | type of indices: I8 |
| ARRAY-ToyAlongAxis-A1 | axis in [-r, r-1] |
| ARRAY-ToyAlongAxis-A2 | no unknown attribute |
| ARRAY-ToyAlongAxis-C1 | data and indices have one rank, at least 1 |
| ARRAY-ToyAlongAxis-C2 | off the axis the extents of data and indices are equal or one is 1 |
| ARRAY-ToyAlongAxis-C3 | indices in [-s, s-1], under the policy error |
"""),
    Edit("include/windrow/array_attributes.h", "}  // namespace windrow::array\n", """\
// As TakeAlongAxis.
struct ToyAlongAxis {
  std::int64_t axis = 0;
  int version = 1;
};

"""),
    Edit("include/windrow/array.h", "\nnamespace array {\n", """\
WINDROW_EXPORT Result<Plan> compile(const array::ToyAlongAxis& op,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});
"""),
    Edit("include/windrow/array.h", "\n}  // namespace array\n", """\
// As take_along_axis().
WINDROW_EXPORT Result<Tensor> toy_along_axis(const TensorView& data, const TensorView& indices,
                                             const ToyAlongAxis& op = {},
                                             const CallOptions& options = {},
                                             const RunOptions& run = {});
"""),
    Edit("src/dialects/array/schema.h", "// Under clamp a negative index", """\
template <>
struct Schema<array::ToyAlongAxis> : ArrayDialect {
  static constexpr std::string_view kName = "ToyAlongAxis";
  static constexpr std::string_view kSummary = "TakeAlongAxis with another default.";
  static constexpr std::string_view kShapes = "that of TakeAlongAxis";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &array::ToyAlongAxis::axis}};
};

"""),
    Edit("src/operators/operators.inc", "\n#undef WINDROW_OPERATOR\n", """\
WINDROW_OPERATOR(array, ToyAlongAxis, toy_along_axis, 2, kInNoModel)
WINDROW_OPERATOR_VERSION(array, "", ToyAlongAxis, 1, kNewest, kT24, kI8, kCurrent)
"""),
    Edit("python/tests/drawn_calls.py", '    ("array", "PutAlongAxis"):', """\
    ("array", "ToyAlongAxis"): drawn_array.take_along_axis,
"""),
    Edit("tests/python/numpy_array.py", '    "PutAlongAxis": put_along_axis,\n', """\
    "ToyAlongAxis": lambda data, indices, axis=0, policy=None: take_along_axis(data, indices, axis, policy),
"""),
    Edit("cases/authoring/array/__init__.py", '\nFILES = {', "from . import toy_along_axis\n"),
    Edit("cases/authoring/array/__init__.py", '    "put_along_axis":', '    "toy_along_axis": toy_along_axis.cases,\n'),
    Edit("cases/authoring/array/semantics.py", "\n\ndef put_along_axis(", """

def toy_along_axis(data, indices, axis=0, policy=None):
    return take_along_axis(data, indices, axis, policy)
"""),
    Edit("cases/authoring/draw/specs.py", "    Spec(put_along_axis.cases,", """\
    Spec(toy_along_axis.cases, families.elements, _A24, **_A_INDICES, refused=_PACKED, policies=GATHER, roles=DATA,
         off_axis="broadcast", faults={**COMMON, "axis": "A1", "ranks": "C1", "off_axis": "C2", "bad_index": "C3"}),
"""),
    Edit("cases/authoring/draw/specs.py", "from ..array import reductions as of_arrays\n", "from ..array import toy_along_axis\n"),
    Edit("cases/authoring/operators.py", '    ("array", "IndexReduce"): {"axis"', '    ("array", "ToyAlongAxis"): {"axis": 1},\n'),
    Edit("cases/authoring/operators.py", "BY_INPUT = {", 'GATHERS.add("ToyAlongAxis")\n'),
]
OWN = {
    "src/dialects/array/toy_along_axis.cc": """\
#include "src/dialects/array/schema.h"
#include "src/dialects/gathers.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::ToyAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_along_axis(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const array::ToyAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = array_indices(policy_of(op, options));
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, broadcast_element_map(data, inputs[1].shape, axis, use), use,
                          "C3");
}

}  // namespace windrow::internal
""",
    "src/reference/array/toy_along_axis.cc": """\
#include "src/reference/array/operators.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::ToyAlongAxis& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "ToyAlongAxis", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto axis = check_along_axis(call, op.axis);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(call, *axis);
  if (Status status = call.check_result(call.data().dtype, shape); !status) return status;
  const auto rule = check_indices(call, array_indices(call, "C3"), *axis);
  if (!rule) return rule.error();
  return gather(call, call.data(), shape, broadcast_address(call, *rule));
}

}  // namespace windrow::internal::reference
""",
    "cases/authoring/array/toy_along_axis.py": '''\
"""Cases of ToyAlongAxis."""

from ..records import count, i64
from .records import Cases

cases = Cases("ToyAlongAxis")
cases.ok("example", [count("int32", [2, 3], 1), i64([1, 3], 1, 0, 1)], out=[4, 2, 6])
''',
}

# What Python sees of the toy: its function and the stub, and that its cases are drawn.
IN_PYTHON = """
import pathlib, windrow
from cases.authoring import write

result = windrow.array.toy_along_axis([[1, 2, 3], [4, 5, 6]], [[1, 0, -1]])
assert result.tolist() == [[4, 2, 6]], result
assert "def toy_along_axis(" in (pathlib.Path(windrow.__file__).parent / "array.pyi").read_text()
assert len(write.corpus()["array/toy_along_axis.json"]) > 50
"""


def shared_paths():
    """The files that an operator touches, apart from its own."""
    return sorted({edit.path for edit in SHARED})


def edited(root):
    """{path: (text before, text with the toy)} of the shared files. Raises ValueError if the plan does not fit the tree."""
    texts = {path: (root / path).read_text(encoding="utf-8") for path in shared_paths()}
    after = dict(texts)
    for path, anchor, text in SHARED:
        if after[path].count(anchor) != 1:
            raise ValueError(f"{path}: {anchor!r} stands there {after[path].count(anchor)} times, must once")
        after[path] = after[path].replace(anchor, text + anchor)
    return {path: (texts[path], after[path]) for path in texts}


@contextlib.contextmanager
def toy(root):
    """The tree with the toy; afterwards it is as it was."""
    if present := [path for path in OWN if (root / path).exists()]:
        raise ValueError(f"there already is {present[0]}")
    changes = edited(root)
    try:
        for path, text in OWN.items():
            (root / path).write_text(text, encoding="utf-8")
        for path, (_, after) in changes.items():
            (root / path).write_text(after, encoding="utf-8")
        yield
    finally:
        for path, (before, _) in changes.items():
            (root / path).write_text(before, encoding="utf-8")
        for path in OWN:
            (root / path).unlink(missing_ok=True)


def run(*command, **variables):
    subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **variables}, check=True)


def build(root):
    run("ninja", "-C", root / "build" / "release", "windrow_tool", "windrow_python")


def prove(root):
    """Runs the toy by the command and from Python, and random calls of it against NumPy."""
    release = root / "build" / "release"
    command = release / "bin" / "windrow"
    listed = subprocess.run([command, "ops", f"{DIALECT}.{NAME}", "--json"], capture_output=True, text=True, check=True)
    assert [row["name"] for row in json.loads(listed.stdout)["operators"]] == [NAME]
    package = {"PYTHONPATH": f"{release / 'python'}:{root}"}
    run(sys.executable, "-c", IN_PYTHON, **package)
    tests = ["python/tests/test_hypothesis.py", "python/tests/test_stubs.py", "tests/cli/test_command_ops.py"]
    run(sys.executable, "-m", "pytest", "-q", "-k", f"{NAME} or every_operator", *tests, **package)


def main():
    paths = shared_paths()
    print(f"{len(paths)} files (at most {MOST_SHARED}) and {len(OWN)} of its own:", *paths, sep="\n  ")
    if sys.argv[1:] == ["build"]:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that the tree is restored
        try:
            with toy(ROOT):
                build(ROOT)
                prove(ROOT)
        finally:
            build(ROOT)
    return len(paths) > MOST_SHARED


if __name__ == "__main__":
    sys.exit(main())
