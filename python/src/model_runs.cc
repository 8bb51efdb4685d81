#include "python/src/model_runs.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/gil.h"
#include "python/src/run_arrays.h"
#include "python/src/signals.h"
#include "python/src/text.h"
#include "python/src/thread_pools.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The type that a model declares for an input; kAbsent if it declares none.
DType declared_type(const Model& model, const std::string& name) {
  const std::string& value = model.value_name(name);
  for (const std::vector<ValueInfo>* values : {&model.inputs, &model.default_inputs})
    for (const ValueInfo& input : *values)
      if (input.name == value) return input.dtype;
  return DType::kAbsent;
}

// The arrays of a run, which are held as long as the object lives.
struct RunInputs {
  RunInputs(const Model& model, const nb::dict& inputs) {
    for (const auto& [key, array] : inputs) {
      const std::string name = bytes_of(key.ptr(), "the name of an input");
      arrays.push_back(std::make_unique<InputArray>());
      arrays.back()->acquire(array.ptr(), {name.c_str(), declared_type(model, name), false},
                             views[name]);
    }
  }

  NamedViews views;
  std::vector<std::unique_ptr<InputArray>> arrays;
};

nb::tuple results_to_python(const NamedTensors& results, const std::vector<std::string>& notes) {
  nb::list outputs;
  for (const auto& [name, tensor] : results)
    outputs.append(nb::make_tuple(text_from(name), to_numpy(tensor)));
  nb::list texts;
  for (const std::string& note : notes) texts.append(text_from(note));
  return nb::make_tuple(outputs, texts);
}

nb::tuple run_prepared(const PreparedModel& model, const nb::dict& inputs,
                       const nb::object& threads, std::int64_t listed_indices) {
  const RunInputs given(model.model(), inputs);
  RunOptions options;
  options.listed_indices = listed_indices;
  options.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
  std::vector<std::string> notes;
  const auto keep_note = [&notes](const std::string& note) { notes.push_back(note); };
  const Result<NamedTensors> results =
      without_gil(options, [&] { return model.run(given.views, options, keep_note); });
  return results_to_python(results.value(), notes);
}

}  // namespace

nb::tuple run_reference(const Model& model, const nb::dict& inputs, const nb::dict& options) {
  const RunInputs given(model, inputs);
  ModelRunOptions run_options;
  run_options.call = options_of(options);
  run_options.reference = true;
  const Result<NamedTensors> results =
      without_gil(run_options.run, [&] { return model.run(given.views, run_options); });
  return results_to_python(results.value(), {});
}

PreparedModel prepare(const Model& model, const nb::dict& options) {
  PrepareOptions prepare_options;
  prepare_options.call = options_of(options);
  const GilRelease released;
  return model.prepare(prepare_options).value();
}

void bind_prepared_models(nb::module_& module) {
  nb::class_<PreparedModel>(module, "PreparedModel", nb::is_weak_referenceable())
      .def("run", &run_prepared, nb::arg("inputs"), nb::arg("threads").none(),
           nb::arg("listed_indices") = 0);
}

}  // namespace windrow::python
