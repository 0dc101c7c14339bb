// Takes what a library says on standard error, where that cannot be told to it in another way.
#ifndef ISOBATH_SILENCE_H
#define ISOBATH_SILENCE_H

#include <stddef.h>

// From `begin` to `end`, what this thread writes to C's `stderr` goes to `take`, a piece at a time, and not to the
// descriptor; what other threads write goes there as before. `end` has to be called by the same thread.
void isobath_capture_stderr_begin(void (*take)(void *context, const char *text, size_t size), void *context);
void isobath_capture_stderr_end(void);

#endif
