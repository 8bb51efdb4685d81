"""What all Python tests share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "python"))

from longest_first import put_longest_first  # noqa: E402

# OpenVINO sends usage data from a thread of its own when it is imported.
sys.modules["openvino_telemetry"] = None


def pytest_collection_modifyitems(items):
    put_longest_first(items)
