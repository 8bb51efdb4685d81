"""The sources that a source distribution brings are those that its build takes."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "bundle_sources.sh"


def test_what_is_bundled_is_what_is_built():
    listed = re.search(r"bundled='(.*?)'", SCRIPT.read_text(), re.S).group(1)
    bundled = {line.split()[0] for line in listed.splitlines()}
    cmake = (ROOT / "cmake" / "third_party.cmake").read_text()
    built = re.findall(r"^ *windrow_bundled\(\S+ (\S+) ", cmake, re.M)
    assert bundled == set(built)
    assert len(bundled) == len(built) >= 6


def test_every_bundled_library_has_its_licence_listed():
    """zlib's stands in zlib.h."""
    listed = re.search(r"bundled='(.*?)'", SCRIPT.read_text(), re.S).group(1)
    for line in listed.splitlines():
        assert "LICENSE" in line or "README" in line, line


def test_a_folder_must_be_named():
    done = subprocess.run([SCRIPT], capture_output=True, text=True)
    assert done.returncode != 0
    assert "usage: scripts/bundle_sources.sh FOLDER" in done.stderr
