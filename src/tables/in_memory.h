#ifndef WINDROW_TABLES_IN_MEMORY_H_
#define WINDROW_TABLES_IN_MEMORY_H_

#include <new>

#include "windrow/status.h"

namespace windrow::internal {

// Made when the first table is opened, so that it can be told without memory.
inline const Status& no_memory() {
  static const Status status(ErrorCode::kOutOfMemory, "a table on disk: out of memory");
  return status;
}

// What `body` returns, a Status or a Result, or no_memory() if it throws std::bad_alloc.
template <class Body>
auto in_memory(const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_IN_MEMORY_H_
