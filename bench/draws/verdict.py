"""The rule by which a case passes, and what a run has to reach."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from draws.measure import BEHIND, Result
from peers.rounds import geometric_mean

NEAR_LIMIT, FAR_AHEAD = 1.2, 1.5
LEAST_PASSING, WORST, LEAST_OF_CEILING, LEAST_BY_ORT = 0.98, 0.85, 0.85, 3.0


def passes(result: Result) -> bool | None:
    """At least 0.95 times as fast as the best peer and, unless the call is small, near its limit or far
    ahead. None: the case is not judged, because equal contestants came out unequal or no peer has it."""
    last = result.last
    if not result.is_decided or last.ahead is None:
        return None
    if result.is_behind:
        return False
    near = last.by_limit is not None and last.by_limit <= NEAR_LIMIT
    return near or last.ahead.median >= FAR_AHEAD or result.case.is_small


def why_not(result: Result) -> str:
    """Of a case that does not pass."""
    last = result.last
    assert last.ahead is not None
    if result.is_behind:
        return f"behind: at most {last.ahead.high:.2f} of the best peer's speed, {BEHIND} wanted"
    limit = "without a limit" if last.by_limit is None else f"{last.by_limit:.2f} times the limit's time"
    return f"{limit}, {last.ahead.median:.2f} times as fast as the best peer"


@dataclass(frozen=True)
class Requirement:
    """met: None where the run does not say."""

    title: str
    seen: float | None
    met: bool | None


def _at_least(title: str, seen: float | None, bound: float) -> Requirement:
    return Requirement(f"{title} >= {bound:g}", seen, None if seen is None else seen >= bound)


def requirements(results: list[Result]) -> list[Requirement]:
    """results: of one number of threads."""
    judged = [one for one in results if passes(one) is not None]
    ratios = [one.last.ahead.median for one in judged if one.last.ahead is not None]
    share = statistics.mean(bool(passes(one)) for one in judged) if judged else None
    large = [one for one in judged if not one.case.is_small]
    mean = geometric_mean([one.last.ahead.median for one in large if one.last.ahead is not None])
    ceiling = geometric_mean([one.last.ceiling for one in large])
    reached = None
    if mean is not None and ceiling is not None and ceiling > 1:
        reached = math.log(mean) / math.log(ceiling)
    by_ort = geometric_mean([one.last.ratio("onnxruntime") for one in judged])
    return [
        _at_least("share of the judged cases that pass", share, LEAST_PASSING),
        _at_least("lowest of the best peer's time by ours", min(ratios, default=None), WORST),
        _at_least("logarithm of the mean over the best peer by that of the ceiling", reached,
                  LEAST_OF_CEILING),
        _at_least("ONNX Runtime's time by ours, geometric mean", by_ort, LEAST_BY_ORT),
    ]
