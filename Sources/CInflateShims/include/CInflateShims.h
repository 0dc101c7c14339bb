// Raw deflate data (RFC 1951) by zlib, piece by piece; LZ4 frames by liblz4.
#ifndef ISOBATH_CINFLATESHIMS_H
#define ISOBATH_CINFLATESHIMS_H

#include <stddef.h>
#include <stdint.h>

struct isobath_inflater;

// NULL without memory.
struct isobath_inflater *isobath_inflater_create(void);

// Unpacks from `input` into `output`, 2^30 bytes at most each, and says how much of either was used: nothing at the end of the stream,
// and where input is missing. Returns 0, or -1 where the data is damaged.
int isobath_inflater_run(struct isobath_inflater *inflater, const uint8_t *input, size_t available, size_t *taken,
                         uint8_t *output, size_t capacity, size_t *written);

void isobath_inflater_free(struct isobath_inflater *inflater);

// Unpacks an LZ4 frame that holds `capacity` bytes. Returns 0, or -1 where it is damaged, cut off, or holds fewer or more.
int isobath_lz4_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);

#endif
