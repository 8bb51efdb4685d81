"""Memory of an NVIDIA GPU, by the CUDA driver library.

The driver is present on every machine with a working GPU, whatever release of CUDA a runtime is built for; cuda-python
and libcudart would have to be installed in the right version.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

_LIBRARY = "libcuda.so.1"


def load_driver() -> Any:
    """The driver's library. Raises OSError where there is none."""
    return ctypes.CDLL(_LIBRARY)


def fault_of_gpu() -> str:
    """Why there is no GPU for CUDA, and what is needed; empty if there is one."""
    try:
        driver = load_driver()
    except OSError:
        return f"there is no {_LIBRARY}: install the driver of an NVIDIA GPU"
    count = ctypes.c_int()
    status = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    if status or count.value == 0:
        return f"the NVIDIA driver finds no GPU (CUDA's error {status})"
    return ""


class CudaMemory:
    """Memory of the first GPU, in the context that CUDA's runtime library uses, too.

    A CUDA error ends the process: most errors persist, so that the calls after it would fail, too.
    """

    def __init__(self) -> None:
        self._driver = load_driver()
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._do("cuInit", 0)
        self._do("cuDeviceGet", ctypes.byref(device), 0)
        self._do("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._do("cuCtxSetCurrent", context)

    @contextlib.contextmanager
    def copies(self, contents: Iterable[bytes]) -> Iterator[list[int]]:
        """The addresses of copies on the GPU, each of one byte at least."""
        places: list[ctypes.c_uint64] = []
        try:
            for content in contents:
                place, size = ctypes.c_uint64(), ctypes.c_size_t(max(len(content), 1))
                self._do("cuMemAlloc_v2", ctypes.byref(place), size)
                places.append(place)
                self._do("cuMemcpyHtoD_v2", place, content or b"\0", size)
            yield [place.value for place in places]
        finally:
            for place in places:
                self._do("cuMemFree_v2", place)

    def content(self, address: int, size: int) -> bytes:
        """A copy of the bytes at an address."""
        buffer = ctypes.create_string_buffer(max(size, 1))
        self._do("cuMemcpyDtoH_v2", buffer, ctypes.c_uint64(address), ctypes.c_size_t(len(buffer)))
        return buffer.raw[:size]

    def wait(self) -> None:
        """Waits until the GPU has finished all work of this process."""
        self._do("cuCtxSynchronize")

    def _do(self, function: str, *arguments: Any) -> None:
        status = getattr(self._driver, function)(*arguments)
        if status:
            print(f"{function}: CUDA's error {status}", file=sys.stderr, flush=True)
            os.abort()
