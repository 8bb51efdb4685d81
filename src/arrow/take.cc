#include "src/arrow/take.h"

#include <algorithm>
#include <new>
#include <utility>

#include "src/arrow/bits.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

std::vector<BitRows> validity_rows(const TakeColumn& column) {
  std::vector<BitRows> rows;
  for (const Chunk* chunk : column.chunks)
    rows.push_back({chunk->validity, chunk->first, chunk->length});
  return rows;
}

// Appends the validity bitmap and counts the nulls.
Status take_validity(const TakeCall& call, const TakeColumn& column, Made& made) {
  const Selection& selection = call.selection;
  made.length = selection.count * column.per_row;
  made.buffers.emplace_back();
  const bool has_bitmap = std::ranges::any_of(
      column.chunks, [](const Chunk* chunk) { return chunk->validity != nullptr; });
  if (has_bitmap) {
    Result<NewBuffer> bits =
        gather_bits(validity_rows(column), selection, column.per_row, true, call.kernels, call.run);
    if (!bits) return bits.error();
    made.null_count = count_zeros(bits->data, made.length);
    if (made.null_count > 0) made.buffers.back() = bits->finish();
  } else if (!column.in_list && !column.place.is_table) {
    made.null_count = selection.nulls;
    made.buffers.back() = selection.validity;
  }
  return {};
}

Status take_children(const TakeCall& call, const TakeColumn& column, Made& made) {
  const Field& field = column.field;
  const std::int64_t times = field.type.layout == Layout::kList ? field.type.list_size : 1;
  const auto per_row = windrow::internal::checked_mul(column.per_row, times);
  if (!per_row || !windrow::internal::checked_mul(*per_row, call.selection.count))
    return {ErrorCode::kOutOfMemory, column.place.text() + ": lists of more than 2^63-1 rows"};
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    const bool in_list = column.in_list || field.type.layout == Layout::kList;
    TakeColumn child{
        field.children[i], {}, *per_row, in_list, column.place.child(field.children[i].name)};
    for (const Chunk* chunk : column.chunks) child.chunks.push_back(&chunk->children[i]);
    Result<Made> taken = take_column(call, child);
    if (!taken) return taken.error();
    made.children.push_back(*std::move(taken));
  }
  return {};
}

Status take_rows(const TakeCall& call, const TakeColumn& column, Made& made) {
  switch (column.field.type.layout) {
    case Layout::kBits:
      return take_bits(call, column, made);
    case Layout::kFixed:
      return take_fixed(call, column, made);
    case Layout::kText:
    case Layout::kLargeText:
      return take_text(call, column, made);
    case Layout::kViews:
      return take_views(call, column, made);
    default:
      return take_children(call, column, made);
  }
}

}  // namespace

Result<Made> take_column(const TakeCall& call, const TakeColumn& column) {
  Made made;
  if (column.field.type.layout == Layout::kNull) {
    made.length = made.null_count = call.selection.count * column.per_row;
    return made;
  }
  if (column.in_list && is_text(column.field.type.layout))
    return Status(
        ErrorCode::kUnsupported,
        column.place.text() + " is text inside fixed-size lists, which are not supported");
  if (Status status = take_validity(call, column, made); !status) return status;
  if (Status status = take_rows(call, column, made); !status) return status;
  return made;
}

namespace {

// What the ids address, for messages: "values (columns 'a', 'b')".
std::string addressed(const InputState& input) {
  const std::vector<Field>& columns = input.field.children;
  if (!input.place.is_table || columns.empty()) return input.place.text();
  constexpr std::size_t kNamed = 3;
  std::string text = input.place.role + (columns.size() == 1 ? " (column " : " (columns ");
  for (std::size_t i = 0; i < std::min(kNamed, columns.size()); ++i)
    text += (i == 0 ? "'" : ", '") + columns[i].name + "'";
  if (columns.size() > kNamed) text += " and " + std::to_string(columns.size() - kNamed) + " more";
  return text + ")";
}

Output output_of(const InputState& input, Made made) {
  auto state = std::make_shared<OutputState>();
  state->field = input.field;
  state->is_table = input.place.is_table;
  state->array = std::move(made);
  return Output(std::move(state));
}

Result<Output> run_take(const Input& values, const Ids& ids, const Options& options,
                        const RunOptions& run) {
  const InputState& input = values.state();
  Result<IdRule> rule = id_rule(options, input.length, false);
  if (!rule) return rule.error();
  Result<std::optional<Made>> straight = try_straight(input, ids, *rule, options, run);
  if (!straight) return straight.error();
  if (*straight) return output_of(input, **std::move(straight));
  const Result<ChosenKernels> kernels = choose_kernels(options.call);
  if (!kernels) return kernels.error();
  Result<Selection> selection =
      select_rows(ids, *rule, input.starts, addressed(input), *kernels->table, run);
  if (!selection) return selection.error();
  const TakeCall call{values.shared(), *selection, *kernels, options.call.kernels, run};
  TakeColumn column{input.field, {}, 1, false, input.place};
  for (const Chunk& chunk : input.chunks) column.chunks.push_back(&chunk);
  Result<Made> made = take_column(call, column);
  if (!made) return made.error();
  return output_of(input, *std::move(made));
}

Result<Output> run_row_numbers(std::int64_t length, const Ids& ids, const Options& options,
                               const RunOptions& run) {
  if (length < 0)
    return Status(ErrorCode::kInvalidArgument,
                  "length is " + std::to_string(length) + ", must be 0 or more");
  const Result<IdRule> rule = id_rule(options, length, false);
  if (!rule) return rule.error();
  const std::int64_t starts[] = {0, length};
  const Result<ChosenKernels> kernels = choose_kernels(options.call);
  if (!kernels) return kernels.error();
  const Result<Selection> selection =
      select_rows(ids, *rule, starts, "values", *kernels->table, run);
  if (!selection) return selection.error();
  const std::int64_t count = selection->count;
  Result<NewBuffer> to = new_buffer(count * static_cast<std::int64_t>(sizeof(std::int64_t)));
  if (!to) return to.error();
  visit_cells(*selection, [&](const auto* cells) {
    auto* const numbers = reinterpret_cast<std::int64_t*>(to->data);
    for (std::int64_t i = 0; i < count; ++i) numbers[i] = std::max<std::int64_t>(cells[i], -1);
  });
  auto state = std::make_shared<OutputState>();
  state->field.format = "l";
  state->array.length = count;
  state->array.buffers = {Buffer(), to->finish()};
  return Output(std::move(state));
}

// What make() returns, with the operator's name in its error.
template <class Make>
Result<Output> with_context(const Make& make) {
  try {
    Result<Output> output = make();
    if (!output) return output.error().with_context("arrow.take");
    return output;
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, "arrow.take: out of memory");
  }
}

}  // namespace

Result<Output> take(const Input& values, const Ids& ids, const Options& options,
                    const RunOptions& run) {
  return with_context([&] { return run_take(values, ids, options, run); });
}

Result<Output> row_numbers(std::int64_t length, const Ids& ids, const Options& options,
                           const RunOptions& run) {
  return with_context([&] { return run_row_numbers(length, ids, options, run); });
}

}  // namespace windrow::arrow
