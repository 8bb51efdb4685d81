// Loaded before a program (LD_PRELOAD), lets one of its allocations fail, or one and all that
// follow, as if there were no more memory. Allocations are counted from main on, in all threads.
//
//   FAIL_ALLOCATION=N       the allocation number N fails, from 1 on; 0: none
//   FAIL_ALLOCATION=N+      so do all that follow
//   FAIL_ALLOCATION_COUNT   a file that takes the number of allocations at the end
//
// Allocations inside dlopen do not fail: glibc 2.36 itself crashes where it has no memory for the
// description of an error (oneTBB looks for its libraries that way).
//
// glibc only: its allocator is called by the names that it keeps for this purpose.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* memory, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long counted;
static long first;
static int all_that_follow;
static atomic_int in_main;
static _Thread_local int in_dlopen;

static int fails(void) {
  if (!in_main || in_dlopen) return 0;
  const long number = ++counted;
  if (first == 0 || number < first || (number > first && !all_that_follow)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void* realloc(void* memory, size_t bytes) { return fails() ? NULL : __libc_realloc(memory, bytes); }
void* memalign(size_t alignment, size_t bytes) {
  return fails() ? NULL : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == NULL ? ENOMEM : 0;
}

void* dlopen(const char* path, int mode) {
  void* (*open_library)(const char*, int);
  *(void**)&open_library = dlsym(RTLD_NEXT, "dlopen");
  ++in_dlopen;
  void* library = open_library(path, mode);
  --in_dlopen;
  return library;
}

__attribute__((destructor)) static void write_count(void) {
  in_main = 0;
  const char* path = getenv("FAIL_ALLOCATION_COUNT");
  if (path == NULL) return;
  char text[32];
  const int size = snprintf(text, sizeof text, "%ld", (long)counted);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || write(file, text, (size_t)size) != size) abort();
  close(file);
}

typedef int Main(int, char**, char**);
static Main* real_main;

static int counting_main(int argc, char** argv, char** environment) {
  const char* number = getenv("FAIL_ALLOCATION");
  if (number != NULL) {
    char* end;
    first = strtol(number, &end, 10);
    all_that_follow = *end == '+';
  }
  in_main = 1;
  return real_main(argc, argv, environment);
}

// Called by the program's first instructions: the constructors of static objects run before main.
int __libc_start_main(Main* main, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end) {
  typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  Start* start;
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counting_main, argc, argv, init, fini, rtld_fini, stack_end);
}
