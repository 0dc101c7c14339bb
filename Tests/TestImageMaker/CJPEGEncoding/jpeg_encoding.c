#include "jpeg_encoding.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf landing;
};

static void leave(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    longjmp(failure->landing, 1);
}

int encode_jpeg(
    const uint8_t *pixels, unsigned width, unsigned height, int components, int quality, uint8_t **bytes,
    unsigned long *count) {
    struct jpeg_compress_struct info;
    struct failure failure;
    *bytes = NULL;
    *count = 0;
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = leave;
    if (setjmp(failure.landing)) {
        jpeg_destroy_compress(&info);
        free(*bytes);
        *bytes = NULL;
        return -1;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, count);
    info.image_width = width;
    info.image_height = height;
    info.input_components = components;
    info.in_color_space = components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    info.optimize_coding = TRUE;
    info.write_JFIF_header = components == 3;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * width * components);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 0;
}
