"""Sessions of ONNX Runtime are made by the helpers of its plug-in's tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "onnxruntime_plugin"))
