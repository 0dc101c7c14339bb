// The functions of libtiff that are used here.
#pragma once

#include <tiffio.h>

#define TIFF_FUNCTIONS(each) \
    each(TIFFCleanup) \
    each(TIFFClientOpenExt) \
    each(TIFFClose) \
    each(TIFFComputeTile) \
    each(TIFFFdOpenExt) \
    each(TIFFFlush) \
    each(TIFFFlushData) \
    each(TIFFGetField) \
    each(TIFFGetFieldDefaulted) \
    each(TIFFGetVersion) \
    each(TIFFIsBigTIFF) \
    each(TIFFIsTiled) \
    each(TIFFOpenOptionsAlloc) \
    each(TIFFOpenOptionsFree) \
    each(TIFFOpenOptionsSetErrorHandlerExtR) \
    each(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    each(TIFFOpenOptionsSetWarningHandlerExtR) \
    each(TIFFReadEncodedStrip) \
    each(TIFFReadEncodedTile) \
    each(TIFFSetField) \
    each(TIFFTileSize) \
    each(TIFFWriteEncodedStrip)

#define TIFF_FIELD(name) __typeof__(&name) name;
struct tiff_library {
    TIFF_FUNCTIONS(TIFF_FIELD)
};

extern struct tiff_library tiff;

// Loads the library when it is called first. ISOBATH_UNSUPPORTED, with a message, where that fails.
int load_tiff(char *message);
