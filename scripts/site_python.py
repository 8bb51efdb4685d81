"""The site's pages of the Python packages: one for each public module, which autodoc fills from the sources.

A module is public if no part of its name begins with "_" and its source has __all__. It also exports what it imports
under `if TYPE_CHECKING:` as itself (`from a import b as b`): names that it loads on first use.
"""

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = (ROOT / "python/windrow", ROOT / "conformance/windrow_conformance")


def sources():
    """Each module's name and its syntax tree. A linked folder is another package's."""
    for package in PACKAGES:
        for file in sorted(package.rglob("*.py")):
            parts = file.relative_to(package.parent).with_suffix("").parts
            if not any(folder.is_symlink() for folder in file.parents):
                yield ".".join(parts).removesuffix(".__init__"), ast.parse(file.read_text(encoding="utf-8"))


def public_modules(trees=None):
    """The syntax trees of the public modules, by name."""
    trees = dict(sources()) if trees is None else trees
    return {name: tree for name, tree in trees.items() if is_public(name) and list_of(tree) is not None}


def is_public(name):
    return not any(part.startswith("_") for part in name.split("."))


def list_of(tree):
    """The expression of __all__, or None."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and [ast.unparse(target) for target in statement.targets] == ["__all__"]:
            return statement.value
    return None


def loaded_on_first_use(tree):
    """The exports that __all__ does not have, each with the module that defines it."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            for line in statement.body:
                if isinstance(line, ast.ImportFrom):
                    yield from ((each.name, line.module) for each in line.names if each.asname == each.name)


def foreign_packages():
    """What the packages import beside Python's own modules and themselves: hosts, of which any may be missing."""
    own = {package.name for package in PACKAGES} | set(sys.stdlib_module_names)
    found = set()
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(node.module.partition(".")[0])
    return sorted(found - own)


def first_sentence(tree):
    """What the module is, from its docstring."""
    return " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())


def page(name, tree, trees):
    """docs/site/conf.py has the directive."""
    directives = [f".. public-module:: {name}"]
    for export, module in loaded_on_first_use(tree):
        if f"{module}.{export}" not in trees:
            directives += ["", f".. autoclass:: {name}.{export}", "   :members:", "   :undoc-members:"]
    return f"# {name}\n\n```{{eval-rst}}\n" + "\n".join(directives) + "\n```\n"


def pages():
    """The texts of the pages by their places; reference/python.md lists them all."""
    trees = dict(sources())
    modules = public_modules(trees)
    written = {f"reference/python/{name}.md": page(name, tree, trees) for name, tree in modules.items()}
    lines = [f"| [{name}](python/{name}.md) | {first_sentence(tree)} |" for name, tree in modules.items()]
    listed = "\n".join(f"python/{name}" for name in modules)
    written["reference/python.md"] = (
        "# Python\n\nOne page for each public module. The texts are those that `help()` shows.\n\n"
        "| module | what it is |\n|---|---|\n" + "\n".join(lines) + f"\n\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    )
    return written
