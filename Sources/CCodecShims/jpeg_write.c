// libjpeg reports errors by calling error_exit, which must not return: longjmp is the documented way out.
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>

#include "CCodecShims.h"

struct failure {
    struct jpeg_error_mgr base;
    jmp_buf exit;
    int code;
    char *message;
};

static void fail(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(failure->message, ISOBATH_MESSAGE_SIZE, "%s", text);
    failure->code = ISOBATH_DAMAGED;
    longjmp(failure->exit, 1);
}

static void ignore(j_common_ptr info, int level) { (void)info, (void)level; }

#define BUFFER_SIZE ((size_t)1 << 18)

// Where coded bytes go: into a buffer that is written to a descriptor whenever it is full.
struct output {
    struct jpeg_destination_mgr base;
    int descriptor;
    JOCTET buffer[BUFFER_SIZE];
};

static void write_bytes(j_compress_ptr info, const JOCTET *bytes, size_t size) {
    struct output *output = (struct output *)info->dest;
    while (size > 0) {
        ssize_t count = write(output->descriptor, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            struct failure *failure = (struct failure *)info->err;
            failure->code = ISOBATH_IO;
            longjmp(failure->exit, 1);
        }
        bytes += count;
        size -= (size_t)count;
    }
}

static void start(j_compress_ptr info) {
    struct output *output = (struct output *)info->dest;
    output->base.next_output_byte = output->buffer;
    output->base.free_in_buffer = BUFFER_SIZE;
}

// libjpeg's rule: the whole buffer is full, whatever the counters say.
static boolean empty(j_compress_ptr info) {
    write_bytes(info, ((struct output *)info->dest)->buffer, BUFFER_SIZE);
    start(info);
    return TRUE;
}

static void finish(j_compress_ptr info) {
    write_bytes(info, ((struct output *)info->dest)->buffer, BUFFER_SIZE - info->dest->free_in_buffer);
}

// A segment with an identifier (its terminating NUL included) in front of its data.
static void write_segment(j_compress_ptr info, int marker, const char *identifier, size_t identifier_size,
                          const uint8_t *data, size_t size) {
    jpeg_write_m_header(info, marker, (unsigned)(identifier_size + size));
    for (size_t byte = 0; byte < identifier_size; byte++) jpeg_write_m_byte(info, identifier[byte]);
    for (size_t byte = 0; byte < size; byte++) jpeg_write_m_byte(info, data[byte]);
}

static void write_metadata(j_compress_ptr info, const struct isobath_attachments *attachments) {
    static const char exif[] = "Exif\0", xmp[] = "http://ns.adobe.com/xap/1.0/";
    if (attachments->exif_size > 0) {
        write_segment(info, JPEG_APP0 + 1, exif, sizeof exif, attachments->exif, attachments->exif_size);
    }
    if (attachments->xmp_size > 0) {
        write_segment(info, JPEG_APP0 + 1, xmp, sizeof xmp, attachments->xmp, attachments->xmp_size);
    }
    if (attachments->profile_size > 0) jpeg_write_icc_profile(info, attachments->profile, attachments->profile_size);
}

static void compress(j_compress_ptr info, const struct isobath_jpeg_image *image) {
    info->image_width = (JDIMENSION)image->width;
    info->image_height = (JDIMENSION)image->height;
    info->input_components = image->channels;
    info->in_color_space = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, image->quality, TRUE);
    if (image->channels == 3 && !image->subsamples_chroma) {
        info->comp_info[0].h_samp_factor = 1;
        info->comp_info[0].v_samp_factor = 1;
    }
    jpeg_start_compress(info, TRUE);
    write_metadata(info, &image->attachments);
    size_t stride = (size_t)image->width * (size_t)image->channels;
    while (info->next_scanline < info->image_height) {
        JSAMPROW rows[16];
        unsigned left = info->image_height - info->next_scanline;
        unsigned count = left < 16 ? left : 16;
        for (unsigned row = 0; row < count; row++) {
            // The library only reads from rows; its type does not say so.
            rows[row] = (JSAMPROW)image->pixels + (info->next_scanline + row) * stride;
        }
        jpeg_write_scanlines(info, rows, count);
    }
    jpeg_finish_compress(info);
}

int isobath_jpeg_write(int descriptor, const struct isobath_jpeg_image *image, char message[ISOBATH_MESSAGE_SIZE]) {
    struct jpeg_compress_struct info;
    struct failure failure;
    message[0] = 0;
    struct output *output = malloc(sizeof *output);
    if (!output) {
        errno = ENOMEM;
        return ISOBATH_IO;
    }
    output->descriptor = descriptor;
    output->base.init_destination = start;
    output->base.empty_output_buffer = empty;
    output->base.term_destination = finish;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = fail;
    failure.base.emit_message = ignore;
    failure.code = ISOBATH_OK;
    failure.message = message;
    if (setjmp(failure.exit) == 0) {
        jpeg_create_compress(&info);
        info.dest = &output->base;
        compress(&info, image);
    }
    int number = errno;
    jpeg_destroy_compress(&info);
    free(output);
    errno = number;
    return failure.code;
}
