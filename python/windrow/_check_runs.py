"""Runs a model in installed hosts: judges rules on real values and compares results with Windrow's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

from windrow._check import CheckReport
from windrow._check_bodies import InsideNodes
from windrow._check_compare import HostComparison
from windrow._check_findings import Findings
from windrow._check_given import Judge, judge_given
from windrow._check_hosts import Target, find_hosts
from windrow._check_inputs import model_file, read_archive, require_types
from windrow._check_nodes import extents_of, own_nodes
from windrow._check_observe import HostRuns
from windrow._errors import Unsupported
from windrow._models import Model, host_inputs
from windrow.runners._requests import Format


def observe_and_compare(
    model: Model,
    judge: Judge,
    inputs: Mapping[str, Any] | str | os.PathLike[str],
    *,
    targets: Sequence[Target] = (),
    host: str | None = None,
    runs: int = 20,
    threads: int | None = None,
    windrow_inside: bool = False,
) -> CheckReport:
    """The report on a model, completed by the values that its nodes got and by differences from Windrow's results.

    judge: gives the report on observed values, and on given inputs. inputs: arrays by name, or an .npz or .safetensors file. targets, host: as
    for find_hosts(). runs: how often a node is repeated whose rule concerns an order that changes. threads: of the hosts and of
    Windrow, None for all. windrow_inside: Windrow's operators take the place of the host's.
    Raises windrow.Error: an input that is missing, unknown or of the wrong type; windrow.Unsupported without a host;
    windrow.FileError, windrow.FormatError for the .npz file.
    """
    arrays = host_inputs(model, inputs if isinstance(inputs, Mapping) else read_archive(inputs))
    require_types(model, arrays)
    hosts, notes = find_hosts(targets, cast(Format, model.dialect), host)
    if not hosts:
        raise Unsupported("; ".join(["no host can run this model", *notes]))
    own = own_nodes(model)
    findings = Findings(judge({}), own.order)
    findings.notes += notes
    file, extents = model_file(model), extents_of(model, arrays)
    inside = InsideNodes(file, own.inside, arrays)
    judge_given(judge, arrays, findings, own, inside.unreached)
    findings.notes += inside.notes
    for candidate in hosts:
        with candidate.runner.pool() as pool:
            setting = HostRuns(candidate, pool, file, arrays, extents, threads, windrow_inside)
            HostComparison(setting, judge, findings, runs).compare(own.nodes, inside)
    return findings.report()
