#ifndef WINDROW_EXPORT_H_
#define WINDROW_EXPORT_H_

// Files, messages and packed elements are read as they lie in memory, and sizes have 64 bits.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "Windrow needs a little-endian processor with 64-bit addresses"
#endif

// Marks what the shared libraries export; everything else is hidden.
#define WINDROW_EXPORT __attribute__((visibility("default")))

#endif  // WINDROW_EXPORT_H_
