#include "CRasterReading.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <tiffio.h>

static double *allocate(const struct raster_file *file) {
    return calloc((size_t)file->width * (size_t)file->height * (size_t)file->channels, sizeof(double));
}

static void keep_text(struct raster_file *file, png_structp png, png_infop info) {
    png_textp texts = NULL;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    for (int index = 0; index < count; index++) {
        if (strcmp(texts[index].key, "Isobath") == 0 && texts[index].compression == PNG_ITXT_COMPRESSION_NONE) {
            free(file->record);
            file->record = strdup(texts[index].text);
        }
    }
}

static int read_png(FILE *stream, int header_only, struct raster_file *file) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    unsigned char *volatile row = NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        free(row);
        png_destroy_read_struct(&png, &info, NULL);
        return 1;
    }
    png_init_io(png, stream);
    png_read_info(png, info);
    file->width = (int)png_get_image_width(png, info);
    file->height = (int)png_get_image_height(png, info);
    file->channels = png_get_channels(png, info);
    file->bit_depth = png_get_bit_depth(png, info);
    png_charp name = NULL;
    png_bytep profile = NULL;
    png_uint_32 profile_size = 0;
    int compression = 0;
    if (png_get_iCCP(png, info, &name, &compression, &profile, &profile_size)) file->profile_size = (int)profile_size;
    keep_text(file, png, info);
    if (!header_only) {
        if (file->bit_depth != 8 && file->bit_depth != 16) png_error(png, "8 or 16 bits are expected");
        file->samples = allocate(file);
        row = malloc(png_get_rowbytes(png, info));
        int count = file->width * file->channels;
        for (int y = 0; y < file->height; y++) {
            png_read_row(png, row, NULL);
            double *out = file->samples + (size_t)y * (size_t)count;
            for (int x = 0; x < count; x++) {
                out[x] = file->bit_depth == 8 ? row[x] : row[2 * x] << 8 | row[2 * x + 1];
            }
        }
        png_read_end(png, info);
        keep_text(file, png, info);
    }
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
}

static int read_tiff(const char *path, int header_only, struct raster_file *file) {
    TIFF *tiff = TIFFOpen(path, "r");
    if (!tiff) return 1;
    uint32_t width = 0, height = 0;
    uint16_t channels = 1, bits = 1, format = SAMPLEFORMAT_UINT;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    file->width = (int)width;
    file->height = (int)height;
    file->channels = channels;
    file->bit_depth = bits;
    file->is_float = format == SAMPLEFORMAT_IEEEFP;
    char *text = NULL;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) && text) file->record = strdup(text);
    uint32_t profile_size = 0;
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &profile_size, &profile)) file->profile_size = (int)profile_size;
    int failed = 0;
    if (!header_only) {
        file->samples = allocate(file);
        unsigned char *row = malloc((size_t)TIFFScanlineSize(tiff));
        int count = file->width * file->channels;
        for (uint32_t y = 0; y < height && !failed; y++) {
            failed = TIFFReadScanline(tiff, row, y, 0) < 0;
            double *out = file->samples + (size_t)y * (size_t)count;
            for (int x = 0; x < count; x++) {
                if (file->is_float) out[x] = ((float *)(void *)row)[x];
                else out[x] = bits == 8 ? row[x] : ((uint16_t *)(void *)row)[x];
            }
        }
        free(row);
    }
    TIFFClose(tiff);
    return failed;
}

int raster_file_read(const char *path, int header_only, struct raster_file *file) {
    memset(file, 0, sizeof *file);
    FILE *stream = fopen(path, "rb");
    if (!stream) return 1;
    int first = fgetc(stream);
    rewind(stream);
    int failed = first == 0x89 ? read_png(stream, header_only, file) : read_tiff(path, header_only, file);
    fclose(stream);
    return failed;
}

void raster_file_free(struct raster_file *file) {
    free(file->samples);
    free(file->record);
    memset(file, 0, sizeof *file);
}
