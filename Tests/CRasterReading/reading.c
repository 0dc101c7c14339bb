#include "CRasterReading.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <tiffio.h>

static double *allocate(const struct raster_file *file) {
    return calloc((size_t)file->width * (size_t)file->height * (size_t)file->channels, sizeof(double));
}

static void keep(struct raster_block *block, const void *bytes, size_t size) {
    free(block->bytes);
    block->bytes = malloc(size ? size : 1);
    memcpy(block->bytes, bytes, size);
    block->size = (int)size;
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
        if (strcmp(texts[index].key, "XML:com.adobe.xmp") == 0) {
            keep(&file->xmp, texts[index].text, texts[index].itxt_length);
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
    if (png_get_iCCP(png, info, &name, &compression, &profile, &profile_size)) {
        keep(&file->profile, profile, profile_size);
    }
    file->has_alpha = png_get_color_type(png, info) == PNG_COLOR_TYPE_RGB_ALPHA;
    png_bytep exif = NULL;
    png_uint_32 exif_size = 0;
    if (png_get_eXIf_1(png, info, &exif_size, &exif)) keep(&file->exif, exif, exif_size);
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
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &profile_size, &profile)) keep(&file->profile, profile, profile_size);
    uint32_t xmp_size = 0;
    void *xmp = NULL;
    if (TIFFGetField(tiff, TIFFTAG_XMLPACKET, &xmp_size, &xmp)) keep(&file->xmp, xmp, xmp_size);
    uint16_t extra_count = 0, *extra = NULL;
    if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extra_count, &extra) && extra_count == 1) {
        file->has_alpha = extra[0] == EXTRASAMPLE_UNASSALPHA;
    }
    if (TIFFGetField(tiff, TIFFTAG_MAKE, &text) && text) snprintf(file->make, sizeof file->make, "%s", text);
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
    toff_t exif = 0;
    if (TIFFGetField(tiff, TIFFTAG_EXIFIFD, &exif) && TIFFReadEXIFDirectory(tiff, exif)) {
        // Float in some versions of libtiff, double in others.
        union {
            float single;
            double whole;
        } time = {.whole = 0};
        const TIFFField *field = TIFFFieldWithTag(tiff, EXIFTAG_EXPOSURETIME);
        if (field && TIFFGetField(tiff, EXIFTAG_EXPOSURETIME, &time)) {
            file->exposure_time = TIFFFieldSetGetSize(field) == (int)sizeof(double) ? time.whole : time.single;
        }
    }
    TIFFClose(tiff);
    return failed;
}

// libjpeg's default error handler ends the process, and with it the test run, with its message.
static int read_jpeg(FILE *stream, int header_only, struct raster_file *file) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_stdio_src(&info, stream);
    jpeg_save_markers(&info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(&info, TRUE);
    file->width = (int)info.image_width;
    file->height = (int)info.image_height;
    file->channels = info.num_components;
    file->bit_depth = info.data_precision;
    file->subsampling = info.comp_info[0].h_samp_factor * 10 + info.comp_info[0].v_samp_factor;
    JOCTET *profile = NULL;
    unsigned profile_size = 0;
    if (jpeg_read_icc_profile(&info, &profile, &profile_size)) keep(&file->profile, profile, profile_size);
    free(profile);
    for (jpeg_saved_marker_ptr marker = info.marker_list; marker; marker = marker->next) {
        static const char exif[] = "Exif\0", xmp[] = "http://ns.adobe.com/xap/1.0/";
        if (marker->data_length > sizeof exif && memcmp(marker->data, exif, sizeof exif) == 0) {
            keep(&file->exif, marker->data + sizeof exif, marker->data_length - sizeof exif);
        }
        if (marker->data_length > sizeof xmp && memcmp(marker->data, xmp, sizeof xmp) == 0) {
            keep(&file->xmp, marker->data + sizeof xmp, marker->data_length - sizeof xmp);
        }
    }
    if (!header_only) {
        file->samples = allocate(file);
        size_t count = (size_t)file->width * (size_t)file->channels;
        JSAMPROW row = malloc(count);
        jpeg_start_decompress(&info);
        for (size_t y = 0; y < (size_t)file->height; y++) {
            jpeg_read_scanlines(&info, &row, 1);
            for (size_t x = 0; x < count; x++) file->samples[y * count + x] = row[x];
        }
        jpeg_finish_decompress(&info);
        free(row);
    }
    jpeg_destroy_decompress(&info);
    return 0;
}

int raster_file_read(const char *path, int header_only, struct raster_file *file) {
    memset(file, 0, sizeof *file);
    FILE *stream = fopen(path, "rb");
    if (!stream) return 1;
    int first = fgetc(stream);
    rewind(stream);
    int failed = first == 0x89   ? read_png(stream, header_only, file)
                 : first == 0xFF ? read_jpeg(stream, header_only, file)
                                 : read_tiff(path, header_only, file);
    fclose(stream);
    return failed;
}

void raster_file_free(struct raster_file *file) {
    free(file->samples);
    free(file->record);
    free(file->profile.bytes);
    free(file->exif.bytes);
    free(file->xmp.bytes);
    memset(file, 0, sizeof *file);
}
