"""The common interface of all hosts."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from windrow.processes import CannotAsk, Ending, Failure, Limits, Pool
from windrow.runners import _onnx_models, _requests
from windrow.runners._compare import Difference, differing_outputs
from windrow.runners._requests import Format, ModelFile, ModelRun, NodeCall
from windrow.runners._results import Execution, Observation, Repeats, Result


class Runner(ABC):
    """A host: a runtime on this machine that can run models or single nodes.

    Its run functions return Results and never raise a host's errors. The host's code runs in processes of its own (see
    windrow.processes), which call the execute functions; this process never imports it.
    """

    # The host's name; the package to install, which is also its module; the formats of models that it reads.
    name: ClassVar[str]
    package: ClassVar[str]
    formats: ClassVar[tuple[Format, ...]] = ("onnx",)
    # Formats of models in which Windrow's operators can take the place of the host's.
    takes_windrow: ClassVar[tuple[Format, ...]] = ()
    # Element types that the host has no means to take or return.
    missing_types: ClassVar[frozenset[str]] = frozenset()
    # The host's error messages for an operator, version or type that it does not implement, whatever the values are.
    no_code: ClassVar[re.Pattern[str] | None] = None

    def versions(self) -> dict[str, str]:
        """The versions of the host's packages, by name; empty if it is not installed."""
        try:
            return {self.package: importlib.metadata.version(self.package)}
        except importlib.metadata.PackageNotFoundError:
            return {}

    def fault(self) -> str:
        """Why the host cannot run here, with what to install; empty if it can."""
        if importlib.util.find_spec(self.package) is not None:
            return ""
        return f"{self.name} is not installed: pip install {self.package}"

    def why_not(self, format: Format, version: int | None = None, types: Sequence[str] = ()) -> str:
        """Why the host cannot take a model or node; empty if it can.

        version: the operator set, None if unknown. types: the element types of the inputs.
        """
        if format not in self.formats:
            return f"{self.name} does not read the format {format!r}"
        missing = sorted(self.missing_types.intersection(types))
        if missing:
            return f"{self.name} has no tensors of {', '.join(missing)}"
        return self.why_not_version(format, version)

    def why_not_version(self, format: Format, version: int | None) -> str:
        """The part of why_not() that concerns the operator set."""
        return ""

    def has_no_code(self, failure: Failure) -> bool:
        """Whether the host refuses because it does not implement the operator, its version or its types."""
        return self.no_code is not None and bool(self.no_code.search(failure.message))

    def run(
        self,
        model: Any,
        inputs: Mapping[str, Any],
        *,
        expose: Sequence[str] = (),
        folder: Any = None,
        limits: Limits = Limits(),
        **options: Any,
    ) -> Result:
        """Runs a model: a path, bytes, an onnx.ModelProto or a ModelFile. options: more fields of ModelRun."""
        source = ModelFile.of(model, folder)
        return self.run_batch([ModelRun(source, dict(inputs), tuple(expose), **options)], limits=limits)[0]

    def run_node(self, call: NodeCall, *, limits: Limits = Limits()) -> Result:
        """Runs a single node; its outputs are called output_0 and so on."""
        return self.run_batch([call], limits=limits)[0]

    def repeat_node(
        self,
        call: NodeCall,
        expected: np.ndarray[Any, Any],
        runs: int,
        *,
        limits: Limits = Limits(),
        pool: Pool | None = None,
    ) -> Repeats:
        """Runs a single node many times in one process, and counts how often output_0 differed from `expected`.

        The limits apply to all runs together. pool: as for run_batch().
        """
        failure = self._refusal(call)
        if failure is None:
            [ending] = self._endings([call], limits, pool, runs=runs, expected=expected)
            if ending.failure is None:
                first = ending.value["first"]
                difference = None if first is None else Difference(**first)
                return Repeats(runs, ending.value["differing"], difference, varying=ending.value["varying"])
            failure = ending.failure
        return Repeats(runs, failure=failure)

    def pool(self, *, processes: int = 1, makes_models: bool = True) -> Pool:
        """Processes for several calls of run_batch(), so that each call need not start its own.

        makes_models: whether ONNX models are made or changed there. Use it in a with statement.
        """
        preload = list(self.preload())
        if makes_models and importlib.util.find_spec("onnx") is not None:
            preload.append("onnx")
        return Pool("windrow.runners._hosts:serve", preload=preload, processes=processes)

    def run_batch(
        self,
        requests: Sequence[ModelRun | NodeCall],
        *,
        processes: int = 1,
        limits: Limits = Limits(),
        pool: Pool | None = None,
    ) -> list[Result]:
        """The Results of many requests, in their order. pool: a pool of this host; None: a new one.

        A model with exposed nodes that is not cut runs twice, once unmodified, and each run has the limits.
        """
        asked: list[ModelRun | NodeCall] = []
        results: list[Result | tuple[int, bool]] = []
        for request in requests:
            failure = self._refusal(request)
            if failure is not None:
                results.append(Result(self.name, failure=failure))
                continue
            exposes = isinstance(request, ModelRun) and bool(request.exposed)
            results.append((len(asked), exposes))
            if isinstance(request, ModelRun) and exposes and not request.cut:
                asked.append(dataclasses.replace(request, expose=(), expose_inputs=()))
            asked.append(request)
        endings = self._endings(asked, limits, pool, processes=processes)
        return [
            place if isinstance(place, Result) else self._result(endings, *place, request)
            for place, request in zip(results, requests)
        ]

    def _refusal(self, request: ModelRun | NodeCall) -> Failure | None:
        fault = self.fault()
        if fault:
            return Failure("not installed", fault)
        if isinstance(request, ModelRun) and request.windrow_inside and request.format not in self.takes_windrow:
            reason = f"{self.name} has no place for windrow's operators in {request.format} models"
            return Failure("can't be asked", reason)
        reason = self.why_not(request.format, request.version, sorted(request.types()))
        return Failure("can't be asked", reason) if reason else None

    def _endings(
        self,
        requests: Sequence[ModelRun | NodeCall],
        limits: Limits,
        pool: Pool | None,
        *,
        processes: int = 1,
        **rest: Any,
    ) -> list[Ending]:
        """The results of serve() in _hosts.py for the requests; rest: further fields of each item."""
        if not requests:
            return []
        items = (
            {"host": self.name, "request": _requests.to_value(request), **rest} for request in requests
        )
        if pool is not None:
            return pool.run(items, limits=limits)
        with self.pool(processes=processes, makes_models=any(map(_needs_onnx, requests))) as own:
            return own.run(items, limits=limits)

    def _result(
        self, endings: list[Ending], first: int, exposes: bool, request: ModelRun | NodeCall
    ) -> Result:
        plain = endings[first]
        outputs = None if plain.failure is not None else plain.value["outputs"]
        if not exposes:
            return Result(self.name, outputs, plain.failure)
        assert isinstance(request, ModelRun)
        exposed = plain if request.cut else endings[first + 1]
        if exposed.failure is not None:
            reason = "the model does not run"
            if plain.failure is None:
                reason += f" with these nodes exposed: {exposed.failure}"
            return Result(self.name, outputs, plain.failure, not_observed=dict.fromkeys(request.exposed, reason))
        observed = {name: Observation(*values) for name, values in exposed.value["observed"].items()}
        changed = differing_outputs(outputs, exposed.value["outputs"]) if outputs is not None else ()
        executions = tuple(Execution(**seen) for seen in exposed.value.get("executions", ()))
        return Result(
            self.name,
            outputs,
            plain.failure,
            observed,
            exposed.value["not_observed"],
            changed,
            executions,
            exposed.value.get("stopped", ""),
        )

    # The functions below are called in the processes that run the host.

    def preload(self) -> tuple[str, ...]:
        """The modules that a worker process imports before it forks; none of them may start working threads."""
        return (self.package,)

    @abstractmethod
    def execute(self, run: ModelRun) -> dict[str, Any]:
        """The outputs of a model by name. Raises CannotAsk, ImportError or the host's errors."""

    def execute_node(self, call: NodeCall) -> dict[str, Any]:
        """The outputs of a node; by default those of a model with only this node."""
        if call.dialect != "onnx":
            raise CannotAsk(f"{self.name} has no single nodes of {call.dialect}")
        return self.execute(_onnx_models.model_of_node(call))

    def prepare_node(self, call: NodeCall) -> Callable[[], dict[str, Any]]:
        """A function that runs a node repeatedly."""
        return lambda: self.execute_node(call)

    def execute_exposed(self, run: ModelRun) -> dict[str, Any]:
        """The outputs, the values at exposed nodes, and the reasons why other values are not observed."""
        if run.format != "onnx":
            raise CannotAsk(f"{self.name} cannot expose nodes of {run.format} models")
        plan = _onnx_models.plan_exposure(run)
        exposed = plan.exposed(run)
        return plan.sort_values({} if exposed is None else self.execute(exposed), run.inputs)


def _needs_onnx(request: ModelRun | NodeCall) -> bool:
    """Whether the request makes or changes an ONNX model."""
    return request.format == "onnx" and (isinstance(request, NodeCall) or bool(request.exposed))
