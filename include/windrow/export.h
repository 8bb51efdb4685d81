#ifndef WINDROW_EXPORT_H_
#define WINDROW_EXPORT_H_

// Files, messages and packed elements are read as they lie in memory, and sizes have 64 bits. The
// playground alone is compiled with addresses of 32 bits, for WebAssembly: it explains small calls
// and has neither kernels nor files, and a tensor that does not fit in its memory ends the call.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || \
    (__SIZEOF_POINTER__ != 8 && !(defined(WINDROW_PLAYGROUND) && defined(__wasm32__)))
#error "Windrow needs a little-endian processor with 64-bit addresses"
#endif

// Marks what the shared libraries export; everything else is hidden.
#define WINDROW_EXPORT __attribute__((visibility("default")))

#endif  // WINDROW_EXPORT_H_
