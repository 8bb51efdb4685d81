// Stands for <sys/mman.h>: WebAssembly's memory takes no advice, and without the names of any none
// is given.
