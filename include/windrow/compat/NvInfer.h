#ifndef WINDROW_COMPAT_NVINFER_H_
#define WINDROW_COMPAT_NVINFER_H_

// Replaces TensorRT's header of this name. With the folder of this file among the include
// directories, code that builds networks of the layers in windrow/nvinfer.h compiles unchanged.

#include "windrow/nvinfer.h"

// The release whose interface windrow/nvinfer.h follows.
#define NV_TENSORRT_MAJOR 11
#define NV_TENSORRT_MINOR 1
#define NV_TENSORRT_PATCH 0
#define NV_TENSORRT_BUILD 0
#define NV_TENSORRT_VERSION_INT(major, minor, patch) ((major)*10000L + (minor)*100L + (patch)*1L)
#define NV_TENSORRT_VERSION \
  NV_TENSORRT_VERSION_INT(NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR, NV_TENSORRT_PATCH)

namespace nvinfer1 = windrow::nvinfer1;

#endif  // WINDROW_COMPAT_NVINFER_H_
