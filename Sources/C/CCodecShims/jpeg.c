// libjpeg reports errors by calling error_exit, which must not return: longjmp is the documented way out.
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
// After jpeglib.h, which it needs.
#include <jerror.h>

#include "CCodecShims.h"

struct failure {
    struct jpeg_error_mgr base;
    jmp_buf exit;
    int code;
    int is_in_header;
    char *message;
};

struct progress {
    struct jpeg_progress_mgr base;
    int scan_limit;
};

static void fail(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(failure->message, ISOBATH_MESSAGE_SIZE, "%s", text);
    failure->code = ISOBATH_DAMAGED;
    longjmp(failure->exit, 1);
}

// A warning ends decoding: libjpeg invents the samples after it, which can take a long time. Stray bytes between the
// segments before the first scan are harmless.
static void note(j_common_ptr info, int level) {
    if (((struct failure *)info->err)->is_in_header && info->err->msg_code == JWRN_EXTRANEOUS_DATA) return;
    if (level < 0) fail(info);
}

// Limits the number of scans: even a scan of a few bytes makes libjpeg process all blocks of the image.
static void count_scans(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    if (((j_decompress_ptr)info)->input_scan_number <= ((struct progress *)info->progress)->scan_limit) return;
    failure->code = ISOBATH_SCANS;
    longjmp(failure->exit, 1);
}

// The size of the coefficients of all blocks, which libjpeg keeps in memory if the image has several scans.
static size_t coefficient_size(j_decompress_ptr info) {
    if (!jpeg_has_multiple_scans(info)) return 0;
    size_t blocks = 0;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        blocks += (size_t)component->width_in_blocks * component->height_in_blocks;
    }
    return blocks * sizeof(JBLOCK);
}

int isobath_jpeg_decode(const uint8_t *data, size_t size, struct isobath_jpeg_request *request,
                        char message[ISOBATH_MESSAGE_SIZE]) {
    const int width = request->width, height = request->height;
    const int components = request->components, eighths = request->eighths;
    struct jpeg_decompress_struct info;
    struct failure failure;
    struct progress progress = {.base.progress_monitor = count_scans, .scan_limit = request->scan_limit};
    message[0] = 0;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = fail;
    failure.base.emit_message = note;
    failure.is_in_header = 1;
    failure.message = message;
    if (setjmp(failure.exit)) {
        jpeg_destroy_decompress(&info);
        return failure.code;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress.base;
    info.mem->max_memory_to_use = request->budget.limit < LONG_MAX ? (long)request->budget.limit : LONG_MAX;
    jpeg_mem_src(&info, data, size);
    jpeg_read_header(&info, TRUE);
    failure.is_in_header = 0;
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
    request->budget.asked = coefficient_size(&info);
    if (request->budget.asked > request->budget.limit) {
        jpeg_destroy_decompress(&info);
        return ISOBATH_MEMORY;
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
            rows[row] = request->pixels + line * stride;
        }
        unsigned left = info.output_height - info.output_scanline;
        jpeg_read_scanlines(&info, rows, left < 8 ? left : 8);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return ISOBATH_OK;
}
