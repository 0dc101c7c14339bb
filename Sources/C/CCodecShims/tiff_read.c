// libtiff passes tags as variable arguments, and reads bytes through callbacks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CCodecShims.h"
#include "tiff_library.h"

struct stream {
    const struct isobath_source *source;
    struct isobath_budget *budget;
    uint64_t place;
    int has_failed;
    char *message;
};

static tmsize_t take(thandle_t handle, void *buffer, tmsize_t size) {
    struct stream *stream = (struct stream *)handle;
    if (size < 0 || stream->place >= stream->source->size) return 0;
    int64_t count = stream->source->read(stream->source->context, stream->place, buffer, (size_t)size);
    if (count > 0) stream->place += (uint64_t)count;
    return (tmsize_t)count;
}

static tmsize_t refuse(thandle_t handle, void *buffer, tmsize_t size) {
    (void)handle, (void)buffer, (void)size;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int origin) {
    struct stream *stream = (struct stream *)handle;
    uint64_t base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? stream->place : stream->source->size;
    stream->place = base + offset;
    return stream->place;
}

static int done(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) { return ((struct stream *)handle)->source->size; }

// The first error is the cause, later ones follow from it.
static int keep(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    (void)file, (void)module;
    struct stream *stream = user;
    if (stream->has_failed) return 1;
    stream->has_failed = 1;
    vsnprintf(stream->message, ISOBATH_MESSAGE_SIZE, format, arguments);
    // Only the library's message shows that a limit was exceeded.
    static const char start[] = "Memory allocation of ";
    const char *place = strstr(stream->message, start);
    if (place) stream->budget->asked = strtoull(place + strlen(start), NULL, 10);
    return 1;
}

// Keeps the first warning, except those about unknown tags.
static int note(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    (void)file, (void)module;
    struct stream *stream = user;
    if (stream->message[0] != 0 || strncmp(format, "Unknown field", strlen("Unknown field")) == 0) return 1;
    vsnprintf(stream->message, ISOBATH_MESSAGE_SIZE, format, arguments);
    return 1;
}

static int fail(const struct stream *stream, const char *what) {
    if (stream->budget->asked > stream->budget->limit) return ISOBATH_MEMORY;
    if (!stream->has_failed && what) snprintf(stream->message, ISOBATH_MESSAGE_SIZE, "%s", what);
    return ISOBATH_DAMAGED;
}

static TIFF *start(struct stream *stream) {
    stream->message[0] = 0;
    TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep, stream);
    tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, note, stream);
    size_t limit = stream->budget->limit;
    tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, limit < PTRDIFF_MAX ? (tmsize_t)limit : PTRDIFF_MAX);
    // m: the library must not map the file into memory.
    TIFF *file = tiff.TIFFClientOpenExt("input", "rm", (thandle_t)stream, take, refuse, seek, done, size_of, NULL, NULL,
                                   options);
    tiff.TIFFOpenOptionsFree(options);
    return file;
}

// Tags of GDAL and GeoTIFF. libtiff returns them like all tags that it does not know: a count before the values.
enum { GDAL_NODATA = 42113, GEO_PIXEL_SCALE = 33550, GEO_TIE_POINT = 33922, GEO_TRANSFORMATION = 34264, GEO_KEYS = 34735 };

static int has_tag(TIFF *file, uint32_t tag) {
    uint32_t count = 0;
    void *values = NULL;
    return tiff.TIFFGetField(file, tag, &count, &values) && count > 0;
}

static void describe_place(TIFF *file, struct isobath_tiff_description *description, char no_data[ISOBATH_NUMBER_SIZE]) {
    uint32_t count = 0;
    void *text = NULL;
    no_data[0] = 0;
    if (tiff.TIFFGetField(file, GDAL_NODATA, &count, &text) && text && count < ISOBATH_NUMBER_SIZE) {
        memcpy(no_data, text, count);
        no_data[count] = 0;
    }
    description->is_georeferenced = has_tag(file, GEO_PIXEL_SCALE) || has_tag(file, GEO_TIE_POINT) ||
                                    has_tag(file, GEO_TRANSFORMATION) || has_tag(file, GEO_KEYS);
}

