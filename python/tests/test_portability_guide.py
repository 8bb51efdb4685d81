"""docs/guide/portability.md is what its script makes of the rules, and each rule's texts are complete."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
import windrow

ROOT = Path(__file__).resolve().parents[2]
PROVOCATIONS = {
    "", "any", "index-above", "index-below", "index-negative", "index-wide", "duplicates", "race", "nan",
    "both-zeros", "wide-integers", "wide-floats", "negative-sums", "fine-sums",
}  # fmt: skip


def _script():
    path = ROOT / "scripts" / "write_portability_guide.py"
    spec = importlib.util.spec_from_file_location("write_portability_guide", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_guide_is_that_of_the_rules():
    script = _script()
    text = script.PAGE.read_text(encoding="utf-8")
    assert text == script.page(), "run scripts/write_portability_guide.py"


@pytest.mark.parametrize("rule", windrow.portability_rules(), ids=lambda rule: rule.label)
def test_rule_is_complete(rule):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.label)
    assert rule.provocation in PROVOCATIONS
    if rule.example:
        node = json.loads(rule.example)
        assert set(node) - {"domain"} == {"dialect", "operator", "version", "attributes", "inputs"}
    for effect in rule.effects:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", effect.seen)
        assert not effect.source.startswith("/")
        # An effect that ran names the package and its version.
        assert not effect.ran or re.fullmatch(r"\w+ [\d.]+", effect.source)
