"""The run as a table on the screen, as CSV and as Markdown."""

from __future__ import annotations

import csv
import pathlib

from peers.contestants import COPY, LIMITS, OURS, RANDOM_READS, TITLES
from peers.rounds import CaseResult, Outcome, by_threads, geometric_mean
from peers.targets import Verdict, judge


def show_time(seconds: float) -> str:
    """In milliseconds; with its unit below a hundredth of one."""
    if seconds < 1e-5:
        return f"{seconds * 1e6:.2f} us"
    digits = 1 if seconds >= 0.1 else 2 if seconds >= 1e-3 else 3
    return f"{seconds * 1e3:.{digits}f}"


def show_outcome(outcome: Outcome) -> str:
    return show_time(outcome.median) if outcome.ok else show_status(outcome)


def show_status(outcome: Outcome) -> str:
    """Nothing for a limit that says nothing of the case."""
    no_limit = outcome.contestant in LIMITS and outcome.status == "not offered"
    return "" if no_limit else outcome.status


def show_ratio(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def _best(result: CaseResult) -> str:
    return TITLES[result.best_peer] if result.best_peer else ""


def table_header(contestants: list[str]) -> str:
    """For the lines of table_line()."""
    names = "".join(f"{TITLES[name]:>14}" for name in contestants)
    return f"{'case':42}{'threads':>8}{names}{'ratio':>9}  best peer"


def table_line(result: CaseResult) -> str:
    """Medians in milliseconds; the ratio is the best peer's time by ours."""
    shown = "".join(f"{show_outcome(one):>14}" for one in result.outcomes.values())
    ratio = show_ratio(result.ratio(result.best_peer))
    return f"{result.case.name:42}{result.threads:8}{shown}{ratio:>9}  {_best(result)}"


def kind_header(first: str) -> str:
    """For the lines of kind_table()."""
    return (f"{'':38}{'median':>12}{'least':>12}   ratio: {TITLES[first]} by it, the median over the rounds")


def _with_unit(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} us" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def kind_table(result: CaseResult, first: str) -> list[str]:
    """Of a run of another kind: a line for each contestant. first: the one whose time is divided by each one's."""
    lines = [f"{result.case.name}, threads {result.threads}: {result.case.title}"]
    for name, one in result.outcomes.items():
        shown = show_status(one)
        if one.ok:
            ratio = show_ratio(result.ratio(first, name))
            shown = f"{_with_unit(one.median):>12}{_with_unit(min(one.times)):>12}{ratio:>8}"
        lines.append(f"  {TITLES[name]:36}{shown}")
    return lines


def write_csv(results: list[CaseResult], path: pathlib.Path) -> None:
    """A line per case, number of threads and contestant; times in seconds."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "threads", "contestant", "status", "median_s", "quartile1_s",
                         "quartile3_s", "rounds", "bytes_moved", "time_by_ours", "spelling",
                         "detail"])
        for result in results:
            for one in result.outcomes.values():
                times = (one.median, *one.quartiles) if one.ok else ("", "", "")
                ratio = result.ratio(one.contestant)
                writer.writerow([
                    result.case.name, result.threads, one.contestant, one.status,
                    *(f"{time:.4g}" if time else "" for time in times), len(one.times),
                    result.case.bytes_moved, show_ratio(ratio), one.spelling, one.detail])


def show_mean(values: list[float | None]) -> str:
    mean, known = geometric_mean(values), sum(value is not None for value in values)
    return "no case" if mean is None else f"{mean:.2f} ({known} cases)"


def _geometric_mean(results: list[CaseResult], above: str | None, below: str = OURS) -> str:
    """above: a contestant; None: each case's best peer."""
    return show_mean([result.ratio(above or result.best_peer, below) for result in results])


def summary(results: list[CaseResult]) -> list[str]:
    """What one number of threads comes to. results: those of that number."""
    lines = [f"best peer's time by ours, geometric mean: {_geometric_mean(results, None)}"]
    lines += [f"{TITLES[peer]}'s time by ours, geometric mean: {_geometric_mean(results, peer)}"
              for peer in results[0].peers]
    lines.append("our time by that of a copy of the bytes moved, geometric mean: "
                 f"{_geometric_mean(results, OURS, COPY)}")
    lines.append("our time by that of the random reads alone, geometric mean: "
                 f"{_geometric_mean(results, OURS, RANDOM_READS)}")
    return lines


VERDICTS = {True: "met", False: "missed", None: "not measured"}


def _seen(verdict: Verdict) -> str:
    if verdict.seen is None:
        return ""
    worst = "" if verdict.target.mean else "at worst "
    return f"{worst}{verdict.seen:.3f} ({verdict.count} case{'s' if verdict.count > 1 else ''})"


def target_lines(results: list[CaseResult]) -> list[str]:
    """A line per target and number of threads."""
    lines = []
    for verdict in judge(results):
        parts = [verdict.target.title, f"threads {verdict.threads}",
                 f"cases: {verdict.target.cases.title}", _seen(verdict), *verdict.misses]
        lines.append(f"{VERDICTS[verdict.met]:13}{'; '.join(filter(None, parts))}")
    return lines


def _markdown_targets(results: list[CaseResult]) -> list[str]:
    lines = ["| target | cases | threads | seen | verdict | cases that miss it |",
             "|---|---|---|---|---|---|"]
    for verdict in judge(results):
        cells = [verdict.target.title, verdict.target.cases.title, str(verdict.threads),
                 _seen(verdict), VERDICTS[verdict.met], ", ".join(verdict.misses)]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _cell(result: CaseResult, outcome: Outcome) -> str:
    if not outcome.ok:
        return show_status(outcome)
    low, high = outcome.quartiles
    text = f"{show_time(outcome.median)} ({show_time(low)}–{show_time(high)})"
    return f"**{text}**" if outcome.contestant == result.best_peer else text


def _markdown_table(results: list[CaseResult]) -> list[str]:
    names = list(results[0].outcomes)
    lines = ["| case | " + " | ".join(TITLES[name] for name in names) + " | best peer / ours |",
             "|---" * (len(names) + 2) + "|"]
    for result in results:
        cells = [_cell(result, outcome) for outcome in result.outcomes.values()]
        ratio = show_ratio(result.ratio(result.best_peer))
        lines.append(f"| {result.case.title} | {' | '.join(cells)} | {ratio} |")
    return lines


AIM = 2  # Of the best peer's time by ours.


def _markdown_bounds(results: list[CaseResult]) -> list[str]:
    """What bounds each case that is below the aim."""
    lines = [f"| below {AIM}: case | threads | best peer / ours | nearest limit "
             "| best peer / limit | ours / limit |", "|---|---|---|---|---|---|"]
    for result in results:
        ratio, limit = result.ratio(result.best_peer), result.nearest_limit
        if ratio is not None and limit is not None and ratio < AIM:
            cells = [result.case.title, str(result.threads), show_ratio(ratio), TITLES[limit],
                     show_ratio(result.ratio(result.best_peer, limit)),
                     show_ratio(result.ratio(OURS, limit))]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _spellings(results: list[CaseResult]) -> list[str]:
    """What each contestant ran; what it got wrong."""
    lines = ["| case | threads | contestant | best spelling | remark |", "|---|---|---|---|---|"]
    for result in results:
        for one in result.outcomes.values():
            if one.contestant != COPY and show_status(one) not in ("", "not installed"):
                detail = " ".join(one.detail.replace("|", "/").split())[:200]
                remark = ": ".join(filter(None, ["" if one.ok else one.status, detail]))
                cells = [result.case.name, str(result.threads), TITLES[one.contestant],
                         one.spelling, remark]
                lines.append(f"| {' | '.join(cells)} |")
    return lines


def write_markdown(results: list[CaseResult], machine: dict[str, str], rounds: int, quick: bool,
                   path: pathlib.Path) -> None:
    lines = ["# Beside the peers", "", "Written by `./dev bench peers`.", ""]
    if quick:
        lines += ["**Small sizes, to try the bench: these times say nothing.**", ""]
    lines += [f"* {name}: {value}" for name, value in machine.items()]
    lines += [
        f"* rounds: {rounds}, every contestant once in each", "",
        "Times are medians of a call, with quartiles in brackets, in milliseconds unless a unit is "
        "given. The last column is the best peer's time divided by ours, the median over the rounds; the "
        "best peer's time is bold. Data are float32 and indices int64 unless a case says otherwise. A "
        "peer whose result was wrong, or that failed or crashed, has no time. Where a library takes "
        "int64 indices alone, its calls include the conversion. Scatters do not change their data: every "
        "time includes the copy into the output. The column \"copy\" is a copy of as many bytes as the "
        "case has to read and write. The column \"reads\" is native code that reads, in order, as many "
        "bytes as the case has to read, and writes nothing. The column \"random reads\" has times for "
        "cases that move single elements: native code loads the cells of the case at offsets that are "
        "ready, and prefetches ahead; for a scatter it reads, changes and writes each cell. It goes in "
        "the order of the case or by tiles of columns. It converts and checks no index and has no "
        "output.",
        "", "## Targets", "", *_markdown_targets(results)]
    for threads, some in by_threads(results).items():
        lines += ["", f"## {threads} thread{'s' if threads > 1 else ''}", ""]
        lines += _markdown_table(some) + [""] + [f"* {line}" for line in summary(some)]
    lines += ["", "## What bounds the rest", "",
              "A limit is a part of what the case asks, done alone by plain code; the nearest is the "
              f"slowest of them. Where the best peer takes less than {AIM} times the nearest limit's "
              f"time, {AIM} times its speed would be more than the speed of that part.", "",
              *_markdown_bounds(results)]
    lines += ["", "## What was run", "", *_spellings(results)]
    path.write_text("\n".join(lines) + "\n")
