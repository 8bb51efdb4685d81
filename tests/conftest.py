"""What all Python tests share."""

import sys

# OpenVINO sends usage data from a thread of its own when it is imported.
sys.modules["openvino_telemetry"] = None
