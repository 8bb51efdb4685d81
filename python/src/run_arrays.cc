#include "python/src/run_arrays.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include "python/src/element_types.h"
#include "python/src/errors.h"
#include "python/src/thread_pools.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// Handing the GIL over costs about as much as moving so many bytes.
constexpr std::int64_t kLeastReleasedBytes = 32768;

std::int64_t byte_count(DType dtype, const Shape& shape) {
  return dense_byte_count(dtype, shape).value_or(0);
}

bool is_small(const Plan& plan, const InputArrays& inputs) {
  std::int64_t bytes = byte_count(plan.result().dtype, plan.result().shape);
  for (std::size_t i = 1; i < inputs.count; ++i)
    bytes += byte_count(inputs.views[i].dtype, inputs.views[i].shape);
  return bytes < kLeastReleasedBytes;
}

class GilRelease {
 public:
  explicit GilRelease(bool released) : state_(released ? PyEval_SaveThread() : nullptr) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

void run_into(const Plan& plan, const InputArrays& inputs, const MutableTensorView& out,
              int threads) {
  const bool small = is_small(plan, inputs);
  RunOptions options;
  if (!small) options.threads = threads_of(threads);
  Status status;
  {
    const GilRelease released(!small);
    status = plan.run(inputs.all(), out, options);
  }
  if (!status) throw Error(status);
}

// Writable memory of an object of Python, for the time of one call.
class OutputArray {
 public:
  OutputArray() noexcept = default;
  OutputArray(const OutputArray&) = delete;
  OutputArray& operator=(const OutputArray&) = delete;
  ~OutputArray() {
    if (held_) PyBuffer_Release(&buffer_);
  }

  // False if the object has none in the library's form (strings, 4-bit types). Throws
  // windrow::Error or a Python error for what can be no output.
  bool acquire(PyObject* object) {
    if (acquire_buffer(object)) return true;
    const auto [memory, type] = nb::cast<std::tuple<nb::object, std::string>>(
        nb::module_::import_("windrow._arrays").attr("export_memory")(nb::handle(object)));
    if (type == "dlpack") return acquire_dlpack(memory);
    if (memory.is_none()) return false;
    if (!acquire_buffer(memory.ptr()))
      throw Error(Status(ErrorCode::kInternal, "out gives no memory"));
    view_.dtype = parse_dtype(type).value();
    return true;
  }

  const MutableTensorView& view() const noexcept { return view_; }

 private:
  bool acquire_buffer(PyObject* object) {
    if (!PyObject_CheckBuffer(object)) return false;
    if (PyObject_GetBuffer(object, &buffer_, PyBUF_STRIDED | PyBUF_FORMAT) != 0) {
      PyErr_Clear();
      return false;
    }
    held_ = true;
    view_ = view_of(buffer_, "out");
    if (view_.dtype != DType::kAbsent) return true;
    PyBuffer_Release(&buffer_);
    held_ = false;
    return false;
  }

  bool acquire_dlpack(const nb::object& object) {
    dlpack_ = nb::cast<nb::ndarray<>>(object);
    const TensorView view = view_of(nb::ndarray<nb::ro>(dlpack_.handle()), "out");
    view_ = MutableTensorView(view.dtype, view.shape, view.strides, dlpack_.data());
    return true;
  }

  MutableTensorView view_;
  Py_buffer buffer_;  // if held_
  bool held_ = false;
  nb::ndarray<> dlpack_;
};

nb::object arrays_module() { return nb::module_::import_("windrow._arrays"); }

// What strings came as: the first input of strings.
PyObject* string_input(const InputArrays& inputs) {
  for (std::size_t i = 0; i < inputs.count; ++i)
    if (inputs.views[i].dtype == DType::kString) return inputs.objects[i];
  return nullptr;
}

nb::object run_to_tensor(const Plan& plan, const InputArrays& inputs, int threads) {
  Tensor result = Tensor::allocate(plan.result().dtype, plan.result().shape).value();
  run_into(plan, inputs, result.mutable_view(), threads);
  return to_numpy(result, string_input(inputs));
}

// The type under which NumPy itself can hold the elements of `type`.
DType storage_type(DType type) {
  if (is_numpy_type(type)) return type;
  return dtype_bits(type) == 8 ? DType::kUint8 : DType::kUint16;
}

nb::object new_array(DType storage, const Shape& shape, void*& memory) {
  nb::object array = nb::steal(new_numpy_array(storage, shape.begin(), shape.rank()));
  Py_buffer buffer;
  if (!array.is_valid() || PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0)
    throw nb::python_error();
  memory = buffer.buf;
  PyBuffer_Release(&buffer);  // nobody else knows the array yet
  return array;
}

nb::object as_type(nb::object array, DType type) {
  if (is_numpy_type(type)) return array;
  return arrays_module().attr("view_as")(array, std::string(dtype_name(type)));
}

nb::object run_into_new(const Plan& plan, const InputArrays& inputs, int threads) {
  const DType type = plan.result().dtype;
  const Shape& shape = plan.result().shape;
  if (is_packed(type) || type == DType::kString) return run_to_tensor(plan, inputs, threads);
  void* memory = nullptr;
  nb::object array = new_array(storage_type(type), shape, memory);
  run_into(plan, inputs, MutableTensorView(type, shape, memory), threads);
  return as_type(std::move(array), type);
}

}  // namespace

nb::object to_numpy(const Tensor& tensor, PyObject* like) {
  const DType type = tensor.dtype();
  nb::list extents;
  for (const std::int64_t extent : tensor.shape()) extents.append(extent);
  const nb::tuple shape(extents);
  if (type == DType::kString) {
    nb::list strings;
    for (const std::string& text : tensor.values<std::string>())
      strings.append(nb::str(text.data(), text.size()));
    return arrays_module().attr("text_array")(strings, shape,
                                              like == nullptr ? nb::handle(Py_None) : like);
  }
  void* memory = nullptr;
  const bool packed = is_packed(type);
  const Shape stored = packed ? Shape{tensor.byte_count()} : tensor.shape();
  nb::object array = new_array(packed ? DType::kUint8 : storage_type(type), stored, memory);
  if (tensor.byte_count() > 0)
    std::memcpy(memory, tensor.data(), static_cast<std::size_t>(tensor.byte_count()));
  if (packed) return arrays_module().attr("unpacked")(array, std::string(dtype_name(type)), shape);
  return as_type(std::move(array), type);
}

PyObject* run_arrays(const Plan& plan, const InputArrays& inputs, PyObject* out, int threads) {
  if (out == nullptr || out == Py_None) return run_into_new(plan, inputs, threads).release().ptr();
  OutputArray output;
  if (output.acquire(out)) {
    run_into(plan, inputs, output.view(), threads);
  } else {
    const nb::object assign = arrays_module().attr("assign");
    assign(nb::handle(out), run_to_tensor(plan, inputs, threads));
  }
  Py_INCREF(out);
  return out;
}

}  // namespace windrow::python
