// libjpeg reports errors by calling error_exit, which must not return: longjmp is the documented way out.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include "CCodecShims.h"

struct failure {
    struct jpeg_error_mgr base;
    jmp_buf exit;
    char *message;
};

static void fail(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(failure->message, ISOBATH_MESSAGE_SIZE, "%s", text);
    longjmp(failure->exit, 1);
}

// A warning means that samples after it are made up: it ends the decoding, which else could go on for a long time.
static void note(j_common_ptr info, int level) {
    if (level < 0) fail(info);
}

int isobath_jpeg_decode(const uint8_t *data, size_t size, int width, int height, int components, int eighths,
                        uint8_t *pixels, char message[ISOBATH_MESSAGE_SIZE]) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    message[0] = 0;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = fail;
    failure.base.emit_message = note;
    failure.message = message;
    if (setjmp(failure.exit)) {
        jpeg_destroy_decompress(&info);
        return ISOBATH_DAMAGED;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, data, size);
    jpeg_read_header(&info, TRUE);
    if ((int)info.image_width != width || (int)info.image_height != height) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "the frame is %u x %u and was announced as %d x %d",
                 info.image_width, info.image_height, width, height);
        jpeg_destroy_decompress(&info);
        return ISOBATH_DAMAGED;
    }
    int has_inks = info.num_components == 4;
    if (has_inks && components == 3) {
        jpeg_destroy_decompress(&info);
        return ISOBATH_INKS;
    }
    if (info.num_components != 1 && info.num_components != 3 && !(has_inks && components == 4)) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "JPEG with %d components", info.num_components);
        jpeg_destroy_decompress(&info);
        return ISOBATH_UNSUPPORTED;
    }
    // A Huffman code has a bit or more for each block of 64 samples.
    if (!info.arith_code && (size_t)width * (size_t)height / 512 > size) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "%zu bytes cannot hold %d x %d samples", size, width, height);
        jpeg_destroy_decompress(&info);
        return ISOBATH_DAMAGED;
    }
    info.out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    info.scale_num = (unsigned)eighths;
    info.scale_denom = 8;
    jpeg_start_decompress(&info);
    if ((int)info.output_width != (width * eighths + 7) / 8 || (int)info.output_height != (height * eighths + 7) / 8 ||
        info.output_components != components) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "decoded as %u x %u", info.output_width, info.output_height);
        jpeg_destroy_decompress(&info);
        return ISOBATH_UNSUPPORTED;
    }
    size_t stride = (size_t)info.output_width * (size_t)components;
    while (info.output_scanline < info.output_height) {
        JSAMPROW rows[8];
        for (int row = 0; row < 8; row++) {
            size_t line = info.output_scanline + (size_t)row;
            if (line >= info.output_height) line = info.output_height - 1;
            rows[row] = pixels + line * stride;
        }
        unsigned left = info.output_height - info.output_scanline;
        jpeg_read_scanlines(&info, rows, left < 8 ? left : 8);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return ISOBATH_OK;
}
