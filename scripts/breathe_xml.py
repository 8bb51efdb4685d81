#!/usr/bin/env python3
"""Writes Doxygen's XML as the site's reference needs it: breathe_xml.py FROM TO

The reference has a page for each header, but Doxygen lists functions, enums and types that are in a namespace with the
namespace alone. Here each stands with the header that declares it, under its full name, and no header has a namespace of its
own, which Breathe would declare on every page.
"""

import collections
import pathlib
import shutil
import sys
import xml.etree.ElementTree as ElementTree


def members_by_header(folder):
    """The declarations in namespaces, by header and kind of section, each with its full name."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in sorted(folder.glob("namespace*.xml")):
        compound = ElementTree.parse(file).getroot().find("compounddef")
        for section in compound.findall("sectiondef"):
            for member in section.findall("memberdef"):
                name = member.find("name")
                name.text = f"{compound.findtext('compoundname')}::{name.text}" if name.text else name.text
                found[member.find("location").get("file")][section.get("kind")].append(member)
    return found


def with_members(tree, sections):
    """Puts the declarations into the page of their header, behind what it has."""
    compound = tree.getroot().find("compounddef")
    for namespace in compound.findall("innernamespace"):
        compound.remove(namespace)
    before = next(at for at, part in enumerate(compound) if part.tag in ("briefdescription", "location"))
    for kind, members in sections.items():
        section = ElementTree.Element("sectiondef", {"kind": kind})
        section.extend(members)
        compound.insert(before, section)
        before += 1


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    shutil.copytree(source, target, dirs_exist_ok=True)
    members = members_by_header(source)
    for file in sorted(source.glob("*_8h.xml")):
        tree = ElementTree.parse(file)
        header = tree.getroot().find("compounddef/location").get("file")
        with_members(tree, members.get(header, {}))
        tree.write(target / file.name, encoding="utf-8", xml_declaration=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
