#include <cstring>
#include <utility>

#include "src/arrow/bits.h"
#include "src/arrow/ranges.h"
#include "src/arrow/take.h"
#include "src/base/integers.h"
#include "windrow/array.h"

namespace windrow::arrow {
namespace {

// Rows of bytes as a tensor: [rows] of a number of that size, or [rows, n] of the largest numbers
// that fit.
TensorView rows_view(const std::byte* data, std::int64_t rows, std::int64_t row_bytes) {
  constexpr std::pair<std::int64_t, DType> kUnits[] = {
      {8, DType::kUint64}, {4, DType::kUint32}, {2, DType::kUint16}};
  std::pair<std::int64_t, DType> unit{1, DType::kUint8};
  for (const auto& one : kUnits) {
    if (row_bytes % one.first != 0) continue;
    unit = one;
    break;
  }
  if (row_bytes == unit.first) return {unit.second, {rows}, data};
  return {unit.second, {rows, row_bytes / unit.first}, data};
}

// Takes the rows of one chunk by a plan of array.Take.
Status take_by_plan(const Chunk& chunk, const TakeColumn& column, std::int64_t row_bytes,
                    const TensorView& ids, const CallOptions& options, RunOptions run,
                    const NewBuffer& to) {
  const TensorView data = rows_view(chunk.data + chunk.first * column.field.type.width,
                                    chunk.length / column.per_row, row_bytes);
  const TensorSpec specs[] = {data.spec(), ids.spec()};
  const Result<Plan> plan = compile(windrow::array::Take{.axis = 0}, specs, options);
  if (!plan) return plan.error();
  const MutableTensorView out(plan->result().dtype, plan->result().shape, to.data);
  run.fresh_output = ids.shape[0] * row_bytes >= kFreshBytes && !to.is_recycled;
  return plan->run({data, ids}, out, run);
}

// Rows that are null or zero are negative ids, which are out of range and give zeros.
Status take_selected(const TakeCall& call, const TakeColumn& column, std::int64_t row_bytes,
                     const NewBuffer& to) {
  const Selection& selection = call.selection;
  CallOptions options;
  options.kernels = call.kernel_text;
  options.negative = NegativeIndex::kOutOfRange;
  if (selection.nulls > 0 || selection.has_zeros) options.out_of_range = OutOfRange::kZero;
  const TensorView cells(selection.is_wide ? DType::kInt64 : DType::kInt32, {selection.count},
                         selection.cells.data);
  return take_by_plan(*column.chunks.front(), column, row_bytes, cells, options, call.run, to);
}

// Rows of several chunks, or of none.
template <class Cell>
struct RowGather {
  const Selection& selection;
  const Cell* cells;
  std::vector<const std::byte*> rows;  // the first row of each chunk
  std::int64_t row_bytes;
  std::byte* to;

  const std::byte* row(std::int64_t i) const {
    const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
    const std::size_t chunk = chunk_of == nullptr ? 0 : static_cast<std::size_t>(chunk_of[i]);
    return rows[chunk] + cells[i] * row_bytes;
  }

  // kBytes: the size of a row, or 0 for any.
  template <std::size_t kBytes>
  void run(std::int64_t low, std::int64_t high) const {
    constexpr std::int64_t kAhead = 16;
    const std::size_t bytes = kBytes == 0 ? static_cast<std::size_t>(row_bytes) : kBytes;
    for (std::int64_t i = low; i < high; ++i) {
      if (i + kAhead < high && cells[i + kAhead] >= 0) __builtin_prefetch(row(i + kAhead));
      std::byte* const out = to + i * row_bytes;
      if (cells[i] < 0) {
        std::memset(out, 0, bytes);
      } else {
        std::memcpy(out, row(i), bytes);
      }
    }
  }

