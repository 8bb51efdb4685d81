#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "src/explain/to_text.h"
#include "src/reference/element.h"
#include "tests/random/numbered_inputs.h"
#include "tests/random/random_call.h"
#include "windrow/explain.h"

// Explanations of random calls of every operator beside the slow reference. Where the operator
// takes int64, each element of the inputs is its own number, so that the reference's result says
// where every element comes from.
namespace windrow::tests {
namespace {

using internal::element_text;
using internal::reference::position_of;

constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kCalls = 3000;
constexpr std::int64_t kMostPoints = 4000;
// All elements of every call's output: what is compared is known.
constexpr std::int64_t kMostValues = 100'000;

std::string text_at(const TensorView& tensor, const Dims& position) {
  return element_text(internal::reference::read_element(tensor, position));
}

void expect_walks(const Explanation& explanation, const NumberedInputs& inputs,
                  const Tensor& expected) {
  ASSERT_EQ(std::ssize(explanation.walks), expected.element_count());
  const auto data = static_cast<std::size_t>(explanation.indirect_input);
  // A look-up in a quantised table computes with the cell that it reads.
  const bool computes = explanation.equation.find(" * scales[") != std::string::npos;
  for (std::int64_t i = 0; i < expected.element_count(); ++i) {
    const ExplainedPoint& walk = explanation.walks[static_cast<std::size_t>(i)];
    ASSERT_EQ(walk.number, i);
    ASSERT_EQ(walk.direct, position_of(expected.shape(), i));
    const std::string wanted = text_at(expected, walk.direct);
    ASSERT_EQ(walk.value, wanted) << "element " << i;
    if (walk.cell && computes) continue;
    if (walk.cell) {
      ASSERT_EQ(text_at(inputs.views[data], *walk.cell), wanted) << "element " << i;
    } else if (inputs.numbered && explanation.inputs.back().name != "end_token") {
      ASSERT_EQ(wanted, "0") << "element " << i;
    }
  }
}

// The walks of bags: where every element is its own number, an element of the result is the sum, or
// the maximum, of the elements that walk to it.
void expect_summands(const Explanation& explanation, const NumberedInputs& inputs,
                     const Tensor& expected) {
  if (!inputs.numbered || explanation.equation.find("divided") != std::string::npos) return;
  const bool is_max = explanation.equation.find("max(") != std::string::npos;
  std::map<std::int64_t, std::int64_t> sums;
  for (const ExplainedPoint& walk : explanation.walks) {
    ASSERT_EQ(walk.value.empty(), !walk.cell);
    if (!walk.cell) continue;
    const std::int64_t value = std::stoll(walk.value);
    const auto [sum, is_new] =
        sums.emplace(internal::reference::flat_index(expected.shape(), walk.direct), value);
    if (!is_new) sum->second = is_max ? std::max(sum->second, value) : sum->second + value;
  }
  for (const auto& [number, sum] : sums)
    ASSERT_EQ(text_at(expected, position_of(expected.shape(), number)), std::to_string(sum))
        << "element " << number;
}

// Whether the output starts as that input, not as one element of it.
bool starts_as(int input, const NumberedInputs& inputs, const Shape& output) {
  return inputs.views[static_cast<std::size_t>(input)].shape == output;
}

// Every cell that a write reaches has the reference's value; one that none reaches keeps data's.
void expect_writes(const Explanation& explanation, const NumberedInputs& inputs,
                   const Tensor& expected) {
  ASSERT_EQ(std::ssize(explanation.writes), explanation.points);
  std::map<std::int64_t, const ExplainedCell*> cells;
  for (const ExplainedCell& cell : explanation.cells)
    cells[internal::reference::flat_index(expected.shape(), cell.cell)] = &cell;
  const bool distinct = inputs.numbered && explanation.indirect_input >= 0 &&
                        explanation.indirect_input != explanation.updates_input &&
                        starts_as(explanation.indirect_input, inputs, expected.shape());
  for (std::int64_t i = 0; i < expected.element_count(); ++i) {
    const Dims position = position_of(expected.shape(), i);
    const std::string wanted = text_at(expected, position);
    const auto cell = cells.find(i);
    if (cell != cells.end()) {
      ASSERT_EQ(cell->second->result, wanted) << "cell " << i;
    } else if (distinct) {
      ASSERT_EQ(wanted, std::to_string(-1 - i)) << "cell " << i << " is not written";
    }
  }
  if (!distinct || explanation.folds) return;
  for (const ExplainedWrite& write : explanation.writes) {
    if (!write.point.cell || write.later) continue;
    ASSERT_EQ(text_at(expected, *write.point.cell), write.point.value)
        << "write " << write.point.number;
  }
}

struct Counts {
  int calls = 0;
  int compared = 0;
};

void check_call(const RandomCall& call, const Explanation& first, Counts& counts) {
  const int data = first.indirect_input >= 0 ? first.indirect_input : first.updates_input;
  for (const NumberedInputs& inputs : {own_inputs(call), numbered_inputs(call, data)}) {
    const Result<Tensor> expected =
        call_reference(call.id, call.attributes, inputs.views, call.options);
    ExplainOptions options;
    options.most_points = kMostPoints;
    const Result<Explanation> explanation =
        explain(call.id, call.attributes, inputs.views, call.options, options);
    if (!explanation.ok()) {
      EXPECT_FALSE(expected.ok()) << explanation.error().message();
      continue;
    }
    if (expected.ok()) {
      EXPECT_EQ(explanation->illegal, 0);
      EXPECT_EQ(explanation->failure, "");
      if (explanation->scatter)
        expect_writes(*explanation, inputs, *expected);
      else if (explanation->folds)
        expect_summands(*explanation, inputs, *expected);
      else
        expect_walks(*explanation, inputs, *expected);
      ++counts.compared;
    } else {
      EXPECT_NE(explanation->failure, "") << expected.error().message();
      const auto fault = expected.error().index_fault();
      // Without bounds, or with a row of empty bags that is not there, no sample is walked.
      const bool pools = explanation->folds && !explanation->scatter;
      const bool walks =
          fault != nullptr && (!pools || fault->input == "indices" || fault->input == "ids");
      if (walks && explanation->points > 0) {
        EXPECT_GT(explanation->illegal, 0) << expected.error().message();
      }
    }
  }
}

// The operator of another row of the table that a call is compared under.
OperatorId other_operator(const RandomCall& call) {
  const std::vector<OperatorInfo> rows = list_operators();
  const auto count = static_cast<std::uint64_t>(rows.size());
  for (std::uint64_t i = call.seed * 7919;; ++i) {
    const OperatorInfo& row = rows[i % count];
    if (row.scatter == call.info.scatter && row.inputs.size() >= call.inputs.size())
      return {row.dialect, row.name, row.since_version};
  }
}

bool same_outputs(const Result<Tensor>& a, const Result<Tensor>& b) {
  if (!a.ok() || !b.ok()) return a.ok() == b.ok();
  if (a->dtype() != b->dtype() || a->shape() != b->shape()) return false;
  for (std::int64_t i = 0; i < a->element_count(); ++i) {
    const Dims position = position_of(a->shape(), i);
    if (text_at(*a, position) != text_at(*b, position)) return false;
  }
  return true;
}

TEST(Compare, ExplanationsPartWhereTheReferencesOutputsDiffer) {
  std::map<bool, int> counts;
  ExplainOptions options;
  options.most_points = kMostPoints;
  options.most_values = kMostValues;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kCalls; ++seed) {
    const RandomCall call = make_random_call(seed);
    const std::vector<TensorView> views = call.views();
    const OperatorId to = other_operator(call);
    const Result<TranslatedCall> other = translate_call(call.id, call.attributes, views, to);
    if (!other.ok()) continue;
    const auto first = explain(call.id, call.attributes, views, call.options, options);
    const auto second = explain(to, other->attributes, other->inputs, {}, options);
    if (!first.ok() || !second.ok()) continue;
    if (first->points > kMostPoints || second->points > kMostPoints) continue;
    const Result<Tensor> a = call_reference(call.id, call.attributes, views, call.options);
    const Result<Tensor> b = call_reference(to, other->attributes, other->inputs);
    // Calls that fail leave nothing to compare with.
    if (!a.ok() && !b.ok()) continue;
    const Comparison comparison = compare(*first, *second);
    ASSERT_EQ(parts(comparison), !same_outputs(a, b)) << describe(call) << to_text(comparison);
    ++counts[parts(comparison)];
  }
  EXPECT_GT(counts[true], 100);
  EXPECT_GT(counts[false], 100);
}

TEST(Explain, EveryPointIsTheReferencesForRandomCallsOfEveryOperator) {
  std::map<std::string, Counts> counts;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kCalls; ++seed) {
    const RandomCall call = make_random_call(seed);
    Counts& of_operator = counts[call.id.dialect + "." + call.id.name];
    ++of_operator.calls;
    ExplainOptions one;
    one.most_points = 1;
    const Result<Explanation> first =
        explain(call.id, call.attributes, call.views(), call.options, one);
    if (!first.ok() || first->points > kMostPoints) continue;
    check_call(call, *first, of_operator);
    if (testing::Test::HasFailure()) {
      std::cout << describe(call) << "\n";
      return;
    }
  }
  for (const OperatorInfo& info : list_operators()) {
    const Counts& of_operator = counts[info.dialect + "." + info.name];
    EXPECT_GT(of_operator.compared, 10) << info.dialect << "." << info.name;
  }
}

}  // namespace
}  // namespace windrow::tests
