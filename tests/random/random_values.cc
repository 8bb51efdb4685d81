#include "tests/random/random_values.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "tests/support/elements.h"
#include "tests/support/ieee.h"

namespace windrow::tests {
namespace {

constexpr std::int64_t kPalette = 256;
constexpr int kSortedPercent = 8;

constexpr double kSpecialNumbers[] = {0.0,
                                      -0.0,
                                      1.0,
                                      -1.0,
                                      0.5,
                                      1e30,
                                      -3.0,
                                      65504,
                                      1e-40,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};

std::string bytes_of(std::uint64_t bits, std::size_t size) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &bits, std::min(size, sizeof(bits)));
  return bytes;
}

std::uint64_t random_sign(Rng& rng, DType type) {
  return rng.bits() << (component_bytes(type) * 8 - 1);
}

std::uint64_t random_float_bits(Rng& rng, DType type) {
  switch (rng.small(0, 5)) {
    case 0:
      return encode_component(type, rng.pick(kSpecialNumbers));
    case 1: {  // a subnormal, or zero, of either sign
      const std::uint64_t magnitude = rng.bits() % 9;
      return magnitude | random_sign(rng, type);
    }
    case 2: {  // a NaN with a payload, quiet or signalling, of either sign
      const std::uint64_t payload = (rng.bits() & (encode_component(type, 1.0) >> 3)) | 1;
      return encode_component(type, std::numeric_limits<double>::infinity()) | payload |
             random_sign(rng, type);
    }
    case 3:
      return rng.bits();
    default:
      return encode_component(type, static_cast<double>(rng.between(-40, 40)) / 8);
  }
}

std::string random_text(Rng& rng) {
  std::string text(static_cast<std::size_t>(rng.chance(85) ? rng.small(0, 3) : rng.small(4, 40)),
                   'a');
  for (char& letter : text)
    letter = static_cast<char>(rng.chance(80) ? rng.between('a', 'c') : rng.between(0, 255));
  return text;
}

std::string random_element(Rng& rng, DType type) {
  if (type == DType::kString) return random_text(rng);
  const auto size = static_cast<std::size_t>(std::max(dtype_bits(type) / 8, 1));
  if (type == DType::kBool)
    return bytes_of(rng.chance(90) ? rng.bits() % 2 : rng.bits() % 256, size);
  if (has_ieee_component(type)) {
    const auto part = static_cast<std::size_t>(component_bytes(type));
    std::string bytes;
    while (bytes.size() < size) bytes += bytes_of(random_float_bits(rng, type), part);
    return bytes;
  }
  if (is_packed(type)) return bytes_of(rng.bits() % (1U << dtype_bits(type)), size);
  if (rng.chance(50)) return bytes_of(static_cast<std::uint64_t>(rng.between(-4, 9)), size);
  return bytes_of(rng.bits(), size);
}

// The bits of an index in a type that holds indices: an integer or, of OneHot, a float.
std::uint64_t index_bits(DType type, std::int64_t index) {
  if (dtype_kind(type) == DTypeKind::kFloat)
    return encode_component(type, static_cast<double>(index));
  return static_cast<std::uint64_t>(index);
}

