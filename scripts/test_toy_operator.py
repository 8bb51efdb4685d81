"""Tests of toy_operator.py, without a build."""

import shutil

import pytest
import toy_operator

RECIPE = toy_operator.ROOT / "src" / "operators" / "README.md"


@pytest.fixture
def tree(tmp_path):
    """The files that an operator touches, and the folders of its own."""
    for path in [*toy_operator.shared_paths(), *toy_operator.OWN]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    for path in toy_operator.shared_paths():
        shutil.copy(toy_operator.ROOT / path, tmp_path / path)
    return tmp_path


def texts_of(tree):
    return {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def test_an_operator_touches_few_files():
    assert len(toy_operator.shared_paths()) <= toy_operator.MOST_SHARED


def test_the_tree_is_as_it_was_even_after_an_error(tree):
    before = texts_of(tree)
    with pytest.raises(KeyError), toy_operator.toy(tree):
        during = texts_of(tree)
        raise KeyError
    assert texts_of(tree) == before
    assert {str(path.relative_to(tree)) for path in during.keys() - before.keys()} == set(toy_operator.OWN)
    changed = {str(path.relative_to(tree)) for path in before if before[path] != during[path]}
    assert changed == set(toy_operator.shared_paths())


def test_a_plan_that_no_longer_fits_is_an_error_that_changes_nothing(tree):
    path = tree / "src/operators/operators.inc"
    path.write_text(path.read_text().replace("#undef WINDROW_OPERATOR\n", ""))
    before = texts_of(tree)
    with pytest.raises(ValueError, match=r"operators\.inc: .* stands there 0 times"), toy_operator.toy(tree):
        pass
    assert texts_of(tree) == before


def test_the_recipe_names_every_file():
    recipe = RECIPE.read_text(encoding="utf-8")
    for path in toy_operator.shared_paths():
        named = path.replace("/array", "/<dialect>").replace("_array", "_<dialect>")
        assert f"`{named}`" in recipe, named
