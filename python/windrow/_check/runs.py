"""Runs a model in installed hosts: judges rules on real values and compares results with Windrow's."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, cast

from windrow._base.errors import Unsupported
from windrow._base.progress import step
from windrow._check.across import OUTPUTS_DIFFER, AcrossHosts
from windrow._check.bodies import InsideNodes
from windrow._check.compare import ComparisonOptions, HostComparison
from windrow._check.findings import Findings, Proved, add_given
from windrow._check.hosts import Target, find_hosts
from windrow._check.inputs import model_file, read_archive, require_promises, require_types
from windrow._check.nodes import extents_of, own_nodes
from windrow._check.observe import HostRuns
from windrow._check.report import CheckReport
from windrow._models.model import Model, host_inputs
from windrow.runners._requests import Format


def observe_and_compare(
    model: Model,
    prove: Callable[[Mapping[str, Any]], Proved],
    inputs: Mapping[str, Any] | str | os.PathLike[str],
    *,
    targets: Sequence[Target] = (),
    host: str | None = None,
    runs: int | None = None,
    tolerance: float | None = None,
    assume: Mapping[str, tuple[int, int]] = {},
    strict: bool = False,
    ignore: Sequence[str] = (),
    threads: int | None = None,
    windrow_inside: bool = False,
) -> CheckReport:
    """The report on a model, completed by the values that its nodes got and by differences from Windrow's results.

    prove: proves what holds of the model, for runs with these arrays. inputs: arrays by name, or an .npz or .safetensors file. targets, host: as
    for find_hosts(). runs, tolerance, assume, strict, ignore: as for check(). threads: of the hosts and of
    Windrow, None for all. windrow_inside: Windrow's operators take the place of the host's.
    Raises windrow.Error: an input that is missing, unknown or of the wrong type; windrow.Unsupported without a host;
    windrow.FileError, windrow.FormatError for the .npz file.
    """
    arrays = host_inputs(model, inputs if isinstance(inputs, Mapping) else read_archive(inputs))
    require_types(model, arrays)
    require_promises(assume, arrays)
    hosts, notes = find_hosts(targets, cast(Format, model.dialect), host)
    if not hosts:
        raise Unsupported("; ".join(["no host can run this model", *notes]))
    own = own_nodes(model)
    proved = prove(arrays)
    findings = Findings(proved.report, own.order)
    findings.notes += notes
    file, extents = model_file(model), extents_of(model, arrays)
    step("onnx's evaluator runs the bodies of nodes")
    inside = InsideNodes(file, own.inside, arrays)
    add_given(proved, findings, own, inside.unreached)
    findings.notes += inside.notes
    across = AcrossHosts(model, own, tolerance)
    is_compared = not any(OUTPUTS_DIFFER.startswith(label) for label in ignore)
    options = ComparisonOptions(runs, strict)
    with ExitStack() as stack:
        for candidate in hosts:
            pool = stack.enter_context(candidate.runner.pool())
            setting = HostRuns(candidate, pool, file, arrays, extents, threads, windrow_inside)
            HostComparison(setting, proved.judge, findings, options, across).compare(own.nodes, inside)
        if is_compared:
            across.add_to(findings)
    return findings.report()
