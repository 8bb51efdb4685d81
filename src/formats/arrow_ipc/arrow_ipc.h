#ifndef WINDROW_FORMATS_ARROW_IPC_ARROW_IPC_H_
#define WINDROW_FORMATS_ARROW_IPC_ARROW_IPC_H_

#include <filesystem>
#include <string>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/tensor_place.h"
#include "windrow/status.h"

// Arrow's IPC files, which Feather's version 2 is too: a column is in the file as it is in memory,
// one piece for each record batch. The schema of the messages is that of Arrow's format/*.fbs.
namespace windrow::internal {

// Finds the pieces of a column, whose paths are left empty; `path` is for messages. An empty name
// means the only column. Errors: as for find_tensor().
Result<std::vector<TensorPlace>> place_arrow(const ByteSource& file,
                                             const std::filesystem::path& path,
                                             const std::string& name);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ARROW_IPC_ARROW_IPC_H_
