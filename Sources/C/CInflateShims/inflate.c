// zlib keeps its state in a struct with macros around it.
#include <stdlib.h>

#include <zlib.h>

#include "CInflateShims.h"

enum { PORTION = 1 << 30 };  // zlib counts in 32 bits

struct isobath_inflater {
    z_stream stream;
    int is_at_end;
};

struct isobath_inflater *isobath_inflater_create(void) {
    struct isobath_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater && inflateInit2(&inflater->stream, -MAX_WBITS) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

int isobath_inflater_run(struct isobath_inflater *inflater, const uint8_t *input, size_t available, size_t *taken,
                         uint8_t *output, size_t capacity, size_t *written) {
    *taken = *written = 0;
    if (inflater->is_at_end) return 0;
    if (available > PORTION || capacity > PORTION) return -1;
    z_stream *stream = &inflater->stream;
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)available;
    stream->next_out = output;
    stream->avail_out = (uInt)capacity;
    int code = inflate(stream, Z_NO_FLUSH);
    *taken = available - stream->avail_in;
    *written = capacity - stream->avail_out;
    inflater->is_at_end = code == Z_STREAM_END;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? 0 : -1;
}

void isobath_inflater_free(struct isobath_inflater *inflater) {
    inflateEnd(&inflater->stream);
    free(inflater);
}
