#include "tests/support/vector_state.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace windrow::tests {

#if defined(__x86_64__)

namespace {

// XGETBV with ECX = 1: the state components that are in use.
bool says_what_is_in_use() {
  constexpr unsigned kExtendedState = 0xd;
  constexpr unsigned kXgetbvEcx1 = 1U << 2;
  constexpr unsigned kOsxsave = 1U << 27;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return false;
  return __get_cpuid_count(kExtendedState, 1, &a, &b, &c, &d) != 0 && (a & kXgetbvEcx1) != 0;
}

}  // namespace

bool upper_halves_in_use() {
  static const bool says = says_what_is_in_use();
  if (!says) return false;
  constexpr unsigned kUpperHalves = 1U << 2 | 1U << 6;  // of 32 bytes, and of 64 bytes
  unsigned low = 0;
  unsigned high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & kUpperHalves) != 0;
}

#else

bool upper_halves_in_use() { return false; }

#endif

}  // namespace windrow::tests
