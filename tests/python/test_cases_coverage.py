"""The page of what the records cover is what its script writes, without holes."""

from case_data import ROOT

from cases.authoring import coverage
from cases.authoring.coverage_triples import TRIPLES


def test_the_page_is_what_the_script_writes():
    assert (ROOT / "cases" / "COVERAGE.md").read_text(encoding="utf-8") == coverage.page()


def test_every_pair_of_properties_occurs_or_has_a_reason():
    for key in coverage.records_by_operator():
        _, found = coverage.summary_of(key)
        assert [pair for pair, reason in found if reason is None] == []


def test_every_triple_that_has_bitten_somebody_has_a_record():
    every = [(key, *each) for key, records in coverage.records_by_operator().items() for each in records]
    for what, _, shows in TRIPLES:
        assert any(shows(*each) for each in every), what


def test_a_pair_without_a_record_is_a_hole():
    key = "onnx", "Gather"
    fewer = [(record, given) for record, given in coverage.records_by_operator()[key]
             if "bfloat16" not in record["inputs"][0]["dtype"] or record["name"].startswith("bfl")]
    found = coverage.holes(key, *coverage.counted(fewer))
    assert (("type", "bfloat16"), ("bounds", "far")) in [pair for pair, reason in found if reason is None]
