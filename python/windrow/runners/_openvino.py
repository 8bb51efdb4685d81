"""OpenVINO's CPU plugin, and the evaluate functions of its operators."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from windrow.processes import CannotAsk
from windrow.runners._openvino_tensors import from_tensor, to_tensor
from windrow.runners._requests import Format, ModelRun, NodeCall
from windrow.runners._runner import Runner


class OpenVino(Runner):
    """The CPU plugin. float32 stays float32; 64-bit integers and float64 are narrowed, as the plugin does."""

    name = "openvino"
    package = "openvino"
    formats = ("onnx", "openvino")
    takes_windrow: ClassVar[tuple[Format, ...]] = ("onnx", "openvino")
    missing_types = frozenset(
        {"complex64", "complex128", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4", "float8_e4m3"}
    )
    no_code = re.compile(
        "Evaluation failed on|Not Implemented|is not supported yet|unsupported '.*' input precision|"
        "does not support string|No conversion rule found"
    )

    def preload(self) -> tuple[str, ...]:
        # Importing openvino sends usage data from a separate thread, unless this package is missing.
        sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
        return (self.package,)

    def execute(self, run: ModelRun) -> dict[str, Any]:
        model = _read(run)
        return self.run_built(model, _tensors(model, run), run.threads)

    def execute_node(self, call: NodeCall) -> dict[str, Any]:
        if call.dialect == "onnx":
            return super().execute_node(call)
        model, tensors = build_node(call)
        outputs = self.run_built(model, tensors, call.threads)
        return {f"output_{number}": value for number, value in enumerate(outputs.values())}

    def execute_exposed(self, run: ModelRun) -> dict[str, Any]:
        if run.format == "onnx":
            return super().execute_exposed(run)
        model = _read(run)
        tensors = _tensors(model, run)
        names = [] if run.cut else [_port_name(port) for port in model.outputs]
        model, places, not_observed = _expose(model, run)
        values = list(self.run_built(model, tensors, run.threads, named=False).values())
        observed = {
            name: tuple(tuple(values[place] for place in side) for side in sides)
            for name, sides in places.items()
        }
        return {"outputs": dict(zip(names, values)), "observed": observed, "not_observed": not_observed}

    def run_built(
        self, model: Any, tensors: list[Any], threads: int | None = None, named: bool = True
    ) -> dict[str, Any]:
        """The outputs of a model of OpenVINO's for the tensors of its parameters, in order.

        named: whether the keys are names; otherwise they are positions. Called in the processes that run the host.
        """
        import openvino  # type: ignore[import-untyped]

        settings: dict[str, Any] = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
        if threads is not None:
            settings["INFERENCE_NUM_THREADS"] = threads
        names = [_port_name(port) if named else str(n) for n, port in enumerate(model.outputs)]
        request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()
        for number, tensor in enumerate(tensors):
            request.set_input_tensor(number, tensor)
        # Unlike infer(), this also propagates exceptions with a single thread.
        request.start_async()
        request.wait()
        return {name: from_tensor(request.get_output_tensor(n)) for n, name in enumerate(names)}


class OpenVinoEvaluate(OpenVino):
    """The reference code of OpenVINO's operators, called by Model.evaluate(); it keeps every element type."""

    name = "openvino_evaluate"
    takes_windrow: ClassVar[tuple[Format, ...]] = ()

    def run_built(
        self, model: Any, tensors: list[Any], threads: int | None = None, named: bool = True
    ) -> dict[str, Any]:
        import openvino

        outputs = []
        for port in model.outputs:
            if port.get_element_type().is_dynamic():
                raise CannotAsk(f"the type of the output {_port_name(port)!r} is known at run time only")
            outputs.append(openvino.Tensor(port.get_element_type(), openvino.Shape([0])))
        if not model.evaluate(outputs, tensors):
            raise CannotAsk("OpenVINO has no evaluate function for this model")
        names = [_port_name(port) if named else str(n) for n, port in enumerate(model.outputs)]
        return {name: from_tensor(tensor) for name, tensor in zip(names, outputs)}


