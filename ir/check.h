// CHECK: stops the program on a bug of our own. What a user, a file or a device
// can cause is an absl::Status instead. (Debian's Abseil has no absl/log.)

#ifndef PALIMPSEST_IR_CHECK_H_
#define PALIMPSEST_IR_CHECK_H_

#include <cstdio>
#include <cstdlib>

#define PALIMPSEST_CHECK(condition)                                         \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, \
                   #condition);                                             \
      std::abort();                                                         \
    }                                                                       \
  } while (false)

#endif  // PALIMPSEST_IR_CHECK_H_
