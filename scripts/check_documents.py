#!/usr/bin/env python3
"""Checks that the Markdown pages name only what exists, and that docs/ has no large file. Prints one line per fault; exit
code 1 if there is any.

- A link into the repository leads to a file or folder, and its fragment to a heading of that page.
- A word that begins with a folder at the top of the repository (`src/plan/`), anywhere on a page, is the path of a file
  or folder.
- A word of a code span with the ending of a source file (`first_run.h`) is the end of a file's path.
- The pages that everybody reads first, those of `MOST_WORDS`, have at most the given number of words.

- A file below docs/ has at most 100,000 bytes: what is larger is made by a command and not kept (`./dev docs`).

In both kinds of words `*` and a placeholder in angle brackets (`in_<host>.py`) stand for any part of one name. Two kinds
of names are not looked up: those in the text of a link to another site, which are files there, and those that begin with
`./`, which are files that the reader writes.
"""

import functools
import pathlib
import re
import subprocess
import sys
import urllib.parse

# Words as `wc -w` counts them.
MOST_WORDS = {"README.md": 900, "HACKING.md": 1500}
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)")
ANOTHER_SITE = re.compile(r"\[[^\]]*\]\([a-z]+:[^)]*\)|https?:\S*")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK_TARGET = re.compile(r"(?<=\])\([^()\s]+\)")
WORD = re.compile(r"[\w.<>*/-]*[\w<>*/-]")
SOURCE_FILE = re.compile(r"[\w<>*-]\S*\.(h|cc|inc|py|pyi|md|map|cmake|css|js)")


LARGEST = 100_000  # bytes of a file below docs/


def blanked(pattern, text):
    """The text with spaces in place of what matches: the positions of the rest stay as they are."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


class Repository:
    """The names of the files and folders below `root`: of the files that git tracks or would add."""

    def __init__(self, root):
        self.root = root
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True,
                                check=True).stdout
        files = [pathlib.PurePosixPath(line) for line in listed.splitlines() if (root / line).exists()]
        folders = {folder for file in files for folder in file.parents}
        self.names = {str(name) for name in (*files, *folders)}
        self.top_folders = {str(folder) for folder in folders if len(folder.parts) == 1}
        self.pages = sorted(str(file) for file in files if file.suffix == ".md")
        self._lines = "\n".join(self.names)
        self._anchors = functools.cache(lambda page: anchors((root / page).read_text(encoding="utf-8")))

    def has_end_of_path(self, word, start="(.*/)?"):
        """Whether a name ends with the parts of `word`; with an empty `start`, whether it is the whole name."""
        pattern = re.sub(r"\\\*|<\w+>", "[^/\n]*", re.escape(word.rstrip("/")))
        return re.search(f"^{start}{pattern}$", self._lines, re.MULTILINE) is not None

    def fault_of_link(self, page, target):
        """Why a link of `page` leads nowhere, or None."""
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        file = (self.root / page).parent.joinpath(path).resolve() if path else (self.root / page).resolve()
        name = str(file.relative_to(self.root.resolve())) if file.is_relative_to(self.root.resolve()) else None
        if name not in self.names:
            return f"{target}: there is no such file"
        if anchor and file.suffix == ".md" and anchor not in self._anchors(name):
            return f"{target}: there is no such heading"
        return None

    def is_below_top_folder(self, word):
        folder, slash, _ = word.partition("/")
        return bool(slash) and folder in self.top_folders


def anchors(text):
    """Those of a page's headings, as GitHub makes them."""
    found, counts = set(), {}
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", FENCE.sub("", text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = counts.get(anchor, 0)
        counts[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def missing_names(repository, text):
    """Matches of the words of a page that name nothing."""
    words = blanked(LINK_TARGET, blanked(ANOTHER_SITE, text))
    for match in WORD.finditer(words):
        if repository.is_below_top_folder(match[0]) and not repository.has_end_of_path(match[0], start=""):
            yield match
    no_blocks = blanked(FENCE, words)
    for span in CODE.finditer(no_blocks):
        for match in WORD.finditer(no_blocks, *span.span()):
            if (SOURCE_FILE.fullmatch(match[0]) and not repository.is_below_top_folder(match[0])
                    and not repository.has_end_of_path(match[0])):
                yield match


def faults_of_page(repository, page):
    """Pairs of a line number and a fault."""
    text = (repository.root / page).read_text(encoding="utf-8")
    links = [match for match in LINK.finditer(blanked(CODE, blanked(FENCE, text))) if not re.match("[a-z]+:", match[1])]
    found = [(match.start(), repository.fault_of_link(page, match[1])) for match in links]
    found += [(match.start(), f"{match[0]}: there is no such file") for match in missing_names(repository, text)]
    return [(text.count("\n", 0, position) + 1, fault) for position, fault in sorted(each for each in found if each[1])]


def faults_of_length(root):
    """A line for each of the first pages that is too long."""
    words = {page: len((root / page).read_text(encoding="utf-8").split()) for page in MOST_WORDS if (root / page).exists()}
    return [f"{page}: it has {count} words, at most {MOST_WORDS[page]} are allowed"
            for page, count in words.items() if count > MOST_WORDS[page]]


def large_files(repository):
    """One line per file below docs/ that is too large."""
    files = [repository.root / name for name in sorted(repository.names) if name.startswith("docs/")]
    sizes = {file: file.stat().st_size for file in files if file.is_file()}
    return [f"{file.relative_to(repository.root)}: {size:,} bytes; expected at most {LARGEST:,}: what a command makes is not kept"
            for file, size in sizes.items() if size > LARGEST]


def check(root):
    """One line per fault of the documents under `root`."""
    repository = Repository(root)
    faults = [f"{page}:{line}: {fault}" for page in repository.pages for line, fault in faults_of_page(repository, page)]
    return large_files(repository) + faults + faults_of_length(root)


def main():
    faults = check(pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
