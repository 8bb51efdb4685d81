"""Everything that runs a host runtime: ONNX Runtime, OpenVINO, ONNX's own evaluator, and this package.

runner(name), runners(): the hosts. Their run() and run_node() give a Result and never raise a host's error.
run_with_host(): a whole model in an installed host, with Windrow's gather and scatter operators inside it.
"""

from windrow.processes import CannotAsk, Ending, Failure, FailureKind, Limits, Pool
from windrow.runners._compare import Difference
from windrow.runners._hosts import runner, runners
from windrow.runners._requests import ModelFile, ModelRun, NodeCall
from windrow.runners._results import Observation, Repeats, Result
from windrow.runners._runner import Runner
from windrow.runners._whole_models import run_with_host

__all__ = [
    "CannotAsk",
    "Difference",
    "Ending",
    "Failure",
    "FailureKind",
    "Limits",
    "ModelFile",
    "ModelRun",
    "NodeCall",
    "Observation",
    "Pool",
    "Repeats",
    "Result",
    "Runner",
    "run_with_host",
    "runner",
    "runners",
]
