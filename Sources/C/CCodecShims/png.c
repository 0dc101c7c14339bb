// libpng reports errors by longjmp.
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <isa-l/igzip_lib.h>
#include <png.h>
#include <zlib.h>

#include "CCodecShims.h"

static void fail(png_structp png, png_const_charp text) {
    snprintf(png_get_error_ptr(png), ISOBATH_MESSAGE_SIZE, "%s", text);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

// Copies a row, with samples in network byte order.
static void load_row(const struct isobath_png_image *image, uint32_t row, size_t stride, uint8_t *output) {
    const uint8_t *input = (const uint8_t *)image->pixels + row * stride;
    const uint16_t probe = 1;
    if (image->bit_depth == 16 && *(const uint8_t *)&probe == 1) {
        for (size_t byte = 0; byte < stride; byte += 2) {
            output[byte] = input[byte + 1];
            output[byte + 1] = input[byte];
        }
    } else {
        memcpy(output, input, stride);
    }
}

// Filter 2, `up`: differences to the row above.
static void filter_up(const uint8_t *row, const uint8_t *above, size_t stride, uint8_t *output) {
    output[0] = 2;
    for (size_t byte = 0; byte < stride; byte++) output[byte + 1] = (uint8_t)(row[byte] - above[byte]);
}

// Filter 1, `sub`: differences to the pixel on the left.
static void filter_sub(const uint8_t *row, size_t pixel, size_t stride, uint8_t *output) {
    output[0] = 1;
    memcpy(output + 1, row, pixel);
    for (size_t byte = pixel; byte < stride; byte++) output[byte + 1] = (uint8_t)(row[byte] - row[byte - pixel]);
}

// The sum of absolute differences. The PNG specification (section 12.7) recommends the filter with the smallest sum.
static uint64_t weight(const uint8_t *filtered, size_t stride) {
    uint64_t sum = 0;
    for (size_t byte = 1; byte <= stride; byte++) sum += (uint64_t)abs((int8_t)filtered[byte]);
    return sum;
}

// Filters rows, and puts the filter's number in front of each.
static int filter_rows(const struct isobath_png_image *image, int first, int count, uint8_t *filtered) {
    size_t stride = isobath_png_stride(image);
    // The first row has no row above it: `up` with a row of zeros changes nothing.
    uint8_t *rows = calloc(2, stride);
    uint8_t *other = malloc(stride + 1);
    if (rows && other) {
        size_t pixel = stride / image->width;
        if (first > 0) load_row(image, (uint32_t)first - 1, stride, rows + ((first - 1) & 1) * stride);
        for (int index = first; index < first + count; index++, filtered += stride + 1) {
            uint8_t *row = rows + (index & 1) * stride;
            const uint8_t *above = rows + (~index & 1) * stride;
            load_row(image, (uint32_t)index, stride, row);
            filter_up(row, above, stride, filtered);
            if (!image->is_photo) continue;
            filter_sub(row, pixel, stride, other);
            if (weight(other, stride) < weight(filtered, stride)) memcpy(filtered, other, stride + 1);
        }
    }
    int ok = rows && other;
    free(rows);
    free(other);
    return ok;
}

// Compresses bytes, appends them to `piece`, and ends at a byte boundary, so that more can be appended.
//
// The first byte is a separate stored block (RFC 1951, section 3.2.4), and the dictionary for the others. Without a
// dictionary, ISA-L (seen in 2.30) hashes the address of `stream` instead of the third to sixth byte. It may then find
// different matches, so that about one process in a thousand writes different bytes for the same picture.
static int deflate_bytes(uint8_t *bytes, size_t count, int is_last, struct isobath_piece *piece, size_t room) {
    const uint8_t first[] = {0, 1, 0, 0xfe, 0xff, bytes[0]};
    memcpy(piece->coded + piece->size, first, sizeof first);
    piece->size += sizeof first;
    struct isal_zstream stream;
    isal_deflate_init(&stream);
    stream.level = 1;
    stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
    stream.level_buf = malloc(stream.level_buf_size);
    stream.flush = SYNC_FLUSH;
    stream.end_of_stream = (uint16_t)is_last;
    stream.next_in = bytes + 1;
    stream.avail_in = (uint32_t)(count - 1);
    int ok = stream.level_buf != NULL && isal_deflate_set_dict(&stream, bytes, 1) == COMP_OK;
    do {
        if (piece->size == room && ok) {
            uint8_t *larger = realloc(piece->coded, room * 2);
            ok = larger != NULL;
            if (ok) {
                piece->coded = larger;
                room *= 2;
            }
        }
        if (!ok) break;
        size_t left = room - piece->size;
        stream.next_out = piece->coded + piece->size;
        stream.avail_out = left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
        ok = isal_deflate(&stream) == COMP_OK;
        piece->size = (size_t)(stream.next_out - piece->coded);
    } while (ok && stream.avail_out == 0);
    free(stream.level_buf);
    return ok;
}

size_t isobath_png_stride(const struct isobath_png_image *image) {
    return (size_t)image->width * (size_t)image->channels * (size_t)(image->bit_depth / 8);
}

int isobath_png_compress(const struct isobath_png_image *image, int first, int count, struct isobath_piece *piece) {
    memset(piece, 0, sizeof *piece);
    size_t size = (isobath_png_stride(image) + 1) * (size_t)count, room = size / 4 + 4096;
    uint8_t *filtered = size <= UINT32_MAX ? malloc(size) : NULL;
    piece->coded = malloc(room);
    int ok = filtered && piece->coded && filter_rows(image, first, count, filtered);
    if (ok) {
        if (first == 0) {  // RFC 1950: deflate, a window of 32 KiB, the fastest of four levels
            memcpy(piece->coded, "\x78\x01", 2);
            piece->size = 2;
        }
        piece->filtered_size = size;
        piece->adler = isal_adler32(1, filtered, size);
        ok = deflate_bytes(filtered, size, (uint32_t)(first + count) == image->height, piece, room);
    }
    free(filtered);
    return ok ? ISOBATH_OK : ISOBATH_IO;
}

// The pieces are one zlib stream, which ends with the checksum of all uncompressed bytes.
static void write_pieces(png_structp png, const struct isobath_piece *pieces, size_t count) {
    uLong adler = 1;
    for (size_t index = 0; index < count; index++) {
        adler = adler32_combine(adler, pieces[index].adler, (z_off_t)pieces[index].filtered_size);
        png_write_chunk(png, (png_const_bytep) "IDAT", pieces[index].coded, pieces[index].size);
    }
    png_byte check[4];
    png_save_uint_32(check, (png_uint_32)adler);
    png_write_chunk(png, (png_const_bytep) "IDAT", check, sizeof check);
}

// The chunks for metadata (W3C PNG, third edition, sections 11.3.3.4 and 11.3.4.5; the keyword is Adobe's). XMP is
// written piece by piece, because libpng would treat it as a C string. The color's code points (11.3.2.6) take precedence
// over a profile.
static void write_metadata(png_structp png, const struct isobath_png_image *image) {
    const struct isobath_attachments *attachments = &image->attachments;
    if (image->cicp[0] > 0) png_write_chunk(png, (png_const_bytep) "cICP", image->cicp, sizeof image->cicp);
    if (attachments->exif_size > 0) {
        png_write_chunk(png, (png_const_bytep) "eXIf", attachments->exif, attachments->exif_size);
    }
    if (attachments->xmp_size > 0) {
        static const char head[] = "XML:com.adobe.xmp\0\0\0\0";  // not compressed, no language, no translation
        png_write_chunk_start(png, (png_const_bytep) "iTXt", (png_uint_32)sizeof head + attachments->xmp_size);
        png_write_chunk_data(png, (png_const_bytep)head, sizeof head);
        png_write_chunk_data(png, attachments->xmp, attachments->xmp_size);
        png_write_chunk_end(png);
    }
}

static int color_type(int channels) {
    switch (channels) {
    case 1: return PNG_COLOR_TYPE_GRAY;
    case 3: return PNG_COLOR_TYPE_RGB;
    default: return PNG_COLOR_TYPE_RGB_ALPHA;
    }
}

int isobath_png_write(int descriptor, const struct isobath_png_image *image, const struct isobath_piece *pieces,
                      size_t count, char message[ISOBATH_MESSAGE_SIZE]) {
    message[0] = 0;
    int copy = dup(descriptor);
    FILE *volatile file = copy < 0 ? NULL : fdopen(copy, "wb");
    if (!file) {
        if (copy >= 0) close(copy);
        return ISOBATH_IO;
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    png_infop info = NULL;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore);
    if (png) info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        int code = errno;
        int failed = ferror(file);
        png_destroy_write_struct(&png, &info);
        fclose(file);
        errno = code;
        return failed ? ISOBATH_IO : ISOBATH_DAMAGED;
    }
    png_init_io(png, file);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, image->width, image->height, image->bit_depth, color_type(image->channels),
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    const struct isobath_attachments *attachments = &image->attachments;
    if (attachments->profile_size > 0) {
        png_set_iCCP(png, info, "ICC", 0, attachments->profile, attachments->profile_size);
    }
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
    png_write_info(png, info);
    write_metadata(png, image);
    write_pieces(png, pieces, count);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    png_destroy_write_struct(&png, &info);
    int failed = fflush(file) != 0 || ferror(file);
    int code = errno;
    // On a network file system, a full disk may be reported only here.
    if (fclose(file) != 0 && !failed) {
        code = errno;
        failed = 1;
    }
    errno = code;
    return failed ? ISOBATH_IO : ISOBATH_OK;
}
