"""Tensors as people read them, cut where they are large."""

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import CARRIERS, Tensor

# Elements that are shown, and characters of an element that is a string.
MOST_ELEMENTS = 64
MOST_CHARACTERS = 80


def tensor_text(tensor: Tensor | None, most: int = MOST_ELEMENTS) -> str:
    """Type, extents and the first elements in row-major order, as in "float32[2, 2] 1.0 -0.0 nan inf".

    Types that NumPy has not are shown by their bits, but bfloat16 and whole numbers. None is an omitted input.
    """
    if tensor is None:
        return "omitted"
    elements = tensor.array.flat
    shown = [_element_text(tensor.dtype, elements[at]) for at in range(min(most, tensor.array.size))]
    if tensor.array.size > most:
        shown.append(f"… ({tensor.array.size - most} more)")
    return " ".join([f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]", *shown])


def _element_text(dtype: str, element: Any) -> str:
    if dtype == "string":
        text = repr(element)
        return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
    if dtype == "bfloat16":
        return str(np.uint32(int(element) << 16).view(np.float32))
    if dtype == "int4":
        return str((int(element) ^ 8) - 8)
    if dtype in CARRIERS and dtype not in ("uint4", "uint1"):
        return f"0x{int(element):0{2 if '8' in dtype else 1}x}"
    return str(element)
