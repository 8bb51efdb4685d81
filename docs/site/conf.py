"""Sphinx's settings. The pages are those that scripts/write_site_source.py puts beside a copy of this file."""

import importlib.util
import os
import pathlib
import re
import sys
import types

sys.path.insert(0, os.environ["WINDROW_SCRIPTS"])
import site_python  # noqa: E402: found by the path above
import windrow._core  # noqa: E402
import windrow._torch.library  # noqa: E402
from docutils import nodes  # noqa: E402
from sphinx.domains.python import PythonDomain  # noqa: E402
from sphinx.ext.autodoc.mock import _MockObject, mock  # noqa: E402
from sphinx.util import inspect  # noqa: E402
from sphinx.util.docutils import SphinxDirective  # noqa: E402

# What the modules of hosts load, and where they register, as they are imported: that needs the hosts.
windrow._torch.library.load = lambda: None
windrow._core.jax_handler = object
_MockObject.__setitem__ = lambda self, key, value: None
# A class derived from a host's has the signature of its own __init__, as one derived from this.
_MockObject.__new__.__module__, _MockObject.__new__.__qualname__ = "typing", "Generic.__new__"

# autodoc knows functions by this; those of the operators are objects of the extension.
is_routine = inspect.isroutine
inspect.isroutine = lambda thing: is_routine(thing) or isinstance(thing, windrow._core.OperatorFunction)

project = "Windrow"
author = copyright = "the Windrow authors"
html_title = "Windrow"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
exclude_patterns = ["extra"]
root_doc = "index"

# Anchors of headings are those of code hosts.
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]
# Parts may begin at any level; in C a struct and its typedef have one name.
suppress_warnings = ["myst.header", "duplicate_declaration.c"]
highlight_language = "none"

html_theme = "furo"
html_static_path = ["site_static"]
html_css_files = ["site.css"]
html_extra_path = ["extra"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None

breathe_projects = {"windrow": os.environ["WINDROW_XML"]}
breathe_default_project = "windrow"
breathe_domain_by_file_pattern = {"*/c.h": "c", "*/c_*.h": "c"}
breathe_default_members = ("members",)

autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
# Hosts of the package's modules, such as torch, of which none has to be installed.
autodoc_mock_imports = [name for name in site_python.foreign_packages() if importlib.util.find_spec(name) is None]


def as_blocks(app, what, name, thing, options, lines):
    """Docstrings are plain text: a sentence, lines whose breaks and indents mean something, examples."""
    text = "\n".join(lines).strip()
    first, _, rest = text.partition("\n\n")
    examples = re.search(r"^>>> ", rest, re.MULTILINE)
    plain, shown = (rest[: examples.start()], rest[examples.start() :]) if examples else (rest, "")
    lines[:] = [re.sub(r"([*`_|\\<])", r"\\\1", " ".join(first.split()))]
    for language, part in (("none", plain), ("pycon", shown)):
        if part.strip():
            lines += ["", f".. code-block:: {language}", "", *("   " + line for line in part.strip("\n").split("\n"))]
    lines.append("")


def without_alias(directive):
    """The directive without the private name of what it describes, which several public modules may export."""

    class WithoutAlias(directive):
        def run(self):
            self.options.pop("canonical", None)
            return super().run()

    return WithoutAlias


class PublicModule(SphinxDirective):
    """All that a module exports. autodoc by itself leaves out values that another module assigns."""

    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        with mock(autodoc_mock_imports):
            module = importlib.import_module(name)
        values = [each for each in module.__all__ if not each.startswith("_") and is_value(getattr(module, each))]
        lines = [f".. automodule:: {name}", "   :members:", "   :undoc-members:", f"   :exclude-members: {', '.join(values)}"]
        for each in values:
            lines += ["", f".. autodata:: {name}.{each}"]
        parsed = self.parse_text_to_nodes("\n".join(lines))
        for node in parsed:
            if isinstance(node, nodes.literal_block):  # of the module's docstring; site.css wraps its lines
                node["classes"].append("docstring")
        return parsed


def is_value(thing):
    return not inspect.isroutine(thing) and not isinstance(thing, (type, types.ModuleType))


def setup(app):
    # A change of this file makes all pages anew.
    app.add_config_value("settings", pathlib.Path(__file__).read_text(encoding="utf-8"), "env")
    app.add_directive("public-module", PublicModule)
    app.connect("autodoc-process-docstring", as_blocks)
    for kind in ("class", "exception"):
        app.add_directive_to_domain("py", kind, without_alias(PythonDomain.directives[kind]), override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
