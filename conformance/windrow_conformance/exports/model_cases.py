"""Records as folders with a model, its inputs and its output: ONNX's node tests, and OpenVINO IR with .npy files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .. import onnx_model, openvino_model
from ..corpus import Corpus
from ..record import Record
from ..runtime import Unsupported
from .arrays import any_nan_array, npy_bytes, plain_array
from .files import File, case_name
from .index import Index, json_file, short_description

# The files of a record, with paths within its folder.
_Write = Callable[[Record], list[File]]


def onnx_cases(corpus: Corpus, records: Iterable[Record]) -> Iterator[File]:
    """Node tests of ONNX: must_pass/NAME and must_fail/NAME, index.json and rules.json."""
    return _cases(Index(corpus, "onnx"), records, _onnx_files)


def openvino_cases(corpus: Corpus, records: Iterable[Record]) -> Iterator[File]:
    """Models of OpenVINO: must_pass/NAME and must_fail/NAME, index.json and rules.json."""
    return _cases(Index(corpus, "openvino"), records, _openvino_files)


def _cases(index: Index, records: Iterable[Record], write: _Write) -> Iterator[File]:
    for record in records:
        try:
            _refuse_beyond_models(record, index.form)
            files = write(record)
        except Unsupported as error:
            index.leave_out(str(error))
            continue
        name = case_name(record)
        folder = f"{'must_fail' if record.must_fail else 'must_pass'}/{name}"
        for file in files:
            yield File(f"{folder}/{file.path}", file.content)
        index.add(name, record)
        # ONNX's loader reads the tolerances of a comparison from this file; they are 0.
        tolerances = {"rtol": 0.0, "atol": 0.0}
        yield json_file(f"{folder}/data.json", tolerances | short_description(record, index.corpus))
    yield from index.files()


def _refuse_beyond_models(record: Record, dialect: str) -> None:
    """Raises Unsupported for a record that a model cannot express."""
    if record.dialect != dialect:
        raise Unsupported(f"an operator of {record.dialect}")
    if record.options:
        raise Unsupported("an option beyond the specification")
    if record.digest is not None:
        raise Unsupported("a recipe of the deterministic tier")


def _onnx_files(record: Record) -> list[File]:
    # Numbered as the inputs of the graph are, which an omitted input is not among.
    present = [(f"input_{number}", tensor) for number, tensor in enumerate(record.inputs) if tensor is not None]
    data = "test_data_set_0"
    files = [File("model.onnx", onnx_model.model_bytes(record))]
    for number, (name, tensor) in enumerate(present):
        files.append(File(f"{data}/input_{number}.pb", onnx_model.tensor_bytes(tensor, name)))
    if record.output is not None:
        files.append(File(f"{data}/output_0.pb", onnx_model.tensor_bytes(record.output, "output_0")))
    return files


def _openvino_files(record: Record) -> list[File]:
    # An axis that is not a constant is legal, but no exporter writes it and few programs take it.
    constants = openvino_model.axis_inputs(record)
    xml, weights = openvino_model.model_files(record, constants)
    files = [File("model.xml", xml), File("model.bin", weights)]
    inputs = enumerate(record.inputs)
    parameters = [tensor for number, tensor in inputs if tensor is not None and number not in constants]
    for number, tensor in enumerate(parameters):
        files.append(File(f"input_{number}.npy", npy_bytes(plain_array(tensor))))
    if record.output is not None:
        files.append(File("output_0.npy", npy_bytes(plain_array(record.output))))
    any_nan = any_nan_array(record)
    return files if any_nan is None else [*files, File("any_nan_0.npy", npy_bytes(any_nan))]
