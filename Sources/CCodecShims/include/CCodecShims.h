// What Swift cannot call: libraries that report errors by longjmp (which must not cross a Swift frame) or take
// variable arguments. Every function returns 0, or a code and a message; none keeps anything after it returns.
#ifndef ISOBATH_CODEC_SHIMS_H
#define ISOBATH_CODEC_SHIMS_H

#include <stddef.h>
#include <stdint.h>

#define ISOBATH_MESSAGE_SIZE 256

enum {
    ISOBATH_OK = 0,
    ISOBATH_DAMAGED = 1,      // the library reported an error, or a warning that means missing samples
    ISOBATH_UNSUPPORTED = 2,  // a valid stream that cannot be decoded as asked
    ISOBATH_IO = 3,           // the output could not be written; errno says why
};

// libjpeg: decodes a whole stream into rows of `components` (1 gray or luma, 3 RGB) bytes a pixel.
// The frame must have exactly the given size, which sized the buffer.
int isobath_jpeg_decode(const uint8_t *data, size_t size, int width, int height, int components, uint8_t *pixels,
                        char message[ISOBATH_MESSAGE_SIZE]);

// libde265: lets all decoders of the process mark their image buffers, so that isobath_hevc_is_complete can tell whether
// every block of a picture (struct de265_image) that one returned was decoded. To be called before the first decoder is
// made. The coded width and the corner
// of the conformance window are those of the sequence parameter set.
void isobath_hevc_watch(void);
int isobath_hevc_is_complete(const void *picture, int coded_width, int left, int top);

// What a PNG file holds. Rows are tightly packed; 16-bit samples are in host order.
struct isobath_png_image {
    uint32_t width, height;
    int channels;   // 1 gray, 3 RGB
    int bit_depth;  // 8 or 16
    const void *pixels;
    const uint8_t *profile;  // ICC, or NULL
    uint32_t profile_size;
    const char *text;  // UTF-8 of an iTXt chunk, or NULL
    const char *keyword;
    int is_photo;  // filters for natural images instead of the fast ones for smooth planes
};

// libpng: writes to a file descriptor, which stays open.
int isobath_png_write(int descriptor, const struct isobath_png_image *image, char message[ISOBATH_MESSAGE_SIZE]);

// What a TIFF file holds. Rows are tightly packed, samples in host order.
struct isobath_tiff_image {
    uint32_t width, height;
    int channels;   // 1 gray, 3 RGB
    int bit_depth;  // 8, 16 or 32
    int is_float;
    const void *pixels;
    const uint8_t *profile;  // ICC, or NULL
    uint32_t profile_size;
    const char *description;  // ASCII for ImageDescription, or NULL
};

// libtiff: writes to a seekable file descriptor, which stays open.
int isobath_tiff_write(int descriptor, const struct isobath_tiff_image *image, char message[ISOBATH_MESSAGE_SIZE]);

#endif
