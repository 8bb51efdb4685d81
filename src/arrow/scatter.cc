#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

#include "src/arrow/bits.h"
#include "src/arrow/chosen_kernels.h"
#include "src/arrow/input.h"
#include "src/arrow/output.h"
#include "src/arrow/ranges.h"
#include "src/arrow/selection.h"
#include "src/arrow/take.h"
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
  bool in_list = false;
  Place place;
};

struct ScatterCall {
  std::int64_t length;  // rows of the column
  const Selection& selection;
  // The take that gives the same rows from the chunks of both sides; its Selection is empty unless
  // there is text.
  const TakeCall& merged;
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
    return BitRows{chunk.validity, chunk.first, chunk.length};
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
    return BitRows{chunk.data, chunk.first, chunk.length};
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
    const bool in_list = column.in_list || field.type.layout == Layout::kList;
    ScatterColumn child{field.children[i], {},      {},
                        *per_row,          in_list, column.place.child(field.children[i].name)};
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
  if (is_text(layout)) {
    TakeColumn both{column.field, column.old, column.per_row, column.in_list, column.place};
    both.chunks.insert(both.chunks.end(), column.updates.begin(), column.updates.end());
    return take_column(call.merged, both);
  }
  Status status = scatter_validity(call, column, made);
  if (status)
    status = layout == Layout::kBits    ? scatter_truths(call, column, made)
             : layout == Layout::kFixed ? scatter_fixed(call, column, made)
                                        : scatter_children(call, column, made);
  if (!status) return status;
  return made;
}

bool has_text(const Field& field) {
  return is_text(field.type.layout) || std::ranges::any_of(field.children, &has_text);
}

// The rows of the result among the chunks of the column and, behind them, those of the updates.
template <class Cell>
void merge_rows(const InputState& old, const InputState& updates, const Selection& selection,
                Selection& merged) {
  auto* const cells = reinterpret_cast<Cell*>(merged.cells.data);
  auto* const chunk_of = reinterpret_cast<std::int32_t*>(merged.chunk_of.data);
  std::int64_t at = 0;
  std::int32_t number = 0;
  for (const Chunk& chunk : old.chunks) {
    std::iota(cells + at, cells + at + chunk.length, Cell{0});
    std::fill_n(chunk_of + at, chunk.length, number++);
    at += chunk.length;
  }
  visit_cells(selection, [&](const auto* rows) {
    for (const Chunk& chunk : updates.chunks) {
      for (std::int64_t update = 0; update < chunk.length; ++update) {
        if (rows[update] < 0) continue;
        cells[rows[update]] = static_cast<Cell>(update);
        chunk_of[rows[update]] = number;
      }
      rows += chunk.length;
      ++number;
    }
  });
}

// The Selection of merge_rows(); an empty one if the column has no text.
Result<Selection> select_merged(const InputState& old, const InputState& updates,
                                const Selection& selection) {
  Selection merged;
  if (!has_text(old.field)) return merged;
  merged.count = old.length;
  merged.is_wide = std::max(old.length, updates.length) > std::numeric_limits<std::int32_t>::max();
  const auto cell_bytes = checked_mul(old.length, merged.is_wide ? 8 : 4);
  if (!cell_bytes) return Status(ErrorCode::kOutOfMemory, "more rows than memory can hold");
  Result<NewBuffer> cells = new_buffer(*cell_bytes);
  if (!cells) return cells.error();
  Result<NewBuffer> chunk_of = new_buffer(old.length * 4);
  if (!chunk_of) return chunk_of.error();
  merged.cells = *std::move(cells);
  merged.chunk_of = *std::move(chunk_of);
  if (merged.is_wide) {
    merge_rows<std::int64_t>(old, updates, selection, merged);
  } else {
    merge_rows<std::int32_t>(old, updates, selection, merged);
  }
  return merged;
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
  const Result<ChosenKernels> kernels = choose_kernels(options.call);
  if (!kernels) return kernels.error();
  Result<Selection> selection =
      select_rows(ids, *rule, starts, old.place.text(), *kernels->table, run);
  if (!selection) return selection.error();
  if (selection->count != updates.length)
    return Status(ErrorCode::kShape, "there are " + std::to_string(selection->count) +
                                         " ids, but " + std::to_string(updates.length) +
                                         " rows of " + updates.place.role);
  if (options.call.duplicates == Duplicates::kError)
    if (Status status = refuse_duplicates(*selection, old.length); !status) return status;
  const Result<Selection> merged = select_merged(old, updates, *selection);
  if (!merged) return merged.error();
  const auto both = std::make_shared<const std::pair<Input, Input>>(column, values);
  const TakeCall take{both, *merged, *kernels, options.call.kernels, run};
  const ScatterCall call{old.length, *selection, take, run};
  ScatterColumn top{old.field, {}, {}, 1, false, old.place};
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
