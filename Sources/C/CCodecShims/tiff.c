// libtiff takes its tags as variable arguments.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CCodecShims.h"
#include "tiff_library.h"

static int keep(TIFF *file, void *message, const char *module, const char *format, va_list arguments) {
    (void)file;
    (void)module;
    vsnprintf(message, ISOBATH_MESSAGE_SIZE, format, arguments);
    return 1;
}

static int ignore(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    (void)file, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static int write_all(int descriptor, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = write(descriptor, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        bytes += count;
        size -= (size_t)count;
    }
    return 1;
}

// Appends a directory to the file, and makes a tag of the first directory point to it. libtiff could write it value by
// value, but knows few tags, and converts rational numbers to floating point and back.
static int append_directory(TIFF *file, int descriptor, uint32_t tag, const struct isobath_tiff_directory *directory) {
    if (directory->size == 0) return 1;
    off_t end = lseek(descriptor, 0, SEEK_END);
    if (end < 0) return 0;
    uint32_t padding = (uint32_t)(end & 1), size = directory->size + padding;
    uint64_t start = (uint64_t)end + padding;
    if (start + directory->size > UINT32_MAX) return 1;
    uint8_t *bytes = calloc(1, size);
    if (!bytes) return 0;
    memcpy(bytes + padding, directory->bytes, directory->size);
    for (uint32_t index = 0; index < directory->offset_count; index++) {
        uint32_t value;
        uint8_t *place = bytes + padding + directory->offsets[index];
        memcpy(&value, place, sizeof value);
        value += (uint32_t)start;
        memcpy(place, &value, sizeof value);
    }
    int ok = write_all(descriptor, bytes, size);
    free(bytes);
    return ok && tiff.TIFFSetField(file, tag, start);
}

int isobath_tiff_write(int descriptor, const struct isobath_tiff_image *image, char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_tiff(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    message[0] = 0;
    errno = 0;
    size_t stride = (size_t)image->width * (size_t)image->channels * (size_t)(image->bit_depth / 8);
    int copy = dup(descriptor);
    TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
    TIFF *file = NULL;
    if (copy >= 0 && options) {
        tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep, message);
        tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
        // Use BigTIFF if the strips do not fit in a classic file.
        file = tiff.TIFFFdOpenExt(copy, "output", stride * image->height > 0xF0000000u ? "w8" : "w", options);
    }
    if (options) tiff.TIFFOpenOptionsFree(options);
    if (!file) {
        if (copy >= 0) close(copy);
        return ISOBATH_IO;
    }
    uint32_t rows = stride >= 1 << 18 ? 1 : (uint32_t)((1 << 18) / stride);
    if (rows > image->height) rows = image->height;
    int ok = tiff.TIFFSetField(file, TIFFTAG_IMAGEWIDTH, image->width) &&
             tiff.TIFFSetField(file, TIFFTAG_IMAGELENGTH, image->height) &&
             tiff.TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, image->channels) &&
             tiff.TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, image->bit_depth) &&
             tiff.TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, image->is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
             tiff.TIFFSetField(file, TIFFTAG_PHOTOMETRIC, image->channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
             tiff.TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
             tiff.TIFFSetField(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT) &&
             tiff.TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, rows) &&
             tiff.TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
             tiff.TIFFSetField(file, TIFFTAG_PREDICTOR, image->is_float ? PREDICTOR_NONE : PREDICTOR_HORIZONTAL) &&
             tiff.TIFFSetField(file, TIFFTAG_ZIPQUALITY, 1) && tiff.TIFFSetField(file, TIFFTAG_SOFTWARE, "Isobath");
    if (ok && image->channels == 4) {
        const uint16_t straight = EXTRASAMPLE_UNASSALPHA;
        ok = tiff.TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &straight);
    }
    const struct isobath_attachments *attachments = &image->attachments;
    if (ok && attachments->profile_size > 0) {
        ok = tiff.TIFFSetField(file, TIFFTAG_ICCPROFILE, attachments->profile_size, attachments->profile);
    }
    if (ok && attachments->xmp_size > 0) {
        ok = tiff.TIFFSetField(file, TIFFTAG_XMLPACKET, attachments->xmp_size, attachments->xmp);
    }
    if (ok && image->description) ok = tiff.TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, image->description);
    for (uint32_t index = 0; ok && index < image->text_count; index++) {
        ok = tiff.TIFFSetField(file, image->texts[index].tag, image->characters + image->texts[index].start);
    }
    if (ok && image->resolution_x > 0 && image->resolution_y > 0) {
        ok = tiff.TIFFSetField(file, TIFFTAG_XRESOLUTION, image->resolution_x) &&
             tiff.TIFFSetField(file, TIFFTAG_YRESOLUTION, image->resolution_y) &&
             tiff.TIFFSetField(file, TIFFTAG_RESOLUTIONUNIT, image->resolution_unit);
    }
    uint32_t strip = 0;
    for (uint32_t row = 0; ok && row < image->height; row += rows, strip++) {
        uint32_t count = image->height - row < rows ? image->height - row : rows;
        const char *first = (const char *)image->pixels + row * stride;
        // The cast drops `const`, but the samples stay unchanged: libtiff's predictor works on a copy.
        ok = tiff.TIFFWriteEncodedStrip(file, strip, (void *)first, (tmsize_t)(count * stride)) >= 0;
    }
    // BigTIFF has a different layout of directories, which is not implemented.
    if (ok && !tiff.TIFFIsBigTIFF(file)) {
        ok = tiff.TIFFFlushData(file) && append_directory(file, copy, TIFFTAG_EXIFIFD, &image->exif) &&
             append_directory(file, copy, TIFFTAG_GPSIFD, &image->gps);
    }
    if (ok) ok = tiff.TIFFFlush(file);
    int code = errno;
    tiff.TIFFCleanup(file);
    // On a network file system, a full disk may be reported only here; TIFFClose would not report it.
    if (close(copy) != 0 && ok) {
        code = errno;
        ok = 0;
    }
    errno = code;
    return ok ? ISOBATH_OK : ISOBATH_IO;
}
