#ifndef WINDROW_DIALECTS_SCATTER_H_
#define WINDROW_DIALECTS_SCATTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/access/access_map.h"
#include "src/dialects/maps.h"
#include "src/dialects/rules.h"
#include "src/dialects/schema.h"
#include "windrow/dtype.h"
#include "windrow/options.h"

// Scatters of elements and of tuples, as ONNX and OpenVINO have them: inputs data, indices,
// updates.
namespace windrow::internal {

// C1: one rank, at least 1.
Status check_element_ranks(const Rules& rules, const KnownInputs& inputs);
// C2: updates have the shape of indices; C3, if the axis is known: indices are not longer than data
// off the axis.
Status check_element_shapes(const Rules& rules, const KnownInputs& inputs,
                            std::optional<std::int64_t> axis);

// What the dialects disagree about in scatters of tuples.
struct TupleScatter {
  bool takes_single = false;  // one update may come as a tensor of any rank
  std::int64_t shortest_tuple = 0;
};

// C1: data and indices of rank 1 or more; C2: the tuples' length, at most the rank of data; C3: the
// shape of updates.
Status check_tuple_shapes(const Rules& rules, const KnownInputs& inputs,
                          const TupleScatter& scatter);

// What is not an address: how updates combine, and the rules that indices and duplicates break.
struct ScatterUse {
  Combine combine = Combine::kAssign;
  bool from_data = true;  // a reduction starts with data's cell
  IndexUse indices;
};

// `map` addresses input 0 for the points of input 2. `rule` is the one that a bad index breaks,
// unless negative indices are refused.
Operation scatter_operation(const Rules& rules, AccessMap map, const ScatterUse& use,
                            const CallOptions& options, std::string_view rule = "C4");

// `map` addresses a cache, input 0, for the points of its update, input 1.
Operation cache_operation(const Rules& rules, AccessMap map, const CallOptions& options,
                          std::string_view rule);

// Rows of data, input 0, that fold into the segments which segment_ids, input 1, number.

// CALL-O1: an id that belongs to no segment has no nearest one.
Status check_segment_policy(const Rules& rules, OutOfRange policy);

// C2: there is one id for each row of data.
Status check_segment_ids(const Rules& rules, const KnownInputs& inputs);

// C2 of offsets in place of ids: of `count` segments there are as many or one more.
Status check_segment_offsets(const Rules& rules, const KnownInput& offsets, std::int64_t count);

// [count] ++ data[1:].
SymbolicShape segments_shape(const KnownInput& data, Dim count);

// `count` is the number of segments. `order_rule` is the one that falling ids break, `rule` the one
// that a bad id breaks.
Operation segment_operation(const Rules& rules, std::span<const TensorSpec> inputs,
                            std::int64_t count, const ScatterUse& use, const CallOptions& options,
                            std::string_view order_rule, std::string_view rule);

// The same of segments that the input `offsets` bounds; `rule` is the one that a bad offset breaks.
Operation segments_of_offsets(const Rules& rules, std::span<const TensorSpec> inputs, int offsets,
                              std::int64_t count, Combine combine, const CallOptions& options,
                              std::string_view rule);

// The attribute `reduction` of the scatters. Each dialect has its names and its table of meanings.

struct NamedCombine {
  std::string_view name;
  Combine combine;
};

// A3: the name is one of `reductions`, which has a meaning for the type (kAbsent: any).
Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const NamedCombine> reductions, DType dtype,
                       bool (*has_meaning)(Combine, DType));

// What a reduction that A3 allows does.
Combine find_combine(std::span<const NamedCombine> reductions, std::string_view name);

// The same for an operator whose Schema says which reductions(version) it has.
template <class Op>
Status check_reduction(const Rules& rules, const Op& op, DType dtype,
                       bool (*has_meaning)(Combine, DType)) {
  return check_reduction(rules, op.reduction, Schema<Op>::reductions(op.version), dtype,
                         has_meaning);
}
template <class Op>
Combine combine_of(const Op& op) {
  return find_combine(Schema<Op>::reductions(op.version), op.reduction);
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_SCATTER_H_
