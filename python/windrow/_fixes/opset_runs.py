"""Runs that show whether the nodes that a newer opset does not concern give the same bits in it."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from windrow import _core
from windrow._check.api import check
from windrow._fixes.inputs import Sample
from windrow._fixes.opset_graphs import NotRaised
from windrow._fixes.results import FixVerification
from windrow._fixes.runs import HOSTS, Tally, run_in
from windrow._models.model import load
from windrow.runners._hosts import runners
from windrow.runners._requests import ModelFile

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, ValueInfoProto

_SAMPLES = 6


def verify_others(
    before: ModelProto, after: ModelProto, changed: list[NodeProto], calls: set[tuple[str, str]], hosts: Sequence[str] | None,
    place: str = "",
) -> list[FixVerification]:  # fmt: skip
    """Runs of all other nodes in hosts; none if there are no other nodes. Raises NotRaised if they prove nothing.

    calls: the domains and names of functions that no other node calls, and that the runs leave out. place: the path of the
    function that the model is made of, or "".
    """
    whose = f"the other nodes of {place}" if place else "the other nodes"
    names = {name for node in changed for name in node.output}
    others = [node for node in before.graph.node if not names & set(node.output)]
    if not others:
        return []
    typed = typed_values(after)
    cuts = [_without(proto, names, calls, typed) for proto in (before, after)]
    loaded = load(cuts[0])
    report = check(loaded)
    samples = [Sample(_core.sample_inputs(loaded._core, report, seed, False), "drawn") for seed in range(_SAMPLES)]
    found = list(_runs(cuts, samples, hosts, whose))
    failure = next((f"{row.host}: {row.failure}" for row in found if row.failure), "")
    if failure:
        raise NotRaised(f"other nodes change: {failure}")
    if not any(row.equal for row in found):
        raise NotRaised(f"no installed host runs {whose}")
    return [row for row in found if row.equal]


def _runs(cuts: list[ModelProto], samples: list[Sample], hosts: Sequence[str] | None, whose: str) -> Iterable[FixVerification]:
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, proto in zip(("before", "after"), cuts):
            onnx.save(proto, Path(folder, f"{name}.onnx"))
            files.append(ModelFile.of(Path(folder, f"{name}.onnx")))
        for host in runners():
            if host.name not in (HOSTS if hosts is None else hosts) or host.fault():
                continue
            runs = [run_in(host, file, [sample.inputs for sample in samples], False) for file in files]
            if any(refusal for _, refusal in runs):
                continue
            tally = Tally(f"{host.name} ({whose})", samples)
            for number, (old, new) in enumerate(zip(runs[0][0], runs[1][0])):
                tally.add_equal(number, old, new)
            yield tally.verification()


def typed_values(proto: ModelProto) -> dict[str, ValueInfoProto]:
    """The values of the main graph whose types are declared, or inferred by onnx."""
    import onnx

    try:
        graph = onnx.shape_inference.infer_shapes(proto).graph
    except Exception as error:  # noqa: BLE001  as above
        raise NotRaised(f"onnx infers no types: {str(error).splitlines()[0]}") from None
    constants = [onnx.helper.make_tensor_value_info(each.name, each.data_type, each.dims) for each in graph.initializer]
    values = (*graph.input, *constants, *graph.value_info, *graph.output)
    return {value.name: value for value in values if value.type.tensor_type.elem_type}


def _without(proto: ModelProto, names: set[str], calls: set[tuple[str, str]], typed: dict[str, ValueInfoProto]) -> ModelProto:
    """The model without these functions and the nodes that compute these values, which become inputs; what the nodes read are outputs."""
    import onnx

    cut = onnx.ModelProto()
    cut.CopyFrom(proto)
    graph = cut.graph
    removed = [node for node in graph.node if names & set(node.output)]
    kept = [node for node in graph.node if not names & set(node.output)]
    computed = {name for node in kept for name in node.output if name}
    missing = sorted((names - set(typed)) | (names - {name for node in removed for name in node.output}))
    if missing:
        raise NotRaised(f"the type of {missing[0]} is not known after it")
    outputs = [value for value in graph.output if value.name in computed]
    shown = {value.name for value in outputs}
    for name in dict.fromkeys(name for node in removed for name in node.input):
        if name in computed and name not in shown and name in typed:
            outputs.append(typed[name])
    del graph.node[:], graph.output[:], cut.functions[:]
    cut.functions.extend(each for each in proto.functions if (each.domain, each.name) not in calls)
    graph.node.extend(kept)
    graph.input.extend(typed[name] for name in sorted(names))
    graph.output.extend(outputs)
    if not outputs:
        raise NotRaised("no output shows what the other nodes compute")
    return cut