  void run_any(std::int64_t low, std::int64_t high) const {
    switch (row_bytes) {
      case 1:
        return run<1>(low, high);
      case 2:
        return run<2>(low, high);
      case 4:
        return run<4>(low, high);
      case 8:
        return run<8>(low, high);
      case 16:
        return run<16>(low, high);
      default:
        return run<0>(low, high);
    }
  }
};

Status take_of_chunks(const TakeCall& call, const TakeColumn& column, std::int64_t row_bytes,
                      const NewBuffer& to) {
  return visit_cells(call.selection, [&]<class Cell>(const Cell* cells) {
    RowGather<Cell> gather{call.selection, cells, {}, row_bytes, to.data};
    for (const Chunk* chunk : column.chunks)
      gather.rows.push_back(chunk->data + chunk->first * column.field.type.width);
    return for_pieces(
        call.selection.count, call.run,
        [&](std::int64_t, std::int64_t low, std::int64_t high) { gather.run_any(low, high); });
  });
}

// Rows that follow one another, copied at once.
Status take_runs(const TakeCall& call, const TakeColumn& column, std::int64_t row_bytes,
                 const NewBuffer& to) {
  const auto body = [&](std::int64_t, std::int64_t low, std::int64_t high) {
    visit_runs(call.selection, low, high,
               [&](std::int64_t at, std::int64_t cell, std::int32_t number, std::int64_t length) {
                 std::byte* const out = to.data + at * row_bytes;
                 const auto bytes = static_cast<std::size_t>(length * row_bytes);
                 if (cell < 0) {
                   std::memset(out, 0, bytes);
                   return;
                 }
                 const Chunk& chunk = *column.chunks[static_cast<std::size_t>(number)];
                 std::memcpy(out,
                             chunk.data + chunk.first * column.field.type.width + cell * row_bytes,
                             bytes);
               });
  };
  return for_pieces(call.selection.count, call.run, body);
}

}  // namespace

Status take_fixed(const TakeCall& call, const TakeColumn& column, Made& made) {
  using windrow::internal::checked_mul;
  const auto row_bytes = checked_mul(column.field.type.width, column.per_row);
  const auto bytes = row_bytes ? checked_mul(*row_bytes, call.selection.count) : std::nullopt;
  if (!bytes)
    return {ErrorCode::kOutOfMemory, column.place.text() + ": a result of more than 2^63-1 bytes"};
  Result<NewBuffer> to = new_buffer(*bytes);
  if (!to) return to.error();
  if (*bytes > 0) {
    const auto& way = !call.selection.runs.empty() ? take_runs
                      : column.chunks.size() == 1  ? take_selected
                                                   : take_of_chunks;
    Status status = way(call, column, *row_bytes, *to);
    if (!status) return status;
  }
  made.buffers.push_back(to->finish());
  return {};
}

Status take_straight(const TakeColumn& column, const TensorView& ids, const CallOptions& options,
                     const RunOptions& run, Made& made) {
  const std::int64_t width = column.field.type.width;
  const auto bytes = windrow::internal::checked_mul(width, ids.shape[0]);
  if (!bytes) return {ErrorCode::kOutOfMemory, "a result of more than 2^63-1 bytes"};
  Result<NewBuffer> to = new_buffer(*bytes);
  if (!to) return to.error();
  const Chunk& chunk = *column.chunks.front();
  if (Status status = take_by_plan(chunk, column, width, ids, options, run, *to); !status)
    return status;
  made.length = ids.shape[0];
  made.buffers = {Buffer(), to->finish()};
  return {};
}

Status take_bits(const TakeCall& call, const TakeColumn& column, Made& made) {
  std::vector<BitRows> rows;
  for (const Chunk* chunk : column.chunks)
    rows.push_back({chunk->data, chunk->first, chunk->length});
  Result<NewBuffer> bits =
      gather_bits(rows, call.selection, column.per_row, false, call.kernels, call.run);
  if (!bits) return bits.error();
  made.buffers.push_back(bits->finish());
  return {};
}

}  // namespace windrow::arrow
