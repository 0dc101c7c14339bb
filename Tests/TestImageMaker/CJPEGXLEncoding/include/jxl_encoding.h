#pragma once
#include <stddef.h>
#include <stdint.h>

// Codes an RGB picture with extra channels for depth (16 bits) and alpha (8 bits) of the same size. The caller frees
// `*bytes`. Returns 0 on success.
int encode_jxl(const uint8_t *rgb, const uint16_t *depth, const uint8_t *alpha, uint32_t width, uint32_t height,
               uint8_t **bytes, size_t *count);
