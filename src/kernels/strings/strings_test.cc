#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

Block block_of(std::vector<std::string>& direct, std::vector<std::string>& indirect,
               const std::vector<std::uint32_t>& offsets) {
  Block block;
  block.direct = reinterpret_cast<std::byte*>(direct.data());
  block.indirect = reinterpret_cast<std::byte*>(indirect.data());
  block.count = static_cast<std::int64_t>(offsets.size());
  block.direct_step = block.row_bytes = block.unit = sizeof(std::string);
  block.offsets = offsets.data();
  block.any_outside = true;
  return block;
}

StringFunction string_kernel(bool scatter, Fold fold) {
  const KernelTable& kernels = kernel_sets().front().table;
  return scatter ? kernels.find<Family::kScatterStrings>(sizeof(std::string), DType::kString, fold)
                 : kernels.find<Family::kGatherStrings>(sizeof(std::string), DType::kString, fold);
}

std::vector<std::string> scatter(Fold fold) {
  std::vector<std::string> cells = {"b", "a long string that needs memory of its own", ""};
  std::vector<std::string> updates = {"a", "c", "dropped", "z"};
  const std::vector<std::uint32_t> offsets = {0, 0, 0xffffffffU, 1};
  EXPECT_TRUE(string_kernel(true, fold)(block_of(updates, cells, offsets)));
  return cells;
}

TEST(Strings, GatherCopiesAndEmptiesWhatIsOutside) {
  std::vector<std::string> data = {"x", "y"};
  std::vector<std::string> out = {"old", "old", "old"};
  EXPECT_TRUE(string_kernel(false, Fold::kNone)(block_of(out, data, {1, 0xffffffffU, 0})));
  EXPECT_EQ(out, (std::vector<std::string>{"y", "", "x"}));
}

TEST(Strings, ScattersFoldInOrder) {
  const std::string text = "a long string that needs memory of its own";
  EXPECT_EQ(scatter(Fold::kNone), (std::vector<std::string>{"c", "z", ""}));
  EXPECT_EQ(scatter(Fold::kAdd), (std::vector<std::string>{"bac", text + "z", ""}));
  EXPECT_EQ(scatter(Fold::kMin), (std::vector<std::string>{"a", text, ""}));
  EXPECT_EQ(scatter(Fold::kMax), (std::vector<std::string>{"c", "z", ""}));
}

TEST(Strings, ThereIsNoProductAndNoFoldingGather) {
  EXPECT_EQ(string_kernel(true, Fold::kMul), nullptr);
  EXPECT_EQ(string_kernel(false, Fold::kAdd), nullptr);
}

}  // namespace
}  // namespace windrow::internal
