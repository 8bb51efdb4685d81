#ifndef WINDROW_PLUGINS_JAX_POOL_H_
#define WINDROW_PLUGINS_JAX_POOL_H_

#include <xla/ffi/api/c_api.h>

#include "windrow/threads.h"

namespace windrow::jax {

// XLA's own threads during one call of the handler. The calling thread works, and other threads of
// the pool join as they become free. Never waits for a thread that has not begun, so a pool whose
// threads are all inside such calls makes progress.
class Pool final : public Threads {
 public:
  // Both belong to the call frame and outlive the pool.
  Pool(const XLA_FFI_Api* api, XLA_FFI_ExecutionContext* context) noexcept
      : api_(api), context_(context) {}

  int count() const noexcept override;
  void parallel(int tasks, void (*task)(void* context, int index), void* context) noexcept override;

 private:
  bool schedule(XLA_FFI_Task* task, void* data) const noexcept;

  const XLA_FFI_Api* api_;
  XLA_FFI_ExecutionContext* context_;
  mutable int count_ = 0;  // 0: not asked yet
};

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_POOL_H_
