"""The runtime tensorrt, with windrow.trt in place of TensorRT and main memory in place of a GPU's."""

import dataclasses
import enum
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("windrow.trt")

import trt_without_gpu  # noqa: E402
from tensorrt_without_gpu import WithoutGpu  # noqa: E402
from windrow_conformance import cuda_memory  # noqa: E402
from windrow_conformance.cuda_memory import CudaMemory, fault_of_gpu  # noqa: E402
from windrow_conformance.judge import find_difference  # noqa: E402
from windrow_conformance.outcome import Outcome  # noqa: E402
from windrow_conformance.run import Settings, run  # noqa: E402
from windrow_conformance.runtime import Unsupported  # noqa: E402
from windrow_conformance.runtimes.tensorrt import TensorRt  # noqa: E402
from windrow_conformance.tensorrt_network import TYPES, build_network  # noqa: E402

FILE = Path(__file__).with_name("tensorrt_without_gpu.py")
GATHER = "tensorrt/gather/recorded_default_axis_2"
SCATTER = "tensorrt/scatter/recorded_scatter_nd"
LAYERS = {
    "Gather": {"DEFAULT", "ELEMENT", "ND", None},
    "Scatter": {"ELEMENT", "ND", None},
    "OneHot": {None},
    "KVCacheUpdate": {"LINEAR", None},
}


def asked(corpus, runtime):
    for path in corpus.paths(dialects=("tensorrt",), tiers=("specification", "decision")):
        record = corpus.record(path)
        if not runtime.why_not(record):
            yield record


def test_records_of_every_layer_mode_and_type(corpus):
    runtime, right, refused, types = WithoutGpu(), set(), set(), set()
    for record in asked(corpus, runtime):
        if record.must_fail:
            with pytest.raises(RuntimeError, match="^TensorRT (builds no|does not run the) engine: "):
                runtime.prepare(record)(record.inputs)
            refused.add(record.op)
        elif len(record.output.shape) <= 8:
            got = runtime.prepare(record)(record.inputs)
            assert find_difference(record, got) == "", record.path
            right.add((record.op, record.attrs.get("mode")))
            types.add(record.output.dtype)
    assert right == {(op, mode) for op, modes in LAYERS.items() for mode in modes}
    assert refused == set(LAYERS)
    assert types >= TYPES.keys() - {"float4_e2m1fn"}  # no layer takes that
    assert trt_without_gpu.DRIVER.memory == {}


def test_runs_in_the_kit(corpus):
    paths = [GATHER, SCATTER, "deterministic/tensorrt/kvcacheupdate_linear_float16_linear"]
    verdicts = run(f"{FILE}:tensorrt-without-gpu", corpus, paths, Settings(runs=2, threads=(1, 2)))
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.PASSED}


def test_a_call_that_spoils_the_gpu_harms_no_other(corpus):
    verdicts = run(f"{FILE}:tensorrt-with-sick-gpu", corpus, [SCATTER, GATHER])
    assert verdicts[GATHER].outcome is Outcome.PASSED
    assert verdicts[SCATTER].outcome is Outcome.CRASH
    assert "cuCtxSynchronize: CUDA's error 700" in verdicts[SCATTER].message


def test_errors_of_tensorrt_are_told(corpus):
    wrong = corpus.record("tensorrt/gather/axis_2_of_DEFAULT")
    with pytest.raises(RuntimeError, match="^TensorRT builds no engine: .*axis") as caught:
        WithoutGpu().prepare(wrong)
    assert "this is not an error" not in str(caught.value)
    right = corpus.record(GATHER)  # not with what was told before
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trt_without_gpu.Context, "execute_async_v3", lambda self, stream: False)
        with pytest.raises(RuntimeError, match="^TensorRT does not run the engine$"):
            WithoutGpu().prepare(right)(right.inputs)


def test_an_output_that_is_not_written_is_no_earlier_one(corpus, monkeypatch):
    record = corpus.record(GATHER)
    call = WithoutGpu().prepare(record)
    assert not find_difference(record, call(record.inputs))
    monkeypatch.setattr(trt_without_gpu.Context, "execute_async_v3", lambda self, stream: True)
    assert find_difference(record, call(record.inputs))
    assert set(call(record.inputs).array.tobytes()) == {0xA5}


@pytest.mark.parametrize("installed, release", [("8.6.1", 8), ("10.15.1.29", 10), ("11.0", 11)])
def test_only_the_installed_release_is_asked(corpus, monkeypatch, installed, release):
    runtime = WithoutGpu()
    monkeypatch.setattr(runtime, "versions", lambda: {"tensorrt": installed})
    assert {record.version for record in asked(corpus, runtime)} == {release}
    other = dataclasses.replace(corpus.record(GATHER), version=7)
    assert runtime.why_not(other) == f"the record is about TensorRT 7, installed is {release}"


