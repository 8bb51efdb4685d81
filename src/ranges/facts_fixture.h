#ifndef WINDROW_RANGES_FACTS_FIXTURE_H_
#define WINDROW_RANGES_FACTS_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/ranges/ranges.h"
#include "windrow/models.h"

namespace windrow::internal {

// Builds a model node by node and returns what is known of its values.
class FactsFixture : public testing::Test {
 protected:
  FactsFixture() { model.opset_imports[""] = 18; }

  static std::vector<Dim> dims(const std::vector<std::string>& extents) {
    std::vector<Dim> result;
    for (const std::string& extent : extents) {
      Dim& dim = result.emplace_back();
      const bool is_number = extent.find_first_not_of("0123456789") == std::string::npos;
      if (is_number && !extent.empty()) dim.value = std::stoll(extent);
      if (!is_number) dim.symbol = extent;
    }
    return result;
  }

  // The model is one of another dialect, whose nodes have that version.
  void take_dialect(const std::string& dialect, int of_nodes) {
    model.dialect = dialect;
    model.opset_imports.clear();
    version = of_nodes;
  }
  void input(const std::string& name, DType type, const std::vector<std::string>& extents) {
    model.inputs.push_back({name, type, dims(extents)});
  }
  void constant(const std::string& name, std::vector<std::int64_t> values, const Shape& shape) {
    model.constants.emplace(name, Tensor::from<std::int64_t>(shape, values));
  }
  void list(const std::string& name, std::vector<std::int64_t> values) {
    const Shape shape{static_cast<std::int64_t>(values.size())};
    constant(name, std::move(values), shape);
  }
  void number(const std::string& name, std::int64_t value) { constant(name, {value}, {}); }
  void real(const std::string& name, float value) {
    model.constants.emplace(name, Tensor::of<float>({}, {value}));
  }
  void node(const std::string& op, std::vector<std::string> inputs,
            std::vector<std::string> outputs, Attributes attributes = {}) {
    ModelNode made;
    made.name = op + std::to_string(model.nodes.size());
    made.op_type = op;
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    made.attributes = std::move(attributes);
    if (model.dialect == "openvino") made.version = version;
    model.nodes.push_back(std::move(made));
  }

  // What is known of a node's output, in bodies too.
  const ValueFact& fact(const std::string& name) {
    if (facts.empty()) {
      const Status status = find_ranges(model, options, extents, [this](const NodeFacts& found) {
        for (std::size_t i = 0; i < found.outputs.size(); ++i)
          facts[found.place.node.outputs[i]] = *found.outputs[i];
      });
      EXPECT_TRUE(status) << status.message();
    }
    return facts[name];
  }

  std::string text(const ExtentBound& bound) const {
    std::string result = (bound.factor < 0 ? "-" : "") + extents.text_of(bound);
    if (bound.offset > 0) result += "+" + std::to_string(bound.offset);
    if (bound.offset < 0) result += std::to_string(bound.offset);
    return result;
  }
  // "0..9", "0..x.shape[0]-1", "?..7": the bound by an extent where there is one.
  std::string text(const Interval& interval) const {
    const bool counts = interval.low >= 0 && !(interval.above && interval.above == interval.below);
    std::string low = interval.low == Interval::kLowest ? "?" : std::to_string(interval.low);
    std::string high = interval.high == Interval::kHighest ? "?" : std::to_string(interval.high);
    if (interval.above && !counts) low = text(*interval.above);
    if (interval.below) high = text(*interval.below);
    return low + ".." + high;
  }
  // The intervals of a value one after the other, then its premises.
  std::string text(const std::string& name) {
    const ValueFact& found = fact(name);
    std::string result;
    for (const Interval& interval : found.range.integers)
      result += (result.empty() ? "" : " ") + text(interval);
    for (const FloatInterval& interval : found.range.floats)
      result += (result.empty() ? "" : " ") + std::to_string(interval.low) + ".." +
                std::to_string(interval.high) + (interval.may_be_nan ? " or NaN" : "");
    for (const int premise : found.range.premises) result += " if " + extents.premise_text(premise);
    return result;
  }
  // "[x.shape[0], 3]"; "?" for what is not known. Then the premises of the shape.
  std::string shape(const std::string& name) {
    const ValueFact& found = fact(name);
    if (!found.dims) return "?";
    std::string result;
    for (const Dim& dim : *found.dims)
      result += (result.empty() ? "" : ", ") + (dim.is_known()       ? std::to_string(dim.value)
                                                : dim.symbol.empty() ? "?"
                                                                     : dim.symbol);
    result = "[" + result + "]";
    for (const int premise : found.shape_premises) result += " if " + extents.premise_text(premise);
    return result;
  }

  Model model;
  RangeOptions options;
  Extents extents;
  int version = 1;  // of the next nodes of OpenVINO
  std::map<std::string, ValueFact> facts;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACTS_FIXTURE_H_
