#include "src/c_api/options.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "src/c_api/error.h"

namespace windrow::internal {
namespace {

// Copies the members that the caller's version of a struct has, with zeros for the others. Members
// that this library does not know must be zero.
template <class Struct>
Result<Struct> read_sized(const Struct* from, const char* name) {
  Struct to{};
  if (from == nullptr) return to;
  if (from->size < sizeof(from->size))
    return invalid_argument(std::string(name) + ": size is " + std::to_string(from->size) +
                            ", must be sizeof(" + name + ")");
  std::memcpy(&to, from, std::min(from->size, sizeof(Struct)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  if (from->size > sizeof(Struct) &&
      std::any_of(bytes + sizeof(Struct), bytes + from->size, [](auto byte) { return byte != 0; }))
    return Status(ErrorCode::kUnsupported,
                  std::string(name) + ": a member is set that this version does not know");
  return to;
}

Status read_value(const windrow_attribute& attribute, AttributeValue* value) {
  switch (attribute.kind) {
    case WINDROW_ATTRIBUTE_INT:
      value->emplace<std::int64_t>(attribute.int_value);
      return {};
    case WINDROW_ATTRIBUTE_FLOAT:
      value->emplace<double>(attribute.float_value);
      return {};
    case WINDROW_ATTRIBUTE_STRING:
      if (attribute.string_value == nullptr) return invalid_argument("string_value is null");
      value->emplace<std::string>(attribute.string_value);
      return {};
    case WINDROW_ATTRIBUTE_INTS:
      if (attribute.ints == nullptr && attribute.ints_count > 0)
        return invalid_argument("ints is null");
      value->emplace<std::vector<std::int64_t>>(attribute.ints,
                                                attribute.ints + attribute.ints_count);
      return {};
    default:
      return invalid_argument("kind is " + std::to_string(attribute.kind) +
                              ", which is no WINDROW_ATTRIBUTE_...");
  }
}

Result<std::optional<OutOfRange>> read_out_of_range(std::int32_t number) {
  using Choice = std::optional<OutOfRange>;
  switch (number) {
    case WINDROW_OUT_OF_RANGE_DEFAULT:
      return Choice();
    case WINDROW_OUT_OF_RANGE_ERROR:
      return Choice(OutOfRange::kError);
    case WINDROW_OUT_OF_RANGE_ZERO:
      return Choice(OutOfRange::kZero);
    case WINDROW_OUT_OF_RANGE_SKIP:
      return Choice(OutOfRange::kSkip);
    case WINDROW_OUT_OF_RANGE_CLAMP:
      return Choice(OutOfRange::kClamp);
    case WINDROW_OUT_OF_RANGE_MODULO:
      return Choice(OutOfRange::kModulo);
    default:
      return invalid_argument("out_of_range is " + std::to_string(number) +
                              ", which is no WINDROW_OUT_OF_RANGE_...");
  }
}

}  // namespace

Result<Attributes> read_attributes(const windrow_attribute* attributes, std::size_t count) {
  if (attributes == nullptr && count > 0) return invalid_argument("attributes is null");
  Attributes result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto where = [i] { return "attributes[" + std::to_string(i) + "]"; };
    if (attributes[i].name == nullptr) return invalid_argument(where() + ": name is null");
    const auto [entry, is_new] = result.try_emplace(attributes[i].name);
    if (!is_new) return invalid_argument(where() + ": '" + entry->first + "' is given twice");
    if (Status status = read_value(attributes[i], &entry->second); !status)
      return status.with_context(where());
  }
  return result;
}

Result<CallOptions> read_call_options(const windrow_call_options* options) {
  Result<windrow_call_options> given = read_sized(options, "windrow_call_options");
  if (!given) return given.error();
  Result<std::optional<OutOfRange>> out_of_range = read_out_of_range(given->out_of_range);
  if (!out_of_range) return out_of_range.error();
  CallOptions result;
  result.out_of_range = *out_of_range;
  result.strict = given->strict != 0;
  if (given->duplicates == WINDROW_DUPLICATES_ERROR) {
    result.duplicates = Duplicates::kError;
  } else if (given->duplicates != WINDROW_DUPLICATES_ALLOW) {
    return invalid_argument("duplicates is " + std::to_string(given->duplicates) +
                            ", which is no WINDROW_DUPLICATES_...");
  }
  if (given->kernels != nullptr) result.kernels = given->kernels;
  return result;
}

Status read_run_options(const windrow_run_options* options, CallerObjects* objects,
                        RunOptions* run) {
  Result<windrow_run_options> given = read_sized(options, "windrow_run_options");
  if (!given) return given.error();
  if (given->threads != nullptr) {
    if (given->threads->count < 1)
      return invalid_argument("threads: count is " + std::to_string(given->threads->count) +
                              ", must be at least 1");
    if (given->threads->parallel == nullptr) return invalid_argument("threads: parallel is null");
    run->threads = &objects->threads.emplace(*given->threads);
  }
  run->scratch = given->scratch;
  run->scratch_bytes = given->scratch_bytes;
  run->fresh_output = given->fresh_output != 0;
  if (given->interrupted != nullptr) run->interrupt = &objects->interrupt.emplace(*given);
  return {};
}

}  // namespace windrow::internal
