// Captures output of a library to standard error, for libraries that cannot report errors in any other way.
#ifndef ISOBATH_SILENCE_H
#define ISOBATH_SILENCE_H

#include <stddef.h>

// Between `begin` and `end`, output of this thread to C's `stderr` goes to `take`, a piece at a time, instead of the
// descriptor. Output of other threads still goes to the descriptor. The same thread must call `end`.
void isobath_capture_stderr_begin(void (*take)(void *context, const char *text, size_t size), void *context);
void isobath_capture_stderr_end(void);

#endif
