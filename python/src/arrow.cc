#include "python/src/arrow.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "python/src/call_options.h"
#include "python/src/numpy_array.h"
#include "python/src/signals.h"
#include "windrow/arrow.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

constexpr const char* kSchema = "arrow_schema";
constexpr const char* kArray = "arrow_array";
constexpr const char* kStream = "arrow_array_stream";

// An input or a result that Python owns. When the last one is gone, the producer's release
// functions run, which may be Python code and would clear an exception that is on its way.
template <class T>
class Held {
 public:
  explicit Held(T value) : value_(std::move(value)) {}
  Held(Held&&) noexcept = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Held& operator=(Held&&) = delete;
  ~Held() {
    const nb::error_scope kept;
    value_.reset();
  }

  const T& operator*() const noexcept { return *value_; }
  std::int64_t length() const noexcept { return value_->length(); }
  bool is_table() const noexcept { return value_->is_table(); }

 private:
  std::optional<T> value_;
};
using HeldInput = Held<arrow::Input>;
using HeldOutput = Held<arrow::Output>;

// The structure in a capsule of the PyCapsule protocol. Throws a Python error for another capsule.
template <class Structure>
Structure* structure_of(nb::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<Structure*>(pointer);
}

template <class Structure>
void destroy(PyObject* capsule) {
  const nb::error_scope kept;  // for the reason that Held has
  auto* const held =
      static_cast<Structure*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (held->release != nullptr) held->release(held);  // else its consumer has moved it
  delete held;
}

// A capsule with a structure that `fill` fills in.
template <class Structure, class Fill>
nb::object export_capsule(const char* name, const Fill& fill) {
  auto held = std::make_unique<Structure>();
  if (const Status status = fill(held.get()); !status) throw Error(status);
  PyObject* const capsule = PyCapsule_New(held.get(), name, &destroy<Structure>);
  if (capsule == nullptr) {
    held->release(held.get());
    throw nb::python_error();
  }
  static_cast<void>(held.release());
  return nb::steal(capsule);
}

nb::object export_schema(const HeldOutput& output) {
  return export_capsule<ArrowSchema>(
      kSchema, [&](ArrowSchema* out) { return (*output).export_schema(out); });
}

nb::object export_array(const HeldOutput& output) {
  return export_capsule<ArrowArray>(kArray,
                                    [&](ArrowArray* out) { return (*output).export_array(out); });
}

nb::object export_stream(const HeldOutput& output) {
  return export_capsule<ArrowArrayStream>(
      kStream, [&](ArrowArrayStream* out) { return (*output).export_stream(out); });
}

// Reads what `__arrow_c_array__` returned, a tuple, or `__arrow_c_stream__`, a capsule. The
// producer's functions run without the GIL, which they may need in threads of their own.
arrow::Input read_input(nb::handle exported, const std::string& role) {
  if (!PyTuple_Check(exported.ptr())) {
    auto* const stream = structure_of<ArrowArrayStream>(exported, kStream);
    const GilRelease released;
    return arrow::Input::from_stream(stream, role).value();
  }
  const auto pair = nb::borrow<nb::tuple>(exported);
  if (pair.size() != 2)
    throw wrong_argument(role + ": __arrow_c_array__ must return a schema and an array");
  auto* const schema = structure_of<ArrowSchema>(pair[0], kSchema);
  auto* const array = structure_of<ArrowArray>(pair[1], kArray);
  return arrow::Input::from_array(schema, array, role).value();
}

HeldInput read(nb::handle exported, const std::string& role) {
  return HeldInput(read_input(exported, role));
}

// Ids of a call, with what keeps their memory.
struct CallIds {
  arrow::Ids ids;
  InputArray array;
  InputArray validity;
};

// `ids`: a HeldInput or an array; `validity`: None, or a bitmap of the array as uint8.
void acquire(nb::handle ids, nb::handle validity, CallIds& held) {
  if (nb::isinstance<HeldInput>(ids)) {
    held.ids.column = *nb::cast<const HeldInput&>(ids);
    return;
  }
  held.array.acquire(ids.ptr(), {.name = "ids", .is_index = true}, held.ids.tensor);
  if (validity.is_none()) return;
  TensorView bits;
  held.validity.acquire(validity.ptr(), {.name = "validity"}, bits);
  held.ids.validity = static_cast<const std::uint8_t*>(bits.data);
}

arrow::Options arrow_options(const nb::dict& options, bool null_out_of_range) {
  arrow::Options result;
  result.call = options_of(options);
  result.null_out_of_range = null_out_of_range;
  return result;
}

// Calls call(ids, options, run) without the interpreter's lock.
template <class Call>
HeldOutput run_call(nb::handle ids, nb::handle validity, const nb::dict& options,
                    bool null_out_of_range, nb::handle threads, const Call& call) {
  CallIds held;
  acquire(ids, validity, held);
  const arrow::Options chosen = arrow_options(options, null_out_of_range);
  RunOptions run;
  run.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
  return HeldOutput(without_gil(run, [&] { return call(held.ids, chosen, run); }).value());
}

HeldOutput take(const HeldInput& values, nb::handle ids, nb::handle validity,
                const nb::dict& options, bool null_out_of_range, nb::handle threads) {
  return run_call(
      ids, validity, options, null_out_of_range, threads,
      [&](const arrow::Ids& numbers, const arrow::Options& chosen, const RunOptions& run) {
        return arrow::take(*values, numbers, chosen, run);
      });
}

HeldOutput row_numbers(std::int64_t length, nb::handle ids, nb::handle validity,
                       const nb::dict& options, bool null_out_of_range, nb::handle threads,
                       std::int64_t listed_ids) {
  return run_call(ids, validity, options, null_out_of_range, threads,
                  [&](const arrow::Ids& numbers, const arrow::Options& chosen, RunOptions run) {
                    run.listed_indices = listed_ids;
                    return arrow::row_numbers(length, numbers, chosen, run);
                  });
}

HeldOutput scatter(const HeldInput& column, nb::handle ids, nb::handle validity,
                   const HeldInput& values, const nb::dict& options, nb::handle threads) {
  return run_call(
      ids, validity, options, false, threads,
      [&](const arrow::Ids& numbers, const arrow::Options& chosen, const RunOptions& run) {
        return arrow::scatter(*column, numbers, *values, chosen, run);
      });
}

}  // namespace

void bind_arrow(nb::module_& module) {
  nb::class_<HeldInput>(module, "ArrowInput")
      .def("__len__", &HeldInput::length)
      .def_prop_ro("is_table", &HeldInput::is_table);
  nb::class_<HeldOutput>(module, "ArrowOutput")
      .def("__len__", &HeldOutput::length)
      .def_prop_ro("is_table", &HeldOutput::is_table)
      .def("schema", &export_schema)
      .def("array", &export_array)
      .def("stream", &export_stream);
  module.def("arrow_read", &read, nb::arg("exported"), nb::arg("role"));
  module.def("arrow_take", &take, nb::arg("values"), nb::arg("ids"), nb::arg("validity").none(),
             nb::arg("options"), nb::arg("null_out_of_range"), nb::arg("threads").none());
  module.def("arrow_row_numbers", &row_numbers, nb::arg("length"), nb::arg("ids"),
             nb::arg("validity").none(), nb::arg("options"), nb::arg("null_out_of_range"),
             nb::arg("threads").none(), nb::arg("listed_ids") = 0);
  module.def("arrow_scatter", &scatter, nb::arg("column"), nb::arg("ids"),
             nb::arg("validity").none(), nb::arg("values"), nb::arg("options"),
             nb::arg("threads").none());
}

}  // namespace windrow::python
