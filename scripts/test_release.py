"""Tests of release.py on small repositories, and of the files that name this project's version."""

import hashlib
import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
import release
from project_version import ROOT, project_version

VERSION = "1.2.3"
CHANGELOG = "# Changelog\n\nText.\n\n## 1.2.3 (2026-01-31)\n\n### Added\n\n- New.\n\n## 1.2.2 (2026-01-01)\n\n- Old.\n"


def commit(root):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for words in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "--allow-empty", "-m", "a"]):
        subprocess.run(["git", "-C", root, *words], check=True)


WHEELS = [
    f"wheels/windrow_ops-1.2.3-{tags}-manylinux2014_{processor}.whl"
    for tags in ("cp311-cp311", "cp312-abi3")
    for processor in ("aarch64", "x86_64")
]


def write_source_distribution(root, versions):
    with tarfile.open(root / "dist" / "windrow_ops-1.2.3.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("windrow_ops-1.2.3/third_party/versions.txt")
        member.size = len(versions)
        archive.addfile(member, io.BytesIO(versions.encode()))


@pytest.fixture(name="root")
def repository(tmp_path):
    """A committed project of version 1.2.3 with what ./dev release has built."""
    root = tmp_path / "project"
    (root / "dist" / "wheels").mkdir(parents=True)
    (root / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(\n  windrow\n  VERSION 1.2.3\n)\n")
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / ".gitignore").write_text("/dist/\n/build/\n")
    for name in (*WHEELS, "windrow_ops-1.2.3-cp311-x.whl", "windrow_conformance-1.2.3-py3-none-any.whl"):
        (root / "dist" / name).write_text(name)
    write_source_distribution(root, "highway_1.0.3.orig.tar.gz\ncli11_2.1.2+ds.orig.tar.xz\n")
    commit(root)
    return root


def test_the_files_of_a_release(root):
    folder = release.assemble(root, root / "build" / "release-files")
    names = {file.name for file in folder.iterdir()}
    built = {Path(name).name for name in WHEELS} | set(os.listdir(root / "dist")) - {"wheels"}
    assert names == {*built, "windrow-1.2.3.tar.gz", f"windrow-{VERSION}.spdx.json", "RELEASE_NOTES.md", "SHA256SUMS"}
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == names - {"SHA256SUMS"}
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == found for name, found in sums.items())
    with tarfile.open(folder / "windrow-1.2.3.tar.gz") as archive:
        assert {name for name in archive.getnames() if "/" in name} == {
            f"windrow-1.2.3/{name}" for name in (".gitignore", "CHANGELOG.md", "CMakeLists.txt")}


def test_the_notes_are_the_newest_part_of_the_changelog(root):
    assert release.notes(root) == "# Windrow 1.2.3 (2026-01-31)\n\n### Added\n\n- New.\n"


def test_the_sources_have_the_same_bytes_each_time(root):
    files = [root / name for name in ("one.tar.gz", "two.tar.gz")]
    for file in files:
        release.write_sources(root, file, "windrow")
    assert files[0].read_bytes() == files[1].read_bytes()


def change(root, name, was, becomes):
    file = root / name
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, becomes, 1))


def test_a_dirty_tree_is_refused(root):
    (root / "new.txt").write_text("")
    with pytest.raises(release.NoRelease, match="has 1 changed or new files, first `new.txt`; a release is made of a commit"):
        release.check(root)


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("## 1.2.3 (2026-01-31)", "## 1.2.4 (2026-01-31)", "its newest part is `1.2.4 (2026-01-31)`; expected one of version 1.2.3"),
        ("## 1.2.3 (2026-01-31)", "## 1.2.30", "its newest part is `1.2.30`"),
        ("### Added\n\n- New.\n", "", "the part `1.2.3 (2026-01-31)` is empty"),
        (CHANGELOG, "# Changelog\n", "it has no part"),
    ],
)
def test_a_version_without_notes_is_refused(root, was, becomes, said):
    change(root, "CHANGELOG.md", was, becomes)
    commit(root)
    with pytest.raises(release.NoRelease, match=re.escape(said)):
        release.check(root)


def test_tags(root):
    subprocess.run(["git", "-C", root, "tag", "v1.2.3"], check=True)
    assert release.check(root) == VERSION
    change(root, "CHANGELOG.md", "2026-01-31", "unreleased")
    commit(root)
    assert release.check(root) == VERSION  # a rehearsal: this commit has no tag
    subprocess.run(["git", "-C", root, "tag", "--force", "v1.2.3"], check=True)
    with pytest.raises(release.NoRelease, match="has a tag and is called unreleased; expected its date"):
        release.check(root)
    subprocess.run(["git", "-C", root, "tag", "v1.3.0"], check=True)
    with pytest.raises(release.NoRelease, match="has the tag v1.2.3, v1.3.0; expected v1.2.3"):
        release.check(root)


@pytest.mark.parametrize("name", ["windrow_ops-1.2.3.tar.gz", "windrow_conformance-1.2.3-py3-none-any.whl"])
def test_what_was_not_built_is_named(root, name):
    (root / "dist" / name).unlink()
    with pytest.raises(release.NoRelease, match=r"dist/ has 0 files windrow_\w+-1.2.3.*; expected one, by ./dev release"):
        release.assemble(root, root / "build")


@pytest.mark.parametrize("count", [1, len(WHEELS)])
def test_a_processor_without_a_wheel_is_named(root, count):
    for name in WHEELS[:count]:
        (root / "dist" / name).unlink()
    missing = "cp311 on aarch64" if count == 1 else "version 1.2.3"
    with pytest.raises(release.NoRelease, match=f"dist/wheels has no wheel of {missing}; ./dev release builds it"):
        release.assemble(root, root / "build")


def test_a_bundled_version_that_the_table_lacks_is_refused(root):
    write_source_distribution(root, "highway_1.0.3.orig.tar.gz\npugixml_99.13.orig.tar.gz\n")
    with pytest.raises(release.NoRelease, match="brings pugixml_99.13.orig.tar.gz, a version that THIRD_PARTY.md does not have"):
        release.assemble(root, root / "build")


def test_a_refusal_is_one_line_and_exit_code_1(root, monkeypatch, capsys):
    monkeypatch.setattr(release, "ROOT", root)
    assert release.main(["check"]) == 0
    (root / "new.txt").write_text("")
    assert release.main(["check"]) == 1
    assert re.fullmatch(r"no release: .*\n", capsys.readouterr().err)


def test_the_citation_has_the_version_of_the_project():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [project_version()]


def test_the_changelog_begins_with_the_version_of_the_project():
    assert release.notes(ROOT).startswith(f"# Windrow {project_version()}")
