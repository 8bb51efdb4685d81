#ifndef WINDROW_C_THREADS_H_
#define WINDROW_C_THREADS_H_

/* A pool of threads for callers of the C interface that bring none of their own. In the library
 * windrow::threads. */

#include "windrow/c.h"

/* NOLINTBEGIN(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming): C.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* Threads that wait for work. */
typedef struct windrow_thread_pool windrow_thread_pool;

/* A pool of `count` threads, including the calling one, but of no more than the processors that
 * the calling thread may run on; a count below 1 stands for all of these. If the system refuses
 * threads, those that exist do all the tasks. Returns null if memory runs out. Freed with
 * windrow_thread_pool_free(). */
WINDROW_EXPORT windrow_thread_pool* windrow_thread_pool_make(int count);
/* The pool's threads for windrow_run_options; valid as long as the pool. Several threads may run
 * plans with it at the same time, also inside its own tasks and in the child of a fork. */
WINDROW_EXPORT const windrow_threads* windrow_thread_pool_threads(const windrow_thread_pool* pool);
/* `pool` may be null. No plan may be running with the pool's threads. */
WINDROW_EXPORT void windrow_thread_pool_free(windrow_thread_pool* pool);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming) */

#endif /* WINDROW_C_THREADS_H_ */
