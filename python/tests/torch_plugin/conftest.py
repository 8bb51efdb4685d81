"""The operators for PyTorch need torch and their library: ./dev test --torch has both."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("windrow.torch", exc_type=ImportError)
