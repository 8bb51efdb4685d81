#include "python/src/result_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "windrow/result_pool.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#include <numpy/ndarraytypes.h>

namespace windrow::python {
namespace {

// In front of an array's memory, at the start of its block: the size that NumPy gives with memory
// to be freed is that of the array, not of the block.
constexpr std::size_t kHeader = 64;
static_assert(sizeof(ResultMemory) <= kHeader);

ResultMemory& block_of(void* memory) noexcept {
  return *std::launder(reinterpret_cast<ResultMemory*>(static_cast<std::byte*>(memory) - kHeader));
}

void* allocate(void* /*context*/, std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kHeader) return nullptr;
  const ResultMemory block = allocate_result(kHeader + bytes);
  if (block.data == nullptr) return nullptr;
  new (block.data) ResultMemory(block);
  return static_cast<std::byte*>(block.data) + kHeader;
}

void* allocate_zeros(void* context, std::size_t count, std::size_t element_bytes) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, element_bytes, &bytes)) return nullptr;
  void* const memory = allocate(context, bytes);
  if (memory != nullptr) std::memset(memory, 0, bytes);
  return memory;
}

void free_memory(void* /*context*/, void* memory, std::size_t /*bytes*/) {
  if (memory != nullptr) free_result(ResultMemory(block_of(memory)));
}

void* resize(void* context, void* memory, std::size_t bytes) {
  if (memory == nullptr) return allocate(context, bytes);
  const std::size_t room = block_of(memory).bytes - kHeader;
  if (bytes <= room && bytes >= room / 2) return memory;
  void* const other = allocate(context, bytes);
  if (other == nullptr) return nullptr;
  std::memcpy(other, memory, std::min(bytes, room));
  free_memory(context, memory, room);
  return other;
}

PyDataMem_Handler handler = {
    "windrow_result_pool", 1, {nullptr, allocate, allocate_zeros, resize, free_memory}};

}  // namespace

PyObject* result_memory_handler() noexcept {
  // Never released: arrays that outlive the module hold it.
  static PyObject* const capsule = PyCapsule_New(&handler, "mem_handler", nullptr);
  return capsule;
}

bool is_recycled(const void* memory) noexcept {
  return block_of(const_cast<void*>(memory)).is_recycled;
}

}  // namespace windrow::python
