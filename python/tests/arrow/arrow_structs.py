"""Arrow's C structures by ctypes: a producer whose structures a test may break."""

import ctypes

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Schema(ctypes.Structure):
    """ArrowSchema."""


class Array(ctypes.Structure):
    """ArrowArray."""


class Stream(ctypes.Structure):
    """ArrowArrayStream."""


# A producer must live until its structures are released, which may be at any time: here, for ever.
_producers = []

RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_ERROR),
    ("release", RELEASE_STREAM),
    ("private_data", ctypes.c_void_p),
]


def capsule(structure, name):
    """A capsule without a destructor: what was not taken over is not released either."""
    return _new_capsule(ctypes.addressof(structure), name, None)


class Producer:
    """An object with one array, in NumPy's memory. `released` counts the structures that were released."""

    def __init__(self, kind, length, buffers, children=(), name=b"a"):
        _producers.append(self)
        self.kept = (buffers, children)
        self.released = {"schema": 0, "array": 0}
        self._release_schema = RELEASE_SCHEMA(lambda pointer: self._release("schema", pointer, RELEASE_SCHEMA))
        self._release_array = RELEASE_ARRAY(lambda pointer: self._release("array", pointer, RELEASE_ARRAY))
        self.schema = Schema(kind, name, None, 2, len(children), None, None, self._release_schema, None)
        addresses = [None if one is None else one.ctypes.data for one in buffers]
        self.addresses = (ctypes.c_void_p * max(len(buffers), 1))(*addresses)
        self.array = Array(length, -1, 0, len(buffers), len(children), self.addresses, None, None, self._release_array, None)
        if children:
            self.schemas = (ctypes.POINTER(Schema) * len(children))(*[ctypes.pointer(one.schema) for one in children])
            self.arrays = (ctypes.POINTER(Array) * len(children))(*[ctypes.pointer(one.array) for one in children])
            self.schema.children, self.array.children = self.schemas, self.arrays

    def _release(self, which, pointer, kind):
        self.released[which] += 1
        pointer.contents.release = kind()

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.schema, b"arrow_schema"), capsule(self.array, b"arrow_array")
