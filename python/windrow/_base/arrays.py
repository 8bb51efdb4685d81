"""Converts arrays that are not plain buffers of numbers, on behalf of the extension.

Arrays whose element type the buffer protocol can name are handled by the extension alone. The file is long because each
kind of array takes a few lines, and because the order in which the kinds are tried is part of their meaning.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.errors import ArgumentError, DTypeError, ShapeError

# Types of ml_dtypes whose elements have the same size in memory as the library's, by name, with the NumPy type
# under which their memory is handed over.
_STORED_AS = {
    name: np.uint16 if name == "bfloat16" else np.uint8
    for name in (
        "bfloat16",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float8_e8m0fnu",
    )
}
# Types that take one byte per element in ml_dtypes and fewer bits in the library.
_PACKED_BITS = {"int4": 4, "uint4": 4, "uint2": 2, "float4_e2m1fn": 4}
_PACKED_LIMITS = {"int4": (-8, 7), "uint4": (0, 15), "uint2": (0, 3)}


def dtype_name(dtype: Any) -> str:
    """The library's name of a type given by that name or as NumPy takes it."""
    names = _core.dtype_names()
    if isinstance(dtype, str) and dtype in names:
        return dtype
    try:
        known = np.dtype(dtype) if dtype is not None else None
    except (TypeError, ValueError):
        known = None
    if known is None:
        raise DTypeError(f"{dtype!r} is no element type; there are: {', '.join(names)}")
    if known.kind in "OTU":
        return "string"
    if known.name not in names:
        raise DTypeError(f"{known.name!r} is no element type here; there are: {', '.join(names)}")
    if not known.isnative:
        raise DTypeError(f"{known.str!r} is in the byte order of another machine")
    return str(known.name)


def numpy_dtype(name: str) -> np.dtype[Any]:
    """NumPy's or ml_dtypes' type of that name."""
    return ml_dtype(name) if name in _STORED_AS or name in _PACKED_BITS else np.dtype(name)


def ml_dtype(name: str) -> np.dtype[Any]:
    """A type of ml_dtypes. Raises windrow.DTypeError without that package."""
    try:
        import ml_dtypes
    except ImportError as error:
        raise DTypeError(
            f"arrays of {name} need the package ml_dtypes: pip install ml_dtypes"
        ) from error
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    return dtype


def refuse_masked(value: Any, name: str) -> None:
    """Raises an error for a NumPy masked array, whose memory does not contain the mask."""
    if isinstance(value, np.ndarray) and isinstance(value, np.ma.MaskedArray):
        raise DTypeError(
            f"{name} is a masked array, whose mask would be lost: give {name}.filled(value), "
            f"or {name}.data if the mask does not matter"
        )


def _refuse_traced(value: Any, name: str) -> None:
    """Raises an error for a JAX tracer, which stands for an array without elements while a function is traced."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(value, jax.core.Tracer):
        raise ArgumentError(
            f"{name} is traced by JAX (jit, grad, vmap); the functions of windrow.jax can be traced"
        )


def _refuse_elsewhere(value: Any, name: str) -> None:
    """Raises an error for an array whose memory the CPU cannot read, such as torch's meta tensors."""
    try:
        device = getattr(value, "__dlpack_device__", lambda: (1, 0))()
        on_cpu = int(device[0]) == 1
    except MemoryError:
        raise
    except Exception as error:
        raise ArgumentError(f"{name} does not say that it is in the CPU's memory: {error}") from error
    if not on_cpu:
        raise ArgumentError(f"{name} is not in the CPU's memory; copy it there first")


def _refuse_negated(value: Any, name: str) -> None:
    """Raises an error for lazily negated torch tensors, which `__dlpack__` itself does not refuse."""
    if hasattr(value, "resolve_neg") and value.is_neg():
        raise ArgumentError(
            f"{name} is negated lazily, its memory holds the values before that; "
            f"give {name}.resolve_neg()"
        )


def _dlpack_advice(value: Any, name: str) -> str:
    """Advice for a tensor that torch refuses to export."""
    if getattr(value, "requires_grad", False) is True:
        return f"; windrow.torch has functions with gradients; without them: {name}.detach()"
    if hasattr(value, "resolve_conj") and value.is_conj():
        return f"; give {name}.resolve_conj()"
    return ""


