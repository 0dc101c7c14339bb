// libpng reports errors by longjmp.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "CCodecShims.h"

struct input {
    const uint8_t *next;
    size_t left;
};

static void fail(png_structp png, png_const_charp text) {
    snprintf(png_get_error_ptr(png), ISOBATH_MESSAGE_SIZE, "%s", text);
    png_longjmp(png, 1);
}

// Keeps the first warning, which an error overwrites.
static void note(png_structp png, png_const_charp text) {
    char *message = png_get_error_ptr(png);
    if (message[0] == 0) snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", text);
}

// Of the ancillary chunks, only `kept` is read: others could unpack to gigabytes. No chunk may allocate more than
// `size` bytes.
static void set_limits(png_structp png, uint32_t width, uint32_t height, size_t size, const char *kept) {
    png_set_user_limits(png, width, height);
    png_set_chunk_malloc_max(png, size);
    png_set_chunk_cache_max(png, 16);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    if (kept) png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep)kept, 1);
}

static void take(png_structp png, png_bytep bytes, size_t count) {
    struct input *input = png_get_io_ptr(png);
    if (count > input->left) png_error(png, "the file ends in the middle of it");
    memcpy(bytes, input->next, count);
    input->next += count;
    input->left -= count;
}

int isobath_png_read(const uint8_t *data, size_t size, uint32_t width, uint32_t height, int channels, int bit_depth,
                     void *pixels, size_t pixels_size, char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    struct input input = {data, size};
    size_t stride = (size_t)width * (size_t)channels * (bit_depth == 16 ? 2 : 1);
    png_infop info = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, note);
    if (png) info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        return ISOBATH_DAMAGED;
    }
    png_set_read_fn(png, &input, take);
    set_limits(png, width, height, 1 << 20, NULL);
    png_read_info(png, info);
    int color = png_get_color_type(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height ||
        png_get_bit_depth(png, info) != bit_depth || pixels_size != stride * height) {
        png_error(png, "the header changed while it was read");
    }
    if (channels == 1) {
        if (color != PNG_COLOR_TYPE_GRAY) png_error(png, "the file is not gray");
        png_set_packing(png);
    } else if (channels == 4) {
        int has_alpha = color & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS);
        png_set_expand(png);
        if (!(color & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
        if (!has_alpha) png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    } else {
        if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
        if (bit_depth < 8) png_set_expand_gray_1_2_4_to_8(png);
        if (!(color & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
        png_set_strip_alpha(png);
    }
    const uint16_t probe = 1;
    if (bit_depth == 16 && *(const uint8_t *)&probe == 1) png_set_swap(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != stride) png_error(png, "rows have another length than announced");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < height; row++) {
            png_read_row(png, (png_bytep)pixels + row * stride, NULL);
        }
    }
    png_destroy_read_struct(&png, &info, NULL);
    return ISOBATH_OK;
}

int isobath_png_profile(const uint8_t *data, size_t size, uint8_t *profile, size_t capacity, size_t *written,
                        char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    *written = 0;
    struct input input = {data, size};
    png_infop info = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, note);
    if (png) info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        return ISOBATH_DAMAGED;
    }
    png_set_read_fn(png, &input, take);
    set_limits(png, 0x7fffffff, 0x7fffffff, capacity, "iCCP");
    png_read_info(png, info);
    png_charp name = NULL;
    int compression = 0;
    png_bytep bytes = NULL;
    png_uint_32 length = 0;
    if (png_get_iCCP(png, info, &name, &compression, &bytes, &length) && bytes && length <= capacity) {
        memcpy(profile, bytes, length);
        *written = length;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return ISOBATH_OK;
}
