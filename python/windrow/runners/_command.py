"""The part of the command that runs models with operators that windrow does not run."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow._errors import Error, Unsupported, code_of
from windrow.runners._whole_models import require_outputs, run_with_host


def run_model(
    path: str, inputs: dict[str, Any], host: str, threads: int
) -> tuple[list[tuple[str, Any]], str, str]:
    """Runs a model file in a host; "" and 0 stand for the defaults.

    Returns the outputs, and the error code's name and message, which are empty unless the run failed.
    """
    try:
        result = run_with_host(path, inputs, host=host or None, threads=threads or None)
        outputs = list(require_outputs(result).items())
        for name, value in outputs:
            if not isinstance(value, np.ndarray):
                raise Unsupported(f"the output {name!r} is not a tensor")
        return outputs, "", ""
    except Error as error:
        return [], code_of(error), str(error)