def _dlpack_capsule(value: Any, writable: bool) -> Any:
    """What `__dlpack__` gives, or raises.

    The capsule of the old protocol is faster to make, but can't say that memory is read-only.
    """
    try:
        return value.__dlpack__(max_version=(1, 0)) if writable else value.__dlpack__()
    except (BufferError, TypeError) as refused:
        try:
            return value.__dlpack__() if writable else value.__dlpack__(max_version=(1, 0))
        except (BufferError, TypeError):
            raise refused from None


def _note_change(out: Any) -> None:
    """Tells torch that a tensor's memory changes, so that no backward pass takes what was there."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(out, torch.Tensor) and not out.is_inference():
        torch.autograd.graph.increment_version(out)


def export_dlpack(value: Any, name: str, writable: bool) -> Any:
    """The DLPack capsule of an array of another library, or None if the array does not support DLPack.

    Raises windrow.ArgumentError where the array refuses, or its memory is not all that it is.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return None
    _refuse_traced(value, name)
    if not hasattr(value, "__dlpack__"):
        return None
    _refuse_elsewhere(value, name)
    _refuse_negated(value, name)
    if writable:
        _refuse_constant(value)
    try:
        capsule = _dlpack_capsule(value, writable)
    except MemoryError:
        raise
    except Exception as error:
        _refuse_arrow_nulls(value, name)
        advice = _dlpack_advice(value, name)
        raise ArgumentError(f"{name} gives no memory by DLPack: {error}{advice}") from error
    if writable:
        _note_change(value)
    return capsule


def as_numpy(value: Any, name: str) -> np.ndarray[Any, Any]:
    """`value` as a NumPy array, which shares its memory where it supports DLPack. Raises the errors of an operator
    call for arrays that their memory alone does not describe.
    """
    refuse_masked(value, name)
    return np.asarray(value) if export_dlpack(value, name, False) is None else np.from_dlpack(value)


def _is_text(array: np.ndarray[Any, Any]) -> bool:
    return array.dtype.kind in "OTU"


def _is_beyond_64_bits(value: Any) -> bool:
    return isinstance(value, int) and not -(2**63) <= value < 2**64


def _texts(array: np.ndarray[Any, Any], name: str) -> list[str]:
    texts = array.ravel().tolist()
    others = [text for text in texts if not isinstance(text, str)]
    if others:
        raise _refuse_objects(array, others, name)
    try:
        # Bytes that are not valid UTF-8 are represented by lone surrogates in both directions: see text.h.
        "".join(texts).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise DTypeError(f"{name} has text that is not Unicode: {error}") from error
    return texts


# Objects that NumPy takes as a single element where a list was meant.
_MEANT = {
    "set": "a set, which has no order: give sorted({name}) or list({name})",
    "frozenset": "a set, which has no order: give sorted({name}) or list({name})",
    "slice": "a slice: give numpy.arange(start, stop, step), or slice the array itself",
    "generator": "a generator: give list({name})",
    "range_iterator": "an iterator: give list({name})",
    "dict": "a dict: give list({name}.values()) or another list",
}


def _is_null(value: Any) -> bool:
    """Whether a value is one of those by which tables say that there is none: None, NaN, pandas.NA, NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _refuse_nulls(array: np.ndarray[Any, Any], is_null: np.ndarray[Any, Any], name: str) -> DTypeError:
    """The error for elements without a value. is_null: which of them are, at least one."""
    places = np.argwhere(is_null)
    shown = [f"{name}[{', '.join(map(str, place))}]" for place in places[:5].tolist()]
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    one = len(places) == 1
    return DTypeError(
        f"{name} has {'a null' if one else f'{len(places)} nulls'} of {array.size} elements: {', '.join(shown)}{more}; "
        "drop or fill them first (pandas: .dropna() or .fillna(value), polars: .drop_nulls() or .fill_null(value))"
    )


def _refuse_arrow_nulls(value: Any, name: str) -> None:
    """Raises an error that names the nulls of an array of Arrow's; returns if it has none."""
    if getattr(value, "null_count", 0) and hasattr(value, "is_null"):
        nulls = np.asarray(value.is_null(), dtype=bool)
        raise _refuse_nulls(nulls, nulls, name)


