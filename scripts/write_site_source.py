#!/usr/bin/env python3
"""Writes the pages that Sphinx makes the site of: write_site_source.py FOLDER

docs/site/X goes to X, docs/X to X, what documents link to outside of docs/ to repository/: a page as it is, a folder as
a list of its files, a text as a page that shows it. Links lead to the same things as on a code host, and a command
`windrow explain` gets a link that opens its call in the playground. Files that would not change are left alone, so that
Sphinx reads again only what did. FOLDER/extra, which others fill, is kept.
"""

import functools
import html
import json
import os
import pathlib
import posixpath
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "playground"))
from assemble import CALLS, example  # noqa: E402: found by the path above
from check_documents import CODE, FENCE, LINK, Repository, blanked  # noqa: E402
from site_processors import processors  # noqa: E402
import site_labels  # noqa: E402
import site_python  # noqa: E402

EXTRA = "extra"  # files that the site has as they are
# A link of a page in docs/site/ to a file of the finished site: [text](site:playground.html).
SITE_LINK = re.compile(r"\[(!\[[^\]]*\]\([^)]*\)|[^\]]*)\]\(site:([^)\s]*)\)")
SHOWN = {"": "none", ".c": "c", ".cc": "cpp", ".h": "cpp", ".py": "python", ".txt": "none"}
SHELL_LINE = re.compile(r"^\$ (?:python -m )?windrow explain (\w+\.\w+ .*)$", re.MULTILINE)
REST_OF_FOLDER = re.compile(r"^/(\w+)/\*$", re.MULTILINE)


def place(name):
    """Where the site has a file or folder of the repository."""
    if name == "docs/site" or name.startswith("docs/site/"):
        return name[len("docs/site/") :]
    return name[len("docs/") :] if name.startswith("docs/") else f"repository/{name}"


def playground_link(call):
    """The address of a call, by which the playground opens it, from the top of the site."""
    return "playground.html#" + urllib.parse.quote(json.dumps(call, separators=(",", ":")))


def call_of(words):
    """The call of a command's words, or None where the playground cannot take them."""
    words = re.sub(r" --(svg|html|element|most) \S+", "", words)
    try:
        return example(words)
    except ValueError:  # a flag without a value, open quotes
        return None


@functools.cache
def gallery_calls():
    """The calls of the gallery by the operator's name, each with what it shows."""
    calls = {}
    for row in json.loads(CALLS.read_text(encoding="utf-8"))["operators"]:
        calls.setdefault(row["call"].split()[0], []).append((example(row["call"]), row["shows"]))
    return calls


