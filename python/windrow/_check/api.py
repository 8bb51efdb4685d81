"""Where runtimes differ on a model: windrow.check()."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._check.report import REPEATS, CheckReport
from windrow._models.model import Model, load, name_of
from windrow._models.source import ModelProto


def check(
    model: Model | str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
    *,
    runtimes: str | Sequence[str] | None = None,
    inputs: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    assume: Mapping[str, tuple[int, int]] | None = None,
    attempt: bool = False,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    show_cannot: bool = False,
    host: str | None = None,
    runs: int | None = None,
    tolerance: float | None = None,
    strict: bool = False,
    ask_onnx: bool = True,
    folder: str | os.PathLike[str] | None = None,
) -> CheckReport:
    """Says of each gather and scatter node of a model where runtimes differ on it, and why.

    model: a Model, or what load() takes; folder: as for load(). runtimes: "onnxruntime:cpu@1.31,tensorrt" or
    a list of such texts; one without a version means the newest. None: every runtime that
    rules know. One that no rule knows gets a note and is judged by the specification. assume: bounds of the elements of inputs of integers or floats, both ends included: {"ids": (0,
    30521)}. select, ignore: labels of rules, or prefixes of them. show_cannot: also reports what is
    proved impossible. ask_onnx: as for Model.infer().
    inputs: arrays by name, or an .npz or .safetensors file: the model runs in installed hosts, the rules are judged
    on the values that its nodes get, each node's result is compared with Windrow's, and the outputs and the nodes'
    inputs are compared across hosts. Values that break a promise in assume, or a premise of the report about
    shapes, are an error. attempt: each
    suspected node runs alone in the installed hosts, on inputs that provoke its rule. host: the name
    of the host to use, as in windrow.runners; None: every suitable installed one. runs: how often every
    gather and scatter node is repeated; None: 20 times those whose rule concerns races. tolerance: the
    largest error of floats in two hosts that counts as rounding, relative to the largest of both
    elements, 1 and the median magnitude; None: 1e-4, and 1e-2 for types of 16 bits or less. strict: what can be out of range
    fails a check though it was in range in `inputs`; it is not the option of calls of this name.
    Raises windrow.Error: what load() raises; an unknown label or input; an input that is
    missing; windrow.Unsupported without a host to run in.
    """
    loaded = model if isinstance(model, Model) else load(model, folder=folder)
    if isinstance(model, Model) and folder is not None:
        raise ArgumentError("folder is for models in memory")
    if runs is not None and runs < 1:
        raise ArgumentError(f"runs is {runs}, must be at least 1")
    if tolerance is not None and not tolerance >= 0:
        raise ArgumentError(f"tolerance is {tolerance}, must be at least 0")
    name = os.fspath(model) if isinstance(model, (str, os.PathLike)) else name_of(loaded)
    wanted = runtimes if isinstance(runtimes, str) else ",".join(runtimes or ())
    options = {
        "runtimes": wanted,
        "select": list(select),
        "ignore": list(ignore),
        "show_cannot": show_cannot,
        "assume": dict(assume or {}),
        "given": {},
        "run_shapes": {},
    }

    targets = _core.parse_targets(wanted)
    ask = loaded._ask(ask_onnx)
    if inputs is None:
        report = _core.check(loaded._core, name, options, ask)
    else:
        from windrow._check.findings import prove
        from windrow._check.runs import observe_and_compare

        report = observe_and_compare(
            loaded,
            lambda arrays: prove(loaded, name, options, arrays, ask),
            inputs,
            targets=targets,
            host=host,
            runs=runs,
            tolerance=tolerance,
            assume=assume or {},
            strict=strict,
            ignore=ignore,
        )
    if attempt:
        from windrow._check.tries import try_findings

        report = try_findings(loaded, report, targets=targets, host=host, runs=runs or REPEATS)
    return report
