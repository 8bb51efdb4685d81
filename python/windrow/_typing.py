"""Types that the stubs name."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy.typing as npt


@runtime_checkable
class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self, **options: Any) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


# What an input may be: an array in the CPU's memory, or lists and numbers. (What has the buffer
# protocol is among NumPy's.)
ArrayInput: TypeAlias = npt.ArrayLike | SupportsDLPack
# What a result is where no `out` is given.
Array: TypeAlias = npt.NDArray[Any]

GatherPolicy: TypeAlias = Literal["error", "zero", "clamp", "modulo"]
ScatterPolicy: TypeAlias = Literal["error", "skip", "clamp", "modulo"]
DuplicatePolicy: TypeAlias = Literal["allow", "error"]
KernelSet: TypeAlias = Literal["plain", "avx2", "avx512"]
