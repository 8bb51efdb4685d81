#include "python/src/numpy_array.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#include <numpy/arrayobject.h>

#include <array>
#include <string>

#include "python/src/element_types.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The types by NumPy's numbers; kAbsent for types that the library does not have.
constexpr std::array<DType, NPY_HALF + 1> kTypes = [] {
  std::array<DType, NPY_HALF + 1> types{};
  types[NPY_BOOL] = DType::kBool;
  types[NPY_BYTE] = DType::kInt8;
  types[NPY_UBYTE] = DType::kUint8;
  types[NPY_SHORT] = DType::kInt16;
  types[NPY_USHORT] = DType::kUint16;
  types[NPY_INT] = DType::kInt32;
  types[NPY_UINT] = DType::kUint32;
  types[NPY_LONG] = sizeof(long) == 8 ? DType::kInt64 : DType::kInt32;
  types[NPY_ULONG] = sizeof(long) == 8 ? DType::kUint64 : DType::kUint32;
  types[NPY_LONGLONG] = DType::kInt64;
  types[NPY_ULONGLONG] = DType::kUint64;
  types[NPY_HALF] = DType::kFloat16;
  types[NPY_FLOAT] = DType::kFloat32;
  types[NPY_DOUBLE] = DType::kFloat64;
  types[NPY_CFLOAT] = DType::kComplex64;
  types[NPY_CDOUBLE] = DType::kComplex128;
  return types;
}();

// NumPy's numbers by the library's numbers of the types; -1 for types that NumPy does not have.
constexpr std::array<int, 256> kNumbers = [] {
  std::array<int, 256> numbers{};
  numbers.fill(-1);
  for (int number = NPY_HALF; number >= 0; --number)
    numbers[static_cast<std::size_t>(kTypes[static_cast<std::size_t>(number)])] = number;
  numbers[static_cast<std::size_t>(DType::kAbsent)] = -1;
  return numbers;
}();

int numpy_number(DType type) noexcept { return kNumbers[static_cast<std::size_t>(type)]; }

// A masked array is a NumPy array whose memory does not include its mask.
void refuse_masked(PyArrayObject* array, const char* name) {
  // Never released: the interpreter may already be gone when the process ends.
  static PyObject* const masked =
      nb::object(nb::module_::import_("numpy.ma").attr("MaskedArray")).release().ptr();
  const int is_masked = PyObject_IsInstance(reinterpret_cast<PyObject*>(array), masked);
  if (is_masked < 0) throw nb::python_error();
  if (is_masked == 1)
    nb::module_::import_("windrow._arrays")
        .attr("refuse_masked")(nb::borrow(reinterpret_cast<PyObject*>(array)), name);
}

template <class View>
bool view_array(PyArrayObject* array, const char* name, View& view) {
  if (!PyArray_CheckExact(array)) refuse_masked(array, name);
  const int number = PyArray_TYPE(array);
  if (number < 0 || number > NPY_HALF || PyArray_ISBYTESWAPPED(array)) return false;
  const DType type = kTypes[static_cast<std::size_t>(number)];
  const int rank = PyArray_NDIM(array);
  if (type == DType::kAbsent) return false;
  if (rank > kMaxRank) throw too_many_axes(name, rank);
  view.dtype = type;
  view.data = PyArray_DATA(array);
  for (int axis = 0; axis < rank; ++axis) {
    view.shape.push_back(PyArray_DIMS(array)[axis]);
    view.strides.push_back(PyArray_STRIDES(array)[axis]);
  }
  return true;
}

PyArrayObject* array_of(PyObject* object) { return reinterpret_cast<PyArrayObject*>(object); }

}  // namespace

void load_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

bool is_numpy_array(PyObject* object) noexcept { return PyArray_Check(object); }

bool is_numpy_truth(PyObject* object) noexcept { return PyArray_IsScalar(object, Bool); }

bool view_numpy(PyObject* array, const char* name, TensorView& view) {
  return view_array(array_of(array), name, view);
}

bool view_numpy(PyObject* array, const char* name, MutableTensorView& view) {
  return PyArray_ISWRITEABLE(array_of(array)) && view_array(array_of(array), name, view);
}

bool is_numpy_type(DType type) noexcept { return numpy_number(type) >= 0; }

nb::object new_numpy_array(DType type, const Shape& shape, void*& memory) {
  PyObject* array = PyArray_SimpleNew(shape.rank(), shape.begin(), numpy_number(type));
  if (array == nullptr) {
    PyErr_Clear();  // a MemoryError, or a ValueError if NumPy cannot count the bytes
    throw Error(Status(ErrorCode::kOutOfMemory, "no memory for a result of shape " +
                                                    to_string(shape) + " and type " +
                                                    std::string(dtype_name(type))));
  }
  memory = PyArray_DATA(array_of(array));
  return nb::steal(array);
}

}  // namespace windrow::python
