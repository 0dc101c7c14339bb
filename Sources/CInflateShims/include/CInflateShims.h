// Raw deflate data (RFC 1951) by zlib, piece by piece; LZ4 frames by liblz4.
#ifndef ISOBATH_CINFLATESHIMS_H
#define ISOBATH_CINFLATESHIMS_H

#include <stddef.h>
#include <stdint.h>

struct isobath_inflater;

// NULL if memory runs out.
struct isobath_inflater *isobath_inflater_create(void);

// Unpacks from `input` into `output`, at most 2^30 bytes each. `*taken` and `*written` are the bytes used of each: 0
// after the end of the stream, or if more input is needed. Returns 0, or -1 if the data is damaged.
int isobath_inflater_run(struct isobath_inflater *inflater, const uint8_t *input, size_t available, size_t *taken,
                         uint8_t *output, size_t capacity, size_t *written);

void isobath_inflater_free(struct isobath_inflater *inflater);

// Unpacks an LZ4 frame of exactly `capacity` unpacked bytes. Returns 0, or -1 if it is damaged, truncated, or of
// another size.
int isobath_lz4_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);

#endif
