#include "python/src/run_arrays.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "python/src/fields.h"
#include "python/src/numpy_array.h"
#include "python/src/signals.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// Releasing and taking the GIL again costs about as much as moving this number of bytes.
constexpr std::int64_t kLeastReleasedBytes = 32768;

std::int64_t byte_count(DType dtype, const Shape& shape) {
  return dense_byte_count(dtype, shape).value_or(0);
}

// Throws windrow::Error or a Python error, including that of a signal's handler.
void run_into(const RunnablePlan& plan, const InputArrays& inputs, const MutableTensorView& out,
              int threads, bool is_fresh = false) {
  RunOptions options;
  options.fresh_output = is_fresh;
  Status status;
  if (inputs.table != nullptr) {
    const Table& table = *inputs.table;
    status = without_gil(options, [&] { return table.run(plan.plan, inputs.all(), out, options); });
  } else if (plan.small) {
    status = plan.plan.run(inputs.all(), out, options);
  } else {
    options.threads = threads_of(threads);
    status = without_gil(options, [&] { return plan.plan.run(inputs.all(), out, options); });
  }
  if (!status) throw Error(status);
}

nb::object arrays_module() { return nb::module_::import_("windrow._base.arrays"); }

// The first input of strings, which determines the kind of the result's array.
PyObject* string_input(const InputArrays& inputs) {
  for (std::size_t i = 0; i < inputs.count; ++i)
    if (inputs.views[i].dtype == DType::kString) return inputs.objects[i];
  return nullptr;
}

nb::object run_to_tensor(const RunnablePlan& plan, const InputArrays& inputs, int threads) {
  Tensor result = Tensor::allocate(plan.plan.result().dtype, plan.plan.result().shape).value();
  run_into(plan, inputs, result.mutable_view(), threads);
  return to_numpy(result, string_input(inputs));
}

// The type under which NumPy itself can hold the elements of `type`.
DType storage_type(DType type) {
  if (is_numpy_type(type)) return type;
  return dtype_bits(type) == 8 ? DType::kUint8 : DType::kUint16;
}

nb::object as_type(nb::object array, DType type) {
  if (is_numpy_type(type)) return array;
  return arrays_module().attr("view_as")(array, std::string(dtype_name(type)));
}

nb::object run_into_new(const RunnablePlan& plan, const InputArrays& inputs, int threads) {
  const DType type = plan.plan.result().dtype;
  const Shape& shape = plan.plan.result().shape;
  if (is_packed(type) || type == DType::kString) return run_to_tensor(plan, inputs, threads);
  NewArray made = new_numpy_array(storage_type(type), shape);
  run_into(plan, inputs, MutableTensorView(type, shape, made.memory), threads, made.is_fresh);
  return as_type(std::move(made.array), type);
}

}  // namespace

RunnablePlan::RunnablePlan(const Plan& compiled, std::span<const TensorSpec> inputs)
    : plan(compiled) {
  std::int64_t bytes = byte_count(plan.result().dtype, plan.result().shape);
  for (const TensorSpec& input : inputs.subspan(std::min<std::size_t>(inputs.size(), 1)))
    bytes = std::max(bytes, byte_count(input.dtype, input.shape));
  small = bytes < kLeastReleasedBytes;
}

nb::tuple shape_to_python(const Shape& shape) {
  nb::list extents = new_list();
  for (const std::int64_t extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

nb::object to_numpy(const Tensor& tensor, PyObject* like) {
  const DType type = tensor.dtype();
  const nb::tuple shape = shape_to_python(tensor.shape());
  if (type == DType::kString) {
    nb::list strings = new_list();
    for (const std::string& text : tensor.values<std::string>()) strings.append(text_from(text));
    return arrays_module().attr("text_array")(strings, shape,
                                              like == nullptr ? nb::handle(Py_None) : like);
  }
  const bool packed = is_packed(type);
  const Shape stored = packed ? Shape{tensor.byte_count()} : tensor.shape();
  NewArray made = new_numpy_array(packed ? DType::kUint8 : storage_type(type), stored);
  if (tensor.byte_count() > 0)
    std::memcpy(made.memory, tensor.data(), static_cast<std::size_t>(tensor.byte_count()));
  if (packed)
    return arrays_module().attr("unpacked")(made.array, std::string(dtype_name(type)), shape);
  return as_type(std::move(made.array), type);
}

nb::tuple bad_indices_to_python(const BadIndices& found) {
  const auto array_of = [](DType type, const Shape& shape,
                           const std::vector<std::int64_t>& numbers) {
    NewArray made = new_numpy_array(type, shape);
    if (!numbers.empty())
      std::memcpy(made.memory, numbers.data(), numbers.size() * sizeof(numbers[0]));
    return made.array;
  };
  const DType value_type = found.is_uint64 ? DType::kUint64 : DType::kInt64;
  return nb::make_tuple(array_of(DType::kInt64, {found.count(), found.rank}, found.positions),
                        array_of(value_type, {found.count()}, found.values));
}

PyObject* run_arrays(const RunnablePlan& plan, const InputArrays& inputs, PyObject* out,
                     int threads) {
  if (out == nullptr || out == Py_None) return run_into_new(plan, inputs, threads).release().ptr();
  OutputArray output;
  MutableTensorView view;
  if (output.acquire(out, view)) {
    run_into(plan, inputs, view, threads);
  } else {
    const nb::object assign = arrays_module().attr("assign");
    assign(nb::handle(out), run_to_tensor(plan, inputs, threads));
  }
  Py_INCREF(out);
  return out;
}

}  // namespace windrow::python
