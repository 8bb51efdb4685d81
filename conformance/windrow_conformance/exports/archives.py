"""One self-contained zip archive per dialect: the corpus's own files, its licence, and the dialect's exports."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..corpus import Corpus
from ..record import DIALECTS, Dialect, Record
from .files import File, write_archive
from .model_cases import onnx_cases, openvino_cases
from .npz import npz_archives

_Export = Callable[[Corpus, Iterable[Record]], Iterator[File]]

# The contents of a dialect's archive besides the corpus's files; every archive has the arrays.
_MODELS: dict[Dialect, tuple[str, _Export]] = {
    "onnx": ("onnx_tests", onnx_cases),
    "openvino": ("openvino_ir", openvino_cases),
}
_OF_MODELS = {
    "onnx": """
- `onnx_tests/must_pass/NAME/`: a node test as the project ONNX writes them, `model.onnx` and
  `test_data_set_0/{input_<k>.pb, output_0.pb}`. `onnx_tests/must_fail/NAME/` has no output: an error is due when the
  model is loaded or when it runs. `data.json` in each says which rule it proves.
""",
    "openvino": """
- `openvino_ir/must_pass/NAME/`: `model.xml`, `model.bin`, `input_<k>.npy` of the k-th parameter and `output_0.npy`.
  `openvino_ir/must_fail/NAME/` has no output: an error is due when the model is loaded or when it runs. `data.json` in
  each says which rule it proves.
""",
}

_README = """# Conformance cases for the gather and scatter operators of {title}

Version {version} of the corpus, under CC0 1.0 (LICENSE): copy it into your test suite without further conditions.

- `cases/`: the records in plain JSON, one per line, and `rules.json`, the rule that each proves. `cases/README.md`
  describes the fields.{models}- `npz/`: the same tensors as NumPy archives. `numpy.load("npz/{stem}.npz")` has `NAME/input_0`, .. and
  `NAME/output_0`; `npz/index.json` has the rest of each record.

Types that NumPy lacks (bfloat16, 8-bit floats, types of less than a byte) are in .npy and .npz their bits in unsigned
integers, one element to an item; the index says which type is meant. Where `any_nan_0` is true, any NaN is right; all
other elements are compared by their bits. What must fail has `"must_fail": true` and no output.

A difference in a rule of tier "specification" is an error of the runtime; in one of tier "decision" the text is silent
or undefined, and `because` in `rules.json` says why this answer was chosen.
"""

_TITLES: dict[Dialect, str] = {
    "onnx": "ONNX",
    "openvino": "OpenVINO",
    "tensorrt": "TensorRT",
    "array": "NumPy and its kin",
}


def dialect_archives(corpus: Corpus, records: Iterable[Record]) -> Iterator[File]:
    """windrow-conformance-DIALECT-VERSION.zip for each dialect that has records among these."""
    by_dialect: dict[Dialect, list[Record]] = {}
    for record in records:
        by_dialect.setdefault(record.dialect, []).append(record)
    for dialect in DIALECTS:
        if dialect in by_dialect:
            content = io.BytesIO()
            write_archive(_archive(corpus, dialect, by_dialect[dialect]), zipfile.ZipFile(content, "w"))
            yield File(f"windrow-conformance-{dialect}-{corpus.version}.zip", content.getvalue())


def _archive(corpus: Corpus, dialect: Dialect, records: Sequence[Record]) -> Iterator[File]:
    stems = sorted({record.path.rpartition("/")[0] for record in records if record.digest is None})
    head = {"title": _TITLES[dialect], "version": corpus.version, "stem": (stems or [dialect])[0]}
    yield File("README.md", _README.format(models=_OF_MODELS.get(dialect, "\n"), **head).encode())
    yield File("LICENSE", (corpus.folder / "LICENSE").read_bytes())
    kept = ["README.md", "rules.json", "schema.json", *(f"{stem}.json" for stem in stems)]
    for path in kept:
        yield File(f"cases/{path}", (corpus.folder / path).read_bytes())
    index = json.loads((corpus.folder / "index.json").read_bytes())
    index["files"] = [row for row in index["files"] if row["path"] in kept]
    yield File("cases/index.json", (json.dumps(index, indent=1) + "\n").encode())
    exports: dict[str, _Export] = {"npz": npz_archives} | dict([_MODELS[dialect]] if dialect in _MODELS else [])
    for folder, export in exports.items():
        for file in export(corpus, records):
            yield File(f"{folder}/{file.path}", file.content)
