#!/usr/bin/env python3
"""Checks the pages of a finished site: check_site.py FOLDER. Prints one line per fault; exit code 1 if there is any.

- A link within the site leads to a file of it, and its fragment to an element of that page.
- No page or style sheet loads anything from outside: pictures, scripts, styles and fonts are files of the site.

Pages that are one file with a script inside (the playground, the gallery, the records) use fragments as they like.
"""

import functools
import html.parser
import pathlib
import re
import sys
import urllib.parse

OUTSIDE = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data")}
STYLE_URL = re.compile(r"(?:url\(\s*|@import\s+)['\"]?(https?:|//)[^)'\"\s]*", re.IGNORECASE)
ONE_FILE = {"playground.html", "gallery.html", "scoreboard.html"}


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and the names of its elements."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.names.add(value)
            if (tag, name) in LOADED and value:
                self.loaded.append(value)
            elif name == "href" and value:
                self.links.append(value)


class Site:
    def __init__(self, root):
        self.root = root.resolve()
        self.page = functools.cache(lambda file: Page(file.read_text(encoding="utf-8")))

    def fault_of(self, file, link):
        """Why a link of a page leads nowhere, or None."""
        path, _, fragment = link.partition("#")
        path = urllib.parse.unquote(path.partition("?")[0])
        goal = (file.parent / path).resolve() if path else file
        if goal.is_dir():
            goal = goal / "index.html"
        if not goal.is_file() or not goal.is_relative_to(self.root):
            return "there is no such file"
        if fragment and goal.suffix == ".html" and goal.name not in ONE_FILE:
            if urllib.parse.unquote(fragment) not in self.page(goal).names:
                return "there is no such element"
        return None

    def faults(self):
        for file in sorted(self.root.rglob("*.html")):
            page, name = self.page(file), file.relative_to(self.root)
            for link in page.loaded:
                if OUTSIDE.match(link) and not link.startswith("data:"):
                    yield f"{name}: loads {link}"
            inside = {link for link in (*page.links, *page.loaded) if not OUTSIDE.match(link)}
            for link in sorted(inside):
                if fault := self.fault_of(file, link):
                    yield f"{name}: {link}: {fault}"
        for file in sorted((*self.root.rglob("*.css"), *self.root.rglob("*.html"))):
            for match in STYLE_URL.finditer(file.read_text(encoding="utf-8")):
                if file.suffix == ".css" or "<style" in file.read_text(encoding="utf-8"):
                    yield f"{file.relative_to(self.root)}: loads {match[0]}"


def main():
    faults = list(Site(pathlib.Path(sys.argv[1])).faults())
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
