"""Fixtures of the tests of windrow.trt: a logger that keeps its lines, and an empty network."""

import sys
from pathlib import Path

import pytest
import windrow.trt as trt

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "python"))


class Recorder(trt.ILogger):
    """Keeps what is logged."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def log(self, severity, msg):
        self.messages.append((severity, msg))

    def take(self):
        """The lines since the last call."""
        messages, self.messages = self.messages, []
        return [msg for _, msg in messages]


@pytest.fixture
def logger():
    """A test fails if it leaves lines in the log."""
    recorder = Recorder()
    yield recorder
    assert recorder.take() == []


@pytest.fixture
def builder(logger):
    return trt.Builder(logger)


@pytest.fixture
def network(builder):
    return builder.create_network()


@pytest.fixture
def gather(network):
    """A gather layer of float32[2, 3] by int32[4], axis 1."""
    data = network.add_input("data", trt.float32, (2, 3))
    indices = network.add_input("indices", trt.int32, (4,))
    return network.add_gather(data, indices, axis=1)
