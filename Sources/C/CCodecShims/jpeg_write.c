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

// The destination of coded bytes: memory that doubles whenever it is full.
struct output {
    struct jpeg_destination_mgr base;
    JOCTET *bytes;
    size_t room;
};

static void grow(j_compress_ptr info, size_t used) {
    struct output *output = (struct output *)info->dest;
    size_t room = output->room ? output->room * 2 : (size_t)1 << 18;
    JOCTET *larger = realloc(output->bytes, room);
    if (!larger) {
        struct failure *failure = (struct failure *)info->err;
        failure->code = ISOBATH_IO;
        longjmp(failure->exit, 1);
    }
    output->bytes = larger;
    output->room = room;
    output->base.next_output_byte = larger + used;
    output->base.free_in_buffer = room - used;
}

static void start(j_compress_ptr info) { grow(info, 0); }

// When libjpeg calls this, the complete buffer is full, and its counters must be ignored.
static boolean empty(j_compress_ptr info) {
    grow(info, ((struct output *)info->dest)->room);
    return TRUE;
}

static void finish(j_compress_ptr info) { (void)info; }

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

// Rows of coded blocks from one restart marker to the next.
#define BLOCK_ROWS_OF_INTERVAL 2

static int rows_of_block(const struct isobath_jpeg_image *image) {
    return image->channels == 3 && image->subsamples_chroma ? 16 : 8;
}

// Restart markers are numbered modulo eight, so a piece has eight intervals.
int isobath_jpeg_rows_of_piece(const struct isobath_jpeg_image *image) {
    return 8 * BLOCK_ROWS_OF_INTERVAL * rows_of_block(image);
}

static void compress(j_compress_ptr info, const struct isobath_jpeg_image *image, int first, int count) {
    info->image_width = (JDIMENSION)image->width;
    info->image_height = (JDIMENSION)count;
    info->input_components = image->channels;
    info->in_color_space = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, image->quality, TRUE);
    if (image->channels == 3 && !image->subsamples_chroma) {
        info->comp_info[0].h_samp_factor = 1;
        info->comp_info[0].v_samp_factor = 1;
    }
    if (count < image->height) info->restart_in_rows = BLOCK_ROWS_OF_INTERVAL;
    jpeg_start_compress(info, TRUE);
    if (first == 0) write_metadata(info, &image->attachments);
    size_t stride = (size_t)image->width * (size_t)image->channels;
    while (info->next_scanline < info->image_height) {
        JSAMPROW rows[16];
        unsigned left = info->image_height - info->next_scanline;
        unsigned taken = left < 16 ? left : 16;
        for (unsigned row = 0; row < taken; row++) {
            // The library only reads the rows, although its type is not `const`.
            rows[row] = (JSAMPROW)image->pixels + ((size_t)first + info->next_scanline + row) * stride;
        }
        jpeg_write_scanlines(info, rows, taken);
    }
    jpeg_finish_compress(info);
}

// libjpeg writes each piece as a complete file. The first piece keeps its headers, and gets the height of the image;
// the others keep only their coded blocks. The end marker is removed from all of them (ITU-T T.81, annex B).
static int cut(const struct isobath_jpeg_image *image, int first, struct isobath_piece *piece) {
    uint8_t *bytes = piece->coded;
    size_t place = 2;
    while (place + 9 < piece->size && bytes[place] == 0xFF) {
        uint8_t marker = bytes[place + 1];
        size_t next = place + 2 + ((size_t)bytes[place + 2] << 8 | bytes[place + 3]);
        if (marker == 0xC0) {
            bytes[place + 5] = (uint8_t)(image->height >> 8);
            bytes[place + 6] = (uint8_t)image->height;
        }
        place = next;
        if (marker != 0xDA) continue;
        if (place + 2 > piece->size) break;
        piece->size -= 2;
        if (first == 0) return ISOBATH_OK;
        // Write the restart marker into two bytes before the blocks.
        piece->size -= place - 2;
        memmove(bytes, bytes + place - 2, piece->size);
        bytes[0] = 0xFF;
        bytes[1] = 0xD7;
        return ISOBATH_OK;
    }
    return ISOBATH_DAMAGED;
}

int isobath_jpeg_compress(const struct isobath_jpeg_image *image, int first, int count, struct isobath_piece *piece,
                          char message[ISOBATH_MESSAGE_SIZE]) {
    struct jpeg_compress_struct info;
    struct failure failure;
    struct output output;
    memset(piece, 0, sizeof *piece);
    message[0] = 0;
    memset(&output, 0, sizeof output);
    output.base.init_destination = start;
    output.base.empty_output_buffer = empty;
    output.base.term_destination = finish;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = fail;
    failure.base.emit_message = ignore;
    failure.code = ISOBATH_OK;
    failure.message = message;
    if (setjmp(failure.exit) == 0) {
        jpeg_create_compress(&info);
        info.dest = &output.base;
        compress(&info, image, first, count);
    }
    jpeg_destroy_compress(&info);
    piece->coded = output.bytes;
    piece->size = output.room - output.base.free_in_buffer;
    return failure.code == ISOBATH_OK ? cut(image, first, piece) : failure.code;
}

static int write_bytes(int descriptor, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = write(descriptor, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return ISOBATH_IO;
        bytes += count;
        size -= (size_t)count;
    }
    return ISOBATH_OK;
}

int isobath_jpeg_write(int descriptor, const struct isobath_piece *pieces, size_t count) {
    static const uint8_t end[] = {0xFF, 0xD9};
    int code = ISOBATH_OK;
    for (size_t index = 0; index < count && code == ISOBATH_OK; index++) {
        code = write_bytes(descriptor, pieces[index].coded, pieces[index].size);
    }
    return code == ISOBATH_OK ? write_bytes(descriptor, end, sizeof end) : code;
}
