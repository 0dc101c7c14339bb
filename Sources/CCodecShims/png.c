// libpng reports errors by longjmp.
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdeflate.h>
#include <png.h>

#include "CCodecShims.h"

static void fail(png_structp png, png_const_charp text) {
    snprintf(png_get_error_ptr(png), ISOBATH_MESSAGE_SIZE, "%s", text);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

#define IDAT_SIZE ((size_t)1 << 20)

// The zlib stream of a smooth plane: rows with the filter `up`, 16-bit samples turned from host to network order.
// libdeflate takes half of zlib's time for it, and libpng cannot be given another compressor.
static uint8_t *compress_plane(const struct isobath_png_image *image, size_t stride, size_t *coded_size) {
    size_t filtered_size = (stride + 1) * image->height;
    uint8_t *filtered = malloc(filtered_size);
    uint8_t *zeros = calloc(stride, 1);
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t room = compressor ? libdeflate_zlib_compress_bound(compressor, filtered_size) : 0;
    uint8_t *coded = compressor && filtered && zeros ? malloc(room) : NULL;
    if (coded) {
        const uint8_t *row = image->pixels;
        const uint8_t *above = zeros;  // the first row has none: `up` over zeros changes nothing
        for (uint32_t index = 0; index < image->height; index++, row += stride) {
            uint8_t *output = filtered + index * (stride + 1);
            *output++ = 2;
            if (image->bit_depth == 16) {
                for (size_t byte = 0; byte < stride; byte += 2) {
                    output[byte] = (uint8_t)(row[byte + 1] - above[byte + 1]);
                    output[byte + 1] = (uint8_t)(row[byte] - above[byte]);
                }
            } else {
                for (size_t byte = 0; byte < stride; byte++) output[byte] = (uint8_t)(row[byte] - above[byte]);
            }
            above = row;
        }
        *coded_size = libdeflate_zlib_compress(compressor, filtered, filtered_size, coded, room);
        if (*coded_size == 0) {
            free(coded);
            coded = NULL;
        }
    }
    free(filtered);
    free(zeros);
    if (compressor) libdeflate_free_compressor(compressor);
    return coded;
}

int isobath_png_write(int descriptor, const struct isobath_png_image *image, char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    int copy = dup(descriptor);
    FILE *volatile file = copy < 0 ? NULL : fdopen(copy, "wb");
    if (!file) {
        if (copy >= 0) close(copy);
        return ISOBATH_IO;
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    uint8_t *volatile coded = NULL;
    size_t coded_size = 0;
    png_infop info = NULL;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore);
    if (png) info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        int code = errno;
        int failed = ferror(file);
        free(coded);
        png_destroy_write_struct(&png, &info);
        fclose(file);
        errno = code;
        return failed ? ISOBATH_IO : ISOBATH_DAMAGED;
    }
    png_init_io(png, file);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, image->width, image->height, image->bit_depth,
                 image->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (image->profile) png_set_iCCP(png, info, "ICC", 0, image->profile, image->profile_size);
    if (image->text) {
        png_text text;
        memset(&text, 0, sizeof text);
        text.compression = PNG_ITXT_COMPRESSION_NONE;
        text.key = (png_charp)image->keyword;
        text.text = (png_charp)image->text;
        text.lang = (png_charp) "";
        text.lang_key = (png_charp) "";
        png_set_text(png, info, &text, 1);
    }
    size_t stride = (size_t)image->width * (size_t)image->channels * (size_t)(image->bit_depth / 8);
    if (image->is_photo) {
        // Photos gain from choosing a filter for each row, and are written as they are compressed.
        png_set_compression_level(png, 2);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
        png_set_compression_buffer_size(png, 1 << 16);
        png_write_info(png, info);
        if (image->bit_depth == 16) png_set_swap(png);
        for (uint32_t row = 0; row < image->height; row++) {
            png_write_row(png, (png_const_bytep)image->pixels + row * stride);
        }
        png_write_end(png, info);
    } else {
        png_write_info(png, info);
        coded = compress_plane(image, stride, &coded_size);
        if (!coded) png_error(png, "no memory to compress the samples");
        for (size_t start = 0; start < coded_size; start += IDAT_SIZE) {
            size_t size = coded_size - start < IDAT_SIZE ? coded_size - start : IDAT_SIZE;
            png_write_chunk(png, (png_const_bytep) "IDAT", coded + start, size);
        }
        png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    }
    free(coded);
    png_destroy_write_struct(&png, &info);
    int failed = fflush(file) != 0 || ferror(file);
    int code = errno;
    fclose(file);
    errno = code;
    return failed ? ISOBATH_IO : ISOBATH_OK;
}
