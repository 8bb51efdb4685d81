#include "python/src/check.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/errors.h"
#include "python/src/explain.h"
#include "python/src/fields.h"
#include "python/src/foreign_array.h"
#include "python/src/models.h"
#include "python/src/numpy_array.h"
#include "python/src/run_arrays.h"
#include "tools/windrow/command.h"
#include "windrow/check_fields.h"
#include "windrow/fix.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"
#include "windrow/value_ranges.h"

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

std::map<std::string, ObservedNode, std::less<>> observed_of(const nb::dict& observed) {
  std::map<std::string, ObservedNode, std::less<>> nodes;
  for (const auto& [key, values] : observed) {
    nodes[bytes_of(key.ptr(), "the path of a node")] = {tensors_of(nb::object(values[0])),
                                                        tensors_of(nb::object(values[1]))};
  }
  return nodes;
}

CheckOptions check_options(const nb::dict& options) {
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

// Calls `work`, which is check() or ProvedModel::of(), with the options and a function that knows
// other operators.
template <class Work>
auto checked_with(const nb::object& ask, const CheckOptions& options, const Work& work) {
  return with_others(ask, [&](const InferOptions& infer) {
    CheckOptions all = options;
    all.infer = infer;
    return work(all);
  });
}

// `name`: the model's, for the report.
nb::object check_model(const Model& model, const nb::str& name, const nb::dict& options,
                       const nb::object& ask) {
  return fields_to_python(tool::CheckedModel{
      bytes_of(name.ptr(), "the name of a model"),
      checked_with(ask, check_options(options),
                   [&model](const CheckOptions& all) { return check(model, all); })});
}

// A proof, and the model that it is about.
struct HeldProof {
  nb::object model;
  ProvedModel proof;
};

nb::object judge(HeldProof& held, const nb::dict& observed) {
  return field_to_python(held.proof.judge(observed_of(observed)));
}

// The findings on the runs with the given inputs, and why they are not judged by them.
std::pair<std::vector<PortabilityFinding>, std::string> judge_given(const Model& model,
                                                                    const CheckOptions& options,
                                                                    const nb::object& ask) {
  if (options.given.empty()) return {};
  try {
    CheckReport report =
        checked_with(ask, options, [&model](const CheckOptions& all) { return check(model, all); });
    return {std::move(report.findings), ""};
  } catch (const Error& error) {  // a host may take arrays that the model does not declare
    if (error.status().code() != ErrorCode::kInvalidArgument) throw;
    return {{}, error.status().message()};
  }
}

// The report without the given inputs, what judge_given() gives, and the proof.
nb::tuple prove(const nb::object& model, const nb::str& name, const nb::dict& options,
                const nb::object& ask) {
  const Model& proved = nb::cast<const Model&>(model);
  CheckOptions asked = check_options(options);
  CheckOptions of_run = asked;
  asked.given.clear();
  of_run.run_shapes.clear();
  ProvedModel proof = checked_with(
      ask, asked, [&proved](const CheckOptions& all) { return ProvedModel::of(proved, all); });
  const auto [found, why] = judge_given(proved, of_run, ask);
  nb::object report = fields_to_python(
      tool::CheckedModel{bytes_of(name.ptr(), "the name of a model"), proof.report()});
  return nb::make_tuple(report, field_to_python(found), shown_text_from(why),
                        nb::cast(HeldProof{model, std::move(proof)}));
}

nb::object format_report(const nb::handle& report, const nb::str& format, const nb::str& fail_on) {
  return text_from(tool::format_check(report_from_python(report), bytes_of(format.ptr(), "format"),
                                      bytes_of(fail_on.ptr(), "at"))
                       .value());
}

bool report_fails(const nb::handle& report, const nb::str& fail_on) {
  return tool::check_fails(report_from_python(report).report, bytes_of(fail_on.ptr(), "at"))
      .value();
}

// (runtime, device, version) of each target; an empty text stands for any.
nb::list targets_to_python(const nb::str& text) {
  const std::string targets = bytes_of(text.ptr(), "runtimes");
  nb::list list = new_list();
  if (targets.empty()) return list;
  const std::vector<RuntimeTarget> parsed = parse_targets(targets).value();
  for (const RuntimeTarget& target : parsed)
    list.append(nb::make_tuple(text_from(target.runtime), text_from(target.device),
                               text_from(target.version)));
  return list;
}

nb::object lowest_opset_of(const Model& model, const nb::str& name, const nb::object& ask) {
  return fields_to_python(tool::OpsetReport{
      bytes_of(name.ptr(), "the name of a model"),
      with_others(ask, [&](const InferOptions& infer) { return lowest_opset(model, infer); })});
}

}  // namespace

tool::CheckedModel report_from_python(const nb::handle& report) {
  tool::CheckedModel result;
  field_from_python(report, "report", result);
  return result;
}