// What an integer type holds of an index, unsigned 64-bit ones cut to 2^63-1.
std::int64_t held_value(DType type, std::int64_t index) {
  const int spare = 64 - dtype_bits(type);
  const std::uint64_t top = static_cast<std::uint64_t>(index) << spare;
  if (dtype_kind(type) == DTypeKind::kSigned) return static_cast<std::int64_t>(top) >> spare;
  return static_cast<std::int64_t>(
      std::min(top >> spare, std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
}

std::int64_t legal_index(Rng& rng, std::int64_t extent, const IndexRule& rule) {
  if (extent <= 0) return 0;
  const std::int64_t values = rule.spread > 0 ? std::min(rule.spread, extent) : extent;
  const std::int64_t index = rng.between(0, values - 1);
  return rule.negatives && rng.chance(30) ? index - extent : index;
}

std::int64_t bad_index(Rng& rng, std::int64_t extent, bool narrow) {
  switch (rng.small(0, 4)) {
    case 0:
      return extent + rng.between(0, 2);
    case 1:
      return -extent - rng.between(1, 3);
    case 2:
      return narrow ? std::numeric_limits<std::int32_t>::min()
                    : std::numeric_limits<std::int64_t>::min() + rng.between(0, 1);
    case 3:
      return narrow ? std::numeric_limits<std::int32_t>::max()
                    : std::numeric_limits<std::int64_t>::max() - rng.between(0, 1);
    default:
      return narrow ? rng.between(-1000, 1000) : (std::int64_t{1} << 32) + rng.between(0, 3);
  }
}

// By the cells that they address.
void sort_indices(const MutableTensorView& view, const IndexRule& rule,
                  std::vector<std::int64_t> indices) {
  const auto cell = [&](std::int64_t index) {
    const std::int64_t held = held_value(view.dtype, index);
    return rule.negatives && held < 0 && !rule.extents.empty() ? held + rule.extents.front() : held;
  };
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::int64_t a, std::int64_t b) { return cell(a) < cell(b); });
  const auto size = static_cast<std::size_t>(dtype_bits(view.dtype) / 8);
  Dims position = Dims::filled(view.shape.rank(), 0);
  for (const std::int64_t index : indices) {
    write_element(view, position, bytes_of(index_bits(view.dtype, index), size));
    next_position(view.shape, position);
  }
}

}  // namespace

void fill_values(Rng& rng, const MutableTensorView& view) {
  const std::int64_t count = element_count(view.shape).value_or(0);
  if (count == 0) return;
  // Large tensors repeat elements, in random order: to make each one anew takes too long.
  std::vector<std::string> elements;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, kPalette); ++i)
    elements.push_back(random_element(rng, view.dtype));
  std::size_t next = 0;
  Dims position = Dims::filled(view.shape.rank(), 0);
  do {
    write_element(view, position, elements[next]);
    next = count > kPalette ? rng.bits() % kPalette : next + 1;
  } while (next_position(view.shape, position));
}

void fill_indices(Rng& rng, const MutableTensorView& view, const IndexRule& rule, int bad_percent) {
  if (element_count(view.shape).value_or(0) == 0) return;
  const int bad_per_cent = rng.chance(bad_percent) ? (rng.chance(70) ? 4 : 40) : 0;
  const auto size = static_cast<std::size_t>(std::max(dtype_bits(view.dtype) / 8, 1));
  const bool tuples = rule.extents.size() > 1 && view.shape.rank() > 0;
  const bool sorts = !tuples && (rule.ascending || rng.chance(kSortedPercent));
  std::vector<std::int64_t> written;
  Dims position = Dims::filled(view.shape.rank(), 0);
  do {
    const std::size_t entry = tuples ? static_cast<std::size_t>(position.back()) : 0;
    const std::int64_t extent = entry < rule.extents.size() ? rule.extents[entry] : 1;
    const std::int64_t index = rng.chance(bad_per_cent) ? bad_index(rng, extent, size < 8)
                                                        : legal_index(rng, extent, rule);
    write_element(view, position, bytes_of(index_bits(view.dtype, index), size));
    if (sorts) written.push_back(index);
  } while (next_position(view.shape, position));
  if (sorts) sort_indices(view, rule, std::move(written));
}

void fill_all(const MutableTensorView& view, std::int64_t value) { fill_with(view, {&value, 1}); }

void fill_with(const MutableTensorView& view, std::span<const std::int64_t> values) {
  if (element_count(view.shape).value_or(0) == 0) return;
  const auto size = static_cast<std::size_t>(std::max(dtype_bits(view.dtype) / 8, 1));
  Dims position = Dims::filled(view.shape.rank(), 0);
  std::size_t number = 0;
  do {
    const std::int64_t value = values[number++ % values.size()];
    write_element(view, position, bytes_of(index_bits(view.dtype, value), size));
  } while (next_position(view.shape, position));
}

}  // namespace windrow::tests
