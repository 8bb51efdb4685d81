#ifndef WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/explain_words.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "windrow/explain.h"
#include "windrow/models.h"
#include "windrow/operators.h"
#include "windrow/options.h"

namespace windrow::tool {

// Adds --attr, --version and --dtype of a call that is written out.
void add_word_options(CLI::App& command, ExplainWords& call);

// What `windrow explain MODEL` is told of a node.
struct NodeQuestion {
  std::string path;                   // of the model
  std::string node;                   // its name, or that of a value that it gives
  InputTexts inputs;                  // of the node, or of the model
  std::optional<std::uint64_t> seed;  // of random inputs
  std::vector<std::string> dims;      // as parse_symbols() takes them
};

// A call of an operator, perhaps by a node of a model.
struct NodeCall {
  OperatorId id;
  Attributes attributes;
  std::vector<TensorView> inputs;  // given and random ones, and constants of at most 64 MiB, with
                                   // their values
  std::vector<std::string> notes;  // parts of the model that are not looked at
  // What the views refer to.
  std::vector<Tensor> given;
  TensorsByName tensors;
  std::vector<std::shared_ptr<const Tensor>> constants;
};

// Whether a word of a command line names a model: by its ending, or because there is such a file
// and it does not begin with the name of a dialect, as operators do.
bool names_model(const std::string& word);

// A node and its operator; its name is that of its first output if it has none.
struct NodeName {
  std::string name;
  std::string operator_name;  // "onnx.Gather-13"
};

// The nodes of the main graph that the operator table has a row for, in the model's order.
std::vector<NodeName> node_names(const Model& model);

// If an input of the model is given that the node does not read itself, the part of the model
// before the node runs in a host, and the node's inputs are what it reads there. Throws Error if
// there is no such node, if its operator is not in the operator table, or if the type or shape of
// an input is unknown even with the inference of `hooks`.
NodeCall find_node_call(const Model& whole, const NodeQuestion& question, const CommandHooks& hooks,
                        InputFiles& files);

// Which pictures `windrow explain` makes.
struct PictureFiles {
  std::string svg;    // the file to write; empty: none
  std::string page;   // the HTML file to write; empty: none
  bool text = false;  // in the text even if standard output is not a terminal
};

void add_picture_options(CLI::App& command, PictureFiles& pictures);

// Throws Error if standard output cannot take what "-" names; see OutputFiles::check_targets().
void check_picture_files(const PictureFiles& pictures, Console& console);

// Whether draw_pictures() has anything to do.
bool wants_pictures(const PictureFiles& pictures, const Console& console);

// Prints the picture of characters, if it was asked for or standard output is a terminal, and
// writes the files; the page includes the comparisons. Throws Error (kIo); no file is left
// incomplete.
void draw_pictures(const Explanation& explanation, std::span<const Comparison> comparisons,
                   const PictureFiles& pictures, Console& console);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_EXPLAIN_INPUTS_H_
