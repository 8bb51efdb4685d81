#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/arrow/arrow_fixture.h"
#include "windrow/operators.h"
#include "windrow/threads.h"

namespace windrow::arrow {
namespace {

using Numbers = std::vector<std::int64_t>;

const std::int64_t kValues[] = {10, 11, 12, 13, 14};

Result<Output> taken(const Numbers& ids, const Options& options = {}) {
  Producer producer("l", 5, {nullptr, kValues});
  return take(producer.give().value(), ids_of(ids), options);
}

Numbers numbers_of(const Result<Output>& output, std::int64_t count) {
  return Exported(output.value()).values<std::int64_t>(1, count);
}

TEST(Take, Rows) { EXPECT_EQ(numbers_of(taken({4, 0, -1, 0}), 4), (Numbers{14, 10, 14, 10})); }

TEST(Take, NamesTheFirstBadId) {
  const Status status = taken({0, 5, -6}).error();
  EXPECT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(status.message(),
            "arrow.take: ids[1] is 5, out of range for column 'a' of values with 5 rows (legal: -5 "
            "to 4); 2 of 3 ids are out of range");
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->position, Numbers{1});
  EXPECT_EQ(status.index_fault()->count, 2);
}

TEST(Take, NullRowsAreZeroInMemory) {
  Options options;
  options.null_out_of_range = true;
  const Result<Output> output = taken({4, 9, 1}, options);
  EXPECT_EQ(numbers_of(output, 3), (Numbers{14, 0, 11}));
  const Exported exported(output.value());
  EXPECT_EQ(exported.array.null_count, 1);
  EXPECT_EQ(exported.values<std::uint8_t>(0, 1)[0], 0b101);
  EXPECT_NE(exported.schema.flags & ARROW_FLAG_NULLABLE, 0);
}

TEST(RowNumbers, AreThoseThatTakeHas) {
  EXPECT_EQ(numbers_of(row_numbers(5, ids_of({4, 0, -1})), 3), (Numbers{4, 0, 4}));
  Options options;
  options.null_out_of_range = true;
  options.call.padding_index = 7;
  EXPECT_EQ(numbers_of(row_numbers(5, ids_of({7, 1, 9}), options), 3), (Numbers{-1, 1, -1}));
  EXPECT_EQ(row_numbers(5, ids_of({5})).error().code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(row_numbers(-1, ids_of({})).error().code(), ErrorCode::kInvalidArgument);
  const std::int64_t wide = std::int64_t{1} << 40;
  EXPECT_EQ(numbers_of(row_numbers(wide, ids_of({-1})), 1), (Numbers{wide - 1}));
}

TEST(Take, IdsOfAnyType) {
  Producer producer("l", 5, {nullptr, kValues});
  const Input values = producer.give().value();
  const std::uint8_t bytes[] = {3, 1};
  const std::uint64_t large[] = {0, ~std::uint64_t{0}};
  EXPECT_EQ(
      numbers_of(take(values, {std::nullopt, TensorView(DType::kUint8, {2}, bytes), nullptr}), 2),
      (Numbers{13, 11}));
  const Result<Output> bad =
      take(values, {std::nullopt, TensorView(DType::kUint64, {2}, large), nullptr});
  EXPECT_TRUE(bad.error().message().starts_with("arrow.take: ids[1] is 18446744073709551615,"));
  const double real[] = {1.0};
  EXPECT_EQ(
      take(values, {std::nullopt, TensorView(DType::kFloat64, {1}, real), nullptr}).error().code(),
      ErrorCode::kType);
}

TEST(Take, AnyNumberOfThreads) {
  const std::int64_t count = 200'001;
  std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
  Numbers ids;
  for (std::int64_t i = 0; i < count; ++i) {
    rows[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * 7);
    ids.push_back(count - 1 - i);
  }
  const std::unique_ptr<Threads> threads = make_threads(3);
  RunOptions run;
  run.threads = threads.get();
  Producer producer("i", count, {nullptr, rows.data()});
  const Output output = take(producer.give().value(), ids_of(ids), {}, run).value();
  EXPECT_EQ(Exported(output).values<std::int32_t>(1, count),
            std::vector<std::int32_t>(rows.rbegin(), rows.rend()));
}

// Rows 5000 to 104,999, then 70 null rows, then the first 40 rows.
// Runs are looked for in blocks; a null row before row 0 is no run, at a block's border neither.
TEST(Take, RunsAtTheBordersOfBlocks) {
  std::vector<std::int64_t> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i) + 7;
  Producer producer("l", 5000, {nullptr, values.data()});
  const Input input = producer.give().value();
  Options options;
  options.null_out_of_range = true;
  for (const std::int64_t before : {std::int64_t{9999}, std::int64_t{4999}, std::int64_t{0}}) {
    Numbers ids(3 * 1024 + 5);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i) - 1024;
    for (std::size_t i = 0; i < 1024; ++i) ids[i] = 100 + static_cast<std::int64_t>(i);
    ids[1023] = before;
    Numbers expected;
    for (const std::int64_t id : ids) expected.push_back(id == 9999 ? 0 : id + 7);
    const Result<Output> output = take(input, ids_of(ids), options);
    EXPECT_EQ(numbers_of(output, static_cast<std::int64_t>(ids.size())), expected) << before;
  }
}

