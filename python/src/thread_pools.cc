#include "python/src/thread_pools.h"

#include <map>
#include <memory>
#include <string>

#include "windrow/status.h"

namespace windrow::python {
namespace {

constexpr int kMostThreads = 4096;

}  // namespace

int thread_count(PyObject* threads, int otherwise) {
  if (threads == nullptr || threads == Py_None) return otherwise;
  const long count = PyIndex_Check(threads) ? PyLong_AsLong(threads) : -1;
  PyErr_Clear();
  if (count < 1 || count > kMostThreads)
    throw Error(
        Status(ErrorCode::kInvalidArgument,
               "threads must be None or an integer from 1 to " + std::to_string(kMostThreads)));
  return static_cast<int>(count);
}

int default_thread_count() noexcept {
  static const int count = allowed_cores();
  return count;
}

Threads* threads_of(int count) {
  if (count <= 1) return nullptr;
  // Never destroyed: at the end of the process its threads may be gone already.
  static auto* const pools = new std::map<int, std::unique_ptr<Threads>>();
  std::unique_ptr<Threads>& pool = (*pools)[count];
  if (pool == nullptr) pool = make_threads(count);
  if (pool == nullptr)
    throw Error(Status(ErrorCode::kOutOfMemory,
                       "the system refuses " + std::to_string(count) + " threads"));
  return pool.get();
}

}  // namespace windrow::python
