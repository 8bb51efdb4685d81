"""Tests of check_plan.py on small trees."""

import check_plan
import pytest

WAYS = """struct Boxes {};
struct Pieces { int bytes = 0; };
using Way = std::variant<Boxes,
                         Pieces>;
"""


def faults_of(tmp_path, path, line):
    for name, text in ((check_plan.WAYS, WAYS), (path, f"// A file.\n{line}\n")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return check_plan.check(tmp_path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (check_plan.CHOOSER, "plan.ways.emplace_back(Boxes{});"),
        ("src/execute/a.cc", "Partition cut(const Boxes& way, int tasks);"),
        ("src/execute/a.cc", "if (const auto* pieces = find_way<Pieces>(plan.ways)) run(*pieces);"),
        ("src/execute/a.cc", "for (const Way& way : plan.ways) run(way);"),
        ("src/execute/a.cc", "class BoxesRunner final : public RunnerOf<Boxes> {"),
        ("src/execute/a.cc", "const Pieces& way_;"),
        ("src/execute/a.cc", "// Pieces (of the output)"),
        ("src/execute/a_test.cc", "BoxesRunner(Boxes{}).cut(plan, 2);"),
        ("src/execute/a_fixture.h", "plan.ways = {Boxes{}};"),
    ],
)
def test_allowed(tmp_path, path, line):
    assert faults_of(tmp_path, path, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "return Boxes{};",
        "const Way way = Pieces{4096};",
        "Pieces pieces;",
        "Pieces pieces = other;",
        "auto way = std::make_shared<Pieces>(4096);",
        "std::optional<Pieces> pieces;",
        "plan.ways.push_back(way);",
        "plan.ways.emplace_back(way);",
        "plan.ways.clear();",
        "plan.ways = other.ways;",
    ],
)
@pytest.mark.parametrize("path", ["src/plan/a.cc", "src/execute/a.h", "src/operators/a.cc"])
def test_forbidden(tmp_path, path, line):
    faults = faults_of(tmp_path, path, line)
    assert len(faults) == 1
    assert faults[0].startswith(f"{path}:2: ")


def test_the_variant_names_the_ways():
    assert check_plan.ways_of(WAYS) == ["Boxes", "Pieces"]
