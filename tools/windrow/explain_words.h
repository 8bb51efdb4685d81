#ifndef WINDROW_TOOLS_WINDROW_EXPLAIN_WORDS_H_
#define WINDROW_TOOLS_WINDROW_EXPLAIN_WORDS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/windrow/documents.h"
#include "windrow/attributes.h"
#include "windrow/explain.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// A call of one operator that is written out in words, as `windrow explain` takes it. Needs no
// operating system. Everything here throws Error on bad input.
namespace windrow::tool {

// The inputs of a call as `windrow explain` takes them.
struct ExplainInputs {
  std::vector<Tensor> tensors;    // what the views refer to
  std::vector<TensorView> views;  // in the operator's order; absent ones are default views
};

// Reads a tensor from the place that a word names, for the input of that name. `expected`: as for
// windrow::load_tensor(). Throws Error.
using ReadTensor =
    std::function<Tensor(const std::string& word, const std::string& name, DType expected)>;

// A ReadTensor of calls that have no files: throws Error, which says what a word may be.
[[noreturn]] Tensor refuse_word(const std::string& word, const std::string& name, DType expected);

// The inputs that pairs of words name: "--data" "3x4x2". A value is a shape (extents with x between
// them, "5x" for one axis), whose elements then count from 0, or are unknown where there are too
// many; single values or lists of them as JSON writes them; or what `read` takes. `types`: what
// --dtype says of each input, kAbsent for float32, and int64 for indices. Throws Error on words
// that are not such pairs.
ExplainInputs parse_explain_inputs(const OperatorInfo& info, const std::vector<std::string>& words,
                                   const std::vector<DType>& types, const ReadTensor& read);

// Gives a scatter updates that count from 0 if none are given and the rule fixes their shape: of
// the shapes that updates of any scatter have, exactly one makes a legal call.
void add_missing_updates(const OperatorId& id, const OperatorInfo& info,
                         const Attributes& attributes, const CallOptions& options,
                         ExplainInputs& inputs);

// What names a call of an operator.
struct ExplainWords {
  std::string name;                     // "onnx.GatherND"
  std::optional<int> version;           // absent: the newest
  std::vector<std::string> attributes;  // "batch_dims=1"
  std::vector<std::string> dtypes;      // "data=float16"
  std::vector<std::string> inputs;      // pairs: "--data", "3x4x2"
};

struct WordsCall {
  OperatorId id;
  Attributes attributes;
  ExplainInputs inputs;
};

// The call that the words name, with updates where it lacks them and add_missing_updates() knows
// their shape.
WordsCall call_of_words(const ExplainWords& words, const CallOptions& options,
                        const ReadTensor& read);

// How a call is shown.
struct ShownCall {
  CallOptions options;
  ExplainOptions shown;
  std::int64_t most_partings = 0;
};

// The comparison with the operator that "openvino.Gather-8:batch_dims=1" names, with attributes of
// its own. Throws Error on a bad `other`. Errors: those of compare_operators().
Result<Comparison> compare_with(const OperatorId& id, const Attributes& attributes,
                                std::span<const TensorView> inputs, const std::string& other,
                                const ShownCall& call);

// What `windrow explain --json` prints.
Json explanation_document(const Explanation& explanation,
                          const std::vector<Comparison>& comparisons);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_EXPLAIN_WORDS_H_
