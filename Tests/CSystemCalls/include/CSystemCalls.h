// System calls that an isolated process must not make.
#ifndef ISOBATH_SYSTEM_CALLS_H
#define ISOBATH_SYSTEM_CALLS_H

// Makes each of them, on another process and on a file. Returns a new text with those that were not refused, one a line:
// refused is ENOSYS, EPERM or EACCES. `count` is how many were made.
char *refused_calls_that_work(int process, const char *file, int *count);

#endif
