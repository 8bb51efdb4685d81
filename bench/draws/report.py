"""What a run comes to, in words and tables for the screen."""

from __future__ import annotations

import statistics

from draws.measure import Measurement, Result
from draws.verdict import passes, requirements, why_not
from peers.contestants import CPP, HOST_CPP, OURS, PEERS, TITLES
from peers.report import VERDICTS, show_mean, show_ratio, show_time
from peers.rounds import by_threads

SHOWN_WORST = 10
EDGES = (0.0, 0.8, 0.95, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, float("inf"))
BAR = 40  # Characters of the longest bar.


def _time(one: Measurement, contestant: str | None) -> str:
    if contestant is None or contestant not in one.outcomes:
        return ""
    outcome = one.outcomes[contestant]
    return show_time(outcome.median) if outcome.ok else ""


def _best(one: Measurement) -> str:
    return TITLES[one.best_peer] if one.best_peer else "no peer"


def _judgement(result: Result) -> str:
    if result.is_behind:
        return "BEHIND"
    if not result.is_decided:
        return "not judged"
    return "" if passes(result) else "fails"


def header() -> str:
    """For the lines of line()."""
    return (f"{'case':>9} {'threads':>7} {'ours':>9} {'best peer':>9} {'ratio':>6} {'95 % interval':>13} "
            f"{'A/A':>11} {'/limit':>6} {'':10} call")


def line(result: Result) -> str:
    """The ratio is the best peer's time by ours; times in milliseconds unless they have a unit."""
    last = result.last
    ahead, same = last.ahead, last.same
    ratio = show_ratio(ahead.median) if ahead else ""
    bounds = f"{ahead.low:.2f}-{ahead.high:.2f}" if ahead else ""
    equal = f"{same.low:.2f}-{same.high:.2f}" if same else last.outcomes[OURS].status
    return (f"{result.case.name:>9} {result.threads:>7} {_time(last, OURS):>9} {_time(last, last.best_peer):>9} "
            f"{ratio:>6} {bounds:>13} {equal:>11} {show_ratio(last.by_limit):>6} {_judgement(result):10} "
            f"{result.case.title}; {_best(last)}")


def _ratios(results: list[Result]) -> list[float]:
    return [one.last.ahead.median for one in results if one.last.ahead is not None]


def _distribution(ratios: list[float]) -> list[str]:
    """A bar for every interval of ratios."""
    counts = [sum(low <= ratio < high for ratio in ratios) for low, high in zip(EDGES, EDGES[1:])]
    most = max([*counts, 1])
    lines = []
    for low, high, count in zip(EDGES, EDGES[1:], counts):
        name = f"{low:g} to {high:g}" if high < float("inf") else f"{low:g} and more"
        lines.append(f"{name:>12} {count:4} {'#' * round(BAR * count / most)}".rstrip())
    return lines


def _mean(title: str, values: list[float | None]) -> str:
    return f"{title}: {show_mean(values)}"


def summary(results: list[Result]) -> list[str]:
    """Of calls of one number of threads."""
    judged = [one for one in results if passes(one) is not None]
    lines = [f"{len(results)} cases, {len(judged)} judged, {sum(one.is_behind for one in judged)} behind, "
             f"{sum(not passes(one) for one in judged)} that do not pass"]
    lines.append(_mean("best peer's time by ours, geometric mean", list(_ratios(judged))))
    for peer in PEERS:
        values = [one.last.ratio(peer) for one in judged]
        if any(value is not None for value in values):
            lines.append(_mean(f"{TITLES[peer]}'s time by ours", values))
    lines.append(_mean("ceiling: best peer's time by that of the nearest limit",
                       [one.last.ceiling for one in judged]))
    lines.append(_mean("our time by that of the nearest limit", [one.last.by_limit for one in judged]))
    spread = [one.last.same.median for one in judged if one.last.same is not None]
    if spread:
        lines.append(f"A/A, our time in one process by that in another: median {statistics.median(spread):.3f}, "
                     f"{min(spread):.3f} to {max(spread):.3f}")
    return lines + ["best peer's time by ours:", *_distribution(_ratios(judged))]


