"""Runs whole models in hosts, in worker processes: a model that ends its process costs itself and is counted.

A job is a dict: "model" has the bytes of an ONNX file whose outputs are the values to be seen, "runs" is a list of the inputs by name. A
job's outcome is a list with a dict for each run: {"arrays": the outputs by name}, or {"refused": why} or {"ended": how the process did}.
"""

from dataclasses import dataclass

import numpy as np
import windrow.runners
from windrow.processes import Limits, Pool

# The hosts by the name that findings have for them, and the modules that a worker imports first.
HOSTS = {
    "onnxruntime:cpu": ["onnxruntime"],
    "onnx:reference": [*windrow.runners.runner("onnx_reference").preload()],
    "openvino:cpu": ["windrow.runners._openvino", "openvino"],
}
IN_AN_ITEM = 12
LIMITS = Limits(seconds=15.0, memory=3 << 30)
LIMITS_AGAIN = Limits(seconds=5.0, memory=3 << 30)  # of the parts of an item that ended its process
ENOUGH = 1 << 20  # elements of an output; a larger one is not passed on


@dataclass
class HostCounts:
    """Counts of what a host did, added up over graphs."""

    graphs: int = 0
    runs: int = 0
    refused: int = 0
    ended: int = 0  # runs that ended the process, took too long or too much memory

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self):
        return f"{self.graphs} graphs, {self.runs} runs, {self.refused} refused, {self.ended} that ended the process"


class HostPool:
    """Worker processes of a host."""

    def __init__(self, host, processes=1):
        preload = [*HOSTS[host], "hosts"]
        self.host, self.pool = host, Pool("hosts:run_jobs", preload=preload, processes=processes, limits=LIMITS)

    def close(self):
        self.pool.close()

    def run(self, jobs):
        """(outcomes in the jobs' order, HostCounts)."""
        outcomes = [[None] * len(job["runs"]) for job in jobs]
        units = [(number, run) for number, job in enumerate(jobs) for run in range(len(job["runs"]))]
        starts = [number for number, (_, run) in enumerate(units) if run == 0][::IN_AN_ITEM]
        items = [units[start:end] for start, end in zip(starts, [*starts[1:], len(units)])]
        limits = LIMITS
        while items:
            again = []
            for item, ending in zip(items, self.pool.run([self.request(jobs, item) for item in items], limits=limits)):
                if not ending.failure:
                    for (number, run), outcome in zip(item, ending.value):
                        outcomes[number][run] = outcome
                elif len(item) == 1:
                    outcomes[item[0][0]][item[0][1]] = {"ended": str(ending.failure)}
                else:
                    again += parts_of(item)
            items, limits = again, LIMITS_AGAIN
        return outcomes, self.count(outcomes)

    def request(self, jobs, item):
        return {"host": self.host, "units": [{"number": number, "run": run} for number, run in item],
                "jobs": {str(number): jobs[number] for number, _ in item}}

    def count(self, outcomes):
        every = [run for job in outcomes for run in job]
        return HostCounts(sum(any("arrays" in run for run in job) for job in outcomes), sum("arrays" in run for run in every),
                          sum("refused" in run for run in every), sum("ended" in run for run in every))


def parts_of(item):
    """The units of an item that ended its process, by job; those of a single job, by run."""
    parts = {}
    for unit in item:
        parts.setdefault(unit[0], []).append(unit)
    return list(parts.values()) if len(parts) > 1 else [[unit] for unit in item]


def run_jobs(item):
    """The handler of worker processes: the outcomes of the item's units."""
    start = {"onnxruntime:cpu": start_onnxruntime, "onnx:reference": start_reference, "openvino:cpu": start_openvino}[item["host"]]
    runners, outcomes = {}, []
    for unit in item["units"]:
        job = item["jobs"][str(unit["number"])]
        try:
            if unit["number"] not in runners:
                runners[unit["number"]] = guarded(start, job["model"])
            runner = runners[unit["number"]]
            if isinstance(runner, Exception):
                raise runner
            arrays = {name: np.asarray(array) for name, array in runner(job["runs"][unit["run"]]).items()}
            outcomes.append({"arrays": {name: array for name, array in arrays.items() if array.size <= ENOUGH and array.dtype.kind not in "OSU"}})
        except Exception as error:  # the kinds of the hosts' errors have no common base
            outcomes.append({"refused": f"{type(error).__name__}: {error}"[:500]})
    return outcomes


def guarded(start, model):
    """A function that runs the model, or the error of the host that refuses it."""
    try:
        return start(model)
    except Exception as error:
        return error


def start_onnxruntime(model):
    import onnxruntime
    from windrow.runners import _onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda inputs: _onnxruntime._run(session, inputs)


def start_reference(model):
    import warnings

    import onnx
    from onnx.reference import ReferenceEvaluator

    warnings.simplefilter("ignore")
    evaluator = ReferenceEvaluator(onnx.load_model_from_string(model))
    return lambda inputs: dict(zip(evaluator.output_names, evaluator.run(None, inputs)))


def start_openvino(model):
    import openvino
    from windrow.runners import ModelFile, ModelRun
    from windrow.runners._openvino import _port_name, _tensors
    from windrow.runners._openvino_tensors import from_tensor

    read = openvino.Core().read_model(model)
    names = [_port_name(port) for port in read.outputs]
    request = openvino.Core().compile_model(
        read, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}).create_infer_request()

    def run(inputs):
        tensors = _tensors(read, ModelRun(ModelFile.of(model), inputs))  # hold the memory that the request reads
        for number, tensor in enumerate(tensors):
            request.set_input_tensor(number, tensor)
        request.start_async()
        request.wait()
        return {name: from_tensor(request.get_output_tensor(number)) for number, name in enumerate(names)}

    return run
