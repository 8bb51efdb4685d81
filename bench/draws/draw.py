"""Draws cases: the case of a number follows from the seed and that number alone."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from draws.cases import BROADCAST, DISTRIBUTIONS, LAYOUTS, DrawnCase, Layout
from peers.cases import ELEMENTWISE, TUPLES, Shape

LEAST_BYTES, MOST_BYTES = 1 << 10, 200 * 10**6
LEAST_OPERAND = 64  # Bytes.
LARGEST_RATIO = 1000  # Of the larger operand by the smaller.
PAGE = 4096
SHORT_SHARE = 0.25  # The share of cases with short inner loops.
SHORT, SHORT_LOOPS = 8, 3  # The largest extent of such a loop, and the most of them in a case.
LAID_OUT_SHARE, SECOND_SHARE = 0.4, 0.4  # Of the cases have a layout; of these, one of two operands.
Random = np.random.Generator

OPERATORS = {("Gather", "none"): 26, ("Take", "none"): 6, ("GatherElements", "none"): 16,
             ("GatherND", "none"): 12, ("ScatterElements", "none"): 8, ("ScatterElements", "add"): 12,
             ("ScatterND", "none"): 6, ("ScatterND", "add"): 6, ("IndexAdd", "add"): 8}
DTYPES = {"float32": 36, "int64": 14, "float16": 14, "uint8": 10, "int32": 10, "float64": 8, "int8": 8}
INDEX_DTYPES = {"int64": 50, "int32": 30, "uint32": 20}
# Windrow has no operator of this meaning that takes uint32.
WITHOUT_UINT32 = {("ScatterElements", "add"), ("ScatterND", "none"), ("ScatterND", "add")}


def _pick(random: Random, weights: dict) -> object:
    keys, values = list(weights), np.array(list(weights.values()), float)
    return keys[random.choice(len(keys), p=values / values.sum())]


def _log_uniform(random: Random, low: float, high: float) -> float:
    return low if high <= low else math.exp(random.uniform(math.log(low), math.log(high)))


def _whole(random: Random, low: int, high: float) -> int:
    """Log-uniform; low, where high is less."""
    return max(low, int(_log_uniform(random, low, high)))


def _split(random: Random, total: float, parts: int) -> Shape:
    """Extents whose product is about `total`, and never more, but 1 at least."""
    extents = []
    for left in range(parts, 1, -1):
        part = _whole(random, 1, total ** (2 / left))
        extents.append(part)
        total /= part
    return (*extents, max(1, int(total)))


class _Sizes:
    """Bytes of data and of what is moved: of a gather the output, of a scatter the updates."""

    def __init__(self, random: Random, largest: int) -> None:
        larger = _log_uniform(random, LEAST_BYTES, largest)
        smaller = _log_uniform(random, max(LEAST_OPERAND, larger / LARGEST_RATIO), larger)
        self.data, self.direct = (larger, smaller) if random.random() < 0.5 else (smaller, larger)

    @property
    def least(self) -> float:
        return min(self.data, self.direct)


def _row_elements(random: Random, item: int, sizes: _Sizes) -> int:
    """A third of the rows are single elements, the others have from an element to a page."""
    if random.random() < 1 / 3:
        return 1
    return max(1, int(_log_uniform(random, item, min(PAGE, sizes.least)) / item))


def _inner(random: Random, elements: int) -> Shape:
    if elements == 1 and random.random() < 0.8:
        return ()
    return _split(random, elements, int(random.integers(1, 3)))


class _ShortLoops:
    """The innermost loops of a case, if they are short: the axes of data behind the addressed ones and, where the
    number of points along the addressed axis is short too, that number; tuples leave it out."""

    def __init__(self, random: Random, item: int, index_item: int, sizes: _Sizes, is_short: bool) -> None:
        self.is_short = is_short
        self.points: int | None = None
        self.shape: Shape = ()
        if is_short:
            self._draw(random, sizes.least / (item + index_item))

    def _draw(self, random: Random, room: float) -> None:
        loops = []
        for _ in range(random.integers(1, SHORT_LOOPS + 1)):
            loops.append(int(random.integers(1, max(1, int(min(SHORT, room))) + 1)))
            room /= loops[-1]
        if random.random() < 0.4:
            self.points = loops.pop()
        self.shape = tuple(loops)


def _along_axis(random: Random, item: int, index_item: int, sizes: _Sizes,
                loops: _ShortLoops) -> tuple[Shape, Shape, int]:
    """data, indices and axis of Gather and Take."""
    inner = loops.shape if loops.is_short else _inner(random, _row_elements(random, item, sizes))
    row_bytes = math.prod(inner) * item
    axis = int(random.choice(3, p=(0, 0.7, 0.3) if loops.is_short else (0.5, 0.35, 0.15)))
    room = sizes.least / (row_bytes * (loops.points or 1))
    rows = room if loops.points else _log_uniform(random, 1, room)
    outer = _split(random, rows, axis) if axis else ()
    rows = math.prod(outer)
    extent = max(1, int(sizes.data / (rows * row_bytes)))
    points = loops.points or max(1, int(sizes.direct / (rows * row_bytes + index_item)))
    indices = _split(random, points, 1 if random.random() < 0.8 else 2)
    return (*outer, extent, *inner), indices, axis


def _per_element(random: Random, item: int, index_item: int, sizes: _Sizes,
                 loops: _ShortLoops) -> tuple[Shape, Shape, int]:
    """data, indices and axis of GatherElements and ScatterElements."""
    axis, after = int(random.integers(0, 2)), int(random.integers(0, 2))
    room = min(sizes.data / item, sizes.direct / (item + index_item))
    if loops.is_short:
        axis, inner = (1 if loops.points else axis), loops.shape
        room = max(1, room / (math.prod(inner) * (loops.points or 1)))
        outer = _split(random, room if loops.points else _log_uniform(random, 1, room), axis) if axis else ()
    else:
        lanes = _split(random, _log_uniform(random, 1, room), axis + after) if axis + after else ()
        outer, inner = lanes[:axis], lanes[axis:]
    count = math.prod(outer) * math.prod(inner)
    extent = max(1, int(sizes.data / (count * item)))
    points = loops.points or max(1, int(sizes.direct / (count * (item + index_item))))
    return (*outer, extent, *inner), (*outer, points, *inner), axis


def _by_tuples(random: Random, item: int, index_item: int, sizes: _Sizes, batch: bool,
               loops: _ShortLoops) -> tuple[Shape, Shape, int]:
    """data, indices and batch_dims of GatherND and ScatterND."""
    depth = 1 if batch else int(random.integers(1, 4))
    elements = _row_elements(random, item, sizes)
    inner = loops.shape if loops.is_short else (elements,) if batch else _inner(random, elements)
    row_bytes = math.prod(inner) * item
    outer = (_whole(random, 1, sizes.least / row_bytes),) if batch else ()
    rows = math.prod(outer)
    extents = _split(random, sizes.data / (rows * row_bytes), depth)
    points = max(1, int(sizes.direct / (rows * (row_bytes + depth * index_item))))
    return (*outer, *extents, *inner), (*outer, points, depth), len(outer)


def _broadcast_axes(random: Random, case: DrawnCase, operand: str) -> Shape:
    """Some with more than one element; none where the operand cannot be broadcast. Tuples are not repeated within
    themselves. Assignments of repeated updates have one result only if each is the same for all points of its lane."""
    shape = case.shape_of(operand)
    if operand == "data" and case.in_place:
        return ()
    needed = case.point_axes if operand == "updates" and case.reduction == "none" else ()
    if operand == "updates" and case.operator not in (*ELEMENTWISE, *TUPLES):
        needed = tuple(case.axis + axis for axis in needed)
    last = len(shape) - (operand == "indices" and case.operator in TUPLES)
    possible = [axis for axis in range(last) if shape[axis] > 1]
    if not possible:
        return ()
    chosen = {axis for axis in possible if axis in needed or random.random() < 0.5}
    return tuple(sorted(chosen or {int(random.choice(possible))}))


def _layout(random: Random, case: DrawnCase, operand: str) -> Layout:
    kind = str(random.choice(LAYOUTS))
    axes = _broadcast_axes(random, case, operand) if kind == BROADCAST else ()
    flat = kind == "transposed" and len(case.shape_of(operand)) == 1
    if flat or (kind == BROADCAST and not axes):
        kind = "strided"
    return Layout(operand, kind, axes)


def _layouts(random: Random, case: DrawnCase) -> tuple[Layout, ...]:
    if random.random() >= LAID_OUT_SHARE:
        return ()
    weights = np.array([2, *(1 for _ in case.operands[1:])], float)
    count = 2 if random.random() < SECOND_SHARE else 1
    chosen = random.choice(len(weights), count, replace=False, p=weights / weights.sum())
    return tuple(_layout(random, case, case.operands[place]) for place in sorted(chosen))


def draw_case(seed: int, number: int, mode: str, largest: int = MOST_BYTES) -> DrawnCase:
    """largest: the bytes of a case's data or of what it moves with the indices, whichever is more."""
    random = np.random.default_rng([seed, number])
    operator, reduction = _pick(random, OPERATORS)
    dtype, index_dtype = str(_pick(random, DTYPES)), str(_pick(random, INDEX_DTYPES))
    if index_dtype == "uint32" and (operator, reduction) in WITHOUT_UINT32:
        index_dtype = "int32"
    item, index_item = np.dtype(dtype).itemsize, np.dtype(index_dtype).itemsize
    sizes = _Sizes(random, largest)
    loops = _ShortLoops(random, item, index_item, sizes, random.random() < SHORT_SHARE)
    scatter = operator.startswith("Scatter") or operator == "IndexAdd"
    axis = batch_dims = 0
    if operator in ELEMENTWISE:
        data, indices, axis = _per_element(random, item, index_item, sizes, loops)
    elif operator in TUPLES:
        batch = not scatter and random.random() < 0.2
        data, indices, batch_dims = _by_tuples(random, item, index_item, sizes, batch, loops)
    elif operator == "IndexAdd":
        data, indices, _ = _by_tuples(random, item, index_item, sizes, False, loops)
        depth = indices[-1]
        data, indices = (math.prod(data[:depth]), *data[depth:]), indices[:-1]
    else:
        data, indices, axis = _along_axis(random, item, index_item, sizes, loops)
    spread = [one for one in DISTRIBUTIONS
              if one != "constant" or (operator in ELEMENTWISE and len(data) > 1)]
    weights = {one: 3 if one == "uniform" else 1 for one in spread}
    distribution = str(_pick(random, weights))
    in_place = scatter and mode == "given" and random.random() < 0.4
    case = DrawnCase(f"{seed}-{number}", "", operator, data, indices, axis, batch_dims, reduction,
                     dtype=dtype, index_dtype=index_dtype, mode=mode, distribution=distribution,
                     in_place=in_place, seed=seed, number=number)
    return dataclasses.replace(case, layouts=_layouts(random, case))
