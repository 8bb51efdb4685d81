#!/usr/bin/env python3
"""Writes stubs of the package's dialect modules from the operator table: the build does.

    write_stubs.py FOLDER/onnx.pyi FOLDER/openvino.pyi [...]

Each file is that of the dialect of its name, in the folder of the package.
"""

import inspect
import pathlib
import sys
import textwrap

# The package of these stubs, whatever else of its name there is: they stand in its folder. Not by
# PYTHONPATH, through which a build in isolation finds NumPy.
sys.path.insert(0, str(pathlib.Path(sys.argv[1]).absolute().parents[1]))

from windrow._ops.table import FUNCTIONS, OPERATORS, Operator  # noqa: E402

HEAD = '''\
# Written by scripts/write_stubs.py from the operator table.
from typing import Literal, TypeVar, overload

from windrow._base.typing import Array, ArrayInput, DuplicatePolicy, {policies}KernelSet, NegativeMeaning

_Out = TypeVar("_Out")
'''


def reduction_type(values: list[str]) -> str:
    """The type of a reduction: its names; every function takes both names of a sum."""
    sums = {"add": ("add", "sum"), "sum": ("sum", "add")}
    names = [name for value in values for name in sums.get(value, (value,))]
    return f"Literal[{', '.join(map(repr, names))}]"


def option_types(operator: Operator) -> dict[str, str]:
    policy = "ScatterPolicy" if operator.newest["scatter"] else "GatherPolicy"
    return {
        "version": "int | None",
        "out_of_range": f"{policy} | None",
        "negative": "NegativeMeaning | None",
        "padding_index": "int | None",
        "strict": "bool",
        "duplicates": "DuplicatePolicy | None",
        "kernels": "KernelSet | None",
        "threads": "int | None",
    }


def annotations(operator: Operator) -> dict[str, str]:
    """Parameter name -> its type; `out` stands for itself."""
    types = {
        row["name"]: "ArrayInput | None" if row["optional"] else "ArrayInput"
        for row in operator.newest["inputs"]
    }
    types |= {row["name"]: type(row["default"]).__name__ for row in operator.attributes}
    types |= {row["name"]: reduction_type(row["values"]) for row in operator.attributes if row["values"]}
    return types | option_types(operator)


def parameter_list(operator: Operator, out: str) -> str:
    """The parameters of one overload, in lines; `out` is the declaration of that parameter."""
    types = annotations(operator)
    lines, named = [], False
    for name, parameter in FUNCTIONS[operator.dialect, operator.name].__signature__.parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not named:
            lines.append("*,")
            named = True
        if name == "out":
            lines.append(f"{out},")
            continue
        default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
        lines.append(f"{name}: {types[name]}{default},")
    return textwrap.indent("\n".join(lines), "    ").replace("'", '"')


def function_stub(operator: Operator) -> str:
    name = operator.function_name
    doc = textwrap.indent(f'"""{FUNCTIONS[operator.dialect, operator.name].__doc__}\n"""', "    ")
    new = f"@overload\ndef {name}(\n{parameter_list(operator, 'out: None = None')}\n) -> Array:\n{doc}\n"
    into = f"@overload\ndef {name}(\n{parameter_list(operator, 'out: _Out')}\n) -> _Out: ...\n"
    return f"{new}{into}"


def stub(dialect: str) -> str:
    """The text of a dialect's stub."""
    operators = [operator for operator in OPERATORS.values() if operator.dialect == dialect]
    policies = {option_types(operator)["out_of_range"].split()[0] for operator in operators}
    head = HEAD.format(policies="".join(f"{policy}, " for policy in sorted(policies)))
    names = "".join(f'    "{operator.function_name}",\n' for operator in operators)
    functions = "\n".join(function_stub(operator) for operator in operators)
    return f"{head}\n__all__ = [\n{names}]\n\n{functions}"


def main() -> None:
    dialects = {operator.dialect for operator in OPERATORS.values()}
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if {path.stem for path in paths} != dialects:
        sys.exit(f"the dialects are {', '.join(sorted(dialects))}")
    for path in paths:
        path.write_text(stub(path.stem))


if __name__ == "__main__":
    main()
