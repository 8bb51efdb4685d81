#ifndef WINDROW_TESTS_RANDOM_CALL_DIGEST_H_
#define WINDROW_TESTS_RANDOM_CALL_DIGEST_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/random/random_call.h"

namespace windrow::tests {

// The 64-bit FNV-1a hash of all bytes that were added, in the order in which they were.
class Digest {
 public:
  void add_bytes(std::string_view bytes) noexcept;
  // The length as eight bytes, the lowest first, then the bytes: other texts are other bytes, even
  // where they are the same one after another.
  void add_text(std::string_view text) noexcept;
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Type, shape and all elements in row-major order, wherever they lie in memory; strings as texts.
void add_tensor(const TensorView& tensor, Digest& digest);

// Code, label, operator and message.
void add_error(const Status& error, Digest& digest);

// What describe() says of the call, then its inputs.
void add_call(const RandomCall& call, Digest& digest);

// Runs the call with that kernel set on one thread and adds the result or the error. A call that is
// too large to be run adds a text that says so.
void add_outcome(const RandomCall& call, const std::string& kernels, Digest& digest);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_CALL_DIGEST_H_
