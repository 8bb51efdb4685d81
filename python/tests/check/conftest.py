"""What several tests of check() need."""

import pytest
from windrow import runners


@pytest.fixture
def both_hosts():
    """Skips the test where ONNX Runtime or OpenVINO is missing."""
    for name in ("onnxruntime", "openvino"):
        if runners.runner(name).fault():
            pytest.skip(runners.runner(name).fault())
