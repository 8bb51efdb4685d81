#ifndef WINDROW_KERNELS_REGISTRY_H_
#define WINDROW_KERNELS_REGISTRY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/kernels/jobs.h"
#include "windrow/dtype.h"

// Names and traits of all kernels, made from kernels.inc, and the tables of their functions, one
// per instruction set.
namespace windrow::internal {

// Every family and the type of its functions.
#define WINDROW_FAMILIES(FAMILY)                                                     \
  FAMILY(kCopyRows, BlockFunction)     /* gathers of rows */                         \
  FAMILY(kTakeElements, BlockFunction) /* gathers of elements */                     \
  FAMILY(kAssign, BlockFunction)       /* scatters that assign */                    \
  FAMILY(kReduce, BlockFunction)       /* scatters that reduce */                    \
  FAMILY(kScatterStraight, StraightFunction)                                         \
  FAMILY(kFoldBag, BagFunction)        /* pooled look-ups */                         \
  FAMILY(kFoldBagInFloat, BagFunction) /* the same, summed in float32 */             \
  FAMILY(kDequantise, LineFunction)    /* quantised look-ups */                      \
  FAMILY(kGatherStrings, StringFunction)                                             \
  FAMILY(kScatterStrings, StringFunction)                                            \
  FAMILY(kTake, TakeFunction)         /* by single loads */                          \
  FAMILY(kTakeGathered, TakeFunction) /* by gather instructions */                   \
  FAMILY(kLookUp, TakeFunction)       /* dense tables of at most kMostLookupBytes */ \
  FAMILY(kCopyPlane, PlaneFunction)                                                  \
  FAMILY(kCopyGrid, GridFunction) /* elements with gaps or in another order */       \
  FAMILY(kLoad, LoadFunction)                                                        \
  FAMILY(kOffsets, OffsetFunction)                                                   \
  FAMILY(kSelectOwned, SelectFunction)                                               \
  FAMILY(kAllWithin, WithinFunction)                                                 \
  FAMILY(kConstantRuns, ConstantFunction)                                            \
  FAMILY(kTakeBits, BitFunction)

enum class Family : std::uint8_t {
#define WINDROW_FAMILY(name, function) name,
  WINDROW_FAMILIES(WINDROW_FAMILY)
#undef WINDROW_FAMILY
      kCount
};

template <Family kFamily>
struct FamilyFunction;
#define WINDROW_FAMILY(name, function)  \
  template <>                           \
  struct FamilyFunction<Family::name> { \
    using Type = function;              \
  };
WINDROW_FAMILIES(WINDROW_FAMILY)
#undef WINDROW_FAMILY
#undef WINDROW_FAMILIES

template <Family kFamily>
using FunctionOf = typename FamilyFunction<kFamily>::Type;

// The arithmetic of a reduction; kNone moves bytes.
enum class Fold : std::uint8_t { kNone, kAdd, kSub, kMul, kMin, kMax };

enum class Kernel : std::uint16_t {
#define WINDROW_KERNEL(name, family, low, high, dtype, fold, function) name,
#include "src/kernels/kernels.inc"
  kCount
};

struct KernelRow {
  std::string_view name;
  Family family;
  std::int64_t low;   // the fewest bytes of a row or an element that it takes
  std::int64_t high;  // the most bytes
  DType dtype;        // of the cells that are reduced, or of the indices; else kAbsent
  Fold fold;
};

// One row per Kernel, in its order.
inline constexpr KernelRow kKernelRows[] = {
#define WINDROW_KERNEL(name, family, low, high, dtype, fold, function) \
  {#name, Family::family, low, high, DType::dtype, Fold::fold},
#include "src/kernels/kernels.inc"
};

// The properties by which a kernel is looked up.
struct KernelQuery {
  Family family;
  std::int64_t bytes = 0;  // of a row or an element
  DType dtype = DType::kAbsent;
  Fold fold = Fold::kNone;
};

// Whether a row of the query's family serves the query.
constexpr bool takes(const KernelRow& row, const KernelQuery& query) noexcept {
  return row.low <= query.bytes && query.bytes <= row.high && row.fold == query.fold &&
         row.dtype == query.dtype;
}

// The first row of each family; the family's other rows follow it.
inline constexpr auto kFirstRows = [] {
  std::array<std::size_t, static_cast<std::size_t>(Family::kCount)> first{};
  for (std::size_t row = std::size(kKernelRows); row-- > 0;)
    first[static_cast<std::size_t>(kKernelRows[row].family)] = row;
  return first;
}();

// The first row that serves the query; kCount if there is none.
constexpr Kernel find_kernel(const KernelQuery& query) noexcept {
  for (std::size_t row = kFirstRows[static_cast<std::size_t>(query.family)];
       row < std::size(kKernelRows) && kKernelRows[row].family == query.family; ++row)
    if (takes(kKernelRows[row], query)) return static_cast<Kernel>(row);
  return Kernel::kCount;
}

// The functions of one instruction set.
class KernelTable {
 public:
  // Returns null if the set has no function for this row or there is no such row.
  template <Family kFamily>
  FunctionOf<kFamily> get(Kernel kernel) const noexcept {
    return reinterpret_cast<FunctionOf<kFamily>>(functions_[static_cast<std::size_t>(kernel)]);
  }
  // The function of the first row for this number of bytes. Searches the rows of the family, so it
  // is only for plans and for the start of a run.
  template <Family kFamily>
  FunctionOf<kFamily> find(std::int64_t bytes, DType dtype = DType::kAbsent,
                           Fold fold = Fold::kNone) const noexcept {
    return get<kFamily>(find_kernel({kFamily, bytes, dtype, fold}));
  }
  // Same as find(), for a family whose rows differ only in their type. Does not search.
  template <Family kFamily>
  FunctionOf<kFamily> of_type(DType dtype) const noexcept {
    return get<kFamily>(kByType<kFamily>[static_cast<std::size_t>(dtype)]);
  }

  // The function of a kernel of any family of blocks.
  BlockFunction block(Kernel kernel) const noexcept { return get<Family::kReduce>(kernel); }
  void copy_plane(const Plane& plane) const noexcept {
    get<Family::kCopyPlane>(Kernel::copy_plane)(plane);
  }

  template <Family kFamily>
  void set(Kernel kernel, FunctionOf<kFamily> function) noexcept {
    functions_[static_cast<std::size_t>(kernel)] = reinterpret_cast<AnyFunction>(function);
  }

 private:
  using AnyFunction = void (*)();

  template <Family kFamily>
  static constexpr auto kByType = [] {
    std::array<Kernel, 256> kernels{};
    for (std::size_t type = 0; type < kernels.size(); ++type)
      kernels[type] = find_kernel({kFamily, 0, static_cast<DType>(type)});
    return kernels;
  }();

  std::array<AnyFunction, static_cast<std::size_t>(Kernel::kCount) + 1> functions_{};
};

struct KernelSetEntry {
  std::string_view name;   // "plain", "avx2", "avx512", "neon", "sve"
  bool supported = false;  // whether this machine supports it
  KernelTable table;       // empty if not supported
};

// All sets that were built, slowest first; the last supported one is the default.
std::span<const KernelSetEntry> kernel_sets() noexcept;

// The set of that name; the default for an empty name. Returns null if the set was not built or the
// machine does not support it.
const KernelSetEntry* find_kernel_set(std::string_view name) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_REGISTRY_H_
