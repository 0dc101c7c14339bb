// libbz2 is loaded when the first chunk packed by bzip2 is read.
#include <limits.h>
#include <stdio.h>

#include <bzlib.h>

#include "../CCodecShims/loaded_library.h"
#include "CInflateShims.h"

#define FUNCTIONS(each) \
    each(BZ2_bzBuffToBuffDecompress) \
    each(BZ2_bzlibVersion)

#define LIBRARY_NAME "libbz2.so.1.0"
LOADED_LIBRARY(bzip2, FUNCTIONS, LIBRARY_NAME)

void isobath_bzip2_library(struct isobath_unpacker *library) {
    *library = (struct isobath_unpacker){.file = LIBRARY_NAME, .package = "libbz2-1.0"};
    if (!bzip2_is_loaded()) return;
    const char *version = bzip2.BZ2_bzlibVersion();  // "1.0.8, 13-Jul-2019"
    size_t count = 0;
    while (version[count] && version[count] != ',' && count + 1 < sizeof library->version) count++;
    snprintf(library->version, count + 1, "%s", version);
}

int isobath_bzip2_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity) {
    if (!bzip2_is_loaded()) return ISOBATH_UNPACKER_MISSING;
    if (size > UINT_MAX || capacity > UINT_MAX) return -1;
    unsigned written = (unsigned)capacity;
    // The library does not write to its input; its parameter lacks the const.
    int code = bzip2.BZ2_bzBuffToBuffDecompress((char *)output, &written, (char *)input, (unsigned)size, 0, 0);
    return code == BZ_OK && written == capacity ? 0 : -1;
}
