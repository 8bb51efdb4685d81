"""The pool that keeps the memory of large results for the next ones."""

from __future__ import annotations

import operator

from windrow import _core
from windrow._base.errors import ArgumentError, ArgumentTypeError


def set_result_pool(bytes: int) -> int:
    """Sets how many bytes of freed results are kept for the next ones, and frees what exceeds that.

    Memory of new arrays of 32 MiB and more, and of the library's own tensors of that size, is kept when they
    are freed; never memory that an array or a view still uses. The default is 256 MiB, or the number of
    bytes in the environment variable WINDROW_RESULT_POOL, which is read when the package is imported.

    bytes: 0 turns the pool off: NumPy then allocates the results as any other array.

    Returns the bound before. Raises ArgumentError for a negative number or one above 2^63-1.
    """
    try:
        bound = operator.index(bytes)
    except TypeError:
        raise ArgumentTypeError(f"bytes must be an integer, is a {type(bytes).__name__}") from None
    if not 0 <= bound < 1 << 63:
        raise ArgumentError(f"bytes is {bound}, must be from 0 to 2^63-1")
    return _core.set_result_pool(bound)


def result_pool_held() -> int:
    """The number of bytes that the pool of results keeps now."""
    return _core.result_pool_held()


def release_result_pool() -> int:
    """Frees all memory that the pool of results keeps, and returns its bytes. The bound stays."""
    return _core.release_result_pool()
