"""The messages of worker processes: records as requests, verdicts as answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .attempt import Way, attempt, attempt_often
from .guarded import Access, Placement
from .outcome import Outcome, Verdict
from .record import Digest, Record
from .registry import find
from .tensor import Tensor

HANDLER = f"{__name__}:serve"
_MOST_ELEMENTS_BACK = 4096
_MOST_CHARACTERS_BACK = 4000


def request(
    runtime: str, records: Iterable[Record], runs: int, threads: Iterable[int], way: Way = Way()
) -> dict[str, Any]:
    """An item for serve(). runtime: as for registry.find()."""
    return {
        "runtime": runtime,
        "records": [_record_value(record) for record in records],
        "runs": runs,
        "threads": list(threads),
        "access": int(way.access),
        "but": None if way.but is None else [way.but[0], way.but[1].value],
        "plain": way.plain,
    }


def serve(item: dict[str, Any]) -> list[dict[str, Any]]:
    """The verdicts on the item's records, in their order."""
    runtime = find(item["runtime"])
    but = None if item["but"] is None else (item["but"][0], Placement(item["but"][1]))
    way = Way(Access(item["access"]), but, item["plain"])
    verdicts = []
    for value in item["records"]:
        record = _record(value)
        if record.digest is None:
            verdict = attempt(runtime, record, way)
        else:
            verdict = attempt_often(runtime, record, item["runs"], item["threads"], way)
        verdicts.append(_verdict_value(verdict))
    return verdicts


def verdicts(values: list[dict[str, Any]]) -> list[Verdict]:
    """What serve() gave."""
    return [
        Verdict(
            value["path"], Outcome(value["outcome"]), value["message"], _tensor(value["got"]), value["guarded"]
        )
        for value in values
    ]


def _verdict_value(verdict: Verdict) -> dict[str, Any]:
    got = verdict.got
    return {
        "path": verdict.path,
        "outcome": verdict.outcome.value,
        # A runtime's message may contain characters that are not valid text.
        "message": verdict.message[:_MOST_CHARACTERS_BACK].encode(errors="backslashreplace").decode(),
        "got": _tensor_value(got) if got is not None and _can_go_back(got) else None,
        "guarded": verdict.guarded,
    }


def _can_go_back(got: Tensor) -> bool:
    """Whether a result is needed and can be passed to another process: a runtime's file may return any object."""
    return got.array.size <= _MOST_ELEMENTS_BACK and got.array.dtype.kind in "biufcO"


def _record_value(record: Record) -> dict[str, Any]:
    digest = record.digest
    return {
        **{name: getattr(record, name) for name in _PLAIN},
        **{name: _dict(getattr(record, name)) for name in _MAPPINGS},
        "inputs": [_tensor_value(tensor) for tensor in record.inputs],
        "output": _tensor_value(record.output),
        "any_nan": record.any_nan,
        "digest": None if digest is None else [digest.dtype, digest.shape, digest.sha256, digest.decided],
    }


_PLAIN = ("path", "dialect", "op", "version", "rule", "tier", "error_kind", "note")
_MAPPINGS = ("attrs", "fault", "options")


def _record(value: dict[str, Any]) -> Record:
    digest = value["digest"]
    return Record(
        **{name: value[name] for name in (*_PLAIN, *_MAPPINGS, "any_nan")},
        inputs=tuple(map(_tensor, value["inputs"])),
        output=_tensor(value["output"]),
        digest=None if digest is None else Digest(digest[0], tuple(digest[1]), digest[2], digest[3]),
    )


def _dict(mapping: Any) -> Any:
    return None if mapping is None else dict(mapping)


def _tensor_value(tensor: Tensor | None) -> Any:
    return None if tensor is None else {"dtype": tensor.dtype, "array": tensor.array}


def _tensor(value: Any) -> Tensor | None:
    return None if value is None else Tensor(value["dtype"], value["array"])
