#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "src/arrow/id_runs.h"
#include "src/arrow/take.h"

namespace windrow::arrow {
namespace {

// The column that a plan may take straight by the ids: the only one, of numbers, in one chunk and
// without nulls.
std::optional<TakeColumn> straight_column(const InputState& input) {
  const std::vector<Field>& fields = input.field.children;
  if (input.chunks.size() != 1 || input.chunks[0].validity != nullptr) return std::nullopt;
  if (input.place.is_table && fields.size() != 1) return std::nullopt;
  const Field& field = input.place.is_table ? fields[0] : input.field;
  const Chunk& chunk = input.place.is_table ? input.chunks[0].children[0] : input.chunks[0];
  if (field.type.layout != Layout::kFixed || field.type.width == 0 || chunk.validity != nullptr)
    return std::nullopt;
  return TakeColumn{field, {&chunk}, 1, false, input.place};
}

// Ids as a plan reads them.
struct StraightIds {
  TensorView numbers;  // int32 or int64, dense
  NegativeIndex negative = NegativeIndex::kOutOfRange;
};

// Nothing if a plan cannot read them. An unsigned id that no extent exceeds is negative there, and
// out of range.
std::optional<StraightIds> straight_ids(const Ids& ids, const IdRule& rule) {
  if (rule.padding || rule.null_outside || rule.policy != OutOfRange::kError) return std::nullopt;
  const Result<std::vector<IdRun>> runs = runs_of(ids);
  if (!runs || runs->size() != 1 || (*runs)[0].validity != nullptr) return std::nullopt;
  const IdRun& run = (*runs)[0];
  const bool is_wide = dtype_bits(run.dtype) == 64;
  if (run.count == 0 || run.step != (is_wide ? 8 : 4) || dtype_bits(run.dtype) < 32 ||
      (!is_wide && rule.extent > std::numeric_limits<std::int32_t>::max()))
    return std::nullopt;
  const bool wraps =
      dtype_kind(run.dtype) == DTypeKind::kSigned && rule.negative == NegativeIndex::kFromEnd;
  return StraightIds{TensorView(is_wide ? DType::kInt64 : DType::kInt32, {run.count}, run.data),
                     wraps ? NegativeIndex::kFromEnd : NegativeIndex::kOutOfRange};
}

}  // namespace

Result<std::optional<Made>> try_straight(const InputState& input, const Ids& ids,
                                         const IdRule& rule, const Options& options,
                                         const RunOptions& run) {
  const std::optional<TakeColumn> column = straight_column(input);
  const std::optional<StraightIds> straight = column ? straight_ids(ids, rule) : std::nullopt;
  if (!straight) return std::optional<Made>();
  CallOptions plain;
  plain.kernels = options.call.kernels;
  plain.negative = straight->negative;
  Made made;
  const Status status = take_straight(*column, straight->numbers, plain, run, made);
  if (!status && status.code() == ErrorCode::kIndexOutOfRange) return std::optional<Made>();
  if (!status) return status;
  if (!input.place.is_table) return std::optional<Made>(std::move(made));
  Made table;
  table.length = made.length;
  table.buffers.emplace_back();
  table.children.push_back(std::move(made));
  return std::optional<Made>(std::move(table));
}

}  // namespace windrow::arrow
