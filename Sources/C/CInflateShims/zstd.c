// libzstd is loaded when the first Zstandard frame is read: most recordings have none.
#include <stdio.h>

#include <zstd.h>

#include "../CCodecShims/loaded_library.h"
#include "CInflateShims.h"

#define FUNCTIONS(each) \
    each(ZSTD_createDCtx) \
    each(ZSTD_decompress) \
    each(ZSTD_decompressStream) \
    each(ZSTD_freeDCtx) \
    each(ZSTD_getFrameContentSize) \
    each(ZSTD_isError) \
    each(ZSTD_versionString)

#define LIBRARY_NAME "libzstd.so.1"
LOADED_LIBRARY(zstd, FUNCTIONS, LIBRARY_NAME)

void isobath_zstd_library(struct isobath_unpacker *library) {
    *library = (struct isobath_unpacker){.file = LIBRARY_NAME, .package = "libzstd1"};
    if (!zstd_is_loaded()) return;
    snprintf(library->version, sizeof library->version, "%s", zstd.ZSTD_versionString());
}

// Unpacks frames that do not declare their size piece by piece, to count their bytes.
static int count_unpacked(const uint8_t *input, size_t size, uint64_t limit, uint64_t *unpacked) {
    ZSTD_DCtx *context = zstd.ZSTD_createDCtx();
    if (!context) return -1;
    uint8_t piece[1 << 14];
    ZSTD_inBuffer from = {input, size, 0};
    size_t wanted = 1, written = 1;
    *unpacked = 0;
    while ((from.pos < size || (wanted != 0 && written == sizeof piece)) && *unpacked <= limit) {
        ZSTD_outBuffer to = {piece, sizeof piece, 0};
        wanted = zstd.ZSTD_decompressStream(context, &to, &from);
        if (zstd.ZSTD_isError(wanted)) break;
        *unpacked += written = to.pos;
    }
    zstd.ZSTD_freeDCtx(context);
    // A frame that is not complete wants more input.
    return wanted == 0 || *unpacked > limit ? 0 : -1;
}

int isobath_zstd_size(const uint8_t *input, size_t size, uint64_t limit, uint64_t *unpacked) {
    if (!zstd_is_loaded()) return ISOBATH_UNPACKER_MISSING;
    *unpacked = zstd.ZSTD_getFrameContentSize(input, size);
    if (*unpacked == ZSTD_CONTENTSIZE_UNKNOWN) return count_unpacked(input, size, limit, unpacked);
    return *unpacked == ZSTD_CONTENTSIZE_ERROR ? -1 : 0;
}

int isobath_zstd_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity) {
    if (!zstd_is_loaded()) return ISOBATH_UNPACKER_MISSING;
    size_t written = zstd.ZSTD_decompress(output, capacity, input, size);
    return !zstd.ZSTD_isError(written) && written == capacity ? 0 : -1;
}
