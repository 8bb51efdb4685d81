#!/usr/bin/env python3
"""Runs clang-tidy on the sources that changed since the base commit, or on all of them with --all.

The base is where this branch left origin/main, or the commit before on main itself; a repository without
one is checked as a whole. A changed header stands for the source of the same name.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("src/", "tools/", "python/", "plugins/", "bench/", "tests/")
# Options of g++ that the build uses and clang refuses.
ONLY_GCC = " -fno-ipa-ra"


def git(*arguments):
    """The lines that git prints; none if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def base_commit():
    head = git("rev-parse", "HEAD")
    fork = git("merge-base", "HEAD", "origin/main")
    return fork if fork and fork != head else git("rev-parse", "--verify", "--quiet", "HEAD~1")


def changed_sources():
    """Names of changed sources, or None: everything changed."""
    base = base_commit()
    if not base:
        return None
    names = git("diff", "--name-only", "--diff-filter=d", *base) + git("ls-files", "-o", "--exclude-standard")
    return {str(pathlib.PurePosixPath(name).with_suffix(".cc")) for name in names if name.endswith((".h", ".cc"))}


def built_sources(database):
    """Names of the sources that the build knows."""
    entries = json.loads((database / "compile_commands.json").read_text(encoding="utf-8"))
    paths = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths if path.is_relative_to(ROOT))
    return [name for name in names if name.startswith(ROOMS)]


def for_clang(database):
    """A folder with the database as clang can read it."""
    commands = (database / "compile_commands.json").read_text(encoding="utf-8")
    folder = database / "for_clang"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(commands.replace(ONLY_GCC, ""), encoding="utf-8")
    return folder


def tidy(database, name):
    # The compiler's own warnings are g++'s part.
    command = ["clang-tidy", "--quiet", "-p", str(database), "--extra-arg=-w", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every source")
    parser.add_argument("--build", default=ROOT / "build" / "lint", type=pathlib.Path)
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    options = parser.parse_args()
    changed = None if options.all else changed_sources()
    names = [name for name in built_sources(options.build) if changed is None or name in changed]
    database = for_clang(options.build)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for code, output in pool.map(lambda name: tidy(database, name), names):
            if code:
                failed += 1
                print(output, flush=True)
    print(f"clang-tidy: {len(names)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
