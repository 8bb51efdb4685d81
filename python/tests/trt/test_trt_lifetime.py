"""Objects keep alive what they are part of, whatever is deleted first."""

import gc
import multiprocessing
import resource
import subprocess
import sys
import textwrap
import weakref
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import windrow.trt as trt


class Logger(trt.ILogger):
    def log(self, severity, msg):
        print(msg)


def test_a_network_outlives_its_builder_and_logger(capsys):
    builder = trt.Builder(Logger())
    gc.collect()
    network = builder.create_network()
    del builder
    gc.collect()
    assert network.add_input("", trt.float32, (1,)) is None
    assert "the name is empty" in capsys.readouterr().out
    assert isinstance(network.builder.logger, Logger)


def test_a_tensor_keeps_everything(capsys):
    network = trt.Builder(Logger()).create_network()
    data = network.add_input("data", trt.float32, (2, 3))
    indices = network.add_constant((2,), np.array([1, 0], np.int32)).get_output(0)
    output = network.add_gather(data, indices, 0).get_output(0)
    network.mark_output(output)
    watched = weakref.ref(network)
    del network, data, indices
    gc.collect()
    assert watched() is not None
    assert output.shape == (2, 3)
    [result] = trt.testing.run(watched(), {"data": np.eye(2, 3, dtype=np.float32)}).values()
    assert result.tolist() == [[0, 1, 0], [1, 0, 0]]
    del output
    gc.collect()
    assert watched() is None


def test_a_layer_keeps_everything():
    network = trt.Builder(Logger()).create_network()
    layer = network.add_constant((1,), np.ones(1, np.float32))
    watched = weakref.ref(network)
    del network
    gc.collect()
    assert layer.weights.tolist() == [1]
    layer.weights = np.zeros(1, np.float32)
    gc.collect()
    assert layer.weights.tolist() == [0]
    del layer
    gc.collect()
    assert watched() is None


def test_a_profile_keeps_its_builder():
    profile = trt.Builder(Logger()).create_optimization_profile()
    gc.collect()
    profile.set_shape("x", (1,), (2,), (3,))
    assert profile.get_shape("x") == [(1,), (2,), (3,)]


def test_loggers_are_let_go():
    logger = Logger()
    watched = weakref.ref(logger)
    network = trt.Builder(logger).create_network()
    del logger
    gc.collect()
    assert watched() is not None
    del network
    gc.collect()
    assert watched() is None


def build_and_run():
    network = trt.Builder(Logger()).create_network()
    table = network.add_constant((100, 100), np.ones((100, 100), np.float32).T)
    indices = network.add_input("i", trt.int32, (-1,))
    layer = network.add_gather(table.get_output(0), indices, 0)
    network.mark_output(layer.get_output(0))
    table.weights = np.zeros((100, 100), np.float32)
    assert len(network) == 2 and list(network) and layer.get_output(0).shape == (-1, 100)
    trt.testing.run(network, {"i": [1, 2]})


def peak_growth():
    """The kilobytes that 500 engines add to this process's peak."""
    for _ in range(100):
        build_and_run()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        build_and_run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def test_memory_does_not_grow():
    """80 kB of weights each: 40 MB more if they were kept, the limit is 8. In a process that has no higher peak."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        assert process.submit(peak_growth).result(timeout=300) < 8192


def run_script(text):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


GLOBALS = """
    import sys, threading, time
    import numpy as np
    import windrow.trt as trt
    logger = trt.Logger()
    builder = trt.Builder(logger)
    network = builder.create_network()
    tensor = network.add_input("x", trt.float32, (3,))
    layer = network.add_constant((3,), np.zeros(3, np.float32))
"""


def test_the_process_ends_quietly():
    for end in [
        "",
        "import os; os.environ; sys.exit(0)",
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
    ]:
        done = run_script(GLOBALS + "    " + end)
        assert (done.returncode, done.stderr) == (0, ""), end


def test_a_traceback_is_all_that_an_error_leaves():
    done = run_script(GLOBALS + "    network.add_slice")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback") and "nanobind" not in done.stderr
    assert "AttributeError: INetworkDefinition has no add_slice" in done.stderr.splitlines()[-1]


def test_all_objects_can_be_referred_to_weakly(builder, network, gather):
    objects = [
        builder,
        network,
        gather,
        gather.get_output(0),
        builder.create_builder_config(),
        builder.create_optimization_profile(),
        network.add_constant((1,), np.ones(1, np.float32)),
    ]
    assert [weakref.ref(item)() for item in objects] == objects
    assert len(set(objects)) == len(objects)
