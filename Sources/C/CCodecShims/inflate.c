// zlib keeps its state in a struct with macros around it.
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#include "CCodecShims.h"

enum { portion = 1 << 30 };  // zlib counts in 32 bits

// Unpacks until the stream ends or `output` is full.
static int run(z_stream *stream, const uint8_t *data, size_t size, uint8_t *output, size_t capacity) {
    stream->next_out = output;
    size_t written = 0;
    int code = Z_OK;
    while (code == Z_OK && written < capacity) {
        size_t in = size - (size_t)(stream->next_in - data), out = capacity - written;
        stream->avail_in = in < portion ? (uInt)in : portion;
        stream->avail_out = out < portion ? (uInt)out : portion;
        code = inflate(stream, Z_NO_FLUSH);
        written = (size_t)(stream->next_out - output);
    }
    return code;
}

int isobath_inflate(const uint8_t *data, size_t size, int is_zlib, int is_prefix, uint8_t *output, size_t capacity,
                    size_t *written, char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    *written = 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, is_zlib ? MAX_WBITS : -MAX_WBITS) != Z_OK) return ISOBATH_DAMAGED;
    stream.next_in = (Bytef *)data;
    int code = run(&stream, data, size, output, capacity);
    *written = (size_t)(stream.next_out - output);
    int is_longer = 0;
    if (code == Z_OK && !is_prefix) {
        // The checksum follows the last byte. A stream with another byte is longer than it should be.
        uint8_t next;
        code = run(&stream, data, size, &next, 1);
        is_longer = stream.avail_out == 0;
    }
    if (is_longer) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "the deflate stream has more than the %zu bytes expected", capacity);
    } else if (code != Z_OK && code != Z_STREAM_END) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "%s",
                 stream.msg ? stream.msg : "the deflate stream ends in the middle of it");
    }
    inflateEnd(&stream);
    return !is_longer && (code == Z_OK || code == Z_STREAM_END) ? ISOBATH_OK : ISOBATH_DAMAGED;
}

uint32_t isobath_checksum(const uint8_t *data, size_t size) { return (uint32_t)crc32_z(0, data, size); }

