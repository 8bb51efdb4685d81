#ifndef WINDROW_TOOLS_WINDROW_CASES_H_
#define WINDROW_TOOLS_WINDROW_CASES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace windrow::tool {

// One data set of a model in ONNX's test layout: model.onnx beside folders test_data_set_<n> that
// hold input_<k>.pb and output_<k>.pb.
struct Case {
  std::string name;
  std::filesystem::path model;
  std::vector<std::filesystem::path> inputs;   // by number
  std::vector<std::filesystem::path> outputs;  // by number
};

// The cases in `root` and in all folders below it, by name. Throws Error if `root` can't be read.
std::vector<Case> find_cases(const std::filesystem::path& root);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CASES_H_
