#ifndef WINDROW_TOOLS_WINDROW_CASES_H_
#define WINDROW_TOOLS_WINDROW_CASES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/ops.h"
#include "windrow/models.h"
#include "windrow/tensor.h"

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

// How far elements are from those that were expected. The absolute error is |got - expected|, of
// complex numbers too; the relative one is that over |expected|, infinite where 0 was expected and
// is not there. NaN in place of NaN is not an error. Strings, NaN in place of a number, and an
// infinity in place of another value have no distance and are counted separately.
class ErrorSizes {
 public:
  // The upper ends of the histogram's relative errors; what is above the last is one bin more.
  static constexpr std::array<double, 9> kBinEnds = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4,
                                                     1e-3, 1e-2, 1e-1, 1};

  void add(const Element& got, const Element& expected);
  // Elements that have the same bits.
  void add_equal(std::int64_t elements) noexcept { equal_ += elements; }
  void add(const ErrorSizes& other) noexcept;

  // Whether some element is not equal.
  bool has_errors() const noexcept { return elements() > equal_; }
  std::int64_t elements() const noexcept;
  double largest_absolute() const noexcept { return largest_absolute_; }
  double largest_relative() const noexcept { return largest_relative_; }

  // "by at most 3 (relative 0.25)", and how many have no distance; empty without errors.
  std::string text() const;
  // The histogram, a line for each bin that is not empty.
  std::vector<std::string> lines() const;
  // {"elements", "equal", "largest_absolute", "largest_relative", "no_number", "histogram":
  // [{"up_to", "elements"}..]}: up_to is null for the last bin.
  Json json() const;

 private:
  std::int64_t equal_ = 0;
  std::int64_t no_number_ = 0;
  std::array<std::int64_t, kBinEnds.size() + 1> bins_ = {};
  double largest_absolute_ = 0;
  double largest_relative_ = 0;
};

// How far a floating-point or complex element may be from the expected one:
// |got - expected| <= absolute + relative * |expected|. With both 0 the bits are compared.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

struct Mismatch {
  std::string text;  // "first differs at [0, 3]: got 1.5, expected 2 (2 of 12 elements differ)"
  Json details;      // the same, by name
};

// Returns why `got` differs from what is expected, or nothing if it does not. Adds the errors of
// all elements that can be compared, tolerated ones too, to `sizes`. Types and shapes must be the
// same. NaN equals NaN; signed zeros differ unless a tolerance is given; integers, strings and
// other elements without fractions must be equal.
std::optional<Mismatch> compare(const Tensor& got, const Tensor& expected,
                                const Tolerance& tolerance, ErrorSizes& sizes);

enum class Outcome { kPass, kFail, kSkip };

struct CaseResult {
  Outcome outcome = Outcome::kPass;
  std::string reason;                    // why it failed or was skipped, one line
  std::vector<std::string> unsupported;  // of a skipped case: the operators that can't be run
  Json details;                          // of a failed comparison, else null
  ErrorSizes sizes = {};                 // of the elements that were compared
};

// How the models of cases run: `options` were made of `flags`.
struct CaseRuns {
  const ModelRunOptions& options;
  const CallFlags& flags;
  const HostModels& hosts;
};

// Runs the model of a case on its inputs and compares what it gives with the expected outputs. A
// model that can't be run because of its operators or features, or for which there is no host, is
// skipped; anything else that goes wrong is a failure.
CaseResult check_case(const Case& test, const CaseRuns& runs, const Tolerance& tolerance);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CASES_H_