def _refuse_objects(array: np.ndarray[Any, Any], others: list[Any], name: str) -> DTypeError:
    """The error for an array of Python objects, of which `others` are not str."""
    nulls = np.array([_is_null(value) for value in array.ravel().tolist()], dtype=bool).reshape(array.shape)
    if array.ndim and nulls.any():
        return _refuse_nulls(array, nulls, name)
    offender = next((other for other in others if not isinstance(other, (int, float))), others[0])
    offender = next((other for other in others if _is_beyond_64_bits(other)), offender)
    if array.ndim and len(others) == array.size and isinstance(offender, (int, float)) and not _is_beyond_64_bits(offender):
        return DTypeError(
            f"{name} is an array of Python objects, all of them numbers: give numpy.array({name}.tolist())"
        )
    return _refuse_object(offender, name, array.ndim == 0)


def _refuse_object(value: Any, name: str, alone: bool) -> DTypeError:
    """The error for an object that is not a str; `alone`: the object is the whole input, not an element of an array."""
    kind = type(value).__name__
    if _is_beyond_64_bits(value):
        return DTypeError(f"{name} has the integer {value}, beyond 64 bits")
    if alone and kind in _MEANT:
        return DTypeError(f"{name} is {_MEANT[kind].format(name=name)}")
    if alone:
        return DTypeError(f"{name} is not an array, list or number but a {kind}")
    return DTypeError(
        f"{name} is an array of Python objects, and one of them is of type {kind}: all must be str"
    )


def _refuse(array: np.ndarray[Any, Any], name: str) -> DTypeError:
    dtype = array.dtype
    if dtype.isnative is False:
        advice = f"{name} = {name}.astype({name}.dtype.newbyteorder('='))"
        return DTypeError(
            f"{name} has the byte order of another machine ({dtype.str}); convert it: {advice}"
        )
    advice = "; decode it to str first" if dtype.kind == "S" else ""
    return DTypeError(f"{name} has type {dtype}, which no operator takes{advice}")


def packed(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Elements of less than a byte of an ml_dtypes type, the first of each byte in its lowest bits."""
    bits = _PACKED_BITS[array.dtype.name]
    per_byte = 8 // bits
    codes = array.astype(array.dtype).view(np.uint8).ravel() & ((1 << bits) - 1)
    if codes.size % per_byte:
        codes = np.append(codes, np.zeros(-codes.size % per_byte, np.uint8))
    result = codes[0::per_byte]
    for place in range(1, per_byte):
        result = result | codes[place::per_byte] << place * bits
    return result


def from_python(value: Any, name: str, like: str, is_index: bool) -> np.ndarray[Any, Any]:
    """A list or a number as an array, of the type `like` if that represents every value exactly."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ShapeError(
            f"{name} is a list of lists that do not have one length ({error})"
        ) from error
    except OverflowError as error:
        raise DTypeError(f"{name}: {error}") from error
    except (TypeError, RuntimeError) as error:
        # Raised by an array among the elements that requires gradients or is traced by JAX.
        raise ArgumentError(f"{name} can't be made an array: {error}") from error
    if is_index and array.size == 0 and array.dtype == np.float64:
        return array.astype(np.int64)
    if is_index and array.ndim and array.dtype.kind == "f" and np.count_nonzero(np.isnan(array)):
        # Tables without a type for missing integers give floats.
        raise _refuse_nulls(array, np.isnan(array), name)
    if array.dtype.kind not in "biufc" or like in ("", "string"):
        return array
    wanted = numpy_dtype(like)
    if array.size == 0:
        return array.astype(wanted)
    ranks = "biufc"
    kind = "f" if wanted.kind == "V" else wanted.kind
    if like in _PACKED_LIMITS:
        kind = "i" if _PACKED_LIMITS[like][0] else "u"
    if ranks.index(array.dtype.kind) > ranks.index("i" if kind == "u" else kind):
        raise DTypeError(f"{name} has values that {like} can't hold: {array.dtype.name}")
    if kind in "iu":
        low, high = _PACKED_LIMITS.get(like) or (np.iinfo(like).min, np.iinfo(like).max)
        if array.min() < low or array.max() > high:
            raise DTypeError(f"{name} has values that {like} can't hold")
    return array.astype(wanted)


def import_array(
    value: Any, name: str, like: str, is_index: bool
) -> tuple[Any, str, tuple[int, ...]]:
    """`value` in a form that the extension can read: an array with a buffer, or a list of str.

    Returns it with its element type (empty: that of the buffer) and its shape. Raises
    windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError.
    """
    is_array = isinstance(value, (np.ndarray, np.generic))
    array = np.asarray(value) if is_array else from_python(value, name, like, is_index)
    type_name = array.dtype.name
    if _is_text(array):
        return _texts(array, name), "string", array.shape
    if not array.dtype.isnative:
        raise _refuse(array, name)
    if type_name in _STORED_AS:
        return array.view(_STORED_AS[type_name]), type_name, array.shape
    if type_name in _PACKED_BITS:
        return packed(array), type_name, array.shape
    if array.dtype.kind in "biufc" and type_name in _core.dtype_names():
        return array, "", array.shape
    raise _refuse(array, name)


