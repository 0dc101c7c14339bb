// Linux calls that Swift's Glibc module does not show without _GNU_SOURCE.
#ifndef ISOBATH_FILE_SHIMS_H
#define ISOBATH_FILE_SHIMS_H

// A file without a name in a folder (O_TMPFILE), to be linked from /proc/self/fd; -1 and errno where that is not to be had.
int isobath_open_unnamed(const char *folder);

// A file in memory that is closed on exec.
int isobath_open_in_memory(void);

#endif
