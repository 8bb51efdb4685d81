// Loaded before a program (LD_PRELOAD), watches its calls that make, write, rename and remove
// files, from main on, and disturbs them.
//
//   FILE_CALLS_LOG           a file that takes a line per call, such as "rename"
//   FILE_CALLS_SIGNAL_AT=N   before call number N, from 1 on, the process gets the signal ...
//   FILE_CALLS_SIGNAL=S      ... number S
//   FILE_CALLS_REFUSE_AT=N   call number N fails, if it is a rename
//   FILE_CALLS_FROM_THREAD   set: the signal goes to another thread than the caller
//   FILE_CALLS_NAMED         set: there are no files without a name (O_TMPFILE)
//   FILE_CALLS_NO_LINKS      set: no file takes a second name
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int in_main;
static int log_file = -1;
static long calls;
static long signal_at;
static long refuse_at;
static int signal_number;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void* wait_for_signals(void* unused) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  while (1) pause();
  return unused;
}

// The kernel gives a signal of the process to any thread that takes it: here to a new one.
static void signal_another_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_signals, NULL) != 0) abort();
  pthread_kill(thread, signal_number);
  // Long enough for that thread; the program must not depend on it.
  struct timespec left = {0, 20000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

static void before_call(const char* name) {
  if (!in_main) return;
  if (log_file >= 0) {
    REAL(write)(log_file, name, strlen(name));
    REAL(write)(log_file, "\n", 1);
  }
  if (++calls != signal_at) return;
  if (getenv("FILE_CALLS_FROM_THREAD") != NULL) {
    signal_another_thread();
  } else {
    kill(getpid(), signal_number);
  }
}

static int open_real(const char* path, int flags, mode_t mode) {
  const int nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (flags & (O_WRONLY | O_RDWR | O_CREAT)) before_call(nameless ? "open nameless" : "open");
  if (nameless && getenv("FILE_CALLS_NAMED") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return REAL(open)(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_real(path, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t count) {
  before_call("write");
  return REAL(write)(file, bytes, count);
}
int fsync(int file) {
  struct stat info;
  before_call(fstat(file, &info) == 0 && S_ISDIR(info.st_mode) ? "fsync folder" : "fsync");
  return REAL(fsync)(file);
}
int link(const char* from, const char* to) {
  before_call("link");
  if (getenv("FILE_CALLS_NO_LINKS") == NULL) return REAL(link)(from, to);
  errno = EPERM;
  return -1;
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  before_call("linkat");
  return REAL(linkat)(from_folder, from, to_folder, to, flags);
}
int rename(const char* from, const char* to) {
  before_call("rename");
  if (calls == refuse_at && in_main) {
    errno = EIO;
    return -1;
  }
  return REAL(rename)(from, to);
}
int mkdir(const char* path, mode_t mode) {
  before_call("mkdir");
  return REAL(mkdir)(path, mode);
}
char* mkdtemp(char* path) {
  before_call("mkdtemp");
  return REAL(mkdtemp)(path);
}
int rmdir(const char* path) {
  before_call("rmdir");
  return REAL(rmdir)(path);
}
int unlink(const char* path) {
  before_call("unlink");
  return REAL(unlink)(path);
}

typedef int Main(int, char**, char**);
static Main* real_main;

static int watched_main(int argc, char** argv, char** environment) {
  const char* path = getenv("FILE_CALLS_LOG");
  if (path != NULL) log_file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const char* at = getenv("FILE_CALLS_SIGNAL_AT");
  const char* number = getenv("FILE_CALLS_SIGNAL");
  const char* refused = getenv("FILE_CALLS_REFUSE_AT");
  if (refused != NULL) refuse_at = atol(refused);
  if (at != NULL) signal_at = atol(at);
  if (number != NULL) signal_number = atoi(number);
  in_main = 1;
  return real_main(argc, argv, environment);
}

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end) {
  typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  Start* start;
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(watched_main, argc, argv, init, fini, rtld_fini, stack_end);
}
