// Reads PNG, TIFF and JPEG files for tests with the basic interfaces of libpng, libtiff and libjpeg: nothing is converted,
// and no code of the library under test is used.
#ifndef CRASTERREADING_H
#define CRASTERREADING_H

#include <stdint.h>

struct raster_block {
    uint8_t *bytes;
    int size;
};

struct raster_file {
    int width;
    int height;
    int channels;
    int bit_depth;
    int is_float;
    // Rows from top to bottom, channels interleaved; NULL if only the header was requested.
    double *samples;
    // The Isobath text of a PNG, the ImageDescription of a TIFF; NULL if missing.
    char *record;
    // Whether there is a fourth channel of straight alpha.
    int has_alpha;
    // Ratios of the widths and heights of luma and chroma as two digits, such as 22 for 4:2:0; 0 for formats other than
    // JPEG.
    int subsampling;
    struct raster_block profile;
    // From the TIFF header on; in TIFF files nothing.
    struct raster_block exif;
    struct raster_block xmp;
    // Make of the camera (271) and exposure time (33434) of a TIFF file.
    char make[64];
    double exposure_time;
};

// 0 for success. `raster_file_free` releases the memory that the file points to, even after a failure.
int raster_file_read(const char *path, int header_only, struct raster_file *file);
void raster_file_free(struct raster_file *file);

#endif
