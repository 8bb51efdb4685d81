#include <cstring>

#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take_straight/take_tuples.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/private-inl.h"
#include "src/kernels/stream-inl.h"

// Elements with an index tuple each: the offsets of a chunk of them by vector code, while those of
// the chunk before are loaded and those of this one fetched, element by element in turn.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

template <class Element, class Index, int kLength>
class Tuples {
 public:
  static constexpr std::int64_t kCount = 64;

  explicit Tuples(const TupleRun& run) : run_(run) {}

  bool take() {
    std::int64_t j = take_head();
    if (j + kCount <= run_.count) j = take_chunks(j);
    for (; j < run_.count; ++j) take_one(j);
    return outside_;
  }

 private:
  struct Chunk {
    std::uint32_t offsets[kCount];
    bool outside;
  };

  const std::byte* tuple(std::int64_t j) const {
    return run_.indices + static_cast<std::size_t>(j * kLength) * sizeof(Index);
  }
  std::byte* out(std::int64_t j) const {
    return run_.out + static_cast<std::size_t>(j) * sizeof(Element);
  }

  // What turns a tuple into an offset. Loops hold it by value: behind a reference it would be read
  // again after every write.
  struct Axes {
    std::int64_t extents[kLength];
    std::int64_t wraps[kLength];
    std::uint32_t steps[kLength];
  };

  Axes axes() const {
    Axes axes;
    for (int k = 0; k < kLength; ++k) {
      const auto place = static_cast<std::size_t>(k);
      axes.extents[k] = run_.extents[place];
      axes.wraps[k] = run_.wraps ? run_.extents[place] : 0;
      axes.steps[k] = run_.steps[place];
    }
    return axes;
  }

  // The offset of an element, from a private copy of its tuple; adds to `outside` whether a
  // coordinate is.
  static HWY_INLINE std::uint32_t offset_of(const Axes& axes, const Index* tuple,
                                            unsigned& outside) {
    std::uint32_t offset = 0;
    for (int k = 0; k < kLength; ++k) {
      const std::int64_t wide = tuple[k];
      const std::int64_t coordinate = wide < 0 ? wide + axes.wraps[k] : wide;
      outside |=
          static_cast<std::uint64_t>(coordinate) >= static_cast<std::uint64_t>(axes.extents[k])
              ? 1U
              : 0U;
      offset += static_cast<std::uint32_t>(coordinate) * axes.steps[k];
    }
    return offset;
  }

  void take_one(std::int64_t j) {
    unsigned outside = 0;
    Index indices[kLength];
    for (int k = 0; k < kLength; ++k)
      indices[k] = read_once<Index>(tuple(j) + static_cast<std::size_t>(k) * sizeof(Index));
    const std::uint32_t offset = offset_of(axes(), indices, outside);
    Element element{};
    if (outside == 0)
      std::memcpy(&element, run_.table + std::size_t{offset} * sizeof element, sizeof element);
    std::memcpy(out(j), &element, sizeof element);
    outside_ |= outside != 0;
  }

  // Up to where the result stands at a cache line, if it is streamed.
  std::int64_t take_head() {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Element));
    const std::int64_t place = line_offset(run_.out);
    streams_ = run_.stream && place % kBytes == 0;
    const std::int64_t head = streams_ && place > 0 ? (kLine - place) / kBytes : 0;
    std::int64_t j = 0;
    for (; j < run_.count && j < head; ++j) take_one(j);
    return j;
  }

  void read(std::int64_t j, Chunk& chunk) const {
    unsigned outside = 0;
    const Axes axes = this->axes();
    PrivateCopy<Index, kCount * kLength> indices;
    indices.take_all(tuple(j));
    for (std::int64_t i = 0; i < kCount; ++i)
      chunk.offsets[i] = offset_of(axes, indices.elements + i * kLength, outside);
    chunk.outside = outside != 0;
  }

  std::int64_t take_chunks(std::int64_t j) {
    Chunk chunks[2];
    int current = 0;
    read(j, chunks[current]);
    for (;; j += kCount) {
      const bool last = j + 2 * kCount > run_.count;
      Chunk& next = chunks[last ? current : 1 - current];
      if (!last) read(j + kCount, next);
      load(j, chunks[current], next);
      if (last) return j + kCount;
      current = 1 - current;
    }
  }

  void load(std::int64_t j, const Chunk& chunk, const Chunk& next) {
    if (chunk.outside) {
      for (std::int64_t i = 0; i < kCount; ++i) take_one(j + i);
      return;
    }
    alignas(64) std::byte elements[kCount * sizeof(Element)];
    run_.ahead ? load_each<true>(j, chunk, next, elements)
               : load_each<false>(j, chunk, next, elements);
    if (streams_) {
      stream_copy<WideStream>(out(j), elements, sizeof elements);
    } else {
      std::memcpy(out(j), elements, sizeof elements);
    }
  }

  template <bool kFetches>
  HWY_INLINE void load_each(std::int64_t j, const Chunk& chunk, const Chunk& next,
                            std::byte* elements) const {
    constexpr auto kIndexLines =
        static_cast<std::int64_t>(kLength * sizeof(Index)) * kCount / kLine;
    const std::byte* indices = tuple(j);
    for (std::int64_t i = 0; i < kCount; ++i) {
      if (i < kIndexLines) fetch_stream(indices + i * kLine);
      if constexpr (kFetches)
        fetch_line<2>(run_.table + std::size_t{next.offsets[i]} * sizeof(Element));
      std::memcpy(elements + static_cast<std::size_t>(i) * sizeof(Element),
                  run_.table + std::size_t{chunk.offsets[i]} * sizeof(Element), sizeof(Element));
    }
  }

  const TupleRun run_;
  bool streams_ = false;
  bool outside_ = false;
};

template <class Element, class Index>
bool take_tuples(const TupleRun& run) noexcept {
  switch (run.length) {
    case 1:
      return Tuples<Element, Index, 1>(run).take();
    case 2:
      return Tuples<Element, Index, 2>(run).take();
    case 3:
      return Tuples<Element, Index, 3>(run).take();
    default:
      return Tuples<Element, Index, kMostTuple>(run).take();
  }
}

template <class Index>
constexpr std::array<TupleFunction, 4> tuple_functions() {
  return {&take_tuples<std::uint8_t, Index>, &take_tuples<std::uint16_t, Index>,
          &take_tuples<std::uint32_t, Index>, &take_tuples<std::uint64_t, Index>};
}

}  // namespace

void bind_take_tuples_target(KernelTable& table) {
  table.take_tuples_int32 = tuple_functions<std::int32_t>();
  table.take_tuples_int64 = tuple_functions<std::int64_t>();
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_take_tuples_target);

void bind_take_tuples(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_take_tuples_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
