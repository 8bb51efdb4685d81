"""The recipes of the deterministic tier: their form, the generator, and the hashes that NumPy gives."""

import itertools
import math
import re

import jsonschema_rs
import numpy as np
from case_data import ROOT, read

from cases.authoring import fills, recipes
from cases.authoring.draw.randoms import Draw
from cases.authoring.write import lines_of

PATH = ROOT / "cases" / "deterministic.json"
TIERS = {row["label"]: row["tier"] for row in read(ROOT / "cases" / "rules.json")}


def test_the_file_is_what_the_script_writes():
    rows = [recipes.with_hash(*each) for each in recipes.recipes()]
    assert PATH.read_text(encoding="utf-8") == lines_of(rows)


def test_recipes_fit_their_schema_and_have_names_of_their_own():
    rows = read(PATH)
    schema = read(ROOT / "cases" / "deterministic.schema.json")
    assert [error.message for error in jsonschema_rs.iter_errors(schema, rows)] == []
    assert len({(row["dialect"], row["name"]) for row in rows}) == len(rows) >= 200
    assert {row["rule"] for row in rows} - set(TIERS) == set()


def test_every_call_moves_a_megabyte():
    for row in read(PATH):
        tensors = [*row["inputs"][1:3], *row["outputs"]]
        assert max(math.prod(each["shape"]) * np.dtype(each["dtype"]
                   ).itemsize for each in tensors) >= 1_000_000, row["name"]


def test_the_words_are_those_of_splitmix64():
    # The first outputs of the published generator for the seed 1234567.
    published = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
     16408922859458223821]
    assert fills.words(1234567, 5).tolist() == published
    draw = Draw(1234567)
    assert [draw.word() for _ in range(5)] == published


def reversed_updates(call, inputs):
    """The same call with the updates in the opposite order: every tensor that follows them is turned around."""
    turned = list(inputs)
    axis = call["attrs"].get("axis", 0)
    turned[1], turned[2] = np.flip(inputs[1], axis), np.flip(inputs[2], axis)
    return turned


def test_folds_of_the_specification_do_not_depend_on_the_order():
    checked = 0
    for call, family in recipes.recipes():
        reduction = call["attrs"].get("reduction")
        if reduction is None or TIERS[call["rule"]] == "decision":
            continue
        inputs = [fills.elements(each) for each in call["inputs"]]
        same = recipes.result(call, family, inputs)
        other = recipes.result(call, family, reversed_updates(call, inputs))
        assert np.array_equal(same, other), call["name"]
        checked += 1
    assert checked > 20


def test_some_folds_depend_on_the_order():
    found = 0
    for call, family in itertools.islice((each for each in recipes.recipes() if each[0]["rule"].endswith("-V8")), 6):
        inputs = [fills.elements(each) for each in call["inputs"]]
        found += not np.array_equal(recipes.result(call, family, inputs),
                                    recipes.result(call, family, reversed_updates(call, inputs)))
    assert found > 0


def test_the_programs_of_the_readme_run(monkeypatch, capsys):
    reader, generator = re.findall(r"```python\n(.*?)```", (ROOT / "cases" / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(ROOT / "cases")
    exec(reader, {})  # noqa: S102
    assert "example_axis_0 specification [2, 2, 2]" in capsys.readouterr().out
    names = {}
    with np.errstate(over="ignore"):
        exec(generator, names)  # noqa: S102
        assert np.array_equal(names["words"](99, 1000), fills.words(99, 1000))
