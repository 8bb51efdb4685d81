#include "tools/windrow/documents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "windrow/printable.h"

namespace windrow::tool {

void fail(ErrorCode code, std::string message) { throw Error(Status(code, std::move(message))); }

std::string json_text(const Json& value, JsonForm form) {
  // JSON's writer escapes control characters below 0x20 itself.
  const std::string plain =
      value.dump(form == JsonForm::kLine ? -1 : 2, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find_first_of("\n\x7f", at), plain.size());
    text += printable(std::string_view(plain).substr(at, end - at));  // escapes as \u009b
    if (end < plain.size()) text += plain[end] == '\n' ? "\n" : "\\u007f";
    at = end + 1;
  }
  return text;
}

namespace {

Json list_json(const BadIndices& listed) {
  Json list = Json::array();
  for (std::size_t i = 0; i < listed.values.size(); ++i) {
    const auto rank = static_cast<std::size_t>(listed.rank);
    const std::span position = std::span(listed.positions).subspan(i * rank, rank);
    Json value = listed.values[i];
    if (listed.is_uint64) value = static_cast<std::uint64_t>(listed.values[i]);
    list.push_back(
        {{"position", std::vector(position.begin(), position.end())}, {"value", std::move(value)}});
  }
  return list;
}

}  // namespace

Json error_document(const Status& status) {
  Json error = {{"code", error_code_name(status.code())}, {"message", status.message()}};
  if (!status.operator_name().empty()) error["operator"] = status.operator_name();
  if (!status.constraint().empty()) error["constraint"] = status.constraint();
  if (const IndexFault* fault = status.index_fault()) {
    error["index"] = {{"input", fault->input},   {"position", fault->position},
                      {"value", fault->value},   {"axis", fault->axis},
                      {"extent", fault->extent}, {"count", fault->count}};
  }
  if (const IndexFault* fault = status.index_fault(); fault && fault->listed.count() > 0)
    error["index"]["listed"] = list_json(fault->listed);
  return {{"error", error}};
}

}  // namespace windrow::tool
