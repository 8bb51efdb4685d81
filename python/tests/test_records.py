"""The dataclasses of reports have the fields of the library's structures."""

import dataclasses
import importlib
import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest
import windrow
from windrow import _core

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("write_records", ROOT / "scripts" / "write_records.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_modules_are_those_of_the_script(script):
    for path, text in script.modules().items():
        assert path.read_text(encoding="utf-8") == text, "run scripts/write_records.py"


@pytest.mark.parametrize("module, name, fields", _core.records(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_class_has_the_fields_of_its_structure(module, name, fields):
    members = dataclasses.fields(getattr(importlib.import_module(module), name))
    assert [(member.name, member.type) for member in members][: len(fields)] == fields


MODULE = '''@dataclass
class Point:
    """A point."""

    x: int
    y: str = "0"
    own: bool = False

    def text(self): ...


@dataclass
class Named(Point):
    """With a name."""

    name: str
'''


def test_a_new_field_is_written_before_the_members_of_the_class(script):
    text = script.with_fields(MODULE, "Point", [("x", "int"), ("z", "int"), ("y", "int")])
    assert text == MODULE.replace('    y: str = "0"\n', '    z: int\n    y: int = "0"\n')


def test_inherited_fields_are_not_repeated(script):
    text = script.with_fields(MODULE, "Named", [("x", "int"), ("y", "str"), ("name", "int")])
    assert text == MODULE.replace("name: str", "name: int")


def test_a_field_of_which_the_structure_knows_nothing_stays_last(script):
    text = script.with_fields(MODULE, "Named", [("size", "int")])
    assert text == MODULE.replace("    name: str", "    size: int\n    name: str")


def test_objects_of_the_library_are_as_immutable_as_their_classes_say():
    """Equal explanations are equal, lists are tuples at every depth, and rules can be pickled."""
    def explained():
        return windrow.explain("onnx.Gather", np.arange(6).reshape(3, 2), [2, 0], as_=["openvino.Gather"])

    one = explained()
    assert one == explained() and one.walks[0].coordinates[0].indices[0].position == (0,)
    assert all(isinstance(getattr(one, each), tuple) for each in ("inputs", "axes", "walks", "comparisons"))
    rules = windrow.portability_rules()
    assert pickle.loads(pickle.dumps(rules)) == rules and hash(rules) == hash(windrow.portability_rules())
