#include <lz4frame.h>

#include "CInflateShims.h"

int isobath_lz4_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity) {
    LZ4F_dctx *context;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) return -1;
    size_t taken = 0, written = 0, wanted = 1;
    while (wanted != 0) {
        size_t available = size - taken, room = capacity - written;
        wanted = LZ4F_decompress(context, output + written, &room, input + taken, &available, NULL);
        // No progress: the input ends too early, or holds more than it should.
        if (LZ4F_isError(wanted) || (available == 0 && room == 0)) break;
        taken += available;
        written += room;
    }
    LZ4F_freeDecompressionContext(context);
    return wanted == 0 && written == capacity ? 0 : -1;
}
