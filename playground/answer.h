#ifndef WINDROW_PLAYGROUND_ANSWER_H_
#define WINDROW_PLAYGROUND_ANSWER_H_

#include <string>

#include "windrow/status.h"

namespace windrow::playground {

// The answer to a question, both as JSON. {"ask": "operators"} gets what `windrow ops --json`
// prints, with "summary", "shapes" and "choices" (attributes of few values) of each row. Any other
// question is a call: "operator" ("onnx.GatherND"), "version" (a number or null), "attributes" and
// "dtypes" (objects of texts), "inputs" (an object of texts, each as the command takes them or as
// NumPy and PyTorch print tensors), "options" (the flags of the command without their dashes, as
// texts), and "as", a list of other operators. Its answer: "explanation", what `windrow explain
// --json` prints; "text", "page" and "svg", what it writes; "comparisons", for each of "as" its
// text or an "error"; "onnx", Python lines that make the node, empty for other dialects. Throws
// Error on bad input.
std::string answer(const std::string& question);

// Makes {"error": ..} the answer that the page reads.
void set_failure(const Status& status);

}  // namespace windrow::playground

#endif  // WINDROW_PLAYGROUND_ANSWER_H_
