"""Models that ask for much: small files that want all memory, and graphs of very many nodes."""

import os
import resource
import subprocess

import numpy as np
import onnx
from cli_command import COMMAND
from cli_models import value
from onnx import TensorProto, helper, numpy_helper

MIB = 1 << 20


def windrow_within(memory, folder, *arguments):
    """Calls the command in a process whose address space has at most `memory` bytes."""
    return subprocess.run(
        [COMMAND, *[str(a) for a in arguments]],
        cwd=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def write_external(path, count, offset_of, size=64 * MIB, data="w.bin"):
    """A model of `count` initializers of almost 64 MiB each, and their file, which takes no room."""
    with open(path.parent / data, "wb") as file:
        file.truncate(size)
    tensors = []
    for i in range(count):
        tensor = TensorProto(name=f"w{i}", data_type=TensorProto.UINT8, dims=[size - count])
        tensor.data_location = TensorProto.EXTERNAL
        for key, text in (("location", data), ("offset", str(offset_of(i)))):
            tensor.external_data.add(key=key, value=text)
        tensors.append(tensor)
    node = helper.make_node("Gather", ["w0", "i"], ["y"])
    graph = helper.make_graph(
        [node], "g", [value("i", "int64", [3])], [helper.make_tensor_value_info("y", 2, [3])], tensors
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    assert path.stat().st_size < 160_000


def start(number, length):
    """What stands before the `length` bytes of a field of a protobuf message."""
    size = bytearray()
    while length >= 0x80:
        size.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([number << 3 | 2]) + bytes(size) + bytes([length])


def field(number, content):
    """A field of a protobuf message that is text, bytes or a message."""
    content = content.encode() if isinstance(content, str) else content
    return start(number, len(content)) + content


def write_with_zeros(path, model, name, size):
    """The model and an initializer of `size` bytes of zeros, before all others, which take no room on the disk."""
    tensor = TensorProto(name=name, data_type=TensorProto.DOUBLE, dims=[size // 8]).SerializeToString()
    tensor += start(9, size)  # raw_data
    initializer = start(5, len(tensor) + size) + tensor
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    with open(path, "wb") as file:
        file.write(model.SerializeToString() + start(7, len(initializer) + size + len(graph)) + initializer)
        file.seek(size, os.SEEK_CUR)
        file.write(graph)


def test_initializers_of_the_same_external_bytes_are_in_memory_once(tmp_path):
    write_external(tmp_path / "m.onnx", 2000, lambda i: 0)
    np.save(tmp_path / "i.npy", np.array([0, 5, 9]))
    for arguments in (["inspect", "m.onnx"], ["run", "m.onnx", "--input", "i.npy"]):
        done = windrow_within(1024 * MIB, tmp_path, *arguments)
        assert done.returncode == 0, done.stderr


def test_constants_stay_in_their_files_until_they_are_needed(tmp_path):
    write_external(tmp_path / "external.onnx", 1, lambda i: 0, size=1024 * MIB)
    table = numpy_helper.from_array(np.arange(4096, dtype=np.float32), "table")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "i"], ["y"])],
        "g",
        [value("i", "int64", [3])],
        [value("y", "float32", [3])],
        [table],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    write_with_zeros(tmp_path / "inside.onnx", model, "unused", 1024 * MIB)
    np.save(tmp_path / "i.npy", np.array([0, 5, 9]))
    for arguments in (["inspect", "external.onnx"], ["inspect", "inside.onnx"],
                      ["run", "inside.onnx", "--input", "i.npy"]):
        done = windrow_within(150 * MIB, tmp_path, *arguments)
        assert done.returncode == 0, done.stderr


def test_initializers_that_overlap_in_a_file_are_refused(tmp_path):
    write_external(tmp_path / "m.onnx", 2000, lambda i: i)
    done = windrow_within(1024 * MIB, tmp_path, "inspect", "m.onnx")
    assert done.returncode == 2
    assert "the constants overlap in external data 'w.bin'" in done.stderr


def test_constant_nodes_of_the_same_external_bytes_are_in_memory_once(tmp_path):
    write_external(tmp_path / "m.onnx", 40, lambda i: 0)
    model = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    nodes = [
        helper.make_node("Constant", [], [f"c{i}"], value=tensor)
        for i, tensor in enumerate(model.graph.initializer)
    ]
    nodes += [helper.make_node("Gather", [f"c{i}", "i"], [f"y{i}"]) for i in range(40)]
    del model.graph.initializer[:], model.graph.node[:], model.graph.output[:]
    model.graph.node.extend(nodes)
    model.graph.output.extend(helper.make_tensor_value_info(f"y{i}", 2, [3]) for i in range(40))
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    np.save(tmp_path / "i.npy", np.array([0, 5, 9]))
    for arguments in (["inspect", "m.onnx"], ["run", "m.onnx", "--input", "i.npy"]):
        done = windrow_within(1024 * MIB, tmp_path, *arguments)
        assert done.returncode == 0, done.stderr


NODES = 400_000
# Of a processor, for NODES nodes: these take 2 to 3.5, and a walk over all for each would take minutes.
SECONDS = 5


def write_chain(path, op_types, inputs, declared, typed=True):
    """A model of NODES nodes, each reading the one before it; written without onnx, which is slow."""
    graph = helper.make_graph(
        [],
        "g",
        [value("x", "float32", [4])],
        [value(f"v{NODES - 1}", "float32", [4])],
        [numpy_helper.from_array(np.array([3, 2, 1, 0]), "i")],
    )
    if not typed:
        graph.input[0].type.tensor_type.ClearField("elem_type")
    parts = [graph.SerializeToString()]
    for i in range(NODES):
        names = [f"v{i - 1}" if i else "x", *inputs]
        node = b"".join(field(1, name) for name in names) + field(2, f"v{i}")
        parts.append(field(1, node + field(4, op_types(i))))
    if declared:
        shape = value("", "float32", [4]).type.SerializeToString()
        parts += [field(13, field(1, f"v{i}") + field(2, shape)) for i in range(NODES - 1)]
    model = helper.make_model(
        onnx.GraphProto(), opset_imports=[helper.make_opsetid("", 13)], ir_version=8
    )
    model.ClearField("graph")
    path.write_bytes(model.SerializeToString() + field(7, b"".join(parts)))


def processor_time(folder, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [COMMAND, *arguments], cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_many_nodes_take_seconds(tmp_path):
    write_chain(tmp_path / "m.onnx", lambda i: "Gather", ["i"], declared=True)
    done, seconds = processor_time(tmp_path, "run", "m.onnx", "--random", "1")
    assert done.returncode == 0, done.stderr
    assert seconds < SECONDS
    done, seconds = processor_time(tmp_path, "inspect", "m.onnx")
    assert done.returncode == 0, done.stderr
    assert seconds < SECONDS
    assert f"{NODES} nodes" in done.stdout
    assert "plan of Gather_0, Gather_1, Gather_2, " in done.stdout
    assert f" and {NODES - 8} more" in done.stdout


def test_a_type_that_the_other_end_of_many_nodes_fixes_takes_seconds(tmp_path):
    write_chain(tmp_path / "m.onnx", lambda i: "Gather", ["i"], declared=False, typed=False)
    done, seconds = processor_time(tmp_path, "run", "m.onnx", "--random", "1")
    assert done.returncode == 0, done.stderr
    assert seconds < SECONDS


def test_many_nodes_of_unknown_operators_take_seconds(tmp_path):
    write_chain(tmp_path / "m.onnx", lambda i: f"Gathe{i}", [], declared=False)
    done, seconds = processor_time(tmp_path, "run", "m.onnx", "--random", "1")
    assert done.returncode == 2
    assert f"and {NODES - 20} more" in done.stderr
    assert len(done.stderr) < 4000
    assert seconds < SECONDS
