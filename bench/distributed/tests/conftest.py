"""Makes the bench importable, and ranks that are threads, of the package's tests."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "python" / "tests" / "distributed")]
