#include "python/src/numpy_array.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "python/src/fields.h"
#include "python/src/foreign_array.h"
#include "python/src/result_memory.h"
#include "python/src/tables.h"
#include "windrow/plan.h"
#include "windrow/result_pool.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#include <numpy/arrayobject.h>

#include <array>

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
    nb::module_::import_("windrow._base.arrays")
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

namespace {

// While it lives, NumPy takes the memory of this thread's new arrays from the pool of results,
// unless the caller has set a handler: then results come from there, as other arrays do.
class PooledMemory {
 public:
  PooledMemory() {
    const nb::object current = nb::steal(PyDataMem_GetHandler());
    PyObject* const own = result_memory_handler();
    if (current.ptr() == PyDataMem_DefaultHandler && own != nullptr)
      before_ = nb::steal(PyDataMem_SetHandler(own));
    if (!before_.is_valid()) PyErr_Clear();
  }
  PooledMemory(const PooledMemory&) = delete;
  PooledMemory& operator=(const PooledMemory&) = delete;
  ~PooledMemory() {
    if (!before_.is_valid()) return;
    const nb::object own = nb::steal(PyDataMem_SetHandler(before_.ptr()));
    if (!own.is_valid()) PyErr_Clear();
  }

  bool is_set() const noexcept { return before_.is_valid(); }

 private:
  nb::object before_;
};

PyObject* try_new(DType type, const Shape& shape) {
  PyObject* const array = PyArray_SimpleNew(shape.rank(), shape.begin(), numpy_number(type));
  if (array == nullptr) PyErr_Clear();  // MemoryError, or ValueError: NumPy cannot count the bytes
  return array;
}

}  // namespace

NewArray new_numpy_array(DType type, const Shape& shape) {
  const std::int64_t bytes = dense_byte_count(type, shape).value_or(0);
  PyObject* array = nullptr;
  NewArray made;
  made.is_fresh = bytes >= kFreshBytes;
  if (bytes >= static_cast<std::int64_t>(kLeastPooledBytes) && result_pool_bound() > 0) {
    const PooledMemory pooled;
    array = try_new(type, shape);
    if (array != nullptr && pooled.is_set() && is_recycled(PyArray_DATA(array_of(array))))
      made.is_fresh = false;
  } else {
    array = try_new(type, shape);
  }
  if (array == nullptr) {
    throw Error(Status(ErrorCode::kOutOfMemory, "no memory for a result of shape " +
                                                    to_string(shape) + " and type " +
                                                    std::string(dtype_name(type))));
  }
  made.array = nb::steal(array);
  made.memory = PyArray_DATA(array_of(array));
  return made;
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {

struct OutputArray::Owner {
  HeldBuffer buffer;
  HeldDlpack dlpack;
  nb::object array;  // another array object for the same memory
};

OutputArray::OutputArray() noexcept = default;
OutputArray::~OutputArray() = default;

bool OutputArray::acquire_other(PyObject* object, MutableTensorView& view) {
  owner_ = std::make_unique<Owner>();
  if (!is_numpy_array(object) && (owner_->buffer.acquire(object, "out", true, view) ||
                                  owner_->dlpack.acquire(object, "out", true, view)))
    return true;
  const nb::object export_memory =
      nb::module_::import_("windrow._base.arrays").attr("export_memory");
  const auto [memory, type] =
      nb::cast<std::tuple<nb::object, std::string>>(export_memory(nb::handle(object)));
  if (memory.is_none()) return false;
  owner_->array = memory;
  if (!view_numpy(memory.ptr(), "out", view))
    throw Error(Status(ErrorCode::kInternal, "out gives no memory"));
  view.dtype = parse_dtype(type).value();
  return true;
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

Tensor string_tensor(const nb::list& strings, const Shape& shape, const char* name) {
  Tensor tensor = Tensor::allocate(DType::kString, shape).value();
  auto* element = static_cast<std::string*>(tensor.data());
  for (const nb::handle string : strings) {
    *element++ = bytes_of(string.ptr(), name);
  }
  return tensor;
}

Shape shape_of(const nb::tuple& extents, const char* name) {
  Shape shape;
  for (const nb::handle extent : extents)
    if (!shape.push_back(nb::cast<std::int64_t>(extent)))
      throw too_many_axes(name, static_cast<int>(nb::len(extents)));
  return shape;
}

}  // namespace

struct InputArray::Owner {
  HeldBuffer buffer;
  HeldDlpack dlpack;
  nb::object array;  // made for this call
  Tensor copy;
};

InputArray::InputArray() noexcept = default;
InputArray::~InputArray() = default;

void InputArray::acquire_other(PyObject* object, const InputWish& wish, TensorView& view) {
  owner_ = std::make_unique<Owner>();
  if (is_numpy_array(object)) return acquire_converted(object, wish, view);
  MutableTensorView memory;
  if (owner_->buffer.acquire(object, wish.name, false, memory) ||
      owner_->dlpack.acquire(object, wish.name, false, memory)) {
    view = memory;
  } else {
    acquire_converted(object, wish, view);
  }
}

void InputArray::acquire_converted(PyObject* object, const InputWish& wish, TensorView& view) {
  const nb::object import = nb::module_::import_("windrow._base.arrays").attr("import_array");
  const std::string like(wish.like == DType::kAbsent ? "" : dtype_name(wish.like));
  const auto [array, type, extents] = nb::cast<std::tuple<nb::object, std::string, nb::tuple>>(
      import(nb::handle(object), wish.name, like, wish.is_index));
  owner_->array = array;
  if (type == dtype_name(DType::kString)) {
    owner_->copy =
        string_tensor(nb::cast<nb::list>(array), shape_of(extents, wish.name), wish.name);
    view = owner_->copy.view();
    return;
  }
  if (!view_numpy(array.ptr(), wish.name, view))
    throw Error(Status(ErrorCode::kInternal, std::string(wish.name) + " gives no memory"));
  if (type.empty()) return;
  // The memory has the name of another type of the same size, or is packed.
  view.dtype = parse_dtype(type).value();
  if (is_packed(view.dtype)) view = TensorView(view.dtype, shape_of(extents, wish.name), view.data);
}

}  // namespace windrow::python
