"""The version of this project, which CMakeLists.txt alone has."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def project_version(root=ROOT):
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(\s*windrow\s+VERSION (\d+\.\d+\.\d+)", text)[1]
