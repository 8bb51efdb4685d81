"""Windrow's operators inside OpenVINO.

core.add_extension(extension()): ONNX models that the core reads have Windrow's operators.
replace(model): replaces the operators of an existing model.
python -m windrow.openvino_plugin build: compiles the plug-in for the installed OpenVINO, once.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from windrow._plugins import library as _library


def _command(build: Callable[[], Path]) -> int:
    return _library.run_command("windrow.openvino_plugin", "OpenVINO", "openvino_plugin.md", build, sys.argv[1:])


try:
    import openvino  # type: ignore[import-untyped]
except ImportError as _error:
    _missing = ImportError("windrow.openvino_plugin needs OpenVINO: pip install openvino")
    if __name__ != "__main__":
        raise _missing from _error

    def _refuse() -> Path:
        raise _missing

    sys.exit(_command(_refuse))
from openvino.utils import get_cmake_path, replace_node  # type: ignore[import-untyped]
from openvino.utils.node_factory import NodeFactory  # type: ignore[import-untyped]

from windrow import _core

__all__ = ["build", "extension", "replace"]

_HOST = "openvino"
# The specification names ScatterNDUpdate-3 after an opset that precedes the first one with the operator.
_LATE = {("ScatterNDUpdate", 3): 4}


def build() -> Path:
    """Compiles the plug-in for the installed OpenVINO; needs cmake and a C++ compiler."""
    return _library.build(_HOST, _tag(), {"OpenVINO_DIR": get_cmake_path()})


def extension() -> Path:
    """The path of the library for core.add_extension(). Raises ImportError if it is not built yet."""
    return _library.find_library(_HOST, _tag())


def replace(model: openvino.Model) -> int:
    """Replaces the host's gather and scatter nodes in place, in bodies of loops and conditions too.

    Returns the number of replaced nodes. Nodes that Windrow refuses, such as those of strings, stay the
    host's. So do gathers of constant extents from a shape, since the host recognises patterns with them.
    """
    factory = NodeFactory()
    factory.add_extension(extension())
    return _replace_in(model, factory, _rows_by_host_type())


def _tag() -> str:
    """A tag of OpenVINO's release and installation; the library contains the installation's folder."""
    release = openvino.get_version().split("-")[0]
    folder = hashlib.sha256(str(Path(openvino.__file__).resolve().parent).encode()).hexdigest()
    return f"{release}-{folder[:8]}"


def operator_set(name: str, version: int) -> str:
    """OpenVINO's name of the operator set with this version of an operator."""
    return f"opset{_LATE.get((name, version), version)}"


def _rows_by_host_type() -> dict[tuple[str, str], dict[str, Any]]:
    """The operator rows of OpenVINO's dialect, by OpenVINO's name and operator set."""
    rows = {}
    for row in _core.list_operators():
        name, version = row["name"], row["since_version"]
        if row["dialect"] == "openvino":
            rows[name, operator_set(name, version)] = row
    return rows


def _replace_in(
    model: openvino.Model, factory: NodeFactory, rows: dict[tuple[str, str], dict[str, Any]]
) -> int:
    count = 0
    for node in model.get_ordered_ops():
        count += sum(_replace_in(body, factory, rows) for body in bodies(node))
        kind = node.get_type_info()
        row = rows.get((kind.name, kind.version_id))
        if row is None or _is_shape_gather(node):
            continue
        ours = _counterpart(node, row, factory)
        if ours is not None:
            ours.friendly_name = node.friendly_name
            replace_node(node, ours)
            count += 1
    return count


def _is_shape_gather(node: Any) -> bool:
    """Whether a Gather takes extents from a shape by constant indices that are in range."""
    if node.get_type_name() != "Gather":
        return False
    source = node.input_value(0).get_node()
    while source.get_type_name() == "Convert":
        source = source.input_value(0).get_node()
    indices = node.input_value(1).get_node()
    rank = node.get_input_partial_shape(0)
    if source.get_type_name() != "ShapeOf" or rank.is_dynamic:
        return False
    if indices.get_type_name() != "Constant":
        return False
    values = indices.get_vector()
    # Gather-1 and -7 do not say what a negative index means.
    return bool(((values >= 0) & (values < rank[0].get_length())).all())


def _counterpart(node: Any, row: dict[str, Any], factory: NodeFactory) -> Any:
    """Windrow's node with the inputs and attributes of the host's; None if Windrow refuses them."""
    names = {attribute["name"] for attribute in row["attributes"]}
    attributes = {
        name: int(value) if isinstance(value, bool) else value
        for name, value in node.get_attributes().items()
        if name in names
    }
    own_type = f"openvino.{row['name']}-{row['since_version']}"
    try:
        return factory.create(own_type, node.input_values(), attributes)
    except ValueError:
        return None


def bodies(node: Any) -> Iterator[openvino.Model]:
    """The models inside a node of a condition or loop."""
    kind = node.get_type_name()
    if kind == "If":
        yield node.get_function(0)
        yield node.get_function(1)
    elif kind in ("Loop", "TensorIterator"):
        yield node.get_function()


if __name__ == "__main__":
    sys.exit(_command(build))
