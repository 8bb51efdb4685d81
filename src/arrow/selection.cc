#include "src/arrow/selection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "src/arrow/bits.h"
#include "src/arrow/id_runs.h"
#include "src/arrow/place_ids.h"
#include "src/arrow/ranges.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

using windrow::internal::KernelTable;

// Rows are looked at in blocks of this size.
constexpr std::int64_t kSelectedAtOnce = 1024;

// Turns rows of the whole input into rows of its chunks.
template <class Cell>
Status find_chunks(std::span<const std::int64_t> starts, std::int64_t count, Cell* cells,
                   std::int32_t* chunk_of, const RunOptions& run) {
  return for_pieces(count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
    for (std::int64_t i = low; i < high; ++i) {
      const std::int64_t row = cells[i];
      // A binary search without a branch, which random rows would mispredict.
      const std::int64_t* start = starts.data();
      for (std::size_t rest = starts.size() - 1; rest > 1;) {
        const std::size_t half = rest / 2;
        start += start[half] <= row ? half : 0;
        rest -= half;
      }
      chunk_of[i] = static_cast<std::int32_t>(start - starts.data());
      cells[i] = static_cast<Cell>(row < 0 ? row : row - *start);
    }
  });
}

// The runs of all rows.
template <class Cell>
void find_runs(const Cell* cells, Selection& selection) {
  const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
  for (std::int64_t i = 0; i < selection.count; ++i) {
    // A block of rows that all follow one another, as most do.
    if (i > 0 && i % kSelectedAtOnce == 0 && i + kSelectedAtOnce <= selection.count &&
        chunk_of == nullptr && cells[i - 1] >= 0 &&
        count_breaks(cells, i, i + kSelectedAtOnce) == 0) {
      i += kSelectedAtOnce - 1;
      continue;
    }
    const std::int32_t chunk = chunk_of == nullptr ? 0 : chunk_of[i];
    if (i > 0 && chunk == selection.runs.back().chunk) {
      const Cell before = cells[i - 1];
      if (cells[i] == (before < 0 ? before : before + 1)) continue;
    }
    selection.runs.push_back({i, cells[i], chunk});
  }
}

// The bitmap of the rows that are not kNullRow.
template <class Cell>
Status write_validity(const Cell* cells, std::int64_t count, std::byte* to, const RunOptions& run) {
  return for_pieces(count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
    std::array<std::uint8_t, kSelectedAtOnce> bits;
    for (std::int64_t at = low; at < high; at += kSelectedAtOnce) {
      const std::int64_t some = std::min(kSelectedAtOnce, high - at);
      for (std::int64_t j = 0; j < some; ++j)
        bits[static_cast<std::size_t>(j)] = cells[at + j] != Cell{kNullRow} ? 1 : 0;
      pack_bits(bits.data(), some, to + at / 8);
    }
  });
}

template <class Cell>
Status fill(std::span<const IdRun> runs, const IdRule& rule, std::span<const std::int64_t> starts,
            const std::string& place, const KernelTable& kernels, const RunOptions& run,
            Selection& selection) {
  auto* const cells = reinterpret_cast<Cell*>(selection.cells.data);
  const Result<IdOutcome> placed = place_ids(runs, rule, cells, kernels, run);
  if (!placed) return placed.error();
  const IdOutcome& all = *placed;
  if (all.bad > 0) return bad_id(all, rule, selection.count, place);
  selection.nulls = all.nulls;
  selection.has_zeros = all.has_zeros;
  if (starts.size() > 2) {
    auto* const chunk_of = reinterpret_cast<std::int32_t*>(selection.chunk_of.data);
    if (Status status = find_chunks(starts, selection.count, cells, chunk_of, run); !status)
      return status;
  }
  if (all.breaks < selection.count / kLeastRun) find_runs(cells, selection);
  if (all.nulls == 0) return {};
  Result<NewBuffer> validity = new_buffer(bitmap_bytes(selection.count));
  if (!validity) return validity.error();
  if (Status status = write_validity(cells, selection.count, validity->data, run); !status)
    return status;
  selection.validity = validity->finish();
  return {};
}

Status allocate(bool has_chunks, Selection& selection) {
  const std::int64_t bytes = selection.is_wide ? 8 : 4;
  const auto total = windrow::internal::checked_mul(selection.count, bytes);
  if (!total) return {ErrorCode::kOutOfMemory, "more ids than memory can hold"};
  Result<NewBuffer> cells = new_buffer(*total);
  if (!cells) return cells.error();
  selection.cells = *std::move(cells);
  if (!has_chunks) return {};
  Result<NewBuffer> chunk_of = new_buffer(selection.count * 4);
  if (!chunk_of) return chunk_of.error();
  selection.chunk_of = *std::move(chunk_of);
  return {};
}

}  // namespace

Result<Selection> select_rows(const Ids& ids, const IdRule& rule,
                              std::span<const std::int64_t> starts, const std::string& place,
                              const windrow::internal::KernelTable& kernels,
                              const RunOptions& run) {
  Result<std::vector<IdRun>> runs = runs_of(ids);
  if (!runs) return runs.error();
  Selection selection;
  for (const IdRun& one : *runs) selection.count += one.count;
  selection.is_wide = rule.extent > std::numeric_limits<std::int32_t>::max();
  if (Status status = allocate(starts.size() > 2, selection); !status) return status;
  const Status status =
      selection.is_wide ? fill<std::int64_t>(*runs, rule, starts, place, kernels, run, selection)
                        : fill<std::int32_t>(*runs, rule, starts, place, kernels, run, selection);
  if (!status) return status;
  return selection;
}

}  // namespace windrow::arrow
