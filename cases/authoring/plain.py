"""The call options `negative` and `padding_index`: what a call that has them means, as indices of one that has neither.

Written from docs/operators/onnx.md. A padding index becomes None, which the semantics of every operator take as
outside; a negative index becomes one that every operator reads alike, whatever it makes of negative ones by itself.
"""

from .operators import CACHES
from .results import extents_of, index_input
from .semantics import BELOW, whole

OPTIONS = {"negative", "padding_index"}


def _plain(index, extent, options, is_cache):
    """An index as an operator reads it without the two options."""
    if index == options.get("padding_index"):
        return None
    negative = options.get("negative")
    if index >= 0 or negative in (None, "error"):
        return index
    if is_cache:
        # Positions are added to a write index before they are looked at.
        return index + extent if negative == "from_end" else index
    if options.get("out_of_range") == "modulo":
        return index % extent
    return index + extent if negative == "from_end" and index >= -extent else BELOW


def plain_inputs(record):
    """The inputs of a record that the rules on types and shapes let pass, with such indices."""
    options, place, inputs = record.get("options", {}), index_input(record), record["inputs"]
    if not OPTIONS & options.keys() or place >= len(inputs) or inputs[place] is None:
        return inputs
    indices = inputs[place]
    values = [value if isinstance(value, int) else whole(value) for value in indices["data"]]
    plain = [_plain(value, extent, options, record["op"] in CACHES)
             for value, (_, extent) in zip(values, extents_of(record), strict=True)]
    return [*inputs[:place], {**indices, "data": plain}, *inputs[place + 1:]]
