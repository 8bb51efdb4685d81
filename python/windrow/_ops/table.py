"""Makes the operators' functions from the rows of the operator table."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass
from typing import Any

from windrow import _core

# The options of every operator, with their defaults. They follow the attributes and are keyword-only.
OPTIONS: dict[str, Any] = {
    "version": None,
    "out": None,
    "out_of_range": None,
    "negative": None,
    "padding_index": None,
    "strict": False,
    "duplicates": None,
    "kernels": None,
    "threads": None,
}


def snake_case(name: str) -> str:
    """GatherND: gather_nd; KVCacheUpdate: kv_cache_update."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@dataclass(frozen=True)
class Operator:
    """An operator of one dialect with its rows, one per version, oldest first."""

    dialect: str
    name: str
    rows: tuple[dict[str, Any], ...]

    def __repr__(self) -> str:
        return f"<operator {self.dialect}.{self.name}, version {_versions(self)}>"

    @property
    def newest(self) -> dict[str, Any]:
        return self.rows[-1]

    @property
    def function_name(self) -> str:
        return snake_case(self.name)

    @property
    def attributes(self) -> list[dict[str, Any]]:
        """The union over all versions, each entry from its newest row."""
        found = {row["name"]: row for version in self.rows for row in version["attributes"]}
        return list(found.values())


def list_all() -> list[Operator]:
    """Every operator, in the table's order."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in _core.list_operators():
        groups.setdefault((row["dialect"], row["name"]), []).append(row)
    return [Operator(*key, tuple(rows)) for key, rows in groups.items()]


def parameter_rows(operator: Operator) -> list[tuple[str, str, str]]:
    """Name, kind and target of every parameter of an operator's function."""
    rows = [(row["name"], "input", row["name"]) for row in operator.newest["inputs"]]
    rows += [(row["name"], "attribute", row["name"]) for row in operator.attributes]
    return rows + [(name, name, "") for name in OPTIONS]


def signature(operator: Operator) -> inspect.Signature:
    """The signature of an operator's function: inputs, attributes, then options by keyword."""
    either, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for row in operator.newest["inputs"]:
        default = None if row["optional"] else inspect.Parameter.empty
        parameters.append(inspect.Parameter(row["name"], either, default=default))
    # In Python a parameter without a default cannot follow one with a default.
    kind: inspect._ParameterKind = either
    for row in sorted(operator.attributes, key=lambda row: not row["required"]):
        default = inspect.Parameter.empty if row["required"] else row["default"]
        if row["required"] and parameters[-1].default is not inspect.Parameter.empty:
            kind = named
        parameters.append(inspect.Parameter(row["name"], kind, default=default))
    for name, default in OPTIONS.items():
        parameters.append(inspect.Parameter(name, named, default=default))
    return inspect.Signature(parameters)


def _versions(operator: Operator) -> str:
    texts = [
        f"{row['since_version']}{' (deprecated)' if row['deprecated'] else ''}"
        for row in operator.rows
    ]
    return ", ".join(texts)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, width=90, subsequent_indent="    ")


def docstring(operator: Operator) -> str:
    """Shapes, types, options, errors and source of an operator's function."""
    newest = operator.newest
    lines = [newest["summary"], "", *_wrapped(f"Shapes: {newest['shapes']}"), ""]
    for row in newest["inputs"]:
        optional = ", optional" if row["optional"] else ""
        lines += _wrapped(f"{row['name']}{optional}: {', '.join(row['dtypes'])}.")
    for row in operator.attributes:
        required = "required" if row["required"] else f"default {row['default']!r}"
        lines.append(f"{row['name']}: attribute, {type(row['default']).__name__}, {required}.")
    if (operator.dialect, operator.name) == ("array", "Take"):
        lines.append("windrow.take is this operator with numpy.take's parameters, where axis has the default None.")
    lines += [
        f"version: of {_versions(operator)} the newest one not above it; None: the newest.",
        f"out_of_range: None is {newest['out_of_range']!r}, this operator's default.",
        "out, negative, padding_index, strict, duplicates, kernels, threads: as for windrow.call().",
        "",
        f"Returns {newest['output']}, a new array or `out`.",
        "Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,",
        "windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.",
        f"Source: {operator.dialect}.{operator.name}; docs/operators/{operator.dialect}.md.",
    ]
    return "\n".join(lines)


def make(operator: Operator) -> Any:
    """The function of an operator."""
    shown = signature(operator)
    order = {name: number for number, name in enumerate(shown.parameters)}
    rows = sorted(parameter_rows(operator), key=lambda row: order[row[0]])
    keyword = inspect.Parameter.KEYWORD_ONLY
    positional = sum(parameter.kind is not keyword for parameter in shown.parameters.values())
    function = _core.make_function(
        operator.dialect, operator.name, operator.function_name, rows, positional, False
    )
    function.__name__ = function.__qualname__ = operator.function_name
    function.__module__ = f"windrow.{operator.dialect}"
    function.__doc__ = docstring(operator)
    function.__signature__ = shown
    return function


# Every operator's function, by dialect and the operator's own name.
OPERATORS: dict[tuple[str, str], Operator] = {
    (operator.dialect, operator.name): operator for operator in list_all()
}
FUNCTIONS: dict[tuple[str, str], Any] = {key: make(operator) for key, operator in OPERATORS.items()}


def functions_of(dialect: str) -> dict[str, Any]:
    """The functions of one dialect by their names in Python."""
    return {
        operator.function_name: FUNCTIONS[key]
        for key, operator in OPERATORS.items()
        if operator.dialect == dialect
    }