def _read(run: ModelRun) -> Any:
    """The model, with Windrow's operators if the request says so."""
    import openvino

    core = openvino.Core()
    if run.windrow_inside and run.format == "onnx":
        from windrow.openvino_plugin import extension

        core.add_extension(extension())
    if run.model.path is not None:
        model = core.read_model(run.model.path)
    elif run.format == "openvino":
        model = core.read_model(run.model.read(), run.model.weights or b"")
    else:
        # External data of a model in memory is searched in the working directory, which belongs to this item alone.
        if run.model.folder is not None:
            os.chdir(run.model.folder)
        model = core.read_model(run.model.read())
    if run.windrow_inside and run.format == "openvino":
        from windrow.openvino_plugin import replace

        replace(model)
    return model


def _tensors(model: Any, run: ModelRun) -> list[Any]:
    """The tensors of the model's inputs, in order. Raises CannotAsk for missing and unknown names."""
    left = dict(run.inputs)
    tensors = []
    for port in model.inputs:
        names = {*port.get_names(), port.node.friendly_name}
        name = next((name for name in left if name in names), None)
        if name is None:
            raise CannotAsk(f"there is no value for the input {_port_name(port)!r}")
        tensors.append(to_tensor(left.pop(name)))
    unknown = [name for name in left if name not in _declared_inputs(run)] if left else []
    if unknown:
        raise CannotAsk(f"the model has no input {unknown[0]!r}")
    return tensors


def _declared_inputs(run: ModelRun) -> set[str]:
    """The inputs that an ONNX file declares: OpenVINO drops those of a model in memory that nothing reads.

    Those with a default value are left out: OpenVINO takes the default, whatever a run gives.
    """
    if run.format != "onnx":
        return set()
    from windrow._models.model import load

    file = run.model
    model = load(file.path) if file.path is not None else load(file.read(), folder=file.folder)
    return {value.name for value in model.inputs}


def _port_name(port: Any) -> str:
    return str(min(port.get_names(), default=port.node.friendly_name))


def _expose(
    model: Any, run: ModelRun
) -> tuple[Any, dict[str, tuple[list[int], list[int]]], dict[str, str]]:
    """Makes the inputs and outputs of the nodes that a run exposes outputs of the model, or of a cut one.

    Returns that model, (positions of inputs, positions of outputs) for each node found, and reasons for the others.
    """
    import openvino

    nodes = {node.friendly_name: node for node in model.get_ordered_ops()}
    target = openvino.Model([], model.get_parameters(), model.friendly_name) if run.cut else model
    places, not_observed = {}, {}

    def place_of(source: Any) -> int:
        # A port that is already an output gets no second one.
        added = target.add_outputs([source])[0].node.friendly_name
        return [port.node.friendly_name for port in target.outputs].index(added)

    for name in run.exposed:
        if name not in nodes:
            not_observed[name] = _why_not_found(model, name)
            continue
        outputs = [] if name in run.expose_inputs else nodes[name].outputs()
        sides = ([i.get_source_output() for i in nodes[name].inputs()], outputs)
        places[name] = ([place_of(port) for port in sides[0]], [place_of(port) for port in sides[1]])
    return target, places, not_observed


def _why_not_found(model: Any, name: str) -> str:
    for owner, body in _all_bodies(model):
        if any(node.friendly_name == name for node in body.get_ordered_ops()):
            return f"it is in a body of the {owner.get_type_name()} node {owner.friendly_name!r}"
    return "the model has no node of this name"


def _all_bodies(model: Any) -> Iterator[tuple[Any, Any]]:
    from windrow.openvino_plugin import bodies

    for node in model.get_ordered_ops():
        for body in bodies(node):
            yield node, body
            yield from _all_bodies(body)


def build_node(call: NodeCall) -> tuple[Any, list[Any]]:
    """A model of one OpenVINO operator, and the tensors of its parameters in order."""
    import openvino
    from openvino import opset15
    from openvino.utils.node_factory import NodeFactory  # type: ignore[import-untyped]

    from windrow.openvino_plugin import operator_set

    nodes, parameters, tensors = [], [], []
    for number, array in enumerate(call.inputs):
        tensor = to_tensor(array)
        if number in call.constants:
            nodes.append(openvino.op.Constant(tensor, shared_memory=False))
            continue
        rank = np.asarray(array).ndim
        shape = openvino.PartialShape([-1] * rank if call.dynamic else list(np.shape(array)))
        nodes.append(opset15.parameter(shape, tensor.element_type, name=f"input_{number}"))
        parameters.append(nodes[-1])
        tensors.append(tensor)
    factory = NodeFactory(operator_set(call.op_type, call.version))
    node = factory.create(call.op_type, nodes, dict(call.attributes))
    return openvino.Model(list(node.outputs()), parameters, "node"), tensors