@pytest.mark.parametrize(
    "attrs, reason",
    [
        ({"mode": "SIDEWAYS"}, "TensorRT has no mode 'SIDEWAYS'"),
        ({"mode": 2}, "TensorRT has no mode 2"),
        ({"keepdims": 1}, "the layer has no setting keepdims"),
        ({"axis": True}, "axis is a 32-bit integer"),
        ({"axis": 2**31}, "axis is a 32-bit integer"),
    ],
)
def test_what_the_interface_cannot_say_is_unsupported(corpus, attrs, reason):
    record = corpus.record(GATHER)
    assert WithoutGpu().why_not(record) == ""
    assert WithoutGpu().why_not(dataclasses.replace(record, attrs=attrs)) == reason


def test_what_a_release_lacks_is_unsupported(corpus):
    network = SimpleNamespace(add_gather_v2=None)
    builder = SimpleNamespace(create_network=lambda flags: network)
    trt = SimpleNamespace(
        NetworkDefinitionCreationFlag=enum.IntEnum("Flags", {}),
        GatherMode=trt_without_gpu.GatherMode,
        KVCacheMode=trt_without_gpu.KVCacheMode,
        DataType=SimpleNamespace(INT32=3),
    )
    with pytest.raises(Unsupported, match="no add_kv_cache_update"):
        build_network(trt, builder, corpus.record("tensorrt/kv_cache_update/recorded_kv_cache_update"))
    network.add_gather_v2 = lambda *inputs: None
    with pytest.raises(Unsupported, match="no type float32"):
        build_network(trt, builder, corpus.record(GATHER))


@pytest.mark.parametrize(
    "flags, given",
    [
        ({"EXPLICIT_BATCH": 0, "EXPLICIT_PRECISION": 1}, 0b1),
        ({"EXPLICIT_BATCH": 0, "STRONGLY_TYPED": 1}, 0b11),
        ({"STRONGLY_TYPED": 0, "PREFER_AOT_PYTHON_PLUGINS": 1}, 0b1),
    ],
)
def test_networks_have_an_explicit_batch_and_strong_types(corpus, monkeypatch, flags, given):
    monkeypatch.setattr(trt_without_gpu, "NetworkDefinitionCreationFlag", enum.IntEnum("Flags", flags))
    builder = SimpleNamespace(create_network=lambda flags: asked_for.append(flags) or SimpleNamespace())
    asked_for = []
    with pytest.raises(Unsupported):
        build_network(trt_without_gpu, builder, corpus.record(GATHER))
    assert asked_for == [given]


def test_the_depth_of_one_hot_is_known_to_the_builder(corpus):
    builder = trt_without_gpu.Builder(trt_without_gpu.Logger())
    record = next(record for record in asked(corpus, WithoutGpu()) if record.op == "OneHot" and not record.must_fail)
    network = build_network(trt_without_gpu, builder, record)
    assert [network.get_input(at).name for at in range(network.num_inputs)] == ["input_0", "input_1"]


def test_memory_of_the_gpu_is_freed_after_an_error(monkeypatch):
    monkeypatch.setattr(cuda_memory, "load_driver", lambda: trt_without_gpu.DRIVER)
    memory = CudaMemory()
    with pytest.raises(ZeroDivisionError), memory.copies([b"abc", b""]) as (first, second):
        assert memory.content(first, 3) == b"abc"
        assert memory.content(second, 0) == b""
        raise ZeroDivisionError
    assert trt_without_gpu.DRIVER.memory == {}


class Count:
    """A driver that reports this number of GPUs."""

    def __init__(self, count, status=0):
        self._count, self._status = count, status

    def cuInit(self, flags):
        return self._status

    def cuDeviceGetCount(self, count):
        count._obj.value = self._count
        return 0


def test_what_is_missing_is_told(monkeypatch):
    def no_driver():
        raise OSError

    monkeypatch.setattr(TensorRt, "module", "a_module_that_nobody_has")
    monkeypatch.setattr(cuda_memory, "load_driver", lambda: Count(1))
    assert TensorRt().fault() == "tensorrt is not installed: pip install tensorrt"
    monkeypatch.setattr(cuda_memory, "load_driver", no_driver)
    missing = "there is no libcuda.so.1: install the driver of an NVIDIA GPU"
    assert TensorRt().fault() == f"tensorrt is not installed: pip install tensorrt; {missing}"
    monkeypatch.setattr(TensorRt, "module", "numpy")
    assert TensorRt().fault() == missing
    monkeypatch.setattr(cuda_memory, "load_driver", lambda: Count(0))
    assert fault_of_gpu() == "the NVIDIA driver finds no GPU (CUDA's error 0)"
    monkeypatch.setattr(cuda_memory, "load_driver", lambda: Count(1, status=100))
    assert fault_of_gpu() == "the NVIDIA driver finds no GPU (CUDA's error 100)"