def small_table(results: list[Result]) -> list[str]:
    """Calls under 16 KB: what they cost from Python and from C++, beside the best peer and ONNX Runtime from C++."""
    lines = [f"{'case':>9} {'bytes':>6} {'Python':>9} {'C++':>9} {'best peer':>9} {'ratio':>6} {'by C++':>6} "
             f"{'ORT C++':>9} {'by C++':>6}  call"]
    for result in results:
        last = result.last
        by_cpp = last.ratio(last.best_peer, CPP) if CPP in last.outcomes else None
        ratio = last.ahead.median if last.ahead else None
        lines.append(f"{result.case.name:>9} {result.case.bytes_moved:>6} {_time(last, OURS):>9} "
                     f"{_time(last, CPP):>9} {_time(last, last.best_peer):>9} {show_ratio(ratio):>6} "
                     f"{show_ratio(by_cpp):>6} {_time(last, HOST_CPP):>9} {show_ratio(last.ratio(HOST_CPP, CPP)):>6}  "
                     f"{result.case.title}; {_best(last)}")
    values = [one.last.ratio(HOST_CPP, CPP) for one in results]
    known = [value for value in values if value is not None]
    if known:
        lines.append(f"{_mean('ONNX Runtime by Windrow, both from C++', values)}, {min(known):.2f} to {max(known):.2f}")
    return lines


def worst(results: list[Result], count: int = SHOWN_WORST) -> list[Result]:
    """The lowest ratios of those that are judged."""
    judged = [one for one in results if passes(one) is not None and one.last.ahead is not None]
    return sorted(judged, key=lambda one: one.last.ahead.median)[:count]


def worst_lines(results: list[Result]) -> list[str]:
    """The worst ten with their plans."""
    lines = []
    for result in worst(results):
        last = result.last
        lines += [line(result).strip(),
                  f"    best peer: {_best(last)}, {last.outcomes[last.best_peer].spelling}",
                  *(f"    {text}" for text in result.plan.splitlines())]
    return lines


def _requirement_lines(results: list[Result]) -> list[str]:
    lines = []
    for one in requirements(results):
        seen = "" if one.seen is None else f": {one.seen:.3f}"
        lines.append(f"{VERDICTS[one.met]:13}{one.title}{seen}")
    return lines


def peer_faults(results: list[Result]) -> list[str]:
    """Contestants whose result is wrong, or that fail or crash; they have no times there."""
    lines = []
    for result in results:
        for one in result.last.outcomes.values():
            if one.status in ("wrong", "failed", "crashed"):
                detail = " ".join(one.detail.split())[:160]
                lines.append(f"{result.case.name}, {result.threads} threads: {TITLES[one.contestant]} "
                             f"{one.status}: {detail}")
    return lines


def report(results: list[Result]) -> list[str]:
    lines = []
    for threads, group in by_threads(results).items():
        large = [one for one in group if not one.case.is_small]
        small = [one for one in group if one.case.is_small]
        lines += ["", f"== threads: {threads}"]
        if large:
            lines += ["", "calls of 16 KB and more:", *summary(large)]
        if small:
            lines += ["", "calls under 16 KB:", *summary(small), *small_table(small)]
        lines += ["", "the worst, with their plans:", *worst_lines(group)]
        failing = [one for one in group if passes(one) is False]
        lines += ["", "cases that do not pass:"]
        lines += [f"{one.case.name:>9} {why_not(one)}; {one.case.title}" for one in failing] or ["none"]
        lines += ["", "what has to hold:", *_requirement_lines(group)]
    faults = peer_faults(results)
    return lines + (["", "without times:", *faults] if faults else [])
