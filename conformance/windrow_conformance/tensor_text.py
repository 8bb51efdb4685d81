"""Tensors as readable text, cut if they are large."""

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import CARRIERS, Tensor

# The numbers of elements that are shown, and of characters of a string element.
MOST_ELEMENTS = 64
MOST_CHARACTERS = 80
USUAL_NAN = {"bfloat16": 0x7FC0, "float16": 0x7E00, "float32": 0x7FC00000, "float64": 0x7FF8000000000000}


def tensor_text(tensor: Tensor | None, most: int = MOST_ELEMENTS) -> str:
    """Type, extents and the first elements in row-major order, as in "float32[2, 2] 1.0 -0.0 nan inf".

    Types that NumPy does not have are shown by their bits, except bfloat16 and integers; so is a NaN with unusual bits.
    None is an omitted input.
    """
    if tensor is None:
        return "omitted"
    elements = tensor.array.reshape(-1)
    shown = [element_text(tensor.dtype, elements[at]) for at in range(min(most, tensor.array.size))]
    if tensor.array.size > most:
        shown.append(f"… ({tensor.array.size - most} more)")
    return " ".join([f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]", *shown])


def element_text(dtype: str, element: Any) -> str:
    if dtype == "string":
        text = repr(element)
        return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
    if dtype == "bfloat16":
        value = np.uint32(int(element) << 16).view(np.float32)
        return str(value) if value == value or element == USUAL_NAN[dtype] else f"0x{int(element):04x}"
    if dtype in USUAL_NAN and element != element:
        bits = int(element.view(f"u{element.itemsize}"))
        return "nan" if bits == USUAL_NAN[dtype] else f"0x{bits:0{2 * element.itemsize}x}"
    if dtype == "int4":
        return str((int(element) ^ 8) - 8)
    if dtype in CARRIERS and dtype not in ("uint4", "uint2", "uint1"):
        return f"0x{int(element):0{2 if '8' in dtype else 1}x}"
    return str(element)
