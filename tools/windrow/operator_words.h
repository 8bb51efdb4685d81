#ifndef WINDROW_TOOLS_WINDROW_OPERATOR_WORDS_H_
#define WINDROW_TOOLS_WINDROW_OPERATOR_WORDS_H_

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tools/windrow/documents.h"
#include "windrow/attributes.h"
#include "windrow/dtype.h"
#include "windrow/operators.h"

// Operators, their attributes and their types as words, and as JSON. Needs no operating system.
namespace windrow::tool {

// The operator that a word of the command line names: "onnx.GatherND", or "onnx.GatherND-12" as
// messages and tables write it. `version`, the value of --version, takes precedence. Throws Error
// if the word has no dialect.
OperatorId parse_operator_id(const std::string& text, std::optional<int> version);

// "axis=1" texts as attributes of that operator: values are read as its defaults' types say. Throws
// Error on a name that the operator does not have and on a value that is not of its type.
Attributes parse_attributes(const OperatorInfo& info, const std::vector<std::string>& texts);

// The default; null if there is none.
Json default_json(const OperatorAttribute& attribute);

// "axis=0"; "axis" if it has no default.
std::string attribute_text(const OperatorAttribute& attribute);

// "onnx.Gather-13"
std::string operator_text(const OperatorInfo& info);

// The type that --dtype gives to each input of an operator by "POS=TYPE" texts, POS being a number
// from 0 or the input's name; kAbsent where no text names the input. Throws Error on other texts.
std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts);

// Throws Error if the tensor that was read for an input has another type than --dtype says.
void require_told_type(const OperatorInfo& info, std::size_t place, DType told, DType type);

// The number that the whole of `text` is; nothing for other text and for one that does not fit.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

// Whether the row after `rows[i]` is of another operator. Rows are in the order of
// list_operators().
bool is_newest(const std::vector<OperatorInfo>& rows, std::size_t i);

// The domain as ONNX's documents write it, "ai.onnx"; the dialect of other dialects.
std::string domain_text(const OperatorInfo& row);

// What `windrow ops --json` prints of rows in the order of list_operators().
Json operators_document(const std::vector<OperatorInfo>& rows);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OPERATOR_WORDS_H_
