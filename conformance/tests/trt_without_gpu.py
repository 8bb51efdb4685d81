"""windrow.trt with what TensorRT and CUDA's driver have beside networks, in main memory."""

import ctypes
import math

import windrow.trt as trt
from windrow import Error
from windrow.trt import *  # noqa: F403
from windrow.trt._network import type_name

from windrow_conformance.element_bytes import element_bytes, unpacked
from windrow_conformance.ml_types import from_ml, to_ml


class Driver:
    """memory: what is held, by address. status: of the work on the GPU. breaks: the kind of layer that spoils it."""

    def __init__(self):
        self.memory = {}
        self.status = 0
        self.breaks = None

    def cuInit(self, flags):
        return 0

    def cuDeviceGet(self, device, ordinal):
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        return 0

    def cuCtxSetCurrent(self, context):
        return 0

    def cuCtxSynchronize(self):
        return self.status

    def cuMemAlloc_v2(self, place, size):
        buffer = ctypes.create_string_buffer(size.value)
        place._obj.value = ctypes.addressof(buffer)
        self.memory[place._obj.value] = buffer
        return 0

    def cuMemFree_v2(self, place):
        del self.memory[place.value]
        return 0

    def cuMemcpyHtoD_v2(self, place, content, size):
        assert len(content) == size.value == len(self.memory[place.value])
        ctypes.memmove(place.value, content, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, buffer, place, size):
        assert size.value == len(self.memory[place.value])
        ctypes.memmove(buffer, place.value, size.value)
        return 0


DRIVER = Driver()


class Builder:
    def __init__(self, logger):
        self._builder, self._logger = trt.Builder(logger), logger

    def create_network(self, flags):
        return self._builder.create_network(flags)

    def create_builder_config(self):
        return self._builder.create_builder_config()

    def build_serialized_network(self, network, config):
        try:
            if math.prod(network.get_output(0).shape) >= 2**31:
                raise ValueError("tensor volume exceeds 2147483647")
        except ValueError as error:
            self._logger.log(trt.ILogger.Severity.ERROR, str(error))
            self._logger.log(trt.ILogger.Severity.WARNING, "this is not an error")
            return None
        return network


class Runtime:
    def __init__(self, logger):
        self._logger = logger

    def deserialize_cuda_engine(self, plan):
        return Engine(plan, self._logger)


class Engine:
    def __init__(self, network, logger):
        self.network, self.logger = network, logger
        self.inputs = {tensor.name: tensor for tensor in map(network.get_input, range(network.num_inputs))}
        self.output = network.get_output(0)
        self.layer = network.get_layer(network.num_layers - 1).type
        self.is_in_place = self.layer == trt.LayerType.KVCACHE_UPDATE

    @property
    def num_io_tensors(self):
        return len(self.inputs) + 1

    def get_tensor_name(self, index):
        return [*self.inputs, self.output.name][index]

    def get_tensor_dtype(self, name):
        assert name == self.output.name
        return self.output.dtype

    def get_aliased_input_tensor(self, name):
        return "input_0" if self.is_in_place and name == self.output.name else None

    def create_execution_context(self):
        return Context(self)


class Context:
    def __init__(self, engine):
        self._engine, self._addresses = engine, {}

    def get_tensor_shape(self, name):
        assert name == self._engine.output.name
        return self._engine.output.shape

    def set_tensor_address(self, name, address):
        self._addresses[name] = address
        return True

    def execute_async_v3(self, stream):
        engine, addresses = self._engine, self._addresses
        if engine.layer == DRIVER.breaks:
            DRIVER.status = 700
            return False
        arrays = {}
        for name, tensor in engine.inputs.items():
            shape = tuple(tensor.shape)
            raw = b"" if 0 in shape else DRIVER.memory[addresses[name]].raw
            arrays[name] = to_ml(unpacked(raw, type_name(tensor.dtype), shape))
        assert (addresses["output_0"] == addresses["input_0"]) == engine.is_in_place
        try:
            [result] = trt.testing.run(engine.network, arrays).values()
        except Error as error:
            engine.logger.log(trt.ILogger.Severity.ERROR, str(error))
            return False
        content = element_bytes(from_ml(result))
        assert len(DRIVER.memory[addresses["output_0"]]) == max(len(content), 1)
        ctypes.memmove(addresses["output_0"], content, len(content))
        return True
