#include "tools/windrow/told_types.h"

#include <fmt/core.h>

#include <cstddef>
#include <string_view>

#include "tools/windrow/attribute_text.h"
#include "tools/windrow/console.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

std::string dtype_hint(const std::string& name) {
  static constexpr std::string_view kNames[] = {
#define WINDROW_DTYPE(enumerator, text, bits, kind) text,
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  };
  return nearest_hint(name, kNames);
}

std::size_t input_position(const OperatorInfo& info, const std::string& text) {
  NearestName nearest(text);
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    if (text == std::to_string(i) || text == info.inputs[i].name) return i;
    nearest.consider(info.inputs[i].name);
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--dtype: {} has no input '{}'{}", operator_text(info), text, nearest.hint()));
}

}  // namespace

std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts) {
  std::vector<DType> types(info.inputs.size(), DType::kAbsent);
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      fail(ErrorCode::kInvalidArgument, fmt::format("--dtype {}: must be POS=TYPE", text));
    }
    const auto type = parse_dtype(text.substr(equals + 1));
    if (!type) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--dtype {}: there is no type '{}'{}", text, text.substr(equals + 1),
                       dtype_hint(text.substr(equals + 1))));
    }
    types[input_position(info, text.substr(0, equals))] = *type;
  }
  return types;
}

void require_told_type(const OperatorInfo& info, std::size_t place, DType told, DType type) {
  if (told == DType::kAbsent || told == type) return;
  const std::string& name = info.inputs[place].name;
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--dtype {}={}: the file's elements are {}, and --dtype converts nothing; it "
                   "names the type of bits for which .npy has no name",
                   name, dtype_name(told), dtype_name(type)));
}

}  // namespace windrow::tool
