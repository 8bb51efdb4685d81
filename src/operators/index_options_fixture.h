#ifndef WINDROW_OPERATORS_INDEX_OPTIONS_FIXTURE_H_
#define WINDROW_OPERATORS_INDEX_OPTIONS_FIXTURE_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

// Gathers and sums under every option that says what an index means, compared with a few lines that
// say it again.
namespace windrow::internal {

inline constexpr OutOfRange kGatherPolicies[] = {OutOfRange::kError, OutOfRange::kZero,
                                                 OutOfRange::kClamp, OutOfRange::kModulo};
inline constexpr OutOfRange kScatterPolicies[] = {OutOfRange::kError, OutOfRange::kSkip,
                                                  OutOfRange::kClamp, OutOfRange::kModulo};
inline constexpr NegativeIndex kMeanings[] = {NegativeIndex::kFromEnd, NegativeIndex::kOutOfRange,
                                              NegativeIndex::kError};

// Where an index leads: a coordinate, outside, or to an error.
struct Place {
  bool refused = false;
  std::optional<std::int64_t> coordinate;
};

inline Place place_of(std::int64_t index, std::int64_t extent, const CallOptions& options) {
  const OutOfRange policy = options.out_of_range.value();
  if (index == options.padding_index) return {false, {}};
  if (index < 0 && options.negative == NegativeIndex::kError) return {true, {}};
  if (policy == OutOfRange::kModulo) return {false, (index % extent + extent) % extent};
  if (index < 0 && options.negative == NegativeIndex::kFromEnd) index += extent;
  if (index >= 0 && index < extent) return {false, index};
  if (policy == OutOfRange::kClamp) return {false, index < 0 ? 0 : extent - 1};
  return {policy == OutOfRange::kError, {}};
}

template <class Index>
Tensor indices_of(std::int64_t count, std::int64_t low, std::int64_t high) {
  std::vector<Index> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<Index>(low + i * 7 % (high - low + 1)));
  return Tensor::from<Index>({count}, values);
}

// The first illegal index and the number of all.
template <class Index>
std::pair<std::int64_t, std::int64_t> illegal(const Tensor& indices, std::int64_t extent,
                                              const CallOptions& options) {
  std::int64_t first = -1;
  std::int64_t count = 0;
  const auto values = indices.values<Index>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!place_of(static_cast<std::int64_t>(values[i]), extent, options).refused) continue;
    if (count++ == 0) first = static_cast<std::int64_t>(i);
  }
  return {first, count};
}

inline void expect_refused(const OperatorId& op, const std::vector<TensorView>& inputs,
                           const CallOptions& options, std::pair<std::int64_t, std::int64_t> bad) {
  const Status ours = call(op, {}, inputs, options).error();
  const Status witness = call_reference(op, {}, inputs, options).error();
  ASSERT_EQ(ours.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(ours.message(), witness.message());
  EXPECT_EQ(ours.constraint(), witness.constraint());
  ASSERT_NE(ours.index_fault(), nullptr);
  EXPECT_EQ(ours.index_fault()->position, std::vector<std::int64_t>{bad.first});
  EXPECT_EQ(ours.index_fault()->count, bad.second);
  const bool names_option =
      options.negative == NegativeIndex::kError && ours.index_fault()->value < 0;
  EXPECT_EQ(ours.constraint() == "CALL-O3", names_option) << ours.message();
}

// A run by every kernel set, with and without its levers, and by the reference.
inline void expect_result(const OperatorId& op, const std::vector<TensorView>& inputs,
                          const CallOptions& options, const Tensor& expected) {
  EXPECT_TRUE(same_bits(call_reference(op, {}, inputs, options).value(), expected));
  EagerThreads threads(3);
  for (const char* kernels :
       {"plain", "", ",straight=off", ",straight=on,gathers=on", ",buckets=on", ",stream=on"}) {
    CallOptions chosen = options;
    chosen.kernels = kernels;
    const auto result = call(op, {}, inputs, chosen, {.threads = &threads});
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_TRUE(same_bits(*result, expected)) << kernels;
  }
}

// Runs array.Take, or expects its error.
template <class Index>
void check_take(const Tensor& indices, std::int64_t rows, std::int64_t width,
                const CallOptions& options) {
  const OperatorId op{"array", "Take", std::nullopt};
  const Tensor data = counted<float>({rows, width});
  const std::vector<TensorView> inputs{data, indices};
  if (const auto bad = illegal<Index>(indices, rows, options); bad.second > 0)
    return expect_refused(op, inputs, options, bad);
  std::vector<float> expected;
  for (const Index index : indices.values<Index>()) {
    const auto at = place_of(static_cast<std::int64_t>(index), rows, options).coordinate;
    for (std::int64_t c = 0; c < width; ++c)
      expected.push_back(at ? static_cast<float>(*at * width + c) : 0.0F);
  }
  expect_result(op, inputs, options,
                Tensor::from<float>({indices.element_count(), width}, expected));
}

// The same of array.IndexAdd.
template <class Index>
void check_add(const Tensor& indices, std::int64_t rows, std::int64_t width,
               const CallOptions& options) {
  const OperatorId op{"array", "IndexAdd", std::nullopt};
  const Tensor data = counted<float>({rows, width});
  const Tensor updates = counted<float>({indices.element_count(), width});
  const std::vector<TensorView> inputs{data, indices, updates};
  if (const auto bad = illegal<Index>(indices, rows, options); bad.second > 0)
    return expect_refused(op, inputs, options, bad);
  const auto start = data.values<float>();
  std::vector<float> expected(start.begin(), start.end());
  const auto values = indices.values<Index>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = place_of(static_cast<std::int64_t>(values[i]), rows, options).coordinate;
    for (std::int64_t c = 0; at && c < width; ++c)
      expected[static_cast<std::size_t>(*at * width + c)] +=
          updates
              .values<float>()[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(c)];
  }
  expect_result(op, inputs, options, Tensor::from<float>({rows, width}, expected));
}

// Both with indices of one type on 40 rows, legal ones and such as are outside on both sides, under
// every policy; with `chosen` in place of the rest of the options.
template <class Index>
void check_every_policy(const CallOptions& chosen) {
  constexpr std::int64_t kRows = 40;
  const std::int64_t low = std::is_signed_v<Index> ? -kRows : 0;
  for (const std::int64_t count : {5, 3000}) {
    for (const std::int64_t width : {1, 3}) {
      for (const std::int64_t beyond : {0, 4}) {
        const std::int64_t first = std::is_signed_v<Index> ? low - beyond : 0;
        const Tensor indices = indices_of<Index>(count, first, kRows - 1 + beyond);
        CallOptions options = chosen;
        for (const OutOfRange policy : kGatherPolicies) {
          options.out_of_range = policy;
          check_take<Index>(indices, kRows, width, options);
        }
        for (const OutOfRange policy : kScatterPolicies) {
          options.out_of_range = policy;
          check_add<Index>(indices, kRows, width, options);
        }
      }
    }
  }
}

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_INDEX_OPTIONS_FIXTURE_H_
