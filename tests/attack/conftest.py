"""What the attacks share."""

import os
import pathlib
import tempfile

import pytest
from attacked_command import make_files


@pytest.fixture
def quick_folder():
    """A filled folder in memory, where there is one, for calls by the hundred: no disk is waited for."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield make_files(pathlib.Path(folder) / "folder")
