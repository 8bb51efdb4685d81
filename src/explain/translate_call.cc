#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/reference/element.h"
#include "windrow/explain.h"

namespace windrow {
namespace {

// The names of one value in ONNX and in the other dialects.
constexpr std::array<std::array<std::string_view, 2>, 4> kValueNames = {
    {{"add", "sum"}, {"mul", "prod"}, {"linear", "LINEAR"}, {"circular", "CIRCULAR"}}};

std::string text_of(const OperatorInfo& info) {
  return info.dialect + "." + info.name + "-" + std::to_string(info.since_version);
}

Status homeless(const OperatorInfo& from, const OperatorInfo& to, const std::string& what) {
  return Status(ErrorCode::kInvalidArgument,
                what + " of " + text_of(from) + " has no place in " + text_of(to));
}

// The mode of TensorRT's layer for an operator of another dialect: "ND" for GatherND.
std::string_view mode_of(std::string_view name) {
  if (name.find("ND") != std::string_view::npos) return "ND";
  return name.find("Elements") != std::string_view::npos ? "ELEMENT" : "DEFAULT";
}

bool has_modes(const OperatorInfo& info) {
  return info.dialect == "tensorrt" && (info.name == "Gather" || info.name == "Scatter");
}

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Named& named) { return named.name == name; });
  return found == list.end() ? nullptr : &*found;
}

class Translation {
 public:
  Translation(const OperatorInfo& from, const OperatorInfo& to) : from_(from), to_(to) {
    call_.inputs.resize(to.inputs.size());
    filled_.resize(to.inputs.size(), false);
    call_.tensors.reserve(from.attributes.size() + from.inputs.size());
  }

  Status add(const Attributes& attributes, std::span<const TensorView> inputs,
             const Attributes& chosen) {
    call_.attributes = chosen;
    Status status = add_named_inputs(inputs);
    if (status) status = add_attributes(attributes);
    if (status) status = add_other_inputs();
    if (status && has_modes(to_) && !has_modes(from_))
      call_.attributes.emplace("mode", std::string(mode_of(from_.name)));
    return status;
  }

  TranslatedCall call() && { return std::move(call_); }

 private:
  // Adds the inputs whose name is that of an input or attribute of the other operator; keeps the
  // rest for add_other_inputs().
  Status add_named_inputs(std::span<const TensorView> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].is_absent()) continue;
      const std::string& name = from_.inputs[i].name;
      const OperatorInput* const place = find_named(to_.inputs, name);
      if (place != nullptr) {
        fill(static_cast<std::size_t>(place - to_.inputs.data()), inputs[i]);
      } else if (find_named(to_.attributes, name) != nullptr) {
        if (element_count(inputs[i].shape) != 1 || inputs[i].data == nullptr)
          return homeless(from_, to_, "input '" + name + "' without one known value");
        call_.attributes.emplace(name, internal::reference::read_index(
                                           inputs[i], Dims::filled(inputs[i].shape.rank(), 0)));
      } else {
        waiting_.emplace_back(name, inputs[i]);
      }
    }
    return {};
  }

  // Assigns the remaining inputs in their order to the free places.
  Status add_other_inputs() {
    for (const auto& [name, view] : waiting_) {
      const auto place = std::find(filled_.begin(), filled_.end(), false);
      if (place == filled_.end()) return homeless(from_, to_, "input '" + name + "'");
      fill(static_cast<std::size_t>(place - filled_.begin()), view);
    }
    return {};
  }

  Status add_attributes(const Attributes& attributes) {
    for (const OperatorAttribute& attribute : from_.attributes) {
      const auto given = attributes.find(attribute.name);
      const bool is_given = given != attributes.end();
      const AttributeValue& value = is_given ? given->second : attribute.default_value;
      if (has_modes(from_) != has_modes(to_) && attribute.name == "mode") continue;
      if (find_named(to_.attributes, renamed(attribute.name)) != nullptr) {
        call_.attributes.emplace(renamed(attribute.name), named_here(value));
      } else if (const OperatorInput* place = find_named(to_.inputs, attribute.name)) {
        const auto* const number = std::get_if<std::int64_t>(&value);
        if (number == nullptr) return homeless(from_, to_, "attribute '" + attribute.name + "'");
        call_.tensors.push_back(Tensor::of<std::int64_t>({}, {*number}));
        fill(static_cast<std::size_t>(place - to_.inputs.data()), call_.tensors.back().view());
      } else if (is_given && value != attribute.default_value) {
        return homeless(from_, to_, "attribute '" + attribute.name + "'");
      }
    }
    return {};
  }

  // The other operator's name of an attribute.
  std::string_view renamed(std::string_view name) const {
    if (has_modes(to_) && name == "batch_dims") return "num_elementwise_dims";
    if (has_modes(from_) && name == "num_elementwise_dims") return "batch_dims";
    return name;
  }

  // The other dialect's name of a value.
  AttributeValue named_here(const AttributeValue& value) const {
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) return value;
    for (const auto& names : kValueNames)
      if (std::find(names.begin(), names.end(), *text) != names.end())
        return std::string(names[to_.dialect == "onnx" ? 0 : 1]);
    return value;
  }

  void fill(std::size_t place, const TensorView& view) {
    call_.inputs[place] = view;
    filled_[place] = true;
  }

  const OperatorInfo& from_;
  const OperatorInfo& to_;
  TranslatedCall call_;
  std::vector<bool> filled_;  // by input of the other operator
  std::vector<std::pair<std::string, TensorView>> waiting_;
};

}  // namespace

Result<TranslatedCall> translate_call(const OperatorId& from, const Attributes& attributes,
                                      std::span<const TensorView> inputs, const OperatorId& to,
                                      const Attributes& chosen) {
  const Result<OperatorInfo> source = find_operator(from);
  if (!source) return source.error();
  const Result<OperatorInfo> target = find_operator(to);
  if (!target) return target.error();
  try {
    Translation translation(*source, *target);
    if (inputs.size() > source->inputs.size())
      return Status(ErrorCode::kInvalidArgument,
                    text_of(*source) + " has " + std::to_string(source->inputs.size()) +
                        " inputs, not " + std::to_string(inputs.size()));
    if (Status status = translation.add(attributes, inputs, chosen); !status) return status;
    TranslatedCall call = std::move(translation).call();
    call.id = to;
    return call;
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, text_of(*target) + ": out of memory");
  }
}

}  // namespace windrow
