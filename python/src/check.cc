#include "python/src/check.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/fields.h"
#include "python/src/foreign_values.h"
#include "python/src/input_array.h"
#include "python/src/text.h"
#include "tools/windrow/command.h"
#include "windrow/check_fields.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

std::vector<std::string> texts_of(const nb::handle& given, const std::string& name) {
  std::vector<std::string> texts;
  field_from_python(given, name, texts);
  return texts;
}

// An array whose memory a tensor uses; the tensor keeps it alive.
struct HeldArray {
  nb::object object;
  InputArray memory;
};

bool is_aligned(const TensorView& view) {
  const auto bytes = static_cast<std::uintptr_t>(std::max(dtype_bits(view.dtype) / 8, 1));
  return reinterpret_cast<std::uintptr_t>(view.data) % bytes == 0;  // NOLINT
}

// Null for None. Copies only arrays that are not dense or not aligned.
std::shared_ptr<const Tensor> tensor_of(const nb::handle& array) {
  if (array.is_none()) return nullptr;
  auto held = std::make_shared<HeldArray>();
  held->object = nb::borrow(array);
  TensorView view;
  held->memory.acquire(array.ptr(), {"an observed value", DType::kAbsent, false}, view);
  if (!view.is_dense() || !is_aligned(view))
    return std::make_shared<const Tensor>(Tensor::copy_of(view).value());
  // The tensor is only read.
  return std::make_shared<const Tensor>(Tensor::adopt(
      view.dtype, view.shape, const_cast<void*>(view.data), std::move(held)));  // NOLINT
}

std::vector<std::shared_ptr<const Tensor>> tensors_of(const nb::handle& arrays) {
  std::vector<std::shared_ptr<const Tensor>> tensors;
  for (const nb::handle& array : arrays) tensors.push_back(tensor_of(array));
  return tensors;
}

CheckOptions check_options(const nb::dict& options, const nb::dict& observed) {
  CheckOptions checked;
  const std::string targets = bytes_of(options["runtimes"].ptr(), "runtimes");
  if (!targets.empty()) checked.targets = parse_targets(targets).value();
  checked.select = texts_of(options["select"], "select");
  checked.ignore = texts_of(options["ignore"], "ignore");
  checked.show_cannot = truth_of(nb::object(options["show_cannot"]).ptr());
  for (const auto& [key, range] : nb::dict(options["assume"])) {
    const std::string name = bytes_of(key.ptr(), "the name of an input");
    const std::string parameter = "assume['" + name + "']";
    checked.assume[name] = {integer_of(nb::object(range[0]).ptr(), parameter),
                            integer_of(nb::object(range[1]).ptr(), parameter)};
  }
  for (const auto& [key, values] : observed) {
    checked.observed[bytes_of(key.ptr(), "the path of a node")] = {
        tensors_of(nb::object(values[0])), tensors_of(nb::object(values[1]))};
  }
  for (const auto& [key, array] : nb::dict(options["given"])) {
    auto tensor = tensor_of(array);
    if (tensor) checked.given[bytes_of(key.ptr(), "the name of an input")] = std::move(tensor);
  }
  for (const auto& [key, dims] : nb::dict(options["run_shapes"])) {
    std::vector<std::int64_t> extents;
    for (const nb::handle& extent : nb::list(nb::borrow(dims)))
      extents.push_back(integer_of(extent.ptr(), "an extent"));
    checked.run_shapes.emplace(bytes_of(key.ptr(), "the name of an input"),
                               Shape(std::span<const std::int64_t>(extents)));
  }
  return checked;
}

nb::dict check_model(const Model& model, const nb::dict& options, const nb::dict& observed,
                     const nb::object& ask) {
  const CheckOptions checked = check_options(options, observed);
  return fields_to_python(with_others(ask, [&](const InferOptions& infer) {
    CheckOptions all = checked;
    all.infer = infer;
    return check(model, all);
  }));
}

tool::CheckedModel checked_of(const nb::handle& report) {
  return {bytes_of(nb::object(report["model"]).ptr(), "model"), report_from_python(report)};
}

nb::object format_report(const nb::dict& report, const nb::str& format, const nb::str& fail_on) {
  return text_from(tool::format_check(checked_of(report), bytes_of(format.ptr(), "format"),
                                      bytes_of(fail_on.ptr(), "at"))
                       .value());
}

bool report_fails(const nb::dict& report, const nb::str& fail_on) {
  return tool::check_fails(report_from_python(report), bytes_of(fail_on.ptr(), "at")).value();
}

// (runtime, device, version) of each target; an empty text stands for any.
nb::list targets_to_python(const nb::str& text) {
  const std::string targets = bytes_of(text.ptr(), "runtimes");
  nb::list list;
  if (targets.empty()) return list;
  const std::vector<RuntimeTarget> parsed = parse_targets(targets).value();
  for (const RuntimeTarget& target : parsed)
    list.append(nb::make_tuple(text_from(target.runtime), text_from(target.device),
                               text_from(target.version)));
  return list;
}

nb::list rules_to_python(std::span<const PortabilityRule> rules) {
  nb::list list;
  for (const PortabilityRule& rule : rules) list.append(fields_to_python(rule));
  return list;
}

nb::dict lowest_opset_of(const Model& model, const nb::object& ask) {
  return fields_to_python(
      with_others(ask, [&](const InferOptions& infer) { return lowest_opset(model, infer); }));
}

nb::list indexing_inputs_to_python() {
  nb::list inputs;
  for (const IndexingInput& input : indexing_inputs()) inputs.append(fields_to_python(input));
  return inputs;
}

}  // namespace

CheckReport report_from_python(const nb::handle& report) {
  CheckReport result;
  field_from_python(report, "report", result);
  return result;
}

void bind_check(nb::module_& module) {
  module.def("check", &check_model, nb::arg("model"), nb::arg("options"), nb::arg("observed"),
             nb::arg("ask").none());
  module.def("check_fails", &report_fails);
  module.def("format_check", &format_report);
  module.def("parse_targets", &targets_to_python);
  module.def("portability_rules", [] { return rules_to_python(portability_rules()); });
  module.def("operator_rules", [] { return rules_to_python(operator_rules()); });
  module.def("lowest_opset", &lowest_opset_of, nb::arg("model"), nb::arg("ask").none());
  module.def("indexing_inputs", &indexing_inputs_to_python);
}

}  // namespace windrow::python
