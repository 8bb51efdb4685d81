"""Primitives that XLA runs through the extension's handler: gather and scatter; _bags.py has another one.

Their forms pair up: what one form gathers, the scatter of the same form adds to.
    rows      a slice of data for every index along `axis` (array.Take, array.IndexReduce)
    elements  an element for every index, its position but for `axis` (array.TakeAlongAxis,
              openvino.ScatterElementsUpdate)
    tuples    a slice for every index tuple (openvino.GatherND, openvino.ScatterNDUpdate)
OpenVINO has no complex numbers: products of these are ONNX's ScatterElements and ScatterND.
Out of range: "error", "clamp", "modulo", and "zero" (gather) or "skip" (scatter). Negative: "from_end", "out_of_range".
"""

from __future__ import annotations

import functools
import math
from typing import Any, Literal, NamedTuple, TypeAlias

import jax
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo
from jax.interpreters import mlir

import windrow
from windrow import _core

Array: TypeAlias = Any  # jax.Array, or a tracer in its place
Form = Literal["rows", "elements", "tuples"]


class Policy(NamedTuple):
    """How indices are read: three call options by their names."""

    out_of_range: Literal["error", "zero", "skip", "clamp", "modulo"]
    negative: Literal["from_end", "out_of_range"] = "from_end"
    padding_index: int | None = None

    def options(self) -> dict[str, Any]:
        """The options that the call has."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def of_gather(self) -> Policy:
        """The policy of the gather that reads what a scatter writes."""
        return self._replace(out_of_range="zero") if self.out_of_range == "skip" else self

    def of_scatter(self) -> Policy:
        """The policy of the scatter that writes what a gather reads."""
        return self._replace(out_of_range="skip") if self.out_of_range == "zero" else self


_TARGET = "windrow"

# Dialect, operator, version, and the operator's attributes among the primitive's parameters.
_Row: TypeAlias = tuple[str, str, int, tuple[str, ...]]
_GATHERS: dict[str, _Row] = {
    "rows": ("array", "Take", 1, ("axis",)),
    "elements": ("array", "TakeAlongAxis", 1, ("axis",)),
    "tuples": ("openvino", "GatherND", 8, ("batch_dims",)),
}
_SCATTERS: dict[str, _Row] = {
    "rows": ("array", "IndexReduce", 1, ("axis", "reduction", "use_init_val")),
    "elements": ("openvino", "ScatterElementsUpdate", 12, ("axis", "reduction", "use_init_val")),
    "tuples": ("openvino", "ScatterNDUpdate", 15, ("reduction",)),
}

# For complex numbers, in the forms whose own operator has none. Indices become int64, as ScatterND requires.
_COMPLEX_PRODUCTS: dict[str, _Row] = {
    "elements": ("onnx", "ScatterElements", 18, ("axis", "reduction")),
    "tuples": ("onnx", "ScatterND", 18, ("reduction",)),
}

gather_p: Any = Primitive("windrow_gather")
scatter_p: Any = Primitive("windrow_scatter")


def gather(
    data: Array,
    indices: Array,
    form: Form,
    policy: Policy,
    axis: int = 0,
    batch_dims: int = 0,
) -> Array:
    """A gather of this form; the result has data's type. `axis` is not negative."""
    if form == "tuples" and _is_complex(data):
        return _by_parts(lambda part: gather(part, indices, form, policy, axis, batch_dims))(
            data
        )
    return gather_p.bind(
        data, indices, form=form, policy=policy, axis=axis, batch_dims=batch_dims
    )


def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    form: Form,
    reduction: str,
    policy: Policy,
    axis: int = 0,
    use_init_val: bool = True,
) -> Array:
    """A scatter of this form into a new array; updates have data's type. `axis` is not negative."""
    parameters: dict[str, Any] = {
        "form": form,
        "reduction": reduction,
        "policy": policy,
        "axis": axis,
        "use_init_val": use_init_val,
    }
    if _is_complex(data) and updates.dtype == data.dtype:
        # array.IndexReduce has every reduction of complex numbers except "mean".
        if reduction == "mean" or (form != "rows" and reduction in ("none", "sum")):
            by_parts = _by_parts(
                lambda part, update: scatter_p.bind(part, indices, update, **parameters)
            )
            return by_parts(data, updates)
        if form != "rows" and reduction == "prod":
            return _multiply_complex(data, indices, updates, parameters)
    return scatter_p.bind(data, indices, updates, **parameters)


def _multiply_complex(
    data: Array, indices: Array, updates: Array, parameters: dict[str, Any]
) -> Array:
    """Runs ONNX's operators, which always start with data's cell."""
    if not parameters["use_init_val"]:
        ones = lax.full_like(updates, 1)
        form, policy, axis = (parameters[key] for key in ("form", "policy", "axis"))
        data = scatter(data, indices, ones, form, "none", policy, axis)
    return scatter_p.bind(data, indices, updates, **{**parameters, "use_init_val": True})


def _is_complex(array: Array) -> bool:
    return bool(np.issubdtype(array.dtype, np.complexfloating))


def _by_parts(function: Any) -> Any:
    """Applies a linear function to real and imaginary parts separately: OpenVINO has no complex numbers."""

    def by_parts(*arrays: Array) -> Array:
        real = function(*(lax.real(array) for array in arrays))
        return lax.complex(real, function(*(lax.imag(array) for array in arrays)))

    return by_parts


def spec(aval: Any) -> windrow.Spec:
    """The type and shape of an array."""
    return windrow.Spec(np.dtype(aval.dtype).name, aval.shape)