TEST(Take, RunsOfRows) {
  std::vector<std::int16_t> rows(105'000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int16_t>(i * 3);
  Numbers ids;
  for (std::int64_t i = 5000; i < 105'000; ++i) ids.push_back(i);
  ids.insert(ids.end(), 70, std::int64_t{1} << 40);
  for (std::int64_t i = 0; i < 40; ++i) ids.push_back(i);
  std::vector<std::int16_t> expected;
  for (const std::int64_t id : ids)
    expected.push_back(id < 105'000 ? rows[static_cast<std::size_t>(id)] : std::int16_t{0});
  Options options;
  options.null_out_of_range = true;
  Producer producer("s", 105'000, {nullptr, rows.data()});
  const Output output = take(producer.give().value(), ids_of(ids), options).value();
  const Exported exported(output);
  EXPECT_EQ(exported.values<std::int16_t>(1, exported.array.length), expected);
  EXPECT_EQ(exported.array.null_count, 70);
}

TEST(Take, ExportsMoveApart) {
  Producer child("l", 5, {nullptr, kValues});
  Producer parent("+s", 5, {nullptr});
  ArrowSchema* schemas[] = {&child.schema};
  ArrowArray* arrays[] = {&child.array};
  parent.schema.n_children = parent.array.n_children = 1;
  parent.schema.children = schemas;
  parent.array.children = arrays;
  const Numbers ids = {2, 3};
  ArrowArray moved{};
  {
    const Output output = take(parent.give().value(), ids_of(ids)).value();
    const Exported exported(output);
    moved = *exported.array.children[0];
    exported.array.children[0]->release = nullptr;
  }
  EXPECT_EQ(static_cast<const std::int64_t*>(moved.buffers[1])[1], 13);
  moved.release(&moved);
  EXPECT_EQ(moved.release, nullptr);
}

TEST(Scatter, TheLastOneWinsAndNullsAreWritten) {
  const std::uint8_t validity = 0b0110;
  const std::int64_t updates[] = {1, 2, 3, 4};
  Producer column("l", 5, {nullptr, kValues});
  Producer values("l", 4, {&validity, updates});
  const Numbers ids = {0, 2, 2, -1};
  const Output output = scatter(column.give().value(), ids_of(ids), values.give().value()).value();
  const Exported exported(output);
  EXPECT_EQ(exported.values<std::int64_t>(1, 4), (Numbers{1, 11, 3, 13}));
  EXPECT_EQ(exported.values<std::uint8_t>(0, 1)[0], 0b01110);
  EXPECT_EQ(exported.array.null_count, 2);
}

TEST(Scatter, Truths) {
  const std::uint8_t bits = 0b10101;
  const std::uint8_t updates = 0b01;
  Producer column("b", 5, {nullptr, &bits});
  Producer values("b", 2, {nullptr, &updates});
  const Numbers ids = {1, 0};
  const Output output = scatter(column.give().value(), ids_of(ids), values.give().value()).value();
  EXPECT_EQ(Exported(output).values<std::uint8_t>(1, 1)[0], 0b10110);
}

// Ids of a type, some of them unsigned numbers that would be negative with a sign.
template <class Id>
Status taken_by(std::vector<Id> ids) {
  Producer producer("l", 5, {nullptr, kValues});
  const TensorView view(dtype_of<Id>::value, {static_cast<std::int64_t>(ids.size())}, ids.data());
  return take(producer.give().value(), {std::nullopt, view, nullptr}).error();
}

TEST(Take, UnsignedIdsNeverCountFromTheEnd) {
  EXPECT_EQ(taken_by<std::uint32_t>({0, ~std::uint32_t{0}}).index_fault()->value_text,
            "4294967295");
  EXPECT_EQ(taken_by<std::uint64_t>({~std::uint64_t{0}}).index_fault()->value_text,
            "18446744073709551615");
  EXPECT_EQ(taken_by<std::uint8_t>({255}).index_fault()->value_text, "255");
}

TEST(Take, ListsAsManyBadIdsAsTheRunAsksFor) {
  Producer producer("l", 5, {nullptr, kValues});
  RunOptions run;
  run.listed_indices = 2;
  const Numbers ids = {0, 5, -6, 1, 7};
  const Status status = take(producer.give().value(), ids_of(ids), {}, run).error();
  EXPECT_EQ(status.index_fault()->listed.positions, (Numbers{1, 2}));
  EXPECT_EQ(status.index_fault()->listed.values, (Numbers{5, -6}));
  EXPECT_EQ(status.index_fault()->count, 3);
}

// The buffers of a result, whole.
std::vector<std::uint8_t> bytes_of(const Output& output) {
  const Exported exported(output);
  const std::int64_t count = exported.array.length;
  const bool has_offsets = exported.array.n_buffers == 3;
  const std::string format = exported.schema.format;
  std::vector<std::uint8_t> all;
  const auto append = [&](int buffer, std::int64_t bytes) {
    if (exported.array.buffers[buffer] == nullptr) return;
    const auto part = exported.values<std::uint8_t>(buffer, bytes);
    all.insert(all.end(), part.begin(), part.end());
  };
  append(0, (count + 7) / 8);
  append(1, has_offsets ? 4 * (count + 1) : format == "b" ? (count + 7) / 8 : 8 * count);
  if (has_offsets) append(2, exported.values<std::int32_t>(1, count + 1).back());
  return all;
}

// Columns of 5000 rows: numbers with and without nulls, truth values, text.
class DrawnColumns {
 public:
  static constexpr std::int64_t kRows = 5000;

  explicit DrawnColumns(std::mt19937& random) : bytes_(kRows * 8), offsets_(kRows + 1) {
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random());
    for (std::size_t i = 1; i < offsets_.size(); ++i)
      offsets_[i] = offsets_[i - 1] + static_cast<std::int32_t>(random() % 7);
  }

  const std::uint8_t* bits() const { return bytes_.data(); }

  // The bytes of what take() gives of each; nothing if the machine does not have the kernels.
  std::vector<std::vector<std::uint8_t>> take_all(const Ids& ids, const Options& options) const {
    const std::pair<std::string, std::vector<const void*>> columns[] = {
        {"l", {bytes_.data(), bytes_.data()}},
        {"l", {nullptr, bytes_.data()}},
        {"b", {bytes_.data(), bytes_.data()}},
        {"u", {bytes_.data(), offsets_.data(), bytes_.data()}}};
    std::vector<std::vector<std::uint8_t>> all;
    for (const auto& [format, buffers] : columns) {
      Producer producer(format, kRows, buffers);
      const Result<Output> output = take(producer.give().value(), ids, options);
      if (!output && output.error().code() == ErrorCode::kUnsupported) return {};
      all.push_back(bytes_of(output.value()));
    }
    return all;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int32_t> offsets_;
};

// Compares every set of the machine with the plain kernels.
void check_kernels(const DrawnColumns& columns, const Ids& ids, bool null_out_of_range) {
  Options options;
  options.null_out_of_range = null_out_of_range;
  options.call.kernels = "plain";
  const auto expected = columns.take_all(ids, options);
  ASSERT_FALSE(expected.empty());
  for (const KernelSet& set : list_kernel_sets()) {
    if (!set.supported) continue;
    for (const char* const levers : {",gathers=on", ",gathers=off", ",straight=off"}) {
      options.call.kernels = set.name + levers;
      EXPECT_EQ(columns.take_all(ids, options), expected) << options.call.kernels;
    }
  }
}

TEST(Take, EveryKernelSetGivesTheSame) {
  std::mt19937 random(9);
  const DrawnColumns columns(random);
  Numbers numbers(3000);
  for (std::int64_t& id : numbers)
    id = static_cast<std::int64_t>(random() % (2 * DrawnColumns::kRows)) - DrawnColumns::kRows;
  Ids ids = ids_of(numbers);
  check_kernels(columns, ids, false);
  ids.validity = columns.bits();
  check_kernels(columns, ids, false);
  numbers[77] = DrawnColumns::kRows;
  check_kernels(columns, ids, true);
}

}  // namespace
}  // namespace windrow::arrow
