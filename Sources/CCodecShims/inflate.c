// zlib keeps its state in a struct with macros around it.
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#include "CCodecShims.h"

enum { portion = 1 << 30 };  // zlib counts in 32 bits

int isobath_inflate(const uint8_t *data, size_t size, uint8_t *output, size_t capacity, size_t *written,
                    char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    *written = 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return ISOBATH_DAMAGED;
    stream.next_in = (Bytef *)data;
    stream.next_out = output;
    int code = Z_OK;
    while (code == Z_OK && *written < capacity) {
        size_t in = size - (size_t)(stream.next_in - data), out = capacity - *written;
        stream.avail_in = in < portion ? (uInt)in : portion;
        stream.avail_out = out < portion ? (uInt)out : portion;
        code = inflate(&stream, Z_NO_FLUSH);
        *written = (size_t)(stream.next_out - output);
    }
    if (code != Z_OK && code != Z_STREAM_END) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "%s",
                 stream.msg ? stream.msg : "the deflate stream ends in the middle of it");
    }
    inflateEnd(&stream);
    return code == Z_OK || code == Z_STREAM_END ? ISOBATH_OK : ISOBATH_DAMAGED;
}

uint32_t isobath_checksum(const uint8_t *data, size_t size) { return (uint32_t)crc32_z(0, data, size); }

uint32_t isobath_zlib_checksum(const uint8_t *data, size_t size) { return (uint32_t)adler32_z(1, data, size); }
