#ifndef WINDROW_WINDROW_H_
#define WINDROW_WINDROW_H_

// Everything in the core library. Models and tensor files: windrow/models.h.
#include "windrow/array.h"
#include "windrow/attributes.h"
#include "windrow/dtype.h"
#include "windrow/interrupt.h"
#include "windrow/machine_costs.h"
#include "windrow/onnx.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/printable.h"
#include "windrow/result_pool.h"
#include "windrow/shape.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/tensorrt.h"
#include "windrow/threads.h"

#endif  // WINDROW_WINDROW_H_
