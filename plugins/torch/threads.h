#ifndef WINDROW_PLUGINS_TORCH_THREADS_H_
#define WINDROW_PLUGINS_TORCH_THREADS_H_

#include "windrow/c.h"

namespace windrow::torch_plugin {

// torch's own threads, as many as torch.get_num_threads() says now.
windrow_threads host_threads() noexcept;

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_THREADS_H_
