#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow {
namespace {

// More different nodes than plans that are kept.
TEST(FirstRun, OfManyDifferentNodesIsRight) {
  Model model;
  model.opset_imports[""] = 13;
  model.constants["x"] = std::make_shared<const Tensor>(Tensor::of<float>({3}, {5, 6, 7}));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 300; ++i) {
      const std::string name = std::to_string(round) + "_" + std::to_string(i);
      const std::vector<std::int64_t> indices(static_cast<std::size_t>(i), i % 3);
      model.constants["i" + name] =
          std::make_shared<const Tensor>(Tensor::from<std::int64_t>({i}, indices));
      model.nodes.push_back({"n" + name, "", "Gather", {"x", "i" + name}, {"y" + name}, {}, ""});
      model.outputs.push_back({"y" + name, DType::kAbsent, std::nullopt});
    }
  }
  const NamedTensors outputs = model.run({}).value();
  ASSERT_EQ(outputs.size(), 600U);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto values = outputs[i].second.values<float>();
    EXPECT_EQ(values.size(), i % 300);
    for (const float value : values) EXPECT_EQ(value, 5 + static_cast<float>(i % 300 % 3));
  }
  EXPECT_EQ(model.inspect().value().size(), 600U);
}

}  // namespace
}  // namespace windrow
