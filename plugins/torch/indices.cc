#include "plugins/torch/indices.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "plugins/torch/errors.h"

namespace windrow::torch_plugin {
namespace {

template <typename T>
T read(const char* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

// Calls use(position, value) for every element in row-major order, until it returns false.
template <typename T, typename Use>
void visit(const View& index, int32_t rank, Use use) {
  int64_t position[kMostAxes] = {};
  if (index.empty()) return;
  const auto* address = static_cast<const char*>(index.data);
  for (;;) {
    if (!use(position, read<T>(address))) return;
    int32_t axis = rank - 1;
    for (; axis >= 0; --axis) {
      address += index.strides[axis];
      if (++position[axis] < index.shape[axis]) break;
      address -= index.shape[axis] * index.strides[axis];
      position[axis] = 0;
    }
    if (axis < 0) return;
  }
}

// The first bad index is named, negative or not, as Windrow does it.
template <typename T>
[[noreturn]] void report(const View& index, int32_t rank, const IndexMeaning& meaning, int64_t dim,
                         int64_t extent) {
  int64_t first[kMostAxes] = {};
  int64_t value = 0;
  int64_t count = 0;
  visit<T>(index, rank, [&](const int64_t* position, T found) {
    if (found >= 0 && found < extent) return true;
    if (count++ == 0) {
      std::copy_n(position, rank, first);
      value = found;
    }
    return true;
  });
  fail(BadIndex{.input = meaning.name,
                .position = {first, static_cast<std::size_t>(meaning.rank)},
                .value = value,
                .dim = dim,
                .first = 0,
                .extent = extent,
                .count = count,
                .rule = {}});
}

bool is_dense(const View& index, int32_t rank) noexcept {
  int64_t step = windrow_dtype_bits(index.dtype) / 8;
  for (int32_t axis = rank - 1; axis >= 0; --axis) {
    if (index.shape[axis] != 1 && index.strides[axis] != step) return false;
    step *= index.shape[axis];
  }
  return true;
}

// The sign of the bitwise or of all is the sign of any: one pass without a branch.
template <typename T>
bool any_negative(const T* values, int64_t count) noexcept {
  T any = 0;
  for (int64_t i = 0; i < count; ++i) any |= values[i];
  return any < 0;
}

// Fewer indices are looked at sooner than threads are woken (about 10 us).
constexpr int64_t kWorthThreads = 1 << 17;

template <typename T>
bool any_negative(const View& index, int32_t rank, const windrow_threads& threads) {
  if (!is_dense(index, rank)) {
    bool found = false;
    visit<T>(index, rank, [&](const int64_t*, T value) { return !(found = value < 0); });
    return found;
  }
  struct Job {
    const T* values;
    int64_t count;
    int pieces;
    std::atomic<bool> found{false};
  } job{static_cast<const T*>(index.data), 1, 1};
  for (int32_t axis = 0; axis < rank; ++axis) job.count *= index.shape[axis];
  if (job.count < kWorthThreads) return any_negative(job.values, job.count);
  job.pieces = threads.count;
  threads.parallel(
      threads.user, job.pieces,
      [](void* context, int piece) {
        auto* all = static_cast<Job*>(context);
        const int64_t begin = all->count / all->pieces * piece;
        const int64_t end =
            piece + 1 == all->pieces ? all->count : begin + all->count / all->pieces;
        if (any_negative(all->values + begin, end - begin)) all->found = true;
      },
      &job);
  return job.found;
}

}  // namespace

void check_index_type(const View& index, std::string_view name) {
  if (index.dtype == WINDROW_INT64 || index.dtype == WINDROW_INT32) return;
  fail(std::string(name) + " has the element type " + windrow_dtype_name(index.dtype) +
       "; it must be int64 or int32");
}

void refuse_negative(const View& index, const IndexMeaning& meaning, int64_t dim, int64_t extent,
                     const windrow_threads& threads) {
  // Axes that were appended for complex numbers hold the same indices again.
  const auto rank = static_cast<int32_t>(meaning.rank);
  if (index.dtype == WINDROW_INT32) {
    if (any_negative<int32_t>(index, rank, threads))
      report<int32_t>(index, rank, meaning, dim, extent);
  } else {
    if (any_negative<int64_t>(index, rank, threads))
      report<int64_t>(index, rank, meaning, dim, extent);
  }
}

}  // namespace windrow::torch_plugin
