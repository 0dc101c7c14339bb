#define _GNU_SOURCE
#include "CSystemShims.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int isobath_own_file(char path[ISOBATH_PATH]) {
    // The dynamic linker knows the paths of libraries only: for the program, this is what its user typed.
    Dl_info info;
    const char *name = dladdr((void *)isobath_own_file, &info) ? strrchr(info.dli_fname, '/') : NULL;
    if (name && strncmp(name, "/libisobath.so.", 15) == 0)
        return snprintf(path, ISOBATH_PATH, "%s", info.dli_fname) < ISOBATH_PATH ? 0 : -1;
    ssize_t count = readlink("/proc/self/exe", path, ISOBATH_PATH - 1);
    if (count < 0) return -1;
    path[count] = 0;
    return 0;
}

int isobath_find_file(const char *pattern, char path[ISOBATH_PATH]) {
    glob_t found;
    int status = -1;
    if (glob(pattern, GLOB_BRACE, NULL, &found) != 0) return status;
    if (found.gl_pathc > 0)
        status = snprintf(path, ISOBATH_PATH, "%s", found.gl_pathv[found.gl_pathc - 1]) < ISOBATH_PATH ? 0 : -1;
    globfree(&found);
    return status;
}
