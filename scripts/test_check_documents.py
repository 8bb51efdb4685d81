"""Tests of check_documents.py on small repositories."""

import subprocess

import check_documents
import pytest

FILES = ["README.md", "src/plan/lower.h", "src/plan/lower_test.cc", "python/in_jax.py", "docs/guide/start.md"]


def faults_of(tmp_path, line):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("# A `b` c, d\n\n## A `b` c, d\n")
    (tmp_path / "docs" / "page.md").write_text(f"# A page\n{line}\n")
    return check_documents.check(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "[a](guide/start.md#a-b-c-d) [b](guide/start.md#a-b-c-d-1) [c](../src/plan/) [d](#a-page) ![e](../README.md)",
        "`[code](gone.md)` [another site](https://windrow.example/gone.md)",
        "src/plan/lower.h and `src/plan/` and docs, of which `docs/guide/start.md` is one.",
        "`lower.h`, `plan/lower.h` and `src/plan/lower_*.cc`",
        "`in_<host>.py` and `src/<room>/lower.h`",
        "`./mine.py`, `model.onnx` and `build/release/bin`",
        "[`gone.py`](https://windrow.example/gone.py)",
        "```\ngone.py [a](gone.md)\n```",
    ],
)
def test_what_exists(tmp_path, line):
    assert faults_of(tmp_path, line) == []


@pytest.mark.parametrize(("size", "faults"), [(100_000, []), (100_001, ["docs/big.bin: 100,001 bytes"])])
def test_files_of_documents_are_small(tmp_path, size, faults):
    for folder in ("docs", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "big.bin").write_bytes(bytes(size))
    assert [fault.partition(";")[0] for fault in faults_of(tmp_path, "")] == faults


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("[a](gone.md)", "gone.md: there is no such file"),
        ("[a](../../outside.md)", "../../outside.md: there is no such file"),
        ("[a](#a-b)", "#a-b: there is no such heading"),
        ("[`code`](guide/start.md#gone)", "guide/start.md#gone: there is no such heading"),
        ("`lower.cc`", "lower.cc: there is no such file"),
        ("`ower.h`", "ower.h: there is no such file"),
        ("`other/lower.h`", "other/lower.h: there is no such file"),
        ("In src/plan/gone.", "src/plan/gone: there is no such file"),
        ("`python3 python/gone.py FILE`", "python/gone.py: there is no such file"),
        ("`src/lower_*.cc`", "src/lower_*.cc: there is no such file"),
        ("`out_<host>.py`", "out_<host>.py: there is no such file"),
        ("~~~ \n~~~\n`gone.py`", "gone.py: there is no such file"),
        ("```\n./run src/gone\n```", "src/gone: there is no such file"),
    ],
)
def test_what_does_not_exist(tmp_path, line, fault):
    found = faults_of(tmp_path, line)
    assert len(found) == 1
    assert found[0].startswith("docs/page.md:")
    assert found[0].endswith(f": {fault}")


def test_the_line_is_named(tmp_path):
    assert faults_of(tmp_path, "```\nsrc/plan\n```\n`gone.py`") == ["docs/page.md:5: gone.py: there is no such file"]


@pytest.mark.parametrize(("page", "most"), [("README.md", 900), ("HACKING.md", 1500)])
def test_first_pages_have_a_limit(tmp_path, page, most):
    (tmp_path / page).write_text("# A page\n\n" + "word " * (most - 3))
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert check_documents.check(tmp_path) == []
    (tmp_path / page).write_text("# A page\n\n" + "word\n" * (most - 2))
    assert check_documents.check(tmp_path) == [f"{page}: it has {most + 1} words, at most {most} are allowed"]


def test_a_page_of_the_same_name_in_a_folder_has_no_limit(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "README.md").write_text("word " * 2000)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert check_documents.check(tmp_path) == []
