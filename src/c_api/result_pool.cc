#include "windrow/result_pool.h"

#include "windrow/c.h"

size_t windrow_set_result_pool(size_t bytes) { return windrow::set_result_pool(bytes); }

size_t windrow_result_pool_held(void) { return windrow::result_pool_held(); }

size_t windrow_release_result_pool(void) { return windrow::release_result_pool(); }
