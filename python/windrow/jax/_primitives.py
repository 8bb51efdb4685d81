"""Two primitives, gather and scatter, that XLA runs through the extension's handler.

Their forms pair up: what one form gathers, the scatter of the same form adds to.
    rows      a slice of data for every index along `axis` (array.Take, array.IndexReduce)
    elements  an element for every index, its position but for `axis` (array.TakeAlongAxis,
              openvino.ScatterElementsUpdate)
    tuples    a slice for every index tuple (openvino.GatherND, openvino.ScatterNDUpdate)
Out of range: "error", "modulo", and "zero" (gather) or "skip" (scatter).
"""

from __future__ import annotations

import functools
from typing import Any, Literal, TypeAlias

import jax
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import mlir

import windrow
from windrow import _core

Array: TypeAlias = Any  # jax.Array, or what stands for one while JAX traces
Form = Literal["rows", "elements", "tuples"]
Policy = Literal["error", "zero", "skip", "modulo"]

_TARGET = "windrow"

# dialect, operator, version, the operator's own attributes among the primitive's parameters.
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

gather_p: Any = Primitive("windrow_gather")
scatter_p: Any = Primitive("windrow_scatter")


def gather(
    data: Array,
    indices: Array,
    form: Form,
    out_of_range: Policy,
    axis: int = 0,
    batch_dims: int = 0,
) -> Array:
    """What `form` says; the type of data. `axis` is not negative."""
    if form == "tuples" and _is_complex(data):
        return _by_parts(lambda part: gather(part, indices, form, out_of_range, axis, batch_dims))(
            data
        )
    return gather_p.bind(
        data, indices, form=form, out_of_range=out_of_range, axis=axis, batch_dims=batch_dims
    )


def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    form: Form,
    reduction: str,
    out_of_range: Policy,
    axis: int = 0,
    use_init_val: bool = True,
) -> Array:
    """A new array; updates of the type of data. `axis` is not negative."""
    parameters = {
        "form": form,
        "reduction": reduction,
        "out_of_range": out_of_range,
        "axis": axis,
        "use_init_val": use_init_val,
    }
    if form != "rows" and reduction in ("none", "sum", "mean") and _is_complex(data):
        return _by_parts(lambda part, update: scatter_p.bind(part, indices, update, **parameters))(
            data, updates
        )
    return scatter_p.bind(data, indices, updates, **parameters)


def _is_complex(array: Array) -> bool:
    return bool(np.issubdtype(array.dtype, np.complexfloating))


def _by_parts(function: Any) -> Any:
    """A linear function, of real and imaginary parts apart: OpenVINO has no complex numbers."""

    def by_parts(*arrays: Array) -> Array:
        real = function(*(lax.real(array) for array in arrays))
        return lax.complex(real, function(*(lax.imag(array) for array in arrays)))

    return by_parts


def _spec(aval: Any) -> windrow.Spec:
    return windrow.Spec(np.dtype(aval.dtype).name, aval.shape)


def _attributes(names: tuple[str, ...], parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: parameters[name] for name in names}


def _result(row: _Row, inputs: Any, parameters: Any) -> Any:
    """The result's type and shape, from the operator itself. Raises its errors."""
    if any(aval.manual_axis_type.varying for aval in inputs):
        # The primitives do not tell what varies over the mesh; gradients would be wrong.
        raise windrow.Unsupported("windrow.jax inside jax.shard_map needs its check_vma=False")
    dialect, name, version, attributes = row
    given = _attributes(attributes, parameters)
    specs = [_spec(aval) for aval in inputs]
    if dialect == "openvino" and "axis" in given:
        specs.append(windrow.Spec("int64", (), value=given.pop("axis")))
    plan = windrow.compile(
        dialect, name, *specs, version=version, out_of_range=parameters["out_of_range"], **given
    )
    return jax.core.ShapedArray(plan.shape, inputs[0].dtype)


def _lower(
    rows: dict[str, _Row],
    aliases: dict[int, int],
    context: Any,
    *operands: Any,
    **parameters: Any,
) -> Any:
    dialect, name, version, attributes = rows[parameters["form"]]
    # The width of integers does not depend on jax_enable_x64.
    given = {
        key: value if isinstance(value, (str, bool)) else np.int64(value)
        for key, value in _attributes(attributes, parameters).items()
    }
    rule = jax.ffi.ffi_lowering(_TARGET, operand_output_aliases=aliases)
    return rule(
        context,
        *operands,
        dialect=dialect,
        operator=name,
        version=np.int64(version),
        out_of_range=parameters["out_of_range"],
        **given,
    )


@functools.cache
def _compiled(primitive: Any, parameters: tuple[tuple[str, Any], ...]) -> Any:
    return jax.jit(functools.partial(primitive.bind, **dict(parameters)))


def _run(primitive: Any, *arrays: Any, **parameters: Any) -> Any:
    # A primitive by itself is a program of one call, also where jax.disable_jit() is on.
    with jax.disable_jit(False):
        return _compiled(primitive, tuple(parameters.items()))(*arrays)


def _define(primitive: Any, rows: dict[str, _Row], aliases: dict[int, int]) -> None:
    primitive.def_impl(functools.partial(_run, primitive))
    primitive.def_abstract_eval(
        lambda *inputs, **parameters: _result(rows[parameters["form"]], inputs, parameters)
    )
    mlir.register_lowering(primitive, functools.partial(_lower, rows, aliases), platform="cpu")


def register() -> None:
    """Makes XLA know the handler, and JAX the primitives."""
    handler = _core.jax_handler()
    if handler is None:
        raise ImportError(
            "this build of windrow has no JAX plug-in: jaxlib was not there when it was built"
        )
    jax.ffi.register_ffi_target(_TARGET, handler, platform="cpu")
    _define(gather_p, _GATHERS, {})
    # XLA lets a scatter run in place where its data is not needed any more, else copies it first.
    _define(scatter_p, _SCATTERS, {0: 0})
