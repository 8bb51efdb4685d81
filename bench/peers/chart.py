"""The run as a bar chart."""

from __future__ import annotations

import pathlib

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "windrow"

from matplotlib import pyplot  # noqa: E402

from peers.contestants import COPY, RANDOM_READS, READS  # noqa: E402
from peers.rounds import CaseResult, by_threads  # noqa: E402

MARKS = {
    COPY: ("|", "black", "a copy of the bytes moved"),
    READS: ("2", "tab:green", "the bytes read, in order"),
    RANDOM_READS: ("x", "tab:red", "the random accesses alone"),
}


def write_chart(results: list[CaseResult], caption: str, stem: pathlib.Path) -> None:
    """stem.png and stem.svg: a panel per number of threads, a bar per case: the best peer's time by
    ours; marks where the limits would stand."""
    groups = by_threads(results)
    height = 1.5 + 0.22 * max(len(some) for some in groups.values())
    figure, axes = pyplot.subplots(1, len(groups), figsize=(4 + 4.5 * len(groups), height),
                                   sharey=True, squeeze=False, layout="constrained")
    for axis, (threads, some) in zip(axes[0], groups.items()):
        places = range(len(some))
        ratios = [result.ratio(result.best_peer) for result in some]
        colours = ["tab:blue" if ratio and ratio >= 1 else "tab:orange" for ratio in ratios]
        # Bars begin at 1, where we and the best peer take the same time.
        axis.barh(places, [(ratio or 1) - 1 for ratio in ratios], left=1, color=colours)
        for limit, (marker, colour, label) in MARKS.items():
            ratios = [result.ratio(result.best_peer, limit) for result in some]
            known = [(ratio, place) for ratio, place in zip(ratios, places) if ratio]
            if known:
                axis.scatter(*zip(*known), marker=marker, color=colour, label=label)
        if axis.collections:
            axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.6 / height), fontsize="small")
        axis.axvline(1, color="black", linewidth=0.8)
        axis.set_xscale("log")
        axis.set_xlabel("best peer's time by ours (above 1 we are faster)")
        axis.set_title(f"{threads} thread{'s' if threads > 1 else ''}")
    axes[0][0].set_yticks(range(len(some)), [result.case.name for result in some], fontsize="small")
    axes[0][0].invert_yaxis()
    figure.suptitle(caption, fontsize="small")
    figure.savefig(stem.with_suffix(".png"), dpi=120, metadata={"Software": None})
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})
    pyplot.close(figure)
