#!/usr/bin/env python3
"""Breaks the C++ sources in drawn ways, one at a time, and shows which breaks no test notices.

Each mutant is one change of a line: another comparison, a bound moved by one, another sign, another policy, another
logical operator, a check left out. It is made in a work tree of its own, build/mutants/tree; the tests of its room run
first, then those of the whole, until one fails. Results go to build/mutants/SEED.jsonl, from which an interrupted run
goes on. Exits with 1 if fewer than --least of the mutants are noticed.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
WHOLE = ("conformance", "random")
ANALYSIS = ("unit.ranges", "unit.portability", "portability_rules")
# The tests of each room, by ctest's names, in the order in which they run. The analysis has tests in Python, too.
TESTS = {
    "dialects": ("unit.dialects", "unit.operators", *WHOLE),
    "access": ("unit.access", "unit.operators", "unit.explain", *WHOLE),
    "plan": ("unit.plan", "unit.execute", "unit.operators", *WHOLE),
    "execute": ("unit.execute", "unit.operators", *WHOLE, "attack"),
    "kernels": ("unit.kernels", "unit.execute", "unit.operators", *WHOLE, "attack"),
    "ranges": ANALYSIS,
    "portability": ANALYSIS,
}
PYTHON_TESTS = {room: ("gate", "check", "ranges/test_patterns.py", "ranges/test_departures.py") for room in ("ranges", "portability")}
SECONDS = 900  # a mutant may loop forever, which is noticed
RANDOM_SECONDS = "20"
TOO_LONG = 124

ENUMS = ("OutOfRange", "Negatives", "Duplicates", "Reduction")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
NOT_CODE = re.compile(r"^\s*(#|static_assert|template|using\b)")
CHECK = re.compile(r"^(\s*(?:\} else )?if \((?:[^;]*; )?)(.*)(\) return\b.*;)$")


@dataclass(frozen=True)
class Mutant:
    """A line of a file as it is and as it becomes. line: counted from 1."""

    room: str
    file: str
    line: int
    kind: str
    before: str
    after: str


def without_texts(source):
    """The source with comments and texts blanked, so that every position stays."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def enumerators(headers):
    """The names in each enumeration of ENUMS, by its name."""
    found = {}
    for name in ENUMS:
        body = re.search(rf"enum class {name}\b[^{{]*{{([^}}]*)}}", headers)
        if body:
            found[name] = re.findall(r"\bk\w+", body[1])
    return found


def changes(code, enums):
    """(kind, start, end, replacement) of each change of a line of code."""
    for found in re.finditer(r" (<=?|>=?|==|!=) ", code):
        yield "comparison", found.start(1), found.end(1), COMPARISONS[found[1]]
    for found in re.finditer(r"(?<=[\w)\]]) ([+-]) (?=[\w(*])", code):
        yield "sign", found.start(1), found.end(1), "-" if found[1] == "+" else "+"
    for found in re.finditer(r" [+-] 1(?=[\s;,)\]])", code):
        yield "off by one", found.start(), found.end(), ""
    for found in re.finditer(r" (&&|\|\|) ", code):
        yield "logic", found.start(1), found.end(1), "||" if found[1] == "&&" else "&&"
    for name, others in enums.items():
        for found in re.finditer(rf"\b{name}::(k\w+)", code):
            for other in others:
                if other != found[1]:
                    yield "policy", found.start(1), found.end(1), other
    check = CHECK.match(code)
    if check:
        yield "dropped check", check.start(2), check.end(2), None


def mutants_of(room, name, source, enums):
    """Every mutant of a file."""
    lines, codes = source.split("\n"), without_texts(source).split("\n")
    for number, (line, code) in enumerate(zip(lines, codes), 1):
        if NOT_CODE.match(code):
            continue
        for kind, start, end, new in changes(code, enums):
            put = f"false && ({line[start:end]})" if new is None else new
            yield Mutant(room, name, number, kind, line, line[:start] + put + line[end:])


def all_mutants(root, rooms):
    headers = "\n".join(path.read_text() for folder in ("include", "src") for path in sorted((root / folder).rglob("*.h")))
    enums = enumerators(headers)
    found = {}
    for room in rooms:
        paths = sorted(path for ending in ("cc", "h", "inc") for path in (root / "src" / room).rglob(f"*.{ending}"))
        sources = [path for path in paths if not re.search(r"_test\.cc$|test_support|fixture", path.name)]
        found[room] = [each for path in sources for each in mutants_of(room, str(path.relative_to(root)), path.read_text(), enums)]
    return found


def drawn(mutants, seed):
    """The mutants in an order that the seed decides, the rooms in turn and, in a room, the kinds alike often."""
    generator = random.Random(seed)
    queues = {}
    for room, every in mutants.items():
        kinds = {}
        for mutant in every:
            kinds.setdefault(mutant.kind, []).append(mutant)
        for kind in kinds.values():
            generator.shuffle(kind)
        queues[room] = list(kinds.values())
    while any(queues.values()):
        for kinds in queues.values():
            if kinds:
                chosen = generator.choice(kinds)
                yield chosen.pop()
                if not chosen:
                    kinds.remove(chosen)