void bind_check(nb::module_& module) {
  module.def("check", &check_model, nb::arg("model"), nb::arg("name"), nb::arg("options"),
             nb::arg("ask").none());
  nb::class_<HeldProof>(module, "ProvedModel").def("judge", &judge);
  module.def("prove", &prove, nb::arg("model"), nb::arg("name"), nb::arg("options"),
             nb::arg("ask").none());
  module.def("check_fails", &report_fails);
  module.def("format_check", &format_report);
  module.def("parse_targets", &targets_to_python);
  module.def("portability_rules", [] { return field_to_python(portability_rules()); });
  module.def("operator_rules", [] { return field_to_python(operator_rules()); });
  module.def("lowest_opset", &lowest_opset_of, nb::arg("model"), nb::arg("name"),
             nb::arg("ask").none());
  module.def("indexing_inputs", [] { return field_to_python(indexing_inputs()); });
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

// Returns the changed model, the changes that were made, and those that were not.
nb::tuple fix(const Model& model, const nb::handle& report, bool unsafe, const nb::object& ask) {
  const CheckReport found = report_from_python(report).report;
  FixedModel fixed = with_others(ask, [&](const InferOptions& infer) {
    FixOptions options;
    options.unsafe = unsafe;
    options.infer = infer;
    return fix_model(model, found, options);
  });
  return nb::make_tuple(nb::cast(std::move(fixed.model)), field_to_python(fixed.applied),
                        field_to_python(fixed.left));
}

// Arrays by the names of the inputs.
nb::dict sample(const Model& model, const nb::handle& report, std::uint64_t seed, bool breaks) {
  const CheckReport found = report_from_python(report).report;
  const NamedTensors inputs = sample_inputs(model, found.contracts, {seed, breaks}).value();
  nb::dict arrays = new_dict();
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

namespace nb = nanobind;

namespace windrow::python {
namespace {

template <class T>
nb::object number_or_none(const std::optional<T>& number) {
  return number ? nb::object(nb::int_(*number)) : nb::none();
}

// (extent, offset, factor)
nb::object term_to_python(const std::optional<ExtentTerm>& term) {
  if (!term) return nb::none();
  return nb::make_tuple(text_from(term->extent), term->offset, term->factor);
}

nb::object dims_to_python(const SymbolicShape& shape) {
  if (!shape) return nb::none();
  nb::list dims = new_list();
  for (const Dim& dim : *shape) {
    if (dim.is_known()) {
      dims.append(dim.value);
    } else {
      dims.append(dim.symbol.empty() ? nb::object(nb::none()) : text_from(dim.symbol));
    }
  }
  return dims;
}

// Intervals are (low, high, above, below) of integers, (low, high, may_be_nan) of floats.
nb::dict value_to_python(const RangedValue& value) {
  constexpr const char* kGrains[] = {"tensor", "axis", "element"};
  nb::list intervals = new_list();
  for (const IntegerRange& range : value.integers)
    intervals.append(nb::make_tuple(number_or_none(range.low), number_or_none(range.high),
                                    term_to_python(range.above), term_to_python(range.below)));
  for (const FloatRange& range : value.floats)
    intervals.append(nb::make_tuple(range.low, range.high, range.may_be_nan));
  nb::dict row = new_dict();
  row["name"] = text_from(value.name);
  row["dtype"] = text_from(dtype_name(value.dtype));
  row["dims"] = dims_to_python(value.dims);
  row["grain"] = kGrains[static_cast<std::size_t>(value.grain)];
  row["axis"] = value.axis;
  row["intervals"] = intervals;
  row["premises"] = texts_to_python(value.premises);
  row["type_premises"] = texts_to_python(value.type_premises);
  row["shape_premises"] = texts_to_python(value.shape_premises);
  row["source_input"] = text_from(value.source_input);
  return row;
}

// Returns (path, facts of the outputs) of each node.
// `runtime` is empty for the arithmetic of the specification, else such as "openvino:cpu".
nb::list find_ranges(const Model& model, const nb::dict& assumed, const nb::object& ask,
                     const std::string& runtime) {
  ValueRangeOptions options;
  const std::size_t colon = std::min(runtime.find(':'), runtime.size());
  options.runtime = runtime.substr(0, colon);
  options.device = runtime.substr(std::min(colon + 1, runtime.size()));
  for (const auto& [key, range] : assumed)
    options.assume[bytes_of(key.ptr(), "the name of an input")] = {
        integer_of(nb::object(range[0]).ptr(), "low"),
        integer_of(nb::object(range[1]).ptr(), "high")};
  nb::list rows = new_list();
  with_others(ask, [&](const InferOptions& infer) -> Result<bool> {
    options.infer = infer;
    const Status status = find_value_ranges(model, options, [&rows](const NodeRanges& node) {
      nb::list facts = new_list();
      for (const RangedValue& value : node.outputs) facts.append(value_to_python(value));
      rows.append(nb::make_tuple(text_from(node.node), facts));
    });
    if (!status) return status;
    return true;
  });
  return rows;
}

}  // namespace

void bind_ranges(nb::module_& module) {
  module.def("find_ranges", &find_ranges, nb::arg("model"), nb::arg("assumed"),
             nb::arg("ask").none(), nb::arg("runtime") = "");
}

namespace {

// [(field, annotation)]
template <class T>
nb::list fields_of() {
  nb::list fields = new_list();
  const T value{};
  visit_fields(value, [&fields](std::string_view name, const auto& member) {
    const std::string annotation = annotation_of<std::decay_t<decltype(member)>>();
    fields.append(nb::make_tuple(text_from(name), text_from(annotation)));
  });
  return fields;
}

// [(module, class, fields)]
nb::list records_to_python() {
  nb::list records = new_list();
  std::apply(
      [&records]<class... All>(const Record<All>&... record) {
        (records.append(nb::make_tuple(record.module, record.name, fields_of<All>())), ...);
      },
      kRecords);
  return records;
}

}  // namespace

void bind_records(nb::module_& module) { module.def("records", &records_to_python); }

}  // namespace windrow::python
