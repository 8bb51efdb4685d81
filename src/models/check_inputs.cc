#include "src/models/check_inputs.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "src/models/value_info.h"
#include "windrow/nearest_name.h"

namespace windrow::internal {
namespace {

// What a symbol stands for, and where it was found.
struct Binding {
  std::int64_t value = 0;
  std::string_view input;
};
using Bindings = std::map<std::string_view, Binding>;

std::string list(const std::vector<ValueInfo>& values) {
  return joined(values, ", ",
                [](const ValueInfo& value) { return value.name + " " + to_string(value); });
}

std::string takes(const Model& model) {
  std::string text = "the model takes " + (model.inputs.empty() ? "no inputs" : list(model.inputs));
  if (!model.default_inputs.empty()) text += "; with defaults: " + list(model.default_inputs);
  return text;
}

Status check_names(const Model& model, const NamedViews& inputs) {
  std::set<std::string_view> names;
  for (const auto* values : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& value : *values) names.insert(value.name);
  }
  for (const auto& [name, view] : inputs) {
    if (!names.contains(name))
      return argument_error("there is no input '", name, "'; ", takes(model),
                            nearest_hint(name, names));
  }
  std::string missing;
  for (const ValueInfo& value : model.inputs) {
    const auto given = inputs.find(value.name);
    if (given == inputs.end() || given->second.is_absent())
      missing += (missing.empty() ? "'" : ", '") + value.name + "'";
  }
  if (missing.empty()) return {};
  return argument_error("missing input ", missing, "; ", takes(model));
}

Status check_dim(const Dim& declared, std::int64_t found, std::string_view input,
                 Bindings& bindings) {
  if (declared.is_known() && declared.value != found)
    return shape_error("it must be ", declared.value);
  if (!declared.is_known() && found < declared.low)
    return shape_error("it must be at least ", declared.low);
  if (!declared.is_known() && found > declared.high)
    return shape_error("it must be at most ", declared.high);
  if (declared.symbol.empty()) return {};
  const auto [binding, is_new] = bindings.emplace(declared.symbol, Binding{found, input});
  if (is_new || binding->second.value == found) return {};
  return shape_error(declared.symbol, " is ", binding->second.value, " in input '",
                     binding->second.input, "'");
}

Status check_input(const ValueInfo& declared, const TensorView& given, Bindings& bindings) {
  const std::string what = "input '" + declared.name + "' is " +
                           std::string(dtype_name(given.dtype)) + to_string(given.shape) +
                           ", the model declares " + to_string(declared);
  if (declared.dtype != DType::kAbsent && declared.dtype != given.dtype)
    return {ErrorCode::kType, what};
  if (!declared.dims) return {};
  if (static_cast<int>(declared.dims->size()) != given.shape.rank()) return shape_error(what);
  for (int axis = 0; axis < given.shape.rank(); ++axis) {
    const Dim& dim = (*declared.dims)[static_cast<std::size_t>(axis)];
    const Status status = check_dim(dim, given.shape[axis], declared.name, bindings);
    if (!status)
      return status.with_context(what + ": dimension " + std::to_string(axis) + " is " +
                                 std::to_string(given.shape[axis]));
  }
  return {};
}

}  // namespace

Result<NamedViews> with_value_names(const Model& model, const NamedViews& inputs) {
  NamedViews result;
  for (const auto& [name, view] : inputs) {
    const std::string& value = model.value_name(name);
    if (!result.emplace(value, view).second)
      return argument_error("two tensors are given for the input '", value, "'");
  }
  return result;
}

Status check_inputs(const Model& model, const NamedViews& inputs) {
  if (Status status = check_names(model, inputs); !status) return status;
  Bindings bindings;
  for (const auto* values : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& value : *values) {
      const auto given = inputs.find(value.name);
      if (given == inputs.end() || given->second.is_absent()) continue;
      if (Status status = check_input(value, given->second, bindings); !status) return status;
    }
  }
  return {};
}

}  // namespace windrow::internal
