#include "windrow/fix.h"

#include <cstdint>
#include <vector>

#include "python/src/check.h"
#include "python/src/fix.h"
#include "python/src/foreign_values.h"
#include "python/src/run_arrays.h"
#include "python/src/text.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::list changes_to_python(const std::vector<ModelFix>& changes) {
  nb::list list;
  for (const ModelFix& change : changes) {
    nb::dict row;
    row["rule"] = text_from(change.rule);
    row["node"] = text_from(change.node);
    row["what"] = text_from(change.what);
    row["safe"] = change.safe;
    row["rounds"] = change.rounds;
    list.append(row);
  }
  return list;
}

// Returns the changed model, the changes that were made, and those that were not.
nb::tuple fix(const Model& model, const nb::dict& report, bool unsafe, const nb::object& ask) {
  const CheckReport found = report_from_python(report);
  FixedModel fixed = with_others(ask, [&](const InferOptions& infer) {
    FixOptions options;
    options.unsafe = unsafe;
    options.infer = infer;
    return fix_model(model, found, options);
  });
  nb::list applied = changes_to_python(fixed.applied);
  nb::list left = changes_to_python(fixed.left);
  return nb::make_tuple(nb::cast(std::move(fixed.model)), applied, left);
}

// Arrays by the names of the inputs.
nb::dict sample(const Model& model, const nb::dict& report, std::uint64_t seed, bool breaks) {
  const CheckReport found = report_from_python(report);
  const NamedTensors inputs = sample_inputs(model, found.contracts, {seed, breaks}).value();
  nb::dict arrays;
  for (const auto& [name, tensor] : inputs) arrays[text_from(name)] = to_numpy(tensor);
  return arrays;
}

}  // namespace

void bind_fixes(nb::module_& module) {
  module.def("fix_model", &fix, nb::arg("model"), nb::arg("report"), nb::arg("unsafe"),
             nb::arg("ask").none());
  module.def("sample_inputs", &sample);
}

}  // namespace windrow::python
