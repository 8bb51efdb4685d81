"""The command under test."""

import os
import pathlib

_ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WINDROW_COMMAND", str(_ROOT / "build/release/bin/windrow"))
