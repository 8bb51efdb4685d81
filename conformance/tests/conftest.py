"""The tests of the kit run on the package of this checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CONFORMANCE), str(CONFORMANCE / "tests")]

from windrow_conformance.corpus import Corpus  # noqa: E402


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The corpus of this checkout."""
    return Corpus.open()
