// Stands for <pthread.h>, which wasi-libc lacks: a page never forks, so that there is nothing to do
// before it does.
#ifndef WINDROW_PLAYGROUND_PTHREAD_H_
#define WINDROW_PLAYGROUND_PTHREAD_H_

inline int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }

#endif  // WINDROW_PLAYGROUND_PTHREAD_H_
