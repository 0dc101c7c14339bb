// Reads PNG and TIFF files for tests, by the classic interfaces of libpng and libtiff: nothing is converted on the
// way, and no code of the library under test takes part.
#ifndef CRASTERREADING_H
#define CRASTERREADING_H

#include <stdint.h>

struct raster_file {
    int width;
    int height;
    int channels;
    int bit_depth;
    int is_float;
    // Rows from top to bottom, channels interleaved; NULL when only the header was asked for.
    double *samples;
    // The Isobath text of a PNG, the ImageDescription of a TIFF; NULL for none.
    char *record;
    int profile_size;
};

// 0 for success. `raster_file_free` releases what the file points to, whatever was returned.
int raster_file_read(const char *path, int header_only, struct raster_file *file);
void raster_file_free(struct raster_file *file);

#endif
