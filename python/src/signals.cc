#include "python/src/signals.h"

#include <pthread.h>

#include <map>
#include <memory>
#include <string>

#include "windrow/status.h"

namespace windrow::python {
namespace {

constexpr int kMostThreads = 4096;

// The pools by their number of threads. They are never destroyed: at the end of the process their
// threads may already be gone.
using Pools = std::map<int, std::unique_ptr<Threads>>;
Pools* pools = nullptr;

// The child of a fork has the parent's pools without their threads, so it makes pools of its own.
// The parent's pools may be in the middle of a change and are left as they are.
[[maybe_unused]] const int kRegistered = pthread_atfork(nullptr, nullptr, [] { pools = nullptr; });

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
  if (pools == nullptr) pools = new Pools();
  std::unique_ptr<Threads>& pool = (*pools)[count];
  if (pool == nullptr) pool = make_threads(count);
  if (pool == nullptr)
    throw Error(Status(ErrorCode::kOutOfMemory,
                       "no memory for a pool of " + std::to_string(count) + " threads"));
  return pool.get();
}

}  // namespace windrow::python
