#define _GNU_SOURCE
#include "CSystemShims.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <unistd.h>

int isobath_open_unnamed(const char *folder, unsigned mode) {
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

void isobath_take_room(int descriptor, long long size) { (void)fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, size); }

int isobath_rename_to_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int isobath_exchange(const char *first, const char *second) {
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

int isobath_open_in_memory(void) { return memfd_create("isobath", MFD_CLOEXEC); }

int isobath_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // Outputs in replies are megabytes. If the system does not allow this size, the pipe keeps its default size.
    (void)fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
    return 0;
}

static const char *const access_list = "system.posix_acl_access";

static int copy_attribute(const char *path, int descriptor, const char *name) {
    ssize_t size = getxattr(path, name, NULL, 0);
    if (size < 0) return -1;
    char *value = malloc(size ? (size_t)size : 1);
    if (!value) return -1;
    size = getxattr(path, name, value, (size_t)size);
    int status = size < 0 ? -1 : fsetxattr(descriptor, name, value, (size_t)size, 0);
    free(value);
    return status;
}

int isobath_copy_extended_attributes(const char *path, int descriptor) {
    ssize_t size = listxattr(path, NULL, 0);
    if (size <= 0) return 0;
    char *names = malloc((size_t)size);
    if (!names) return -1;
    size = listxattr(path, names, (size_t)size);
    int status = 0;
    for (ssize_t place = 0; place < size; place += (ssize_t)strlen(names + place) + 1) {
        const char *name = names + place;
        int is_list = strcmp(name, access_list) == 0;
        if (!is_list && strncmp(name, "user.", 5) != 0) continue;
        if (copy_attribute(path, descriptor, name) != 0 && is_list) status = -1;
    }
    free(names);
    return status;
}
