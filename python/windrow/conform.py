"""`python -m windrow.conform`: measures runtimes by the corpus of gathers and scatters, as `python -m windrow_conformance`."""

from __future__ import annotations

import importlib.util
import sys

__all__ = ["main"]


def main() -> int:
    """Runs the command of the package windrow-conformance and returns its exit code."""
    if importlib.util.find_spec("windrow_conformance") is None:
        advice = (
            "the corpus and the command are in a separate package, windrow-conformance: pip install"
            " dist/windrow_conformance-*.whl, which ./dev wheel makes in a checkout of Windrow"
        )
        if {"-h", "--help"} & set(sys.argv[1:]):
            print(f"usage: python -m windrow.conform RUNTIME ...\n\n{__doc__}\n\n{advice}")
            return 0
        print(advice, file=sys.stderr)
        return 2
    from windrow_conformance.__main__ import main as run

    return run(program="windrow.conform")


if __name__ == "__main__":
    sys.exit(main())