def _row(rows: dict[str, _Row], data: Any, parameters: dict[str, Any]) -> _Row:
    """The operator for data of this type."""
    form = parameters["form"]
    if parameters.get("reduction") == "prod" and _is_complex(data):
        return _COMPLEX_PRODUCTS.get(form, rows[form])
    return rows[form]


def _is_widened(row: _Row, indices: Any) -> bool:
    """Whether the operator gets the indices as int64, whether or not jax_enable_x64 is set."""
    return row[0] == "onnx" and indices.dtype.kind in "iu" and indices.dtype.name != "uint64"


def _attributes(row: _Row, parameters: dict[str, Any]) -> dict[str, Any]:
    given = {name: parameters[name] for name in row[3]}
    return {**given, "reduction": "mul"} if row[0] == "onnx" else given


def _result(rows: dict[str, _Row], inputs: Any, parameters: Any) -> Any:
    """The result's type and shape, as the operator infers them. Raises the operator's errors."""
    if any(aval.manual_axis_type.varying for aval in inputs):
        # The primitives do not declare what varies over the mesh, so that gradients would be wrong.
        raise windrow.Unsupported("windrow.jax inside jax.shard_map needs its check_vma=False")
    row = _row(rows, inputs[0], parameters)
    dialect, name, version, _ = row
    given = _attributes(row, parameters)
    specs = [spec(aval) for aval in inputs]
    if _is_widened(row, inputs[1]):
        specs[1] = windrow.Spec("int64", inputs[1].shape)
    if dialect == "openvino" and "axis" in given:
        specs.append(windrow.Spec("int64", (), value=given.pop("axis")))
    plan = windrow.compile(
        dialect, name, *specs, version=version, **parameters["policy"].options(), **given
    )
    if parameters["form"] != "bags":  # whose results have elements without those of the table
        _refuse_empty_axis(f"{dialect}.{name}-{version}", inputs, plan.shape, parameters)
    return jax.core.ShapedArray(plan.shape, inputs[0].dtype)


def _refuse_empty_axis(
    operator: str, inputs: Any, result: tuple[int, ...], parameters: dict[str, Any]
) -> None:
    """Raises IndexOutOfRange if indices address an axis of extent 0, where every index but padding is wrong.

    XLA would not report it, because it removes calls whose result has no elements.
    """
    policy = parameters["policy"]
    if policy.out_of_range in ("zero", "skip") or policy.padding_index is not None:
        return
    data, indices = inputs[:2]
    form, first, last = parameters["form"], parameters["axis"], parameters["axis"] + 1
    count = indices.size
    if form == "tuples":
        first = parameters.get("batch_dims", 0)
        last = first + indices.shape[-1]
        count = math.prod(indices.shape[:-1])
    elif form == "elements" and len(inputs) == 2:
        count = math.prod(result)  # indices are broadcast
    empty = [axis for axis in range(first, last) if data.shape[axis] == 0]
    if not empty or count == 0:
        return
    error = windrow.IndexOutOfRange(
        f"{operator}: axis {empty[0]} of data has extent 0 (no index is legal), and the number of"
        f" indices is {count}"
    )
    error.operator, error.input, error.axis, error.count = operator, "indices", empty[0], count
    raise error


def _lower(
    rows: dict[str, _Row],
    aliases: dict[int, int],
    context: Any,
    *operands: Any,
    **parameters: Any,
) -> Any:
    row = _row(rows, context.avals_in[0], parameters)
    dialect, name, version, _ = row
    # The width of integers does not depend on jax_enable_x64.
    given = {
        key: value if isinstance(value, (str, bool)) else np.int64(value)
        for key, value in {
            **_attributes(row, parameters),
            **parameters["policy"].options(),
        }.items()
    }
    if _is_widened(row, context.avals_in[1]):
        shape = context.avals_in[1].shape
        wide = ir.RankedTensorType.get(shape, ir.IntegerType.get_signless(64))
        operands = (operands[0], stablehlo.convert(wide, operands[1]), *operands[2:])
    rule = jax.ffi.ffi_lowering(_TARGET, operand_output_aliases=aliases)
    return rule(
        context,
        *operands,
        dialect=dialect,
        operator=name,
        version=np.int64(version),
        **given,
    )


@functools.cache
def _compiled(primitive: Any, parameters: tuple[tuple[str, Any], ...]) -> Any:
    return jax.jit(functools.partial(primitive.bind, **dict(parameters)))


def _run(primitive: Any, *arrays: Any, **parameters: Any) -> Any:
    # A primitive by itself is a program of one call, even with jax.disable_jit().
    with jax.disable_jit(False):
        return _compiled(primitive, tuple(parameters.items()))(*arrays)


def define(primitive: Any, rows: dict[str, _Row], aliases: dict[int, int]) -> None:
    """Lets a primitive call the operators of these rows: those of its forms."""
    primitive.def_impl(functools.partial(_run, primitive))
    primitive.def_abstract_eval(
        lambda *inputs, **parameters: _result(rows, inputs, parameters)
    )
    mlir.register_lowering(primitive, functools.partial(_lower, rows, aliases), platform="cpu")


def register() -> None:
    """Registers the handler with XLA and the primitives with JAX."""
    handler = _core.jax_handler()
    if handler is None:
        raise ImportError(
            "this build of windrow has no JAX plug-in: jaxlib was not there when it was built"
        )
    jax.ffi.register_ffi_target(_TARGET, handler, platform="cpu")
    define(gather_p, _GATHERS, {})
    # XLA lets a scatter run in place if its data is not needed any more, and otherwise copies the data first.
    define(scatter_p, _SCATTERS, {0: 0})
