"""How many verdicts of windrow.check() are "can" for the models of the test suite: no more and no fewer than the table says."""

import json

import pytest
import windrow
from precision import EXPORT_PATTERNS, TABLE, count, model_of, total
from soundness import ask_here
from windrow._models import onnx_shapes

# The verdicts "can" of the same models before extents were bounded by memory and indices known to differ.
BEFORE = 163


@pytest.fixture(scope="module")
def found():
    return count()


def test_the_table_holds(found):
    """A number that falls is a proof that was found: precision.py writes it. One that rises is a false alarm."""
    assert {name: rules for name, rules in found.items() if rules} == json.loads(TABLE.read_text(encoding="utf-8"))


def test_most_models_are_decided(found):
    assert len(found) >= 180
    assert total(found) <= BEFORE // 3
    assert sum(not rules for rules in found.values()) > 0.7 * len(found)


@pytest.mark.parametrize("name", EXPORT_PATTERNS)
def test_there_is_nothing_to_say_of_what_exporters_write(name, monkeypatch):
    monkeypatch.setattr(onnx_shapes, "ask", ask_here)
    report = windrow.check(model_of(EXPORT_PATTERNS[name]))
    assert report.nodes
    assert not report.findings


def test_there_are_enough_patterns():
    assert len(EXPORT_PATTERNS) >= 25