def _refuse_constant(out: Any) -> None:
    """Raises an error for an array that declares itself immutable, such as JAX's, which old DLPack cannot express."""
    if not hasattr(out, "__array__"):
        return
    try:
        writable = np.asarray(out).flags.writeable
    except (RuntimeError, TypeError):
        return  # torch refuses types that NumPy does not have, and tensors with a gradient
    if not writable:
        raise ArgumentError("out is read-only")


def export_memory(out: Any) -> tuple[Any, str]:
    """The writable memory of `out` and its type, or None for text and packed elements.

    Raises an error that says why the extension cannot write to the array.
    """
    if not isinstance(out, np.ndarray):
        raise ArgumentError(f"out must be a writable array, is a {type(out).__name__}")
    if not out.flags.writeable:
        raise ArgumentError("out is read-only")
    type_name = out.dtype.name
    if _is_text(out) or type_name in _PACKED_BITS:
        return None, ""
    if type_name in _STORED_AS:
        return out.view(_STORED_AS[type_name]), type_name
    raise _refuse(out, "out")


def assign(out: np.ndarray[Any, Any], result: np.ndarray[Any, Any]) -> None:
    """Copies a finished result into `out`, which must have its shape and type."""
    if out.shape != result.shape:
        raise ShapeError(f"out has shape {list(out.shape)}, the result {list(result.shape)}")
    if _is_text(out) != _is_text(result) or (not _is_text(out) and out.dtype != result.dtype):
        raise DTypeError(f"out has type {out.dtype}, the result {result.dtype}")
    if out.dtype.kind == "U":
        longest = max(map(len, result.ravel().tolist()), default=0)
        if longest > out.dtype.itemsize // 4:
            raise DTypeError(f"out has type {out.dtype}, the result a text of {longest} characters")
    out[...] = result


def view_as(array: np.ndarray[Any, Any], type_name: str) -> np.ndarray[Any, Any]:
    """The memory of unsigned integers as elements of an ml_dtypes type."""
    return array.view(ml_dtype(type_name))


def check_lent(value: Any, name: str) -> None:
    """Raises windrow.ArgumentError unless the memory of `value` can become that of a tensor, which is written."""
    flags = value.flags if isinstance(value, np.ndarray) else None
    if flags is None or not flags.c_contiguous or not flags.writeable:
        raise ArgumentError(f"{name} must be a row-major NumPy array that may be written where copy=False")
    if _is_text(value) or value.dtype.name in _PACKED_BITS:
        raise ArgumentError(f"{name} has type {value.dtype.name}, which needs copy=True")


def memory_as(memory: np.ndarray[Any, Any], type_name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The bytes of a row-major array with elements, as that array on the same memory."""
    return memory.view(numpy_dtype(type_name)).reshape(shape)


def unpacked(
    packed: np.ndarray[Any, Any], type_name: str, shape: tuple[int, ...]
) -> np.ndarray[Any, Any]:
    """The inverse of packed(): an array of the ml_dtypes type with that name and the shape."""
    dtype = ml_dtype(type_name)
    bits = _PACKED_BITS[type_name]
    parts = [packed >> shift & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    count = int(np.prod(shape, dtype=np.int64))
    codes = np.stack(parts, axis=-1).ravel()[:count]
    if type_name == "int4":
        codes = (codes ^ 8).astype(np.int8) - np.int8(8)
        return codes.astype(dtype).reshape(shape)
    return codes.view(dtype).reshape(shape)


def text_array(texts: list[str], shape: tuple[int, ...], like: Any) -> np.ndarray[Any, Any]:
    """Text as an array of the same kind as `like`: StringDType, fixed width, or Python objects."""
    if isinstance(like, np.ndarray) and like.dtype.kind == "T":
        return np.array(texts, dtype=like.dtype).reshape(shape)
    if isinstance(like, np.ndarray) and like.dtype.kind == "U":
        # The width is the larger of that of `like` and that of the longest text: updates may be longer than the data.
        wide = np.array(texts, dtype=np.str_)
        return wide.astype(np.result_type(wide, like.dtype)).reshape(shape)
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array.reshape(shape)
