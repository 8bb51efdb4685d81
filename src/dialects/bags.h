#ifndef WINDROW_DIALECTS_BAGS_H_
#define WINDROW_DIALECTS_BAGS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/access/access_map.h"
#include "src/dialects/rules.h"
#include "windrow/dim.h"
#include "windrow/tensor.h"

// What the pooled look-ups of all dialects share. Their inputs begin with the table and the ids.
namespace windrow::internal {

inline constexpr int kTableInput = 0;
inline constexpr int kIdsInput = 1;

// Where a pooled look-up has its inputs (negative: it has none), and the labels of its rules.
struct BagForm {
  Bags::Bounds bounds = Bags::Bounds::kRows;
  int bounds_input = -1;
  int default_input = -1;
  int weights_input = -1;
  std::string_view default_shape = {};
  std::string_view weights_shape = {};
  std::string_view bounds_rule = {};
  std::string_view default_rule = {};
  std::string_view index_rule = {};
};

// The input of that number; null for a negative one.
const KnownInput* input_of(const KnownInputs& inputs, int number);

// Whether the call gives an input, as far as that is known.
bool is_given(const KnownInput& input);

Status check_rank(const Rules& rules, std::string_view rule, const KnownInput& input,
                  std::int64_t rank);

// C1: the table has an axis, and the rows of all samples together, which have an axis more if the
// ids are `packed` in a matrix, have a rank that a tensor can have.
Status check_bag_table(const Rules& rules, const KnownInput& table, bool packed);

// The shapes of the optional inputs: a scalar, and that of the ids.
Status check_bag_options(const Rules& rules, const KnownInputs& inputs, const BagForm& form);

// [bags] ++ table[1:].
SymbolicShape pooled_shape(const KnownInput& table, Dim bags);

// `combine`: kAdd, kMean or kMax.
Operation build_bags(const Rules& rules, const BagForm& form, Combine combine,
                     std::span<const TensorSpec> inputs, const IndexUse& use);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_BAGS_H_
