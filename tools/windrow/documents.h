#ifndef WINDROW_TOOLS_WINDROW_DOCUMENTS_H_
#define WINDROW_TOOLS_WINDROW_DOCUMENTS_H_

#include <nlohmann/json.hpp>
#include <string>

#include "windrow/status.h"

// The JSON documents of the command, and its errors. Needs no operating system.
namespace windrow::tool {

// Objects keep the order in which their members were added.
using Json = nlohmann::ordered_json;

// Throws Error: a bad input that the tool itself finds.
[[noreturn]] void fail(ErrorCode code, std::string message);

enum class JsonForm { kIndented, kLine };

// The value as JSON text. Names in files may be any bytes: what is not UTF-8 is replaced, and what
// a terminal would obey is escaped as in JSON. JsonForm::kLine has no blanks between values.
std::string json_text(const Json& value, JsonForm form);

// {"error": {"code": .., "message": .., ..}}
Json error_document(const Status& status);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_DOCUMENTS_H_
