#ifndef WINDROW_EXPORT_H_
#define WINDROW_EXPORT_H_

// Marks what the shared libraries export; everything else is hidden.
#define WINDROW_EXPORT __attribute__((visibility("default")))

#endif  // WINDROW_EXPORT_H_
