#include <new>
#include <string>

#include "src/kernels/bind.h"

// Strings are std::string elements; copying one may run out of memory.
namespace windrow::internal {
namespace {

struct Assign {
  static void apply(std::string& cell, const std::string& update) { cell = update; }
};
struct Append {
  static void apply(std::string& cell, const std::string& update) { cell += update; }
};
// Orders by bytes. Of equal strings the update is taken, which makes no difference.
struct Smaller {
  static void apply(std::string& cell, const std::string& update) {
    if (update < cell) cell = update;
  }
};
struct Larger {
  static void apply(std::string& cell, const std::string& update) {
    if (update > cell) cell = update;
  }
};

// Offset j of the block; all ones (in 64 bits) means outside.
std::uint64_t offset_at(const Block& block, std::int64_t j) {
  if (block.wide_offsets) return static_cast<const std::uint64_t*>(block.offsets)[j];
  const std::uint32_t offset = static_cast<const std::uint32_t*>(block.offsets)[j];
  return offset == ~std::uint32_t{0} ? ~std::uint64_t{0} : offset;
}

template <bool kScatter, class Fold>
void move_row(std::string* direct, std::string* indirect, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) {
    if constexpr (kScatter) {
      Fold::apply(indirect[j], direct[j]);
    } else {
      Fold::apply(direct[j], indirect[j]);
    }
  }
}

template <bool kScatter, class Fold>
void move_block(const Block& block) {
  const auto strings = block.row_bytes / static_cast<std::int64_t>(sizeof(std::string));
  for (std::int64_t j = 0; j < block.count; ++j) {
    const std::int64_t position = block.positions != nullptr ? block.positions[j] : j;
    auto* direct = reinterpret_cast<std::string*>(block.direct + position * block.direct_step);
    const std::uint64_t offset = offset_at(block, j);
    if (block.any_outside && offset == ~std::uint64_t{0}) {
      for (std::int64_t k = 0; !kScatter && k < strings; ++k) direct[k].clear();
      continue;
    }
    auto* indirect = reinterpret_cast<std::string*>(block.indirect +
                                                    static_cast<std::int64_t>(offset) * block.unit);
    move_row<kScatter, Fold>(direct, indirect, strings);
  }
}

template <bool kScatter, class Fold>
bool run(const Block& block) noexcept {
  try {
    move_block<kScatter, Fold>(block);
    return true;
  } catch (const std::exception&) {  // bad_alloc or length_error: the string does not fit in memory
    return false;
  }
}

}  // namespace

void bind_strings(std::int64_t /*target*/, KernelTable& table) {
#define WINDROW_KERNEL(name, family, low, high, dtype, fold, function) \
  table.set<Family::family>(Kernel::name, function);
#include "src/kernels/strings/rows.inc"
#undef WINDROW_KERNEL
}

}  // namespace windrow::internal
