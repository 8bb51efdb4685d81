#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "src/arrow/bits.h"
#include "src/arrow/input.h"
#include "src/arrow/output.h"
#include "src/arrow/ranges.h"
#include "src/arrow/selection.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

using windrow::internal::checked_mul;

// One column of a scatter, of the same type on both sides. A row of the input has `per_row` rows of
// it.
struct ScatterColumn {
  const Field& field;
  std::vector<const Chunk*> old;      // of the column
  std::vector<const Chunk*> updates;  // of the values
  std::int64_t per_row = 1;
  Place place;
};

struct ScatterCall {
  std::int64_t length;  // rows of the column
  const Selection& selection;
  const RunOptions& run;
};

// Calls visit(row, chunk, update) for every update in order: row `update` of the chunk goes to
// `row` of the result.
template <class Visit>
void for_updates(const ScatterCall& call, const ScatterColumn& column, const Visit& visit) {
  visit_cells(call.selection, [&](const auto* cells) {
    for (const Chunk* chunk : column.updates) {
      const std::int64_t rows = chunk->length / column.per_row;
      for (std::int64_t update = 0; update < rows; ++update)
        if (cells[update] >= 0) visit(std::int64_t{cells[update]}, *chunk, update);
      cells += rows;
    }
  });
}

// Bits of the result: the column's, then the updates'. bits_of(chunk) are a chunk's.
template <class BitsOf>
Result<NewBuffer> scatter_bits(const ScatterCall& call, const ScatterColumn& column,
                               const BitsOf& bits_of) {
  Result<NewBuffer> to = new_buffer(bitmap_bytes(call.length * column.per_row));
  if (!to) return to;
  std::int64_t at = 0;
  for (const Chunk* chunk : column.old) {
    const BitRows bits = bits_of(*chunk);
    for (std::int64_t i = 0; i < chunk->length; ++i) set_bit(to->data, at++, row_bit(bits, i));
  }
  for (; at % 8 != 0; ++at) set_bit(to->data, at, false);
  for_updates(call, column, [&](std::int64_t row, const Chunk& chunk, std::int64_t update) {
    const BitRows bits = bits_of(chunk);
    for (std::int64_t j = 0; j < column.per_row; ++j)
      set_bit(to->data, row * column.per_row + j, row_bit(bits, update * column.per_row + j));
  });
  return to;
}

Status scatter_validity(const ScatterCall& call, const ScatterColumn& column, Made& made) {
  made.length = call.length * column.per_row;
  made.buffers.emplace_back();
  const auto has_bitmap = [](const Chunk* chunk) { return chunk->validity != nullptr; };
  if (std::ranges::none_of(column.old, has_bitmap) &&
      std::ranges::none_of(column.updates, has_bitmap))
    return {};
  Result<NewBuffer> bits = scatter_bits(call, column, [](const Chunk& chunk) {
    return BitRows{chunk.validity, chunk.first};
  });
  if (!bits) return bits.error();
  made.null_count = count_zeros(bits->data, made.length);
  if (made.null_count > 0) made.buffers.back() = bits->finish();
  return {};
}

Status scatter_fixed(const ScatterCall& call, const ScatterColumn& column, Made& made) {
  const std::int64_t width = column.field.type.width;
  const auto bytes = checked_mul(call.length * column.per_row, width);
  if (!bytes)
    return {ErrorCode::kOutOfMemory, column.place.text() + ": a result of more than 2^63-1 bytes"};
  Result<NewBuffer> to = new_buffer(*bytes);
  if (!to) return to.error();
  const auto row_bytes = static_cast<std::size_t>(width * column.per_row);
  std::byte* at = to->data;
  for (const Chunk* chunk : column.old) {
    const std::int64_t all = chunk->length * width;
    if (all > 0) std::memcpy(at, chunk->data + chunk->first * width, static_cast<std::size_t>(all));
    at += all;
  }
  if (row_bytes > 0)
    for_updates(call, column, [&](std::int64_t row, const Chunk& chunk, std::int64_t update) {
      const std::byte* const from =
          chunk.data + chunk.first * width + update * static_cast<std::int64_t>(row_bytes);
      std::memcpy(to->data + row * static_cast<std::int64_t>(row_bytes), from, row_bytes);
    });
  made.buffers.push_back(to->finish());
  return {};
}

Status scatter_truths(const ScatterCall& call, const ScatterColumn& column, Made& made) {
  Result<NewBuffer> bits = scatter_bits(call, column, [](const Chunk& chunk) {
    return BitRows{chunk.data, chunk.first};
  });
  if (!bits) return bits.error();
  made.buffers.push_back(bits->finish());
  return {};
}

Result<Made> scatter_column(const ScatterCall& call, const ScatterColumn& column);

