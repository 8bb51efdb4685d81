#ifndef WINDROW_PLAYGROUND_SPELLING_H_
#define WINDROW_PLAYGROUND_SPELLING_H_

#include <string>
#include <string_view>

namespace windrow::playground {

// A tensor as the command takes it.
struct Spelling {
  std::string word;
  std::string dtype;  // "float16"; empty: the text names none
};

// Reads nested lists as NumPy and PyTorch print and take them: "array([[1, 2]], dtype=int8)",
// "torch.tensor([1., 2.])", "[[1 2]\n [3 4]]", tuples, True and False, strings in single quotes.
// Returns any other text unchanged, for the command's own reading of words.
Spelling read_spelling(std::string_view text);

}  // namespace windrow::playground

#endif  // WINDROW_PLAYGROUND_SPELLING_H_
