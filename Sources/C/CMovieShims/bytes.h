// Bytes behind a descriptor, or in memory: the only input and output of FFmpeg.
#ifndef ISOBATH_MOVIE_BYTES_H
#define ISOBATH_MOVIE_BYTES_H

#include "CMovieShims.h"
#include "libraries.h"

struct isobath_bytes {
    int descriptor;
    // Read instead of the descriptor, unless `NULL`.
    const uint8_t *memory;
    int64_t size;
    int64_t offset;
    // The `errno` of the first failed read; 0 if all succeeded.
    int error;
    // Codes that replace those in the file.
    struct isobath_code codes[ISOBATH_CODES];
    AVIOContext *io;
};

// Creates `io`. Returns 0, or -1 if memory runs out.
int isobath_bytes_open(struct isobath_bytes *bytes, int is_output);
void isobath_bytes_close(struct isobath_bytes *bytes);

#endif
