#ifndef WINDROW_DIALECTS_KNOWN_INPUTS_H_
#define WINDROW_DIALECTS_KNOWN_INPUTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/dialects/schema.h"
#include "windrow/dim.h"
#include "windrow/tensor.h"

// What is known of a call's inputs when its rules are checked: everything when a plan is compiled,
// as much as a model tells when a shape is inferred.
namespace windrow::internal {

using SymbolicDims = std::vector<Dim>;

// What shape inference knows of inputs of one element (an axis, a depth): one entry per input, or
// none at all.
using KnownValues = std::span<const std::optional<std::int64_t>>;

struct KnownInput {
  std::string_view name;               // the operator's own
  const SymbolicDims* dims = nullptr;  // null: the rank is not known, or the input is absent
  DType dtype = DType::kAbsent;        // kAbsent: it is not known, or the input is absent
  std::optional<std::int64_t> value;   // of an input whose value a plan is compiled for
  bool is_compiled = false;            // what is not known now is missing

  bool has_rank() const noexcept { return dims != nullptr; }
  std::int64_t rank() const noexcept { return static_cast<std::int64_t>(dims->size()); }
  const Dim& operator[](std::int64_t axis) const noexcept {
    return (*dims)[static_cast<std::size_t>(axis)];
  }
  SymbolicShape shape() const { return dims != nullptr ? SymbolicShape(*dims) : SymbolicShape(); }
};

// The inputs of an operator, one per entry of its schema.
class KnownInputs {
 public:
  static constexpr std::size_t kMost = 4;

  // For inference; missing `shapes` and `types` are unknown. `shapes` must outlive this.
  KnownInputs(std::span<const InputSchema> schemas, std::span<const SymbolicShape> shapes,
              KnownValues values, std::span<const DType> types = {});
  // For compilation. The values of `specs` count where their type and shape are those of the spec.
  KnownInputs(std::span<const InputSchema> schemas, std::span<const TensorSpec> specs);
  KnownInputs(const KnownInputs&) = delete;
  KnownInputs& operator=(const KnownInputs&) = delete;
  ~KnownInputs() = default;

  const KnownInput& operator[](std::size_t input) const noexcept { return inputs_[input]; }
  const KnownInput* begin() const noexcept { return inputs_.data(); }
  const KnownInput* end() const noexcept { return inputs_.data() + count_; }

 private:
  std::size_t count_;
  std::array<KnownInput, kMost> inputs_;
  std::array<SymbolicDims, kMost> dims_;  // of specs
};

// The value of an input that a plan is compiled for, which check() has found.
std::int64_t fixed_value(const TensorSpec& spec);

// The extents of a shape that is known completely.
Shape known_shape(const SymbolicDims& dims);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_KNOWN_INPUTS_H_