class Source:
    """The pages of the site, by their places, found from those below docs/ on."""

    def __init__(self, root):
        self.root = root
        self.repository = Repository(root)
        self.pages = {}
        pictures = (name for name in self.repository.names if re.match(r"docs/.*\.(svg|png)$", name))
        self.files = {place(name): root / name for name in pictures}  # what is copied, by its place
        self.todo = [name for name in self.repository.pages if name.startswith("docs/")]
        while self.todo:
            name = self.todo.pop()
            if place(name) not in self.pages:
                self.pages[place(name)] = self.page(name)
        self.add_headers()
        self.pages |= site_python.pages()
        self.add_labels()
        self.add_processors()
        self.fill_toctrees()

    def page(self, name):
        text = (self.root / name).read_text(encoding="utf-8")
        up = "../" * place(name).count("/")
        hidden = blanked(CODE, blanked(FENCE, text))
        links = [match for match in LINK.finditer(hidden) if not re.match("[a-z]+:", match[1])]
        for match in reversed(links):
            text = text[: match.start(1)] + self.target(name, match[1]) + text[match.end(1) :]
        text = SITE_LINK.sub(lambda match: f'<a href="{up}{match[2]}">{match[1]}</a>', text)
        return with_operator_links(name, with_shell_links(text, up), up)

    def target(self, name, link):
        """A link of a page of the repository, from the page's place in the site."""
        path, mark, anchor = link.partition("#")
        if not path:
            return link
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(path)))
        return posixpath.relpath(self.taken(goal), posixpath.dirname(place(name)) or ".") + mark + anchor

    def taken(self, goal):
        """The place of a file or folder, which the site has from now on."""
        file = self.root / goal
        if file.is_dir():
            return self.folder(goal)
        if goal.endswith(".md"):
            if place(goal) not in self.pages:
                self.todo.append(goal)
            return place(goal)
        if file.suffix in SHOWN:
            shown = place(goal) + ".md"
            code = file.read_text(encoding="utf-8")
            self.pages[shown] = f"# {goal}\n\n`````{{code-block}} {SHOWN[file.suffix]}\n{code}\n`````\n"
            return shown
        self.files[place(goal)] = file
        return place(goal)

    def folder(self, goal):
        listed = f"{place(goal)}/{'README' if goal + '/README.md' in self.repository.names else 'files'}.md"
        if listed.endswith("README.md"):
            return self.taken(f"{goal}/README.md")
        names = sorted(name for name in self.repository.names if posixpath.dirname(name) == goal)
        lines = [f"* {posixpath.basename(name)}" for name in names]
        pages = [name for name in names if name.endswith(".md") and name.startswith("docs/")]
        lines = [f"* [{posixpath.basename(name)}]({posixpath.basename(name)})" for name in pages] or lines
        self.pages[listed] = f"---\norphan: true\n---\n# {goal}\n\n" + "\n".join(lines) + "\n"
        return listed

    def add_headers(self):
        """A page for each public header of C++, and one page for those of C."""
        of_c = ["# C\n"]
        for header in sorted((self.root / "include/windrow").glob("*.h")):
            text = f"# windrow/{header.name}\n\n```{{eval-rst}}\n.. doxygenfile:: {header.name}\n```\n"
            if re.fullmatch(r"c(_.*)?\.h", header.name):
                of_c.append("#" + text)
            else:
                self.pages[f"reference/cpp/{header.stem}.md"] = text
        self.pages["reference/c.md"] = "\n".join(of_c)

    def add_labels(self):
        pages = [f"{place}.md" for place in re.findall(r"^/(operators/\w+)$", self.pages["index.md"], re.MULTILINE)]
        anchored = {place: site_labels.with_anchors(self.pages[place]) for place in pages}
        self.pages |= anchored
        self.pages["reference/labels.md"] = site_labels.page(
            {place: text for place, text in anchored.items() if site_labels.labels(text)}
        )

    def add_processors(self):
        page, charts = processors(self.root / "docs/performance")
        self.pages["performance/processors.md"] = page
        self.pages |= {f"performance/{name}": chart for name, chart in charts.items()}

    def fill_toctrees(self):
        """`/guide/*` in a list of index.md stands for the folder's pages that no list has."""
        index = self.pages["index.md"]
        named = set(re.findall(r"^/([\w/]+)$", index, re.MULTILINE))

        def rest(match):
            found = ("/" + page.removesuffix(".md") for page in sorted(self.pages) if re.match(rf"{match[1]}/.*\.md$", page))
            return "\n".join(page for page in found if page[1:] not in named)

        self.pages["index.md"] = REST_OF_FOLDER.sub(rest, index)

    def write(self, folder):
        """Brings the folder to this state."""
        wanted = {path: text.encode() for path, text in self.pages.items()}
        wanted |= {path: file.read_bytes() for path, file in self.files.items()}
        for file in (self.root / "docs/site").rglob("*"):
            if file.suffix in (".py", ".css"):
                wanted[str(file.relative_to(self.root / "docs/site"))] = file.read_bytes()
        for path, content in wanted.items():
            file = folder / path
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for file in folder.rglob("*"):
            name = str(file.relative_to(folder))
            if file.is_file() and name not in wanted and not name.startswith(EXTRA + os.sep):
                file.unlink()


def with_shell_links(text, up):
    """Below each block for a shell: a link for each call that it explains."""

    def linked(block):
        calls = [call for call in map(call_of, SHELL_LINE.findall(block[0])) if call]
        links = [f'<a href="{html.escape(up + playground_link(call))}">Open in the playground</a>' for call in calls]
        return block[0] + "".join(f"\n\n{link}" for link in links)

    return FENCE.sub(linked, text)


def with_operator_links(name, text, up):
    """At the end of each operator's part, its calls of the gallery."""
    dialect = pathlib.PurePath(name).stem
    if not name.startswith("docs/operators/"):
        return text
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for number, part in enumerate(parts):
        heading = part.partition("\n")[0][len("## ") :] if part.startswith("## ") else ""
        for operator in re.findall(r"\w+", heading):
            for call, shows in gallery_calls().get(f"{dialect}.{operator}", []):
                link = html.escape(up + playground_link(call))
                parts[number] = (
                    f"{parts[number].rstrip()}\n\n{shows} "
                    f'<a class="playground" href="{link}">Open in the playground</a>\n\n'
                )
    return "".join(parts)


def main():
    folder = pathlib.Path(sys.argv[1])
    source = Source(ROOT)
    source.write(folder)
    for page in ("playground.html", "gallery.html", "scoreboard.html"):
        if not (folder / EXTRA / page).exists():
            print(f"{folder / EXTRA / page} is missing: links to it would lead nowhere", file=sys.stderr)
            return 1
    print(f"{folder}: {len(source.pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
