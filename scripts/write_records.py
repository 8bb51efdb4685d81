#!/usr/bin/env python3
"""Writes the fields of the dataclasses that the extension makes from structures, as visit_fields() lists them.

    PYTHONPATH=build/release/python scripts/write_records.py

Docstrings, defaults and the members that a class has beside those of its structure stay as they are.
"""

import ast
import pathlib

from windrow import _core

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python"


def path_of(module: str) -> pathlib.Path:
    return (PACKAGE / module.replace(".", "/")).with_suffix(".py")


def members_of(tree: ast.Module, name: str) -> tuple[ast.ClassDef, dict[str, ast.AnnAssign], set[str]]:
    """A class of the module, its own members by name, and the names of those that it inherits."""
    [found] = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name]
    own = {each.target.id: each for each in found.body if isinstance(each, ast.AnnAssign)}
    inherited: set[str] = set()
    for base in found.bases:
        _, members, further = members_of(tree, base.id)
        inherited |= members.keys() | further
    return found, own, inherited


def with_fields(text: str, name: str, fields: list[tuple[str, str]]) -> str:
    """The text of a module whose class of this name has these fields first, with these annotations."""
    found, own, inherited = members_of(ast.parse(text), name)
    lines = []
    for field, annotation in fields:
        default = ast.get_source_segment(text, own[field].value) if field in own and own[field].value else None
        if field not in inherited:
            lines.append(f"    {field}: {annotation}" + (f" = {default}" if default else ""))
    listed = dict(fields)
    lines += [f"    {ast.get_source_segment(text, member)}" for field, member in own.items() if field not in listed]
    ends = [each.end_lineno for each in own.values()] or [found.body[0].end_lineno + 1]
    begin = min((each.lineno for each in own.values()), default=ends[0] + 1)
    given = text.splitlines()
    return "\n".join([*given[: begin - 1], *lines, *given[max(ends) :]]) + "\n"


def modules() -> dict[pathlib.Path, str]:
    """What the modules with such classes must be."""
    texts: dict[pathlib.Path, str] = {}
    for module, name, fields in _core.records():
        path = path_of(module)
        text = texts.get(path) or path.read_text(encoding="utf-8")
        texts[path] = with_fields(text, name, fields)
    return texts


if __name__ == "__main__":
    for written, content in modules().items():
        written.write_text(content, encoding="utf-8")
