#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/access/evaluate.h"
#include "src/operators/operator_row.h"
#include "tests/conformance/case_files.h"
#include "tests/conformance/case_record.h"
#include "windrow/operators.h"

// The records' calls through both doors to an operator's rules: compilation, and inference that
// knows all types and extents, or all but one.
namespace windrow::tests {
namespace {

using internal::KnownValue;
using internal::OperandType;

// A record at one version, as either door takes it.
struct Question {
  OperatorId id;
  Attributes attributes;
  CallOptions options;
  std::vector<TensorSpec> specs;
  std::vector<SymbolicShape> shapes;
  std::vector<KnownValue> values;
  std::vector<OperandType> given;

  Result<Plan> compile() const { return windrow::compile(id, attributes, specs, options); }
  Result<SymbolicShape> infer() const {
    return internal::infer_shape(id, attributes, shapes, values, given);
  }
};

SymbolicShape symbolic(const Shape& shape) {
  std::vector<Dim> dims;
  for (const std::int64_t extent : shape) dims.push_back({extent, {}});
  return dims;
}

Question ask(const CaseRecord& record, const std::optional<int>& version) {
  Question question;
  question.id = {record.dialect, record.op, version};
  question.attributes = record.attributes;
  question.options = record.options;
  question.specs = specs_of(question.id, record.views()).value();
  for (const Tensor& input : record.inputs) {
    question.shapes.push_back(input.is_absent() ? SymbolicShape() : symbolic(input.shape()));
    question.given.push_back({input.dtype(), !input.is_absent()});
  }
  for (const TensorSpec& spec : question.specs) {
    question.values.emplace_back();
    const bool is_empty = !spec.is_absent() && element_count(spec.shape) == 0;
    if (spec.value == nullptr && !is_empty) continue;
    question.values.back().emplace();
    for (std::int64_t n = 0; !is_empty && n < spec.value->element_count(); ++n)
      question.values.back()->push_back(internal::read_index_at(spec.value->view(), n));
  }
  return question;
}

// The kinds of the rules by their labels, of cases/rules.json.
const std::map<std::string, std::string>& kinds_of_rules() {
  static const auto* const kinds = [] {
    auto* const made = new std::map<std::string, std::string>();
    std::ifstream file(std::filesystem::path(WINDROW_SOURCE_CASES) / "rules.json");
    for (const nlohmann::json& row : nlohmann::json::parse(file))
      made->emplace(row.at("label"), row.at("kind"));
    return made;
  }();
  return *kinds;
}

bool is_of_kind(const std::string& label, const std::set<std::string>& kinds) {
  return kinds.contains(kinds_of_rules().at(label));
}

// Whether inference is told enough to see a broken rule: it knows no options.
bool is_judged_before_options(const std::string& label) {
  return !is_of_kind(label, {"strict", "option", "size"});
}

// Calls `visit` with every record of every file at every version that the library has.
template <class Visit>
void for_each_question(const Visit& visit) {
  for (const auto& file : list_case_files(case_folders())) {
    for (const nlohmann::json& json : read_case_file(file)) {
      const CaseRecord record = parse_case(json);
      for (const std::optional<int>& version : record.versions) {
        if (!find_operator({record.dialect, record.op, version})) continue;
        SCOPED_TRACE(file.string() + ": " + record.name);
        visit(record, ask(record, version));
      }
    }
  }
}

// The labels of rules about attributes, types, shapes and indices.
std::set<std::string> labels_of_calls() {
  std::set<std::string> labels;
  for (const auto& [label, kind] : kinds_of_rules())
    if (is_of_kind(label, {"attribute", "type", "constraint"})) labels.insert(label);
  return labels;
}

TEST(Doors, ABrokenRuleIsTheSameErrorThroughBoth) {
  std::set<std::string> broken;  // through both doors, or by a run after them
  for_each_question([&](const CaseRecord& record, const Question& question) {
    const Status compiled = question.compile().error();
    if (compiled.ok() && record.is_error) broken.insert(record.constraint);
    if (compiled.ok() || !is_judged_before_options(compiled.constraint())) return;
    const Status inferred = question.infer().error();
    EXPECT_EQ(inferred.message(), compiled.message());
    EXPECT_EQ(inferred.constraint(), compiled.constraint());
    EXPECT_EQ(inferred.code(), compiled.code());
    broken.insert(inferred.constraint());
  });
  const std::set<std::string> documented = labels_of_calls();
  EXPECT_FALSE(documented.empty());
  for (const std::string& label : documented)
    EXPECT_EQ(broken.count(label), 1U) << label << ": no record breaks it";
}

TEST(Doors, ALegalCallHasTheSameShapeThroughBoth) {
  for_each_question([](const CaseRecord& /*record*/, const Question& question) {
    const Result<Plan> plan = question.compile();
    if (!plan) return;
    const Result<SymbolicShape> inferred = question.infer();
    ASSERT_TRUE(inferred) << inferred.error().message();
    EXPECT_EQ(*inferred, symbolic(plan->result().shape));
  });
}

// What inference returns for a legal call whose result has `shape`, while something is unknown.
void expect_consistent(const Question& question, const Shape& shape, const std::string& unknown) {
  const Result<SymbolicShape> inferred = question.infer();
  ASSERT_TRUE(inferred) << "without " << unknown << ": " << inferred.error().message();
  if (!*inferred) return;
  ASSERT_EQ(static_cast<int>((*inferred)->size()), shape.rank()) << "without " << unknown;
  for (int d = 0; d < shape.rank(); ++d) {
    const Dim& dim = (**inferred)[static_cast<std::size_t>(d)];
    EXPECT_TRUE(!dim.is_known() || dim.value == shape[d])
        << "without " << unknown << ", axis " << d << " is " << dim.value;
  }
}

TEST(Doors, ALegalCallIsNeverRefusedForWhatIsNotKnown) {
  for_each_question([](const CaseRecord& /*record*/, const Question& question) {
    const Result<Plan> plan = question.compile();
    if (!plan) return;
    const Shape& shape = plan->result().shape;
    Question less = question;
    for (std::size_t i = 0; i < question.shapes.size(); ++i) {
      const std::string input = "input " + std::to_string(i);
      less.given[i].dtype = DType::kAbsent;
      expect_consistent(less, shape, "the type of " + input);
      less.given[i] = question.given[i];
      less.values[i].reset();
      expect_consistent(less, shape, "the value of " + input);
      less.shapes[i].reset();
      expect_consistent(less, shape, "the rank and the value of " + input);
      less.values[i] = question.values[i];
      less.shapes[i] = question.shapes[i];
      for (std::size_t d = 0; less.shapes[i] && d < less.shapes[i]->size(); ++d) {
        (*less.shapes[i])[d] = Dim();
        expect_consistent(less, shape, "an extent of " + input);
        (*less.shapes[i])[d] = (*question.shapes[i])[d];
      }
    }
  });
}

}  // namespace
}  // namespace windrow::tests
