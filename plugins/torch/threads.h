#ifndef WINDROW_PLUGINS_TORCH_THREADS_H_
#define WINDROW_PLUGINS_TORCH_THREADS_H_

#include "windrow/c.h"

namespace windrow::torch_plugin {

// torch's own threads; their number is the current torch.get_num_threads().
windrow_threads host_threads() noexcept;

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_THREADS_H_
