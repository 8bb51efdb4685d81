#!/usr/bin/env python3
"""The parts of `./dev release` that are not builds: whether a release can be made of this checkout, and its files.

    scripts/release.py check              errors: a dirty tree, a version without notes, a tag of another version
    scripts/release.py assemble FOLDER    from dist/ and the commit: sources, wheels, bill of materials, notes, check sums

Publishes nothing. The files are described in CONTRIBUTING.md.
"""

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import write_sbom
from project_version import ROOT, project_version

CHANGES = "CHANGELOG.md"
# What ./dev release has built in dist/: one file each, and wheels for the same interpreters on each processor.
BUILT = ("windrow_ops-{version}-*.whl", "windrow_conformance-{version}-*.whl", "windrow_ops-{version}.tar.gz")
WHEELS = "wheels/windrow_ops-{version}-*_{processor}.whl"
PROCESSORS = ("x86_64", "aarch64")


class NoRelease(Exception):
    """Why no release can be made, as one line for people."""


def git(root, *words, **options):
    return subprocess.run(["git", "-C", root, *words], capture_output=True, check=True, **options).stdout


def newest_part(changes):
    """The heading and the text of the first part of a changelog."""
    parts = re.split(r"^## +(.*)\n", changes, flags=re.MULTILINE)
    if len(parts) < 3:
        raise NoRelease(f"{CHANGES}: it has no part; expected a heading such as `## 1.2.3 (2026-01-31)`")
    return parts[1].strip(), parts[2].strip() + "\n"


def notes(root):
    """The newest part of the changelog, which must be of the project's version."""
    version = project_version(root)
    heading, text = newest_part((root / CHANGES).read_text(encoding="utf-8"))
    if heading.split()[0] != version:
        raise NoRelease(f"{CHANGES}: its newest part is `{heading}`; expected one of version {version}, which CMakeLists.txt has")
    if not text.strip():
        raise NoRelease(f"{CHANGES}: the part `{heading}` is empty")
    return f"# Windrow {heading}\n\n{text}"


def check(root):
    """Raises NoRelease unless this commit, as it lies in the checkout, can be released. Returns its version."""
    changed = git(root, "status", "--porcelain", text=True).splitlines()
    if changed:
        raise NoRelease(f"the checkout has {len(changed)} changed or new files, first `{changed[0][3:]}`; a release is made of a commit")
    version, heading = project_version(root), notes(root).splitlines()[0]
    tags = [tag for tag in git(root, "tag", "--points-at", "HEAD", text=True).split() if re.match(r"v\d", tag)]
    if tags and tags != [f"v{version}"]:
        raise NoRelease(f"the commit has the tag {', '.join(tags)}; expected v{version}, the version in CMakeLists.txt")
    if tags and "unreleased" in heading:
        raise NoRelease(f"{CHANGES}: version {version} has a tag and is called unreleased; expected its date")
    return version


def built_files(dist, version):
    """The files of dist/ that belong to this version."""
    for pattern in (each.format(version=version) for each in BUILT):
        found = sorted(dist.glob(pattern))
        if len(found) != 1:
            raise NoRelease(f"{dist.name}/ has {len(found)} files {pattern}; expected one, by ./dev release")
        yield found[0]
    wheels = {each: sorted(dist.glob(WHEELS.format(version=version, processor=each))) for each in PROCESSORS}
    interpreters = {each: {file.name.split("-")[2] for file in found} for each, found in wheels.items()}
    missing = [f"{name} on {each}" for each in PROCESSORS for name in set().union(*interpreters.values()) - interpreters[each]]
    if missing or not any(wheels.values()):
        raise NoRelease(f"{dist.name}/wheels has no wheel of {', '.join(sorted(missing)) or f'version {version}'}; ./dev release builds it")
    yield from (file for found in wheels.values() for file in found)


def check_versions(source_distribution, listed):
    """Raises NoRelease if the source distribution brings a version of a library that the table of THIRD_PARTY.md does not have."""
    with tarfile.open(source_distribution) as archive:
        (name,) = [name for name in archive.getnames() if name.endswith("/third_party/versions.txt")]
        archives = archive.extractfile(name).read().decode().split()
    for file in archives:
        number = write_sbom.VERSION.search(file)
        if not number or number[0] not in listed:
            raise NoRelease(f"{source_distribution.name} brings {file}, a version that THIRD_PARTY.md does not have")


def write_sources(root, file, prefix):
    """The files of the commit; the same bytes whenever it is made."""
    archive = git(root, "archive", "--format=tar", f"--prefix={prefix}/", "HEAD")
    with file.open("wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as packed:
        packed.write(archive)


def assemble(root, folder):
    """Writes the files of a release to a folder, which is made anew."""
    version = check(root)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in built_files(root / "dist", version):
        shutil.copy2(file, folder)
    libraries = write_sbom.libraries((ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8"))
    check_versions(folder / f"windrow_ops-{version}.tar.gz", {library.number for library in libraries})
    write_sources(root, folder / f"windrow-{version}.tar.gz", f"windrow-{version}")
    write_sbom.main([str(folder / f"windrow-{version}.spdx.json")])
    (folder / "RELEASE_NOTES.md").write_text(notes(root), encoding="utf-8")
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")
    return folder


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="exit code 1 and the reason, if no release can be made")
    commands.add_parser("assemble", help="write the files").add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    try:
        if options.command == "check":
            print(f"version {check(ROOT)} can be released from this commit")
        else:
            assemble(ROOT, options.folder)
    except NoRelease as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
