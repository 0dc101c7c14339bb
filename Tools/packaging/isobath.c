// The command `isobath` as the wheel, the tarball and the container install it. The tool itself is in libisobath.so,
// which C programs and Python share. LIBRARY is its path from the folder of this program. It is loaded here, because the
// dynamic linker finds paths relative to a program only where /proc is mounted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static int fail(const char *reason) {
    fprintf(stderr, "isobath: error: %s\n", reason);
    return 1;
}

int main(int argc, char **argv) {
    char path[PATH_MAX + sizeof LIBRARY];
    const char *program = (const char *)getauxval(AT_EXECFN);
    if (!program || !realpath(program, path)) return fail("the path of this program is unknown");
    strcpy(strrchr(path, '/') + 1, LIBRARY);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void (*run)(int, char **);
    *(void **)&run = library ? dlsym(library, "isobath_tool_main") : NULL;
    if (!run) return fail(dlerror());
    run(argc, argv);
}
