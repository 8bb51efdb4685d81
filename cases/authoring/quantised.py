"""Quantised look-ups, element by element: GatherBlockQuantized and TakeQuantized.

Written from docs/operators/onnx.md and array.md. Numbers are exact until they are rounded as the page says.
"""

import math
from dataclasses import dataclass

from . import exact, types
from .semantics import at, coordinate, positions, tensor


@dataclass
class LookUp:
    """One call. `bits`: of a code in a uint8; 0 where an element is a code. `dtype`: of the result."""

    data: dict
    indices: dict
    scales: dict
    zero_points: dict
    axis: int
    quantize_axis: int
    block_size: int
    bits: int
    dtype: str

    @property
    def each(self):
        """How many codes an element of data holds."""
        return 8 // self.bits if self.bits else 1

    @property
    def is_of_floats(self):
        return self.data["dtype"].startswith("float")

    def extents(self):
        """The shape of data, each code counted."""
        shape = self.data["shape"]
        return [*shape[:-1], shape[-1] * self.each]

    def places(self):
        """The gathered axis and the quantised one, counted from the front."""
        rank = len(self.data["shape"])
        assert -rank <= self.axis < rank and -rank <= self.quantize_axis < rank
        return self.axis % rank, self.quantize_axis % rank

    def block(self):
        """How many successive values share a scale."""
        return self.block_size or max(self.extents()[self.places()[1]], 1)

    def shape_of_scales(self):
        """What scales must have; 1 stays where floats may have it."""
        shape, quantised = self.extents(), self.places()[1]
        shape[quantised] = -(-shape[quantised] // self.block())
        given = self.scales["shape"]
        if self.is_of_floats and len(given) == len(shape):
            return [1 if mine == 1 and axis != quantised else extent for axis, (mine, extent) in enumerate(zip(given, shape))]
        return shape

    def shape_of_zero_points(self):
        shape = self.scales["shape"]
        return [*shape[:-1], -(-shape[-1] // self.each)]

    def _code(self, source, position):
        code = at(source, (*position[:-1], position[-1] // self.each))
        if self.each > 1:
            return float(code >> position[-1] % self.each * self.bits & (1 << self.bits) - 1)
        return types.code_to_float(source["dtype"], code) if self.is_of_floats else float(code)

    def term(self, position):
        """The code, the zero point and the scale of a value, as numbers."""
        quantised = self.places()[1]
        block = [where // self.block() if axis == quantised else where for axis, where in enumerate(position)]
        block = [0 if extent == 1 else where for extent, where in zip(self.scales["shape"], block, strict=True)]
        if self.zero_points is not None:
            zero = self._code(self.zero_points, block)
        else:
            zero = 2.0 ** ((self.bits or 8) - 1) if self.data["dtype"] == "uint8" else 0.0
        return self._code(self.data, position), zero, exact.numbers(self.scales["dtype"], [at(self.scales, block)])[0]

    def terms(self, place_of):
        """Of each element of the result, in row-major order, its term; None where the index is outside.

        place_of(position, extent): the coordinate that an index means, or None.
        """
        assert self.scales["shape"] == self.shape_of_scales()
        assert self.zero_points is None or not self.is_of_floats and self.zero_points["shape"] == self.shape_of_zero_points()
        shape, axis = self.extents(), self.places()[0]
        for before in positions(shape[:axis]):
            for position in positions(self.indices["shape"]):
                place = place_of(position, shape[axis])
                for after in positions(shape[axis + 1:]):
                    yield None if place is None else self.term((*before, place, *after))

    def result(self, place_of):
        shape, axis = self.extents(), self.places()[0]
        numbers = [0.0 if term is None else number(self.dtype, *term) for term in self.terms(place_of)]
        return tensor(self.dtype, shape[:axis] + self.indices["shape"] + shape[axis + 1:], numbers)


def number(dtype, code, zero, scale):
    """What a code stands for: the product is exact in a Python float, and rounded to float32 before it is to the type."""
    product = (code - zero) * scale
    return types.from_float(types.round_to(dtype, types.round_to("float32", product)))


def is_exact(dtype, code, zero, scale):
    """Whether nothing is rounded, and neither NaN, infinity nor -0 takes part."""
    product = (code - zero) * scale
    if not math.isfinite(product) or product == 0 and math.copysign(1, product) < 0:
        return False
    return types.round_to(dtype, product) == product


def gather_block_quantized(data, indices, scales, zero_points=None, bits=4, block_size=128, gather_axis=0, quantize_axis=1):
    own = bits if data["dtype"] == "uint8" else 0
    return LookUp(data, indices, scales, zero_points, gather_axis, quantize_axis, block_size, own, scales["dtype"])


def take_quantized(data, indices, scales, zero_points=None, axis=0, quantize_axis=-1, block_size=0, bits=0, dtype=""):
    own = bits if data["dtype"] == "uint8" else 0
    return LookUp(data, indices, scales, zero_points, axis, quantize_axis, block_size, own, dtype or scales["dtype"])


CALLS = {"GatherBlockQuantized": gather_block_quantized, "TakeQuantized": take_quantized}


def of_record(record):
    """The look-up of a record whose inputs, attributes and types are legal."""
    return CALLS[record["op"]](*record["inputs"], **record["attrs"])


def gathered_blocks(look_up, policy):
    """The result of ONNX Runtime's operator, with the limits that it has beside the other one's."""
    axis, quantised = look_up.places()
    size, rank = look_up.block_size, len(look_up.data["shape"])
    assert rank > 1 and (size >= 16 and not size & (size - 1) or size == 0 and look_up.is_of_floats)
    assert look_up.data["dtype"] != "uint8" or look_up.bits in (2, 4, 8) and axis == 0 and quantised == rank - 1
    return look_up.result(lambda position, extent: coordinate(at(look_up.indices, position), extent, policy))
