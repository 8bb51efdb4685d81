#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "src/tables/table_fixture.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace {

constexpr std::array<DType, 5> kTypes = {DType::kFloat32, DType::kFloat16, DType::kBFloat16,
                                         DType::kInt8, DType::kFloat64};

struct BagCall {
  Tensor ids;
  Tensor offsets;
  Tensor weights;
  array::EmbeddingBag op;
  CallOptions options;
};

// A pooled look-up, of which some are illegal.
class DrawnBags {
 public:
  explicit DrawnBags(std::uint64_t seed) : random_(seed) {}

  std::int64_t up_to(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random_);
  }
  bool one_in(std::int64_t many) { return up_to(many - 1) == 0; }

  // Numbers without NaN or infinity.
  Tensor table(DType dtype, const Shape& shape) {
    Tensor tensor = Tensor::allocate(dtype, shape).value();
    const bool is_wide = dtype == DType::kFloat32 || dtype == DType::kFloat64;
    for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
      const std::int64_t number = up_to(0x7fff);
      if (dtype == DType::kFloat32) write(tensor, i, static_cast<float>(number - 0x4000) / 7);
      if (dtype == DType::kFloat64) write(tensor, i, static_cast<double>(number - 0x4000) / 7);
      if (dtype == DType::kInt8) write(tensor, i, static_cast<std::int8_t>(number));
      // Below 2, of either sign.
      if (!is_wide && dtype != DType::kInt8)
        write(tensor, i, static_cast<std::uint16_t>((number & 0x3fff) | ((number & 0x4000) << 1)));
    }
    return tensor;
  }

  BagCall call(const Tensor& table) {
    BagCall call;
    const std::int64_t rows = table.shape()[0];
    const bool in_matrix = one_in(3);
    const std::int64_t bags = up_to(6);
    const std::int64_t count = in_matrix ? bags * 3 : up_to(40);
    const Shape shape = in_matrix ? Shape{bags, 3} : Shape{count};
    std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
    for (std::int64_t& id : ids) id = up_to(2 * rows - 1) - rows;
    if (!ids.empty() && one_in(4)) ids.back() = rows + up_to(5);
    call.ids = Tensor::from<std::int64_t>(shape, ids);
    call.op.include_last_offset = !in_matrix && one_in(2);
    if (!in_matrix) call.offsets = offsets(bags + (call.op.include_last_offset ? 1 : 0), count);
    constexpr std::array<const char*, 3> kReductions = {"sum", "mean", "max"};
    call.op.reduction = kReductions[static_cast<std::size_t>(up_to(2))];
    if (call.op.reduction == "sum" && one_in(2)) call.weights = this->table(table.dtype(), shape);
    if (table.dtype() == DType::kFloat16 && one_in(2)) call.op.accumulate = "float32";
    constexpr std::array<OutOfRange, 4> kPolicies = {OutOfRange::kError, OutOfRange::kSkip,
                                                     OutOfRange::kClamp, OutOfRange::kModulo};
    call.options.out_of_range = kPolicies[static_cast<std::size_t>(up_to(3))];
    if (one_in(3)) call.options.padding_index = up_to(rows - 1);
    if (one_in(4)) call.options.negative = NegativeIndex::kOutOfRange;
    return call;
  }

 private:
  template <class T>
  static void write(Tensor& tensor, std::int64_t i, T number) {
    static_cast<T*>(tensor.data())[i] = number;
  }

  Tensor offsets(std::int64_t length, std::int64_t ids) {
    std::vector<std::int32_t> begins(static_cast<std::size_t>(length));
    for (std::int32_t& begin : begins) begin = static_cast<std::int32_t>(up_to(ids));
    std::sort(begins.begin(), begins.end());
    if (!begins.empty()) begins.front() = 0;
    if (!begins.empty() && one_in(6)) begins.back() += static_cast<std::int32_t>(up_to(9)) - 4;
    return Tensor::from<std::int32_t>({length}, begins);
  }

  std::mt19937_64 random_;
};

class TableBagsTest : public internal::FolderTest {
 protected:
  // Two files with the rows of a tensor.
  Table in_files(const Tensor& tensor, std::int64_t first_rows) const {
    const std::string_view bytes(static_cast<const char*>(tensor.data()),
                                 static_cast<std::size_t>(tensor.byte_count()));
    Shape first = tensor.shape();
    first[0] = first_rows;
    Shape second = tensor.shape();
    second[0] -= first_rows;
    const auto cut = static_cast<std::size_t>(dense_byte_count(tensor.dtype(), first).value());
    const std::vector<TablePart> parts = {
        {write("a", bytes.substr(0, cut)), "", tensor.dtype(), first},
        {write("b", bytes.substr(cut)), "", tensor.dtype(), second}};
    return Table::open(parts).value();
  }

  static void expect_same(const Table& table, const Tensor& memory, const BagCall& call) {
    const auto expected =
        array::embedding_bag(memory, call.ids, call.offsets, call.weights, call.op, call.options);
    const auto result =
        table.embedding_bag(call.ids, call.offsets, call.weights, call.op, call.options);
    ASSERT_EQ(result.ok(), expected.ok())
        << (result.ok() ? expected.error() : result.error()).message();
    if (!expected.ok()) {
      EXPECT_EQ(result.error().message(), expected.error().message());
      return;
    }
    ASSERT_EQ(result->shape(), expected->shape());
    EXPECT_EQ(std::memcmp(result->data(), expected->data(),
                          static_cast<std::size_t>(result->byte_count())),
              0);
  }
};

TEST_F(TableBagsTest, DrawnCallsAreThoseOfTheTableInMemory) {
  DrawnBags drawn(20261127);
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const DType dtype = kTypes[static_cast<std::size_t>(i) % kTypes.size()];
    const Tensor memory = drawn.table(dtype, {3 + drawn.up_to(20), drawn.up_to(5)});
    const Table table = in_files(memory, drawn.up_to(3));
    for (int j = 0; j < 25; ++j) {
      const BagCall call = drawn.call(memory);
      expect_same(table, memory, call);
      if (!array::embedding_bag(memory, call.ids, call.offsets, call.weights, call.op,
                                call.options))
        ++refused;
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_LT(refused, 500);
}

TEST_F(TableBagsTest, BagsAreReadInGroupsAndALongOneAlone) {
  constexpr std::int64_t kWidth = 1 << 20;  // elements of 4 bytes: 16 rows fill a group
  static_assert(kTableBagBytes / (4 * kWidth) == 16);
  DrawnBags drawn(7);
  const Tensor memory = drawn.table(DType::kFloat32, {4, kWidth});
  const Table table = in_files(memory, 3);
  BagCall call;
  std::vector<std::int64_t> ids(60);
  for (std::int64_t& id : ids) id = drawn.up_to(3);
  call.ids = Tensor::from<std::int64_t>({60}, ids);
  call.offsets = Tensor::of<std::int32_t>({6}, {0, 5, 16, 17, 40, 40});
  call.weights = drawn.table(DType::kFloat32, {60});
  expect_same(table, memory, call);
}

TEST_F(TableBagsTest, ABadIdIsFoundBeforeAnythingIsRead) {
  DrawnBags drawn(8);
  const Table table = in_files(drawn.table(DType::kFloat32, {4, 2}), 2);
  const Tensor ids = Tensor::of<std::int32_t>({3}, {1, 9, 2});
  const auto bad = table.embedding_bag(ids, Tensor::of<std::int32_t>({1}, {0}), {});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(table.statistics().reads, 0);
}

}  // namespace
}  // namespace windrow
