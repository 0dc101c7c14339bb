// libtiff is loaded when the first TIFF file is read or written, not at launch: loading it and the five compression
// libraries that it depends on takes a sixth of the time of a short run.
#include "tiff_library.h"

#include <stdio.h>

#include "CCodecShims.h"
#include "loaded_library.h"

// The name since version 4.5, the first with options for opening files.
#define LIBRARY_NAME "libtiff.so.6"

struct tiff_library tiff;
LOADED_LIBRARY_LOADER(tiff, TIFF_FUNCTIONS, LIBRARY_NAME)

int load_tiff(char *message) {
    if (tiff_is_loaded()) return ISOBATH_OK;
    snprintf(message, ISOBATH_MESSAGE_SIZE, LOADED_LIBRARY_MISSING("TIFF", LIBRARY_NAME, "libtiff"));
    return ISOBATH_UNSUPPORTED;
}

void isobath_tiff_library(struct isobath_library *library) {
    *library = (struct isobath_library){.file = LIBRARY_NAME, .package = "libtiff6"};
    // "LIBTIFF, Version 4.5.0", and lines about the copyright.
    if (tiff_is_loaded()) sscanf(tiff.TIFFGetVersion(), "LIBTIFF, Version %47[0-9.]", library->version);
}
