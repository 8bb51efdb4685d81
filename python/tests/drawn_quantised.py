"""Random calls of quantised look-ups, for drawn_calls.py."""


def _bits(make):
    """The bits of a value, and the attribute that says so."""
    if make.type == "uint8":
        bits = make.draw.choice([2, 4, 8])
        return bits, bits
    bits = 4 if make.type in ("int4", "uint4", "float4_e2m1fn") else 8
    if make.call.operator.dialect == "array":
        return bits, make.draw.choice([0, bits])
    return bits, bits if bits == 4 else 4  # which has no meaning for floats


def look_up(make):
    draw, attributes = make.draw, make.call.attributes
    is_onnx = make.call.operator.dialect == "onnx"
    make.add_data(2 if is_onnx else 1, 4)
    is_float = make.type.startswith("float")
    bits, attributes["bits"] = _bits(make)
    each = 8 // bits if make.type == "uint8" else 1
    values = (*make.shape[:-1], make.shape[-1] * each)
    fixed = is_onnx and make.type == "uint8"
    gathered = 0 if fixed else draw.count(0, make.rank - 1)
    quantised = make.rank - 1 if fixed else draw.count(0, make.rank - 1)
    attributes["gather_axis" if is_onnx else "axis"] = gathered - make.rank * draw.count(0, 1)
    attributes["quantize_axis"] = quantised - make.rank * draw.count(0, 1)
    block = draw.choice([16, 32, 128, *([0] if is_float or not is_onnx else []), *([] if is_onnx else [1, 3])])
    attributes["block_size"] = block
    scales = list(values)
    scales[quantised] = min(scales[quantised], 1) if block == 0 else -(-scales[quantised] // block)
    if is_float:
        scales = [1 if axis != quantised and draw.chance(4) else extent for axis, extent in enumerate(scales)]
    zeros = (*scales[:-1], -(-scales[-1] // each))
    make.at, make.shape = gathered, values
    make.add_indices(make.index_shape([gathered], 2), [values[gathered]])
    make.add(draw.elements(tuple(scales), draw.type_of(make.call.row, 2)))
    if not is_float and draw.chance(2):
        make.add(draw.elements(zeros, make.type))
    if not is_onnx:
        attributes["dtype"] = draw.choice(["", "float32", "float16", "bfloat16"])
