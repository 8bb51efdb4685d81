"""The runtime tensorrt where there is neither TensorRT nor a GPU."""

from unittest import mock

import trt_without_gpu as trt
from windrow_conformance import cuda_memory
from windrow_conformance.runtimes.tensorrt import TensorRt


class WithoutGpu(TensorRt):
    name = "tensorrt-without-gpu"
    module = "trt_without_gpu"

    def versions(self):
        return {"tensorrt": "11.1.0"}

    def fault(self):
        return ""

    def prepare(self, record, threads=1):
        with mock.patch.object(cuda_memory, "load_driver", lambda: trt.DRIVER):
            return super().prepare(record, threads)


class SickGpu(WithoutGpu):
    """Its GPU does nothing any more after the first Scatter."""

    name = "tensorrt-with-sick-gpu"

    def prepare(self, record, threads=1):
        trt.DRIVER.breaks = trt.LayerType.SCATTER
        return super().prepare(record, threads)
