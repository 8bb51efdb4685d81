// write_explain_pages FOLDER COUNT: the pages of random calls of every operator, as 0.html, 1.html,
// .., and calls.json with what the slow reference says of each, which the browser's test compares.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "src/explain/to_text.h"
#include "src/reference/element.h"
#include "tests/random/numbered_inputs.h"
#include "windrow/explain.h"

namespace windrow::tests {
namespace {

using Json = nlohmann::json;
using internal::element_text;
using internal::reference::position_of;

constexpr std::int64_t kMostPoints = 40;
constexpr std::uint64_t kMostSeeds = 100000;

Json json_of(const Dims& dims) { return std::vector<std::int64_t>(dims.begin(), dims.end()); }

// Each element of the reference's result, in row-major order: its text.
Json texts_of(const Tensor& tensor) {
  Json texts = Json::array();
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    texts.push_back(element_text(
        internal::reference::read_element(tensor.view(), position_of(tensor.shape(), i))));
  return texts;
}

// A small call with its page, or null.
Json write_page(const RandomCall& call, const std::filesystem::path& page) {
  ExplainOptions one;
  one.most_points = 1;
  const Result<Explanation> first =
      explain(call.id, call.attributes, call.views(), call.options, one);
  if (!first.ok() || first->points > kMostPoints || first->points == 0) return {};
  const int data = first->indirect_input >= 0 ? first->indirect_input : first->updates_input;
  const NumberedInputs inputs = numbered_inputs(call, data);
  const Result<Explanation> explanation =
      explain(call.id, call.attributes, inputs.views, call.options);
  const Result<Tensor> expected =
      call_reference(call.id, call.attributes, inputs.views, call.options);
  if (!explanation.ok()) return {};
  std::ofstream(page) << to_html(*explanation);
  const auto tensor = [&](int input) {
    return input < 0 ? Json() : Json(explanation->inputs[static_cast<std::size_t>(input)].name);
  };
  const auto shape = [&](int input) {
    return input < 0 ? Json() : json_of(inputs.views[static_cast<std::size_t>(input)].shape);
  };
  const bool is_scatter = explanation->scatter;
  const bool starts_as_one_value =
      is_scatter && explanation->indirect_input >= 0 &&
      inputs.views[static_cast<std::size_t>(data)].shape != explanation->output.shape;
  const int source = is_scatter ? explanation->updates_input : explanation->indirect_input;
  return {
      {"call", describe(call)},
      {"scatter", is_scatter},
      {"folds", explanation->folds},
      // Whether an element of the result names its origin: neither a sum nor an end token does.
      {"numbered", inputs.numbered && explanation->indirect_input != explanation->updates_input &&
                       !starts_as_one_value && (is_scatter || !explanation->folds) &&
                       call.id.name != "GatherTree"},
      {"source", tensor(source)},
      {"source_shape", shape(source)},
      {"output", explanation->output.name},
      {"output_shape", json_of(explanation->output.shape)},
      {"points", explanation->points},
      {"values", expected.ok() ? texts_of(*expected) : Json()}};
}

int write_pages(const std::filesystem::path& folder, std::size_t count) {
  std::map<std::string, std::size_t> of_operator;
  for (const OperatorInfo& info : list_operators()) of_operator[info.dialect + "." + info.name] = 0;
  const std::size_t most = count / of_operator.size() + 1;
  Json calls = Json::array();
  for (std::uint64_t seed = 1; seed < kMostSeeds && calls.size() < count; ++seed) {
    const RandomCall call = make_random_call(seed);
    std::size_t& pages = of_operator[call.id.dialect + "." + call.id.name];
    if (pages == most) continue;
    const Json json = write_page(call, folder / (std::to_string(calls.size()) + ".html"));
    if (json.is_null()) continue;
    calls.push_back(json);
    ++pages;
  }
  for (const auto& [name, pages] : of_operator)
    if (pages == 0) std::cerr << name << ": no small random call\n";
  // The description of a call may hold strings of any bytes.
  std::ofstream(folder / "calls.json")
      << calls.dump(-1, ' ', false, Json::error_handler_t::replace);
  return calls.size() == count ? 0 : 1;
}

}  // namespace
}  // namespace windrow::tests

int main(int count, char** words) {
  if (count != 3) return 2;
  return windrow::tests::write_pages(words[1], std::stoul(words[2]));
}
