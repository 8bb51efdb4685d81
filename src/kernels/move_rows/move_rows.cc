#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/move_rows/move_rows.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/move_rows/move-inl.h"

#define WINDROW_BIND bind_move_rows
#define WINDROW_ROWS "src/kernels/move_rows/rows.inc"
#include "src/kernels/bind_rows-inl.h"