// `description_text` is NULL to skip the ImageDescription.
static void describe(TIFF *file, struct isobath_tiff_description *description, char *description_text) {
    uint16_t channels = 1, bits = 1, format = SAMPLEFORMAT_UINT, compression = COMPRESSION_NONE, photometric = 0;
    uint16_t orientation = ORIENTATION_TOPLEFT, planar = PLANARCONFIG_CONTIG, extra_count = 0, *extra = NULL;
    char *text = NULL;
    memset(description, 0, sizeof *description);
    tiff.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &description->width);
    tiff.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &description->height);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &channels);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &format);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
    tiff.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planar);
    if (tiff.TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra) && extra_count > 0) {
        description->extra = extra[0];
    }
    if (description_text) {
        description_text[0] = 0;
        if (tiff.TIFFGetField(file, TIFFTAG_IMAGEDESCRIPTION, &text) && text && strlen(text) < ISOBATH_TEXT_SIZE) {
            strcpy(description_text, text);
        }
    }
    description->channels = channels;
    description->bit_depth = bits;
    description->sample_format = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
    description->compression = compression;
    description->photometric = photometric;
    description->orientation = orientation;
    description->is_planar = planar == PLANARCONFIG_SEPARATE && channels > 1;
}

int isobath_tiff_describe(const struct isobath_source *source, struct isobath_tiff_description *description,
                          char text[ISOBATH_TEXT_SIZE], char no_data[ISOBATH_NUMBER_SIZE], struct isobath_budget *budget,
                          char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_tiff(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct stream stream = {.source = source, .budget = budget, .message = message};
    TIFF *file = start(&stream);
    if (!file) return fail(&stream, NULL);
    describe(file, description, text);
    describe_place(file, description, no_data);
    tiff.TIFFClose(file);
    return ISOBATH_OK;
}

int isobath_tiff_profile(const struct isobath_source *source, uint8_t *profile, size_t capacity, size_t *written,
                         char message[ISOBATH_MESSAGE_SIZE]) {
    *written = 0;
    if (load_tiff(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct isobath_budget budget = {capacity > 1 << 20 ? capacity : 1 << 20, 0};
    struct stream stream = {.source = source, .budget = &budget, .message = message};
    TIFF *file = start(&stream);
    if (!file) return ISOBATH_DAMAGED;
    uint32_t length = 0;
    void *bytes = NULL;
    if (tiff.TIFFGetField(file, TIFFTAG_ICCPROFILE, &length, &bytes) && bytes && length <= capacity) {
        memcpy(profile, bytes, length);
        *written = length;
    }
    tiff.TIFFClose(file);
    return ISOBATH_OK;
}

static int read_strips(TIFF *file, uint32_t height, size_t stride, char *pixels) {
    uint32_t rows = height;
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows == 0 || rows > height) rows = height;
    uint32_t strip = 0;
    for (uint32_t row = 0; row < height; row += rows, strip++) {
        uint32_t count = height - row < rows ? height - row : rows;
        tmsize_t want = (tmsize_t)(count * stride);
        if (tiff.TIFFReadEncodedStrip(file, strip, pixels + row * stride, want) != want) return 0;
    }
    return 1;
}

static int read_tiles(TIFF *file, uint32_t width, uint32_t height, size_t pixel_bits, size_t stride, char *pixels,
                      struct isobath_budget *budget) {
    uint32_t tile_width = 0, tile_height = 0;
    tiff.TIFFGetField(file, TIFFTAG_TILEWIDTH, &tile_width);
    tiff.TIFFGetField(file, TIFFTAG_TILELENGTH, &tile_height);
    tmsize_t size = tiff.TIFFTileSize(file);
    // The specification requires tile widths that are multiples of 16 pixels, so tiles begin at byte boundaries.
    if (tile_width == 0 || tile_height == 0 || size <= 0 || tile_width * (uint64_t)pixel_bits % 8 != 0) return 0;
    size_t tile_stride = (size_t)(tile_width * (uint64_t)pixel_bits / 8);
    budget->asked = (size_t)size;
    if (budget->asked > budget->limit || (size_t)size / tile_stride < tile_height) return 0;
    // Tiles may be larger than a small picture, but not thousands of times.
    uint64_t all_columns = ((uint64_t)width + tile_width - 1) / tile_width * tile_width;
    uint64_t all_rows = ((uint64_t)height + tile_height - 1) / tile_height * tile_height;
    double decoded = (double)all_columns * (double)all_rows;
    if (decoded > 4.0 * width * height && decoded > 1 << 24) return 0;
    char *tile = malloc((size_t)size);
    if (!tile) return 0;
    int ok = 1;
    for (uint32_t y = 0; ok && y < height; y += tile_height) {
        uint32_t rows = height - y < tile_height ? height - y : tile_height;
        for (uint32_t x = 0; ok && x < width; x += tile_width) {
            uint32_t columns = width - x < tile_width ? width - x : tile_width;
            ok = tiff.TIFFReadEncodedTile(file, tiff.TIFFComputeTile(file, x, y, 0, 0), tile, size) == size;
            for (uint32_t row = 0; ok && row < rows; row++) {
                memcpy(pixels + (size_t)(y + row) * stride + x * pixel_bits / 8, tile + (size_t)row * tile_stride,
                       (columns * pixel_bits + 7) / 8);
            }
            if (width - x <= tile_width) break;
        }
        if (height - y <= tile_height) break;
    }
    free(tile);
    return ok;
}

// Reads rows as stored, each of `stride` bytes.
static int read_rows(TIFF *file, const struct isobath_tiff_description *found, size_t stride, char *pixels,
                     struct isobath_budget *budget) {
    size_t pixel_bits = (size_t)found->channels * (size_t)found->bit_depth;
    return tiff.TIFFIsTiled(file) ? read_tiles(file, found->width, found->height, pixel_bits, stride, pixels, budget)
                             : read_strips(file, found->height, stride, pixels);
}

// Unpacks samples of 1, 2 or 4 bits to a byte each. The first sample is in the highest bits.
static int read_packed(TIFF *file, const struct isobath_tiff_description *found, size_t stride, uint8_t *pixels,
                       struct isobath_budget *budget) {
    uint8_t *packed = malloc(stride * found->height);
    if (!packed) return 0;
    int ok = read_rows(file, found, stride, (char *)packed, budget);
    size_t samples = (size_t)found->width * (size_t)found->channels, bits = (size_t)found->bit_depth;
    for (uint32_t row = 0; ok && row < found->height; row++) {
        for (size_t index = 0; index < samples; index++) {
            size_t first = index * bits;
            *pixels++ = packed[row * stride + first / 8] >> (8 - bits - first % 8) & ((1 << bits) - 1);
        }
    }
    free(packed);
    return ok;
}

int isobath_tiff_read(const struct isobath_source *source, const struct isobath_tiff_description *description,
                      void *pixels, size_t pixels_size, struct isobath_budget *budget,
                      char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_tiff(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct stream stream = {.source = source, .budget = budget, .message = message};
    TIFF *file = start(&stream);
    if (!file) return fail(&stream, NULL);
    // Problems with tags were reported when they were described.
    stream.has_failed = 0;
    budget->asked = 0;
    message[0] = 0;
    struct isobath_tiff_description found;
    describe(file, &found, NULL);
    size_t samples = (size_t)found.width * (size_t)found.channels;
    size_t stride = (samples * (size_t)found.bit_depth + 7) / 8;
    int is_packed = found.bit_depth < 8;
    if (found.width != description->width || found.height != description->height ||
        found.bit_depth != description->bit_depth || found.channels != description->channels || found.is_planar ||
        (is_packed ? samples : stride) * found.height != pixels_size) {
        tiff.TIFFClose(file);
        return fail(&stream, "the directory changed while it was read");
    }
    int ok = is_packed ? read_packed(file, &found, stride, pixels, budget)
                       : read_rows(file, &found, stride, pixels, budget);
    tiff.TIFFClose(file);
    return ok ? ISOBATH_OK : fail(&stream, "samples are missing");
}
