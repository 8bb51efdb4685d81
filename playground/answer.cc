#include "playground/answer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "playground/onnx_node.h"
#include "playground/spelling.h"
#include "tools/windrow/documents.h"
#include "tools/windrow/explain_words.h"
#include "tools/windrow/operator_words.h"
#include "windrow/explain.h"
#include "windrow/operators.h"
#include "windrow/options.h"

namespace windrow::playground {
namespace {

using tool::Json;

// The member of an object; null if it has none.
const Json& member(const Json& object, const char* name) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found == object.end() ? kNone : *found;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

// "NAME=TEXT" for each member.
std::vector<std::string> pairs(const Json& object) {
  std::vector<std::string> texts;
  if (object.is_object())
    for (const auto& [name, value] : object.items()) texts.push_back(name + "=" + text_of(value));
  return texts;
}

// The policy that a text names. Throws Error if there is none of that name.
template <class Policy>
std::optional<Policy> policy(const Json& options, const char* name,
                             std::optional<Policy> (*parse)(std::string_view)) {
  const std::string text = text_of(member(options, name));
  if (text.empty()) return std::nullopt;
  const std::optional<Policy> found = parse(text);
  if (!found)
    tool::fail(ErrorCode::kInvalidArgument, std::string(name) + ": there is no '" + text + "'");
  return found;
}

CallOptions call_options(const Json& texts) {
  CallOptions options;
  options.out_of_range = policy<OutOfRange>(
      texts, "out-of-range", [](std::string_view text) { return parse_out_of_range(text); });
  options.negative = policy<NegativeIndex>(
      texts, "negative", [](std::string_view text) { return parse_negative(text); });
  options.duplicates = policy<Duplicates>(texts, "duplicates", [](std::string_view text) {
                         return parse_duplicates(text);
                       }).value_or(Duplicates::kAllow);
  options.strict = text_of(member(texts, "strict")) == "true";
  const std::string padding = text_of(member(texts, "padding-index"));
  if (padding.empty()) return options;
  options.padding_index = tool::parse_number<std::int64_t>(padding);
  if (!options.padding_index)
    tool::fail(ErrorCode::kInvalidArgument,
               "padding-index is '" + padding + "', must be a whole number");
  return options;
}

tool::ExplainWords words_of(const Json& question) {
  tool::ExplainWords words;
  words.name = text_of(member(question, "operator"));
  const Json& version = member(question, "version");
  if (version.is_number_integer()) words.version = version.get<int>();
  words.attributes = pairs(member(question, "attributes"));
  Json dtypes = member(question, "dtypes");
  const Json& inputs = member(question, "inputs");
  if (!inputs.is_object()) return words;
  for (const auto& [name, text] : inputs.items()) {
    Spelling spelling = read_spelling(text_of(text));
    words.inputs.push_back("--" + name);
    words.inputs.push_back(std::move(spelling.word));
    if (!spelling.dtype.empty() && member(dtypes, name.c_str()).is_null())
      dtypes[name] = spelling.dtype;
  }
  words.dtypes = pairs(dtypes);
  return words;
}

Json comparisons(const tool::WordsCall& call, const tool::ShownCall& shown, const Json& others) {
  Json list = Json::array();
  for (const Json& other : others) {
    const Result<Comparison> found =
        tool::compare_with(call.id, call.attributes, call.inputs.views, text_of(other), shown);
    Json item = {{"operator", other}};
    if (found) {
      item["text"] = to_text(*found);
      item["parts"] = parts(*found);
    } else {
      item.update(tool::error_document(found.error()));
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json explained_call(const Json& question) {
  const CallOptions options = call_options(member(question, "options"));
  const tool::WordsCall call = tool::call_of_words(words_of(question), options, &tool::refuse_word);
  tool::ShownCall shown{options, {}, ExplainOptions().most_points};
  const Result<Explanation> explained =
      explain(call.id, call.attributes, call.inputs.views, options, shown.shown);
  if (!explained) return tool::error_document(explained.error());
  ExplainOptions corner;
  corner.corner = true;
  const Result<Explanation> drawn =
      explain(call.id, call.attributes, call.inputs.views, options, corner);
  if (!drawn) return tool::error_document(drawn.error());
  return {{"explanation", tool::explanation_document(*explained, {})},
          {"text", to_text(*explained)},
          {"page", to_html(*drawn)},
          {"svg", to_svg(*drawn)},
          {"comparisons", comparisons(call, shown, member(question, "as"))},
          {"onnx", onnx_node(find_operator(call.id).value(), call.attributes, *explained)}};
}

// What `windrow ops --json` prints, and what else the page shows of each row.
Json operator_rows() {
  const std::vector<OperatorInfo> rows = list_operators();
  Json document = tool::operators_document(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json& row = document["operators"][i];
    row["summary"] = rows[i].summary;
    row["shapes"] = rows[i].shapes;
    row["choices"] = Json::object();
    for (const OperatorAttribute& attribute : rows[i].attributes)
      if (!attribute.values.empty()) row["choices"][attribute.name] = attribute.values;
  }
  return document;
}

}  // namespace

std::string answer(const std::string& question) {
  const Json read = Json::parse(question, nullptr, false);
  if (!read.is_object())
    tool::fail(ErrorCode::kInvalidArgument, "the question must be a JSON object");
  const bool asks_for_rows = text_of(member(read, "ask")) == "operators";
  const Json document = asks_for_rows ? operator_rows() : explained_call(read);
  return tool::json_text(document, tool::JsonForm::kLine);
}

}  // namespace windrow::playground
