#ifndef WINDROW_FORMATS_TENSOR_PLACE_H_
#define WINDROW_FORMATS_TENSOR_PLACE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

// A dense row-major tensor that stands in a file in one piece, little-endian. Its bytes were inside
// the file when it was looked for; whoever reads them checks that they still are.
struct TensorPlace {
  std::filesystem::path path;  // the file that has the bytes: of external data, the data file
  std::string name;            // the tensor's name in the file, or empty
  DType dtype = DType::kAbsent;
  Shape shape;                  // in elements
  std::int64_t first_byte = 0;  // where the first element begins
};

// Finds where the elements of a tensor are, without reading them. The format is that of the file's
// ending: .npy, .npz, .safetensors, .onnx (initializers and Constant nodes of the main graph, in
// the model's file or in external data), .xml (Const layers of OpenVINO IR's main graph, by their
// own name or that of their output tensor; the bytes are in the .bin file), .arrow and .feather (a
// column of numbers, of fixed-size lists of numbers, or of fixed-size binaries, which are rows of
// uint8).
//
// The pieces follow each other along axis 0. There is one, but for a column of an Arrow file, which
// has one for each record batch, at least one.
//
// `name` may be empty where the file has exactly one tensor. `expected` is the type of bits for
// which .npy has no name, as for load_tensor().
//
// Errors: kIo, kFormat, kShape (rank), kInvalidArgument (no tensor of that name, or several),
// kUnsupported (another ending; elements that don't stand in the file in one piece as this library
// has them in memory: strings, Fortran order, deflated or compressed bytes, big-endian numbers,
// packed elements that end within a byte, columns with nulls).
WINDROW_EXPORT Result<std::vector<TensorPlace>> find_tensor(const std::filesystem::path& path,
                                                            const std::string& name,
                                                            DType expected = DType::kAbsent);

// Checks that the elements are whole bytes, and inside a file of `file_bytes` bytes. Errors:
// kFormat, kUnsupported (strings, packed elements that end within a byte).
Status check_place(const TensorPlace& place, std::int64_t file_bytes);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_TENSOR_PLACE_H_
