// Indices of a table on disk that change while a call reads them: every row of the result is one
// that its index named at some moment, or the call is an error; no byte beside the table is taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "src/tables/table_fixture.h"
#include "tests/attack/watched_memory.h"
#include "tests/random/rng.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow::tests {
namespace {

constexpr std::int64_t kRows = 500;
constexpr std::int64_t kWidth = 5;
constexpr std::int64_t kIds = 1100;  // more than a block of points
constexpr std::int64_t kFirstByte = 4096;
constexpr std::int64_t kMoments = 6;

using Ids = std::vector<std::int64_t>;

// The row that an index names, counted from 1; 0: zeros; absent: an error.
std::optional<std::uint32_t> row_of(std::int64_t id, OutOfRange policy) {
  // Under clamp an index does not count from the end, as under NumPy's "clip".
  if (policy == OutOfRange::kClamp && id < 0) return 1;
  if (id >= -kRows && id < kRows) return static_cast<std::uint32_t>(id < 0 ? id + kRows : id) + 1;
  switch (policy) {
    case OutOfRange::kZero:
      return 0;
    case OutOfRange::kClamp:
      return static_cast<std::uint32_t>(kRows);
    case OutOfRange::kModulo:
      return static_cast<std::uint32_t>((id % kRows + kRows) % kRows) + 1;
    default:
      return std::nullopt;
  }
}

class ChangingTableIndices : public internal::FolderTest,
                             public testing::WithParamInterface<OutOfRange> {
 protected:
  // Rows of their numbers from 1 on, between bytes that are none of them.
  ChangingTableIndices() {
    std::vector<std::uint32_t> elements(kFirstByte / 2 + kRows * kWidth, ~std::uint32_t{0});
    for (std::int64_t i = 0; i < kRows * kWidth; ++i)
      elements[static_cast<std::size_t>(kFirstByte / 4 + i)] =
          static_cast<std::uint32_t>(i / kWidth + 1);
    const std::filesystem::path path = write(
        "table",
        {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof elements[0]});
    const TablePart part{path, "", DType::kUint32, Shape({kRows, kWidth}), kFirstByte};
    TableOptions options;
    options.cache = TableCache::create(kLeastTableCache).value();
    table_ = Table::open({&part, 1}, options).value();
    CallOptions call;
    call.out_of_range = GetParam();
    const TensorSpec ids{DType::kInt64, Shape({kIds}), std::nullopt, nullptr};
    plan_ = compile(array::Take{}, {table_->spec(), ids}, call).value();
  }

  // Takes rows once and returns how many instructions read the indices.
  std::int64_t run_once(const WatchedMemory::Changes& changes, const Ids& beginning) {
    memory_.fill(std::as_bytes(std::span(beginning)));
    const TensorView ids(DType::kInt64, Shape({kIds}), memory_.data());
    const std::array<TensorView, 2> inputs = {TensorView(), ids};
    Tensor out = Tensor::zeros(DType::kUint32, Shape({kIds, kWidth})).value();
    Status status;
    const std::int64_t reads =
        memory_.run(changes, [&] { status = table_->run(*plan_, inputs, out.mutable_view()); });
    EXPECT_NE(status.code(), ErrorCode::kInternal) << status.message();
    if (status) check(out, beginning, changes);
    return reads;
  }

  static void check(const Tensor& out, const Ids& beginning,
                    const WatchedMemory::Changes& changes) {
    const auto* const elements = static_cast<const std::uint32_t*>(out.data());
    for (std::int64_t i = 0; i < kIds; ++i) {
      bool is_named =
          row_of(beginning[static_cast<std::size_t>(i)], GetParam()) == elements[i * kWidth];
      for (const std::span<const std::byte> contents : {changes.contents, changes.others}) {
        if (contents.empty()) continue;
        std::int64_t id;
        std::memcpy(&id, contents.data() + i * 8, sizeof id);
        is_named = is_named || row_of(id, GetParam()) == elements[i * kWidth];
      }
      EXPECT_TRUE(is_named) << "row " << i << " is " << elements[i * kWidth];
      EXPECT_TRUE(
          std::all_of(elements + i * kWidth, elements + (i + 1) * kWidth,
                      [&](std::uint32_t element) { return element == elements[i * kWidth]; }));
    }
  }

  std::optional<Table> table_;
  std::optional<Plan> plan_;
  WatchedMemory memory_{kIds * sizeof(std::int64_t)};
};

Ids drawn(Rng& rng, std::span<const std::int64_t> others) {
  Ids ids(kIds);
  for (std::int64_t& id : ids)
    id = others.empty() || rng.between(0, 3) != 0 ? rng.between(-kRows, kRows - 1)
                                                  : rng.pick(others);
  return ids;
}

TEST_P(ChangingTableIndices, NameEveryRowThatIsTaken) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  Rng rng(seed);
  const std::array<std::int64_t, 6> far = {kRows,
                                           -kRows - 1,
                                           std::int64_t{1} << 32,
                                           std::int64_t{1} << 61,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
  const Ids beginning = drawn(rng, {});
  const Ids legal = drawn(rng, {});
  const Ids wild = drawn(rng, far);
  const std::int64_t reads = run_once({}, beginning);
  ASSERT_GT(reads, 0);
  const std::int64_t step = std::max<std::int64_t>(reads / kMoments, 1);
  for (const Ids* contents : {&legal, &wild})
    for (const std::int64_t every : {0, 1, 3})
      for (std::int64_t first = rng.between(0, step - 1); first < reads; first += step)
        run_once({first, every, std::as_bytes(std::span(*contents)),
                  std::as_bytes(std::span(beginning))},
                 beginning);
}

INSTANTIATE_TEST_SUITE_P(Policies, ChangingTableIndices,
                         testing::Values(OutOfRange::kError, OutOfRange::kZero, OutOfRange::kClamp,
                                         OutOfRange::kModulo));

}  // namespace
}  // namespace windrow::tests
