// libtiff is loaded when the first TIFF file is read or written, and not with the program: with the five compression
// libraries that it brings along, starting it takes a sixth of the time of a short run.
#define _GNU_SOURCE
#include "tiff_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "CCodecShims.h"

struct tiff_library tiff;

static int is_loaded;

static void load(void) {
    // Version 4.5, the first with options for opening files, became libtiff.so.6.
    void *library = dlopen("libtiff.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(name)                                \
    *(void **)&tiff.name = dlsym(library, #name); \
    if (!tiff.name) return;
    TIFF_FUNCTIONS(FIND)
    is_loaded = 1;
}

int load_tiff(char *message) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (is_loaded) return ISOBATH_OK;
    snprintf(message, ISOBATH_MESSAGE_SIZE, "TIFF, whose library (libtiff.so.6) cannot be loaded here,");
    return ISOBATH_UNSUPPORTED;
}