class Tree:
    """The work tree in which mutants are made, built by the preset release."""

    def __init__(self, folder, jobs):
        self.root = folder / "tree"
        self.jobs = jobs
        self.environment = os.environ | {"WINDROW_RANDOM_SECONDS": RANDOM_SECONDS, "CCACHE_BASEDIR": str(self.root)}

    def make(self):
        if not self.root.exists():
            subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
            subprocess.run(["git", "worktree", "add", "--force", "--detach", self.root, "HEAD"], cwd=ROOT, check=True)
            (self.root / ".venv").symlink_to(ROOT / ".venv")
        subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", self.head()], cwd=self.root, check=True)
        headers, copied = (root / "build/onnxruntime-headers" for root in (ROOT, self.root))
        if headers.exists() and not copied.exists():
            shutil.copytree(headers, copied, symlinks=True)
        launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
        subprocess.run(["cmake", "--preset", "release", "-DWINDROW_UNITY=OFF", *launchers], cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def head(self):
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    def run(self, command, **environment):
        """The exit status; TOO_LONG after SECONDS. Processes that the command leaves are ended."""
        process = subprocess.Popen(
            command, cwd=self.root, env=self.environment | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            return TOO_LONG
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()

    def build(self, *targets, **environment):
        return self.run(["cmake", "--build", "build/release", "-j", str(self.jobs), "--target", *targets], **environment) == 0

    def failing_test(self, room, **environment):
        """The first test of the room that fails: "build" where the tree does not compile; None if all pass."""
        for test in TESTS[room]:
            if not self.build(test.removeprefix("unit.") + "_test", **environment):
                return "build"
            if self.run(["ctest", "--preset", "release", "-R", f"^{re.escape(test)}$"]):
                return test
        for test in PYTHON_TESTS.get(room, ()):
            if not self.build("windrow_python", "windrow_tool", **environment):
                return "build"
            command = [".venv/bin/python", "-m", "pytest", "-q", "-x", "-n", str(self.jobs), "--dist", "loadfile", f"python/tests/{test}"]
            if self.run(command, PYTHONPATH=str(self.root / "build/release/python")):
                return f"python/tests/{test}"
        return None

    def try_out(self, mutant):
        """What notices a mutant, as failing_test(). The tree is as before afterwards."""
        path = self.root / mutant.file
        source = path.read_text()
        lines = source.split("\n")
        lines[mutant.line - 1] = mutant.after
        path.write_text("\n".join(lines))
        try:
            return self.failing_test(mutant.room, CCACHE_READONLY="1")
        finally:
            path.write_text(source)


def tell(results, least):
    """Prints the counts and what survived. Returns whether enough was noticed."""
    judged = [(mutant, by) for mutant, by in results if by != "build"]
    counts = Counter(mutant.room for mutant, _ in judged)
    missed = [mutant for mutant, by in judged if by is None]
    of_room = Counter(mutant.room for mutant in missed)
    for room, count in counts.items():
        print(f"{room}: {count - of_room[room]} of {count} noticed")
    for mutant in missed:
        print(f"not noticed: {mutant.file}:{mutant.line} ({mutant.kind})\n  - {mutant.before.strip()}\n  + {mutant.after.strip()}")
    share = 1 - len(missed) / max(1, len(judged))
    print(f"{len(judged) - len(missed)} of {len(judged)} mutants noticed ({100 * share:.1f} %); {len(results) - len(judged)} others did not compile")
    return share >= least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=200, help="mutants that compile (200)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32), help="of the drawing (a fresh one)")
    parser.add_argument("--rooms", nargs="+", choices=TESTS, default=list(TESTS), help="folders of src/ (all of these)")
    parser.add_argument("--least", type=float, default=0.95, help="the share that must be noticed (0.95)")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    mutants = drawn(all_mutants(ROOT, options.rooms), options.seed)
    if options.list:
        for _, mutant in zip(range(options.count), mutants):
            print(f"{mutant.file}:{mutant.line} ({mutant.kind})\n  - {mutant.before.strip()}\n  + {mutant.after.strip()}")
        return 0
    folder = ROOT / "build/mutants"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{options.seed}.jsonl"
    done = {Mutant(**row["mutant"]): row["by"] for row in map(json.loads, kept.read_text().splitlines())} if kept.exists() else {}
    tree = Tree(folder, options.jobs)
    tree.make()
    print(f"seed {options.seed}", flush=True)
    if not done:
        for room in options.rooms:
            if by := tree.failing_test(room):
                print(f"the tests of {room} fail without a mutant: {by}", file=sys.stderr)
                return 2
    results = []
    for mutant in mutants:
        if sum(by != "build" for _, by in results) >= options.count:
            break
        by = done[mutant] if mutant in done else tree.try_out(mutant)
        results.append((mutant, by))
        if mutant not in done:
            with kept.open("a") as file:
                file.write(json.dumps({"mutant": asdict(mutant), "by": by}) + "\n")
            print(f"{mutant.file}:{mutant.line} ({mutant.kind}): {by or 'NOT NOTICED'}", flush=True)
    return 0 if tell(results, options.least) else 1


if __name__ == "__main__":
    sys.exit(main())
