#include "plugins/torch/indices.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/torch/view.h"

namespace windrow::torch_plugin {
namespace {

// Off `dim` an index tensor may be smaller than self; the elements beyond it are not read.
void check_fits(const View& self, const Index& index, int64_t dim) {
  bool fits = self.rank == index.view.rank;
  for (int32_t axis = 0; fits && axis < self.rank; ++axis) {
    fits = axis == dim || index.view.shape[axis] <= self.shape[axis];
  }
  if (fits) return;
  fail("index has the shape " + shape_text(index.view.extents()) + " and self " +
       shape_text(self.extents()) + "; they must have as many axes, and off dim = " +
       std::to_string(dim) + " index must not be larger");
}

}  // namespace

Index::Index(const Tensor& tensor, bool from_end, std::string_view name)
    : view(tensor), meaning{name, tensor.dim(), from_end} {
  check_index_type(view, name);
}

Index::Index(const View& data, int64_t dim) noexcept : view(data) {
  view.dtype = WINDROW_INT64;
  view.data = nullptr;
  view.shape[dim] = 0;
  meaning.rank = data.rank;
}

int64_t wrap_dim(int64_t dim, const View& self) {
  if (dim < -self.rank || dim >= self.rank) {
    fail("dim = " + std::to_string(dim) + " is out of range: it must be from " +
         std::to_string(-self.rank) + " to " + std::to_string(self.rank - 1));
  }
  return dim < 0 ? dim + self.rank : dim;
}

void check_vector(const Index& index) {
  if (index.meaning.rank <= 1) return;
  fail("index has the shape " + shape_text(index.view.extents()) +
       "; it must have at most one axis");
}

Index element_index(const Tensor& tensor, const View& data, int64_t dim) {
  if (tensor.numel() == 0) return {data, dim};
  Index index(tensor, false);
  check_fits(data, index, dim);
  return index;
}

namespace {

template <typename T>
T read(const char* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

// Calls use(position, value) for every element in row-major order until it returns false.
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

// Names the first bad index, whether negative or too large, as Windrow does.
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

// The index tensor as runs of elements at one distance, in any order, each element once. Axes that
// repeat the same indices are left out, and axes that are contiguous in memory are joined.
struct Runs {
  int64_t count = 1;                               // elements in a run
  int64_t step = 0;                                // bytes from one element to the next
  std::vector<std::pair<int64_t, int64_t>> outer;  // extent and step of the axes of runs

  Runs(const View& index, int32_t rank) {
    for (int32_t axis = 0; axis < rank; ++axis) {
      if (index.shape[axis] == 0) count = 0;
      if (index.shape[axis] != 1 && index.strides[axis] != 0)
        outer.emplace_back(index.shape[axis], index.strides[axis]);
    }
    std::ranges::sort(outer, std::greater(), &std::pair<int64_t, int64_t>::second);
    while (!outer.empty() && count != 0) {
      const auto [extent, distance] = outer.back();
      if (step != 0 && distance != count * step) break;
      if (step == 0) step = distance;
      count *= extent;
      outer.pop_back();
    }
  }
};

// The sign of the bitwise or of all elements shows whether any is negative: one pass without a
// branch.
template <typename T>
bool any_negative(const char* first, int64_t count, int64_t step) noexcept {
  T any = 0;
  if (step == sizeof(T)) {
    for (int64_t i = 0; i < count; ++i) any |= read<T>(first + i * static_cast<int64_t>(sizeof(T)));
  } else {
    for (int64_t i = 0; i < count; ++i) any |= read<T>(first + i * step);
  }
  return any < 0;
}

template <typename T>
bool any_negative(const char* first, const Runs& runs, std::size_t depth) noexcept {
  if (depth == runs.outer.size()) return any_negative<T>(first, runs.count, runs.step);
  const auto [extent, step] = runs.outer[depth];
  for (int64_t i = 0; i < extent; ++i) {
    if (any_negative<T>(first + i * step, runs, depth + 1)) return true;
  }
  return false;
}

// The number of elements that take about half a millisecond to check. For fewer, a thread that
// starts late costs more than it saves.
constexpr int64_t kWorthThreads = 1 << 20;

template <typename T>
bool any_negative(const View& index, int32_t rank, const windrow_threads& threads) {
  const Runs runs(index, rank);
  if (runs.count == 0) return false;
  const auto* first = static_cast<const char*>(index.data);
  if (!runs.outer.empty() || runs.count < kWorthThreads) return any_negative<T>(first, runs, 0);
  struct Job {
    const char* first;
    const Runs& runs;
    int64_t piece;
    std::atomic<bool> found{false};
  } job{first, runs, (runs.count + threads.count - 1) / threads.count};
  threads.parallel(
      threads.user, threads.count,
      [](void* context, int number) {
        auto* all = static_cast<Job*>(context);
        const int64_t begin = std::min(all->runs.count, number * all->piece);
        const int64_t count = std::min(all->runs.count - begin, all->piece);
        if (any_negative<T>(all->first + begin * all->runs.step, count, all->runs.step))
          all->found = true;
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
  // Axes that were appended for complex numbers repeat the same indices.
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
