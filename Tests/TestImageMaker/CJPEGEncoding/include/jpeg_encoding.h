#ifndef JPEG_ENCODING_H
#define JPEG_ENCODING_H

#include <stddef.h>
#include <stdint.h>

/// Encodes 8-bit rows without padding as baseline JPEG. `components` is 1 (gray, no JFIF header, as in Apple's
/// auxiliary images) or 3 (RGB in, 4:2:0 with a JFIF header out). The result is to be freed with free().
/// Returns 0, or -1 if libjpeg failed: its error handler must not return, so it longjmps, which must end in C.
int encode_jpeg(
    const uint8_t *pixels, unsigned width, unsigned height, int components, int quality, uint8_t **bytes,
    unsigned long *count);

#endif
