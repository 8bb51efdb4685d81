"""The file of a run: everything that its report is made of, so that it can be made again."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from dataclasses import dataclass, field
from typing import Any

from draws.cases import DrawnCase
from draws.measure import Measurement, Result
from draws.verdict import passes
from peers.rounds import Outcome

FORMAT = 2
ONE_LAYOUT = 1  # Cases of this format name one layout and the operand that has it.


@dataclass
class Run:
    """settings: seed, cases, mode, threads, rounds, largest; of a repeated run those of the first."""

    settings: dict[str, Any]
    machine: dict[str, str] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)


def _measurement(one: Measurement) -> dict[str, Any]:
    return {name: dataclasses.asdict(outcome) for name, outcome in one.outcomes.items()}


def _result(result: Result) -> dict[str, Any]:
    return {"case": result.case.to_json(), "threads": result.threads, "plan": result.plan,
            "bytes_moved": result.case.bytes_moved, "behind": result.is_behind,
            "passes": passes(result),
            "measurements": [_measurement(one) for one in result.measurements]}


def save_run(run: Run, path: pathlib.Path) -> None:
    """The file is complete at any time, even if the run is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"format": FORMAT, "settings": run.settings, "machine": run.machine,
                "results": [_result(one) for one in run.results]}
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    os.replace(new, path)


def _of_one_layout(case: dict[str, Any]) -> dict[str, Any]:
    """The fields of a case of format ONE_LAYOUT as they are written today."""
    others = {name: value for name, value in case.items() if name not in ("layout", "laid_out")}
    is_laid_out = case["layout"] != "contiguous"
    layouts = [{"operand": case["laid_out"], "kind": case["layout"], "axes": []}] if is_laid_out else []
    return others | {"layouts": layouts}


def _load_result(fields: dict[str, Any], version: int) -> Result:
    case = DrawnCase.from_json(_of_one_layout(fields["case"]) if version == ONE_LAYOUT else fields["case"])
    measurements = [
        Measurement(case, fields["threads"],
                    {name: Outcome(**outcome) for name, outcome in outcomes.items()})
        for outcomes in fields["measurements"]]
    return Result(measurements, fields["plan"])


def load_run(path: pathlib.Path) -> Run:
    """Raises ValueError if the file is not one of these."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        version = document["format"]
        if version not in (ONE_LAYOUT, FORMAT):
            raise ValueError(f"format {version} instead of {FORMAT}")
        results = [_load_result(one, version) for one in document["results"]]
        return Run(document["settings"], document["machine"], results)
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"not a file of this bench: {error!r}") from error
