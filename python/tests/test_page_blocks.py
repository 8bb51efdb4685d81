"""Every fenced block of README.md and of docs/ is run by a test, quotes a file that is run, or says that it is not run.

A block that no test runs, as one that shows what another program prints, stands below the line `<!-- not run: why -->`.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from shell_lines import check_line
from test_documentation import PAGES, ROOT, TYPED

# Blocks that tests of other rooms take from the page: the language, and the test.
TAKEN = {
    "README.md": {"python": "python/tests/test_wheel.py", "cpp": "tests/outside/test_outside.py"},
    "docs/conformance/causes.md": {"python": "conformance/tests/test_kit_causes.py"},
    "docs/guide/conformance_of_your_runtime.md": {"python": "conformance/tests/test_kit_tutorial.py"},
    "docs/guide/distributed_tables.md": {"python": "python/tests/distributed/test_distributed_guide.py"},
    "docs/guide/onnxruntime.md": {"cpp": "tests/outside/test_outside.py"},
    "docs/guide/torch.md": {"pycon": "python/tests/torch_plugin/test_torch_guide.py"},
    "docs/guide/two_runtimes_disagree.md": dict.fromkeys(("pycon", "console"), "python/tests/check/test_guide.py"),
}
# Files of these folders are compiled and run by tests.
QUOTED = ["examples", "tests/outside"]
BLOCK = re.compile(r"^(<!-- not run: .+ -->\n)?( *)```(\S*)[^\n]*\n(.*?)^\2```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: Path
    marked: bool
    language: str
    text: str

    @property
    def name(self):
        return str(self.page.relative_to(ROOT))


def blocks():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [Block(page, bool(marked), language, text) for page in pages
            for marked, _, language, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


def lines_for_a_shell(block):
    return re.findall(r"^\$ (.*)", block.text, re.MULTILINE) if block.language == "console" else []


def is_quoted(block, programs):
    """Whether every paragraph is part of one file."""
    paragraphs = [part.strip("\n") for part in re.split(r"\n\s*\n", block.text)]
    return any(all(part in program for part in paragraphs) for program in programs)


def way(block, programs):
    """How the block is tested; None: it is not."""
    if block.marked or block.language == "{toctree}":
        return "not run"
    if block.language in TAKEN.get(block.name, {}):
        return "taken"
    if block.language == "pycon" and block.page in PAGES:
        return "doctest"
    if lines_for_a_shell(block):
        return "typed" if block.page in TYPED else "named"
    return "quoted" if is_quoted(block, programs) else None


@pytest.fixture(scope="module")
def programs():
    listed = subprocess.run(["git", "ls-files", *QUOTED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [(ROOT / name).read_text(encoding="utf-8") for name in listed.splitlines()]


def test_every_block_is_tested(programs):
    assert [f"{block.name}: {block.text}" for block in blocks() if way(block, programs) is None] == []


def test_a_block_that_no_test_runs_is_found(programs):
    page = ROOT / "docs" / "glossary.md"
    assert way(Block(page, False, "python", "import windrow as gone\n"), programs) is None
    assert way(Block(page, False, "pycon", ">>> 1\n1\n"), programs) is None
    assert way(Block(page, False, "cpp", "int main() { return 3; }\n"), programs) is None


def test_no_fence_is_overlooked():
    for page in {block.page for block in blocks()}:
        fences = re.findall(r"^ *(?:```|~~~)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len([block for block in blocks() if block.page == page]), page


def test_the_tests_that_take_blocks_name_their_pages():
    for page, taken in TAKEN.items():
        for test in taken.values():
            text = (ROOT / test).read_text(encoding="utf-8")
            assert Path(page).name in text or f"write_{Path(page).stem}" in text, test
        found = {block.language for block in blocks() if block.name == page}
        assert set(taken) <= found, page


def test_lines_for_a_shell_name_what_exists(programs):
    named = [block for block in blocks() if way(block, programs) == "named"]
    assert len(named) > 10
    for block in named:
        for line in lines_for_a_shell(block):
            check_line(line)


@pytest.mark.parametrize("line", ["./dev whel", "windrow chek model.onnx", "windrow check model.onnx --forr onnx", "pip install gone",
                                  "python gone.py", "mpirun -n 4 python gone.py", "windrow ops && gone"])  # fmt: skip
def test_a_line_that_names_what_is_not_there_fails(line):
    with pytest.raises(AssertionError):
        check_line(line)
