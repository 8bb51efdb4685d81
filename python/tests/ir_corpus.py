"""The models of ONNX's back-end tests as OpenVINO saves them, for test_openvino_models_are_kept.py.

A worker process imports this module once; each item, a list of positions in MODELS, has a process of its own.
"""

import sys
import tempfile
from pathlib import Path

import ir_files
import numpy as np
import windrow
from onnx_corpus import corpus
from windrow.runners import ModelFile, ModelRun, runner

sys.modules["openvino_telemetry"] = None  # importing openvino would send usage data

MODELS = list(corpus())


def convert(source, path):
    """Lets OpenVINO save the model. Returns the converted model, or None if OpenVINO refuses it."""
    import openvino

    try:
        model = openvino.Core().read_model(str(source.path) if source.path else source.content())
        openvino.save_model(model, path, compress_to_fp16=False)
    except RuntimeError:
        return None
    return model


def inputs_of(model, given):
    """The inputs of a converted model: those given by name, else ones."""
    inputs = {}
    for port in model.inputs:
        name = min(port.get_names() & given.keys() or port.get_names())
        shape = [extent.get_length() if extent.is_static else 1 for extent in port.get_partial_shape()]
        inputs[name] = given[name] if name in given else np.ones(shape, port.get_element_type().to_dtype())
    return inputs


def run(path, inputs):
    """OpenVINO's results for a file: arrays by name, or the last line of its error."""
    try:
        return runner("openvino").execute(ModelRun(ModelFile.of(path), inputs, threads=1))
    except Exception as error:  # whatever a host raises
        return f"{type(error).__name__}: " + str(error).strip().splitlines()[-1]


def _bits(value):
    array = np.asarray(value)
    return array.dtype, array.shape, array.tolist() if array.dtype.kind in "OTU" else array.tobytes()


def compare(first, second):
    """ "same", "differs", or why the first one or the second one does not run."""
    for outputs in (first, second):
        if isinstance(outputs, str):
            return outputs if first == second else f"one file alone: {outputs}"
    same = list(first) == list(second) and all(_bits(first[name]) == _bits(second[name]) for name in first)
    return "same" if same else "differs"


def _check(position, runs):
    source = MODELS[position]
    name = source.name
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.xml")
        model = convert(source, path)
        if model is None:
            return {"name": name, "what": "not converted"}
        try:
            once = ir_files.keep(path)
        except (windrow.Error, AssertionError) as error:
            return {"name": name, "what": f"not kept: {error}"}
        if not runs and "body>" not in Path(path).read_text():
            return {"name": name, "what": "not run"}
        inputs = inputs_of(model, source.inputs())
        return {"name": name, "what": compare(run(path, inputs), run(once, inputs))}


def run_original(position):
    """Runs the model that OpenVINO saves, and nothing of Windrow's: whether OpenVINO itself ends its process."""
    source = MODELS[position]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.xml")
        model = convert(source, path)
        if model is not None:
            run(path, inputs_of(model, source.inputs()))


def check(item):
    """The outcome of each model as {"name", "what"}. item: positions in MODELS, and whether each is to run."""
    return [_check(position, runs) for position, runs in item]
