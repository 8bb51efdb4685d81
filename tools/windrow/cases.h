#ifndef WINDROW_TOOLS_WINDROW_CASES_H_
#define WINDROW_TOOLS_WINDROW_CASES_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace windrow::tool {

// One data set of a model. In ONNX's test layout: model.onnx beside folders test_data_set_<n> that
// hold input_<k>.pb and output_<k>.pb. Of OpenVINO IR: model.xml beside such folders, or beside the
// files themselves, which are .npy; their numbers count the model's inputs and outputs. Of both:
// archives inputs.npz and outputs.npz (or .safetensors) in such folders or beside the model.
struct Case {
  std::string name;
  std::filesystem::path model;
  std::map<unsigned, std::filesystem::path> inputs;   // by number
  std::map<unsigned, std::filesystem::path> outputs;  // by number
  std::filesystem::path input_archive;                // of tensors by name; empty: none
  std::filesystem::path output_archive;               // the same
};

// The cases in `root` and in all folders below it, by name. Throws Error if `root` can't be read.
std::vector<Case> find_cases(const std::filesystem::path& root);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CASES_H_