Status scatter_children(const ScatterCall& call, const ScatterColumn& column, Made& made) {
  const Field& field = column.field;
  const std::int64_t times = field.type.layout == Layout::kList ? field.type.list_size : 1;
  const auto per_row = checked_mul(column.per_row, times);
  if (!per_row || !checked_mul(*per_row, call.length))
    return {ErrorCode::kOutOfMemory, column.place.text() + ": lists of more than 2^63-1 rows"};
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    ScatterColumn child{
        field.children[i], {}, {}, *per_row, column.place.child(field.children[i].name)};
    for (const Chunk* chunk : column.old) child.old.push_back(&chunk->children[i]);
    // Without rows there is nothing to update.
    if (*per_row > 0)
      for (const Chunk* chunk : column.updates) child.updates.push_back(&chunk->children[i]);
    Result<Made> made_child = scatter_column(call, child);
    if (!made_child) return made_child.error();
    made.children.push_back(*std::move(made_child));
  }
  return {};
}

Result<Made> scatter_column(const ScatterCall& call, const ScatterColumn& column) {
  const Layout layout = column.field.type.layout;
  Made made;
  if (layout == Layout::kNull) {
    made.length = made.null_count = call.length * column.per_row;
    return made;
  }
  if (layout == Layout::kText || layout == Layout::kLargeText || layout == Layout::kViews)
    return Status(ErrorCode::kUnsupported,
                  column.place.text() + " is text of the Arrow format '" + column.field.format +
                      "'; scatter has types of fixed width and structs of them");
  Status status = scatter_validity(call, column, made);
  if (status)
    status = layout == Layout::kBits    ? scatter_truths(call, column, made)
             : layout == Layout::kFixed ? scatter_fixed(call, column, made)
                                        : scatter_children(call, column, made);
  if (!status) return status;
  return made;
}

// The first update, in order, of a row that an earlier one has.
Status refuse_duplicates(const Selection& selection, std::int64_t length) {
  Result<NewBuffer> seen = new_buffer(bitmap_bytes(length));
  if (!seen) return seen.error();
  std::memset(seen->data, 0, static_cast<std::size_t>(bitmap_bytes(length)));
  return visit_cells(selection, [&](const auto* cells) -> Status {
    for (std::int64_t i = 0; i < selection.count; ++i) {
      if (cells[i] < 0) continue;
      if (!bit_at(seen->data, cells[i])) {
        set_bit(seen->data, cells[i], true);
        continue;
      }
      const std::int64_t first = std::find(cells, cells + i, cells[i]) - cells;
      return {ErrorCode::kDuplicate, "ids[" + std::to_string(first) + "] and ids[" +
                                         std::to_string(i) + "] both write row " +
                                         std::to_string(cells[i])};
    }
    return {};
  });
}

Result<Output> run_scatter(const Input& column, const Ids& ids, const Input& values,
                           const Options& options, const RunOptions& run) {
  const InputState& old = column.state();
  const InputState& updates = values.state();
  if (!same_type(old.field, updates.field))
    return Status(ErrorCode::kType, updates.place.text() + " has the Arrow format '" +
                                        updates.field.format + "', " + old.place.text() + " has '" +
                                        old.field.format +
                                        "', or their fields differ; nothing is cast");
  Result<IdRule> rule = id_rule(options, old.length, true);
  if (!rule) return rule.error();
  const std::int64_t starts[] = {0, old.length};
  Result<Selection> selection = select_rows(ids, *rule, starts, old.place.text(), run);
  if (!selection) return selection.error();
  if (selection->count != updates.length)
    return Status(ErrorCode::kShape, "there are " + std::to_string(selection->count) +
                                         " ids, but " + std::to_string(updates.length) +
                                         " rows of " + updates.place.role);
  if (options.call.duplicates == Duplicates::kError)
    if (Status status = refuse_duplicates(*selection, old.length); !status) return status;
  const ScatterCall call{old.length, *selection, run};
  ScatterColumn top{old.field, {}, {}, 1, old.place};
  for (const Chunk& chunk : old.chunks) top.old.push_back(&chunk);
  for (const Chunk& chunk : updates.chunks) top.updates.push_back(&chunk);
  Result<Made> made = scatter_column(call, top);
  if (!made) return made.error();
  auto state = std::make_shared<OutputState>();
  state->field = old.field;
  state->is_table = old.place.is_table;
  state->array = *std::move(made);
  return Output(std::move(state));
}

}  // namespace

Result<Output> scatter(const Input& column, const Ids& ids, const Input& values,
                       const Options& options, const RunOptions& run) {
  try {
    Result<Output> output = run_scatter(column, ids, values, options, run);
    if (!output) return output.error().with_context("arrow.scatter");
    return output;
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, "arrow.scatter: out of memory");
  }
}

}  // namespace windrow::arrow
