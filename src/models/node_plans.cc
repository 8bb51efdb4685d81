#include "src/models/node_plans.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace windrow::internal {
namespace {

// Plans that are kept at a time.
constexpr std::size_t kMostPlans = 256;

// Puts everything that a plan depends on into one string of bytes.
class KeyWriter {
 public:
  explicit KeyWriter(std::string& key) : key_(key) { key_.clear(); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(const T& value) { key_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
  void add(const std::string& text) {
    add(text.size());
    key_ += text;
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  void add(const Dims& dims) {
    add(dims.rank());
    for (const std::int64_t number : dims) add(number);
  }
  // Known values are small: an axis, a depth.
  void add(const std::shared_ptr<const Tensor>& tensor) {
    add(tensor != nullptr);
    if (tensor == nullptr) return;
    add(tensor->dtype());
    add(tensor->shape());
    if (tensor->dtype() == DType::kString) {
      for (const std::string& element : tensor->values<std::string>()) add(element);
    } else {
      key_.append(static_cast<const char*>(tensor->data()),
                  static_cast<std::size_t>(tensor->byte_count()));
    }
  }
  void add(const AttributeValue& value) {
    add(value.index());
    std::visit([this](const auto& held) { add(held); }, value);
  }
  void add(const TensorSpec& spec) {
    add(spec.dtype);
    add(spec.shape);
    add(spec.strides.has_value());
    if (spec.strides) add(*spec.strides);
    add(spec.value);
  }

 private:
  std::string& key_;
};

}  // namespace

NodePlans::Entry& NodePlans::find_entry(const NodeOperator& op, const Attributes& attributes,
                                        std::span<const TensorSpec> inputs) {
  KeyWriter key(key_);
  key.add(&op);
  key.add(attributes.size());
  for (const auto& [name, value] : attributes) {
    key.add(name);
    key.add(value);
  }
  for (const TensorSpec& spec : inputs) key.add(spec);
  const auto known = entries_.find(key_);
  if (known != entries_.end()) return known->second;
  if (entries_.size() == kMostPlans) entries_.clear();
  return entries_.emplace(key_, Entry{compile(op.id, attributes, inputs, options_), {}})
      .first->second;
}

const NodePlans::Entry& NodePlans::find_described(const NodeOperator& op,
                                                  const Attributes& attributes,
                                                  std::span<const TensorSpec> inputs) {
  Entry& entry = find_entry(op, attributes, inputs);
  if (entry.plan && entry.description == nullptr)
    entry.description = std::make_shared<const PlanDescription>(entry.plan->description());
  return entry;
}

}  // namespace windrow::internal
