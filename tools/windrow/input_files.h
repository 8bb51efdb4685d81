#ifndef WINDROW_TOOLS_WINDROW_INPUT_FILES_H_
#define WINDROW_TOOLS_WINDROW_INPUT_FILES_H_

#include <filesystem>
#include <optional>
#include <string>

#include "tools/windrow/console.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/tensor_words.h"
#include "windrow/models.h"
#include "windrow/tensor.h"
#include "windrow/tensor_archive.h"

// Tensors that are written out on the command line. `input` names them in messages. Everything
// here throws Error on bad input.
namespace windrow::tool {

// The file name that means standard input or output.
inline constexpr char kStandardStream[] = "-";

// How reports call a file that a command line names.
std::string shown_file(const std::string& text);

// The files that a command line names. "-" is standard input, which at most one of them may be, or,
// of an archive, several tensors by their names; its bytes are copied to a temporary file, which
// goes away with the object and when a signal ends the process. All functions throw Error on bad
// input.
class InputFiles {
 public:
  // The path of a model that is named so. The kind of a model on standard input follows from its
  // bytes; an OpenVINO IR, which is two files, is refused.
  std::string model_path(const std::string& text);
  // The model at a path that model_path() gave.
  Model load_model(const std::string& path) const;

  // A tensor from a file (.npy, .npz, .safetensors, .pb), or from standard input in any of these
  // formats. Of several tensors in a file the one called `name` is taken, or NAME of "FILE:NAME".
  // `expected`: as for windrow::load_tensor().
  Tensor load_tensor(const std::string& text, const std::string& name, DType expected);

  // The archive that a text names as a whole; nothing if it names one tensor. Of standard input,
  // load_tensor() may then still be asked.
  std::optional<TensorArchive> open_archive(const std::string& text);

  // The path of a file of tensors that is named so.
  std::string tensor_path(const std::string& text);

 private:
  enum class Kind { kModel, kTensor };
  const std::string& standard_input(Kind kind);
  // What `load` gives; errors say "standard input" for the temporary file.
  template <class Load>
  auto named(const Load& load) const;

  std::optional<StagingFolder> folder_;
  std::string copy_;       // of standard input; empty: not read
  bool is_taken_ = false;  // whether standard input is a file that was named
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INPUT_FILES_H_
