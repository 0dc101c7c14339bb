#define _GNU_SOURCE
#include "CSystemShims.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int isobath_open_unnamed(const char *folder) {
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

void isobath_take_room(int descriptor, long long size) { (void)fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, size); }

int isobath_rename_to_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int isobath_open_in_memory(void) { return memfd_create("isobath", MFD_CLOEXEC); }

int isobath_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // Outputs in replies are megabytes. Where the system allows no more, a pipe stays as large as it was.
    (void)fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
    return 0;
}
