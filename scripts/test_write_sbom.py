"""Tests of write_sbom.py; spdx-tools read and validate what it writes."""

import json
import re

import pytest
import write_sbom
from project_version import ROOT, project_version
from spdx_tools.spdx.model import RelationshipType
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

TABLE = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")


@pytest.fixture(name="written")
def write(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    file = tmp_path / "windrow.spdx.json"
    assert write_sbom.main([str(file)]) == 0
    return file


def test_it_is_a_valid_document(written):
    document = parse_file(str(written))
    assert [message.validation_message for message in validate_full_spdx_document(document)] == []
    assert document.creation_info.spdx_version == "SPDX-2.3"
    assert document.creation_info.created.isoformat() == "2026-01-01T00:00:00"


def test_it_has_every_row_of_the_table_and_ours(written):
    document = parse_file(str(written))
    rows = re.findall(r"^\| \[([^\]]+)\]", TABLE, re.MULTILINE)
    assert len(rows) >= 12
    own, *others = document.packages
    assert (own.name, own.version) == ("windrow", project_version())
    assert [package.name for package in others] == rows
    depends = {each.related_spdx_element_id for each in document.relationships
               if each.relationship_type == RelationshipType.DEPENDS_ON}
    assert depends == {package.spdx_id for package in others}
    for package in others:
        assert package.download_location.startswith("git+https://")
        assert package.version and package.license_declared


def test_every_licence_text_has_a_row():
    texts = {f"licenses/{file.name}" for file in (ROOT / "licenses").iterdir()}
    assert set(re.findall(r"\]\((licenses/[^)]*\.txt)\)", TABLE)) == texts


def test_packages_of_pypi_have_the_versions_that_the_build_installs():
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "requirements-dev.txt").read_text(encoding="utf-8"), re.MULTILINE))
    found = {library.package: library.number for library in write_sbom.libraries(TABLE) if library.package}
    assert set(found) == {"nanobind", "jaxlib", "numpy"}
    # jax and jaxlib of one release have one version.
    assert found == {name: pinned[name.removesuffix("lib")] for name in found}


def test_the_same_sources_give_the_same_bytes(written, tmp_path):
    again = tmp_path / "again.json"
    write_sbom.main([str(again)])
    assert again.read_bytes() == written.read_bytes()


def test_what_one_library_contains_can_be_left_out(written, tmp_path):
    fewer = tmp_path / "fewer.json"
    assert write_sbom.main(["--leave-out", "windrow_distributed", str(fewer)]) == 0
    names = [{package["name"] for package in json.loads(file.read_text())["packages"]} for file in (written, fewer)]
    assert names[0] - names[1] == {"Open MPI"}
    documents = {json.loads(file.read_text())["documentNamespace"] for file in (written, fewer)}
    assert len(documents) == 2


def test_a_library_of_no_row_is_an_error(tmp_path, capsys):
    with pytest.raises(SystemExit):
        write_sbom.main(["--leave-out", "windrow_gone", str(tmp_path / "file.json")])
    assert "nothing in THIRD_PARTY.md is in windrow_gone" in capsys.readouterr().err


@pytest.mark.parametrize(
    "row",
    ["| Highway, Google LLC | 1.0.3 | compiled in | windrow | MIT |", "| [a](https://a) | new | compiled in | windrow | MIT |",
     "| [a](https://a) | 1.2 | windrow | MIT |"],
    ids=["no link", "no version", "a column too few"],
)
def test_an_incomplete_row_is_an_error(row):
    with pytest.raises(ValueError, match=r"expected a row of 5 columns .* got: \| "):
        write_sbom.libraries(f"| a | b |\n|---|---|\n{row}\n")
