#!/usr/bin/env python3
"""Writes the table of THIRD_PARTY.md as a software bill of materials, an SPDX 2.3 document in JSON.

The time in it is SOURCE_DATE_EPOCH, if that is set: the same sources then give the same bytes.
"""

import argparse
import dataclasses
import json
import os
import re
import sys
import time
import uuid
from pathlib import Path

from project_version import ROOT, project_version

LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
VERSION = re.compile(r"\d+(?:\.\d+)+")


@dataclasses.dataclass(frozen=True)
class Library:
    """A row of the table. `copyright` is the name with its authors, `version` the column's whole text, `licence` an SPDX expression."""

    name: str
    sources: str
    copyright: str
    version: str
    use: str
    where: str
    licence: str

    @property
    def number(self):
        return VERSION.search(self.version)[0]

    @property
    def package(self):
        """Its name on PyPI, if that is where it comes from: the word before the version, or the software's own name."""
        if "(PyPI)" not in self.version:
            return None
        before = self.version[: VERSION.search(self.version).start()].split()
        return before[-1] if before else self.name.lower()


def library_of(line):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    fault = f"THIRD_PARTY.md: expected a row of 5 columns with a link to the sources and a version, got: {line}"
    if len(cells) != 5:
        raise ValueError(fault)
    software, version, use, where, licence = cells
    link = LINK.match(software)
    if not link or not VERSION.search(version):
        raise ValueError(fault)
    return Library(link[1], link[2], LINK.sub(r"\1", software), version, use.replace("`", ""), where.replace("`", ""),
                   LINK.sub(r"\1", licence))


def libraries(text):
    """The rows of the first table of a page."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [library_of(line) for line in rows[2:]]


def package_of(library):
    package = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9]+", "-", library.name),
        "name": library.name,
        "versionInfo": library.number,
        "downloadLocation": f"git+{library.sources}",
        "homepage": library.sources,
        "filesAnalyzed": False,
        "licenseConcluded": library.licence,
        "licenseDeclared": library.licence,
        "copyrightText": "NOASSERTION",
        "attributionTexts": [library.copyright],
        "comment": f"in {library.where}: {library.use}; version: {library.version}",
    }
    if library.package:
        package["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                    "referenceLocator": f"pkg:pypi/{library.package}@{library.number}"}]
    return package


def document(version, third_party, seconds):
    """The SPDX document of this version with these libraries. `seconds`: the time of its making, since 1970."""
    own = {
        "SPDXID": "SPDXRef-Windrow",
        "name": "windrow",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
    }
    packages = [own, *map(package_of, third_party)]
    describes = {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}
    depends = [{"spdxElementId": own["SPDXID"], "relationshipType": "DEPENDS_ON", "relatedSpdxElement": each["SPDXID"]}
               for each in packages[1:]]
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([seconds, packages]))
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"windrow-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/windrow-{version}-{name}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "creators": ["Tool: write_sbom.py"]},
        "packages": packages,
        "relationships": [describes, *depends],
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--leave-out", action="append", default=[], metavar="LIBRARY",
                        help="leave out what only this library of ours contains, such as windrow_distributed")
    options = parser.parse_args(arguments)
    third_party = libraries((ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8"))
    unknown = set(options.leave_out) - {each.where for each in third_party}
    if unknown:
        parser.error(f"nothing in THIRD_PARTY.md is in {', '.join(sorted(unknown))}")
    kept = [each for each in third_party if each.where not in options.leave_out]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    options.file.write_text(json.dumps(document(project_version(), kept, seconds), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
