"""Sphinx's settings. The pages are those that scripts/write_site_source.py puts beside a copy of this file."""

import os
import re


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


def setup(app):
    app.connect("autodoc-process-docstring", as_blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
