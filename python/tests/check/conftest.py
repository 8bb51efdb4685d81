"""What several tests of check() need."""

import pytest
from kept_workers import kept_workers
from windrow import runners


@pytest.fixture
def both_hosts():
    """Skips the test where ONNX Runtime or OpenVINO is missing."""
    for name in ("onnxruntime", "openvino"):
        if runners.runner(name).fault():
            pytest.skip(runners.runner(name).fault())


@pytest.fixture(scope="module", autouse=True)
def one_start_of_each_host():
    with kept_workers():
        yield
