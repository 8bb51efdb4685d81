"""Types used in annotations and stubs."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy.typing as npt


@runtime_checkable
class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self, **options: Any) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


# The types of inputs: an array in the CPU's memory, or lists and numbers. (NumPy's type includes objects with the
# buffer protocol.)
ArrayInput: TypeAlias = npt.ArrayLike | SupportsDLPack
# The type of a result without `out`.
Array: TypeAlias = npt.NDArray[Any]

GatherPolicy: TypeAlias = Literal["error", "zero", "clamp", "modulo"]
ScatterPolicy: TypeAlias = Literal["error", "skip", "clamp", "modulo"]
NegativeMeaning: TypeAlias = Literal["from_end", "out_of_range", "error"]
DuplicatePolicy: TypeAlias = Literal["allow", "error"]
KernelSet: TypeAlias = Literal["plain", "avx2", "avx512", "neon", "sve"]
