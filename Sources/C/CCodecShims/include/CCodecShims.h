// Wrappers of libraries that Swift cannot call, because they report errors by longjmp (which must not cross a Swift
// frame) or take variable arguments. Every function returns 0, or a code and a message, and keeps nothing after it
// returns. If a reader returns 0, the message is the library's warning, or empty.
#ifndef ISOBATH_CODEC_SHIMS_H
#define ISOBATH_CODEC_SHIMS_H

#include <stddef.h>
#include <stdint.h>

#define ISOBATH_MESSAGE_SIZE 256

enum {
    ISOBATH_OK = 0,
    ISOBATH_DAMAGED = 1,      // the library reported an error, or a warning that means missing samples
    ISOBATH_UNSUPPORTED = 2,  // a valid stream that cannot be decoded as requested
    ISOBATH_IO = 3,           // the output could not be written; errno says why
    ISOBATH_ABSENT = 4,       // the file is valid, but lacks the requested part
    ISOBATH_INKS = 5,         // the image has four inks, but another form was requested
    ISOBATH_MEMORY = 6,       // the library wants more memory than it may have
    ISOBATH_SCANS = 7,        // the image has more scans than it may have
    ISOBATH_PIXELS = 8,       // the image has more pixels than it may have
};

// The bytes of memory that a library may allocate in addition to the buffer that it fills. If it needed more than
// `limit`, `asked` is the number of bytes that it requested.
struct isobath_budget {
    size_t limit, asked;
};

// libjpeg: decodes a complete stream into rows of `components` (1 gray or luma, 3 RGB, 4 CMYK as stored) bytes a pixel,
// at `eighths` (1, 2, 4 or 8) eighths of its size, rounded up. The frame must have exactly the given size: the size of
// the buffer was computed from it and `eighths`.
struct isobath_jpeg_request {
    int width, height;
    int components, eighths;
    int scan_limit;
    uint8_t *pixels;
    struct isobath_budget budget;
};
int isobath_jpeg_decode(const uint8_t *data, size_t size, struct isobath_jpeg_request *request,
                        char message[ISOBATH_MESSAGE_SIZE]);

// Loads libde265 on the first call. Call this before any function of the library. Returns ISOBATH_UNSUPPORTED on
// failure.
int isobath_hevc_load(void);

// A library that is loaded when it is needed.
struct isobath_library {
    const char *file;     // as the dynamic linker looks for it
    const char *package;  // of Debian and Ubuntu
    char version[48];     // empty if it cannot be loaded
};
void isobath_hevc_library(struct isobath_library *library);
void isobath_av1_library(struct isobath_library *library);
void isobath_jxl_library(struct isobath_library *library);
void isobath_exr_library(struct isobath_library *library);
void isobath_tiff_library(struct isobath_library *library);

// libde265: lets all decoders of the process mark their image buffers, so that isobath_hevc_is_complete can find out
// whether every block of a returned picture (struct de265_image) was decoded. Call
// isobath_hevc_install_guarded_allocator before the first decoder is created. The sequence parameter set has the coded
// width and the corner of the conformance window.
void isobath_hevc_install_guarded_allocator(void);
int isobath_hevc_is_complete(const void *picture, int coded_width, int left, int top);

// Metadata in a file; the size is 0 if missing.
struct isobath_attachments {
    const uint8_t *profile;  // ICC
    uint32_t profile_size;
    const uint8_t *exif;  // from its TIFF header on
    uint32_t exif_size;
    const uint8_t *xmp;  // a packet
    uint32_t xmp_size;
};

// The content of a JPEG file. Rows are tightly packed, 8 bits a sample.
struct isobath_jpeg_image {
    int width, height;
    int channels;  // 1 gray, 3 RGB
    const uint8_t *pixels;
    int quality;            // 1 to 100
    int subsamples_chroma;  // 4:2:0 instead of 4:4:4
    struct isobath_attachments attachments;  // Exif and XMP must fit a segment each
};

// Some coded rows of an image. Free `coded` with free(), even after a failure.
struct isobath_piece {
    uint8_t *coded;
    size_t size;
    // For a piece of a PNG file, the size and checksum before compression.
    size_t filtered_size;
    uint32_t adler;
};

// libjpeg: codes `count` rows of an image as a piece of a baseline file with the standard Huffman tables. Pieces have
// isobath_jpeg_rows_of_piece rows, except for the last. All pieces in order are the file without its end marker.
int isobath_jpeg_rows_of_piece(const struct isobath_jpeg_image *image);
int isobath_jpeg_compress(const struct isobath_jpeg_image *image, int first, int count, struct isobath_piece *piece,
                          char message[ISOBATH_MESSAGE_SIZE]);

// Writes all pieces in order, and the end marker, to a file descriptor, which stays open.
int isobath_jpeg_write(int descriptor, const struct isobath_piece *pieces, size_t count);

// How an AV1 picture is coded. `chroma_format`: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
struct isobath_av1_format {
    int width, height;
    int chroma_format, bit_depth;
    int primaries, transfer, matrix_coefficients, is_full_range;
};

// dav1d: reads the first sequence header, whose size is the maximum of all pictures.
int isobath_av1_describe(const uint8_t *data, size_t size, struct isobath_av1_format *format,
                         char message[ISOBATH_MESSAGE_SIZE]);

// A decoded picture. Samples of more than 8 bits are two bytes in host order; `strides` are for luma and for chroma.
struct isobath_av1_picture {
    struct isobath_av1_format format;
    const void *samples[3];
    ptrdiff_t strides[2];
    void *owner;
};

// dav1d: decodes the first picture, which must have no more pixels than `pixel_limit`. `data` must stay valid until the
// picture is released. Release the picture even if this fails.
int isobath_av1_decode(const uint8_t *data, size_t size, uint32_t pixel_limit, int threads,
                       struct isobath_av1_picture *picture, char message[ISOBATH_MESSAGE_SIZE]);
void isobath_av1_release(struct isobath_av1_picture *picture);

// libjxl: decodes the first frame of a complete file as stored, without rotating it: the extra channel `extra`, or with
// -1 the color as RGB, with one or two bytes (host order) per sample. The image must have the given size, because the
// size of the buffer was computed from it. The color's ICC profile is copied to `profile` if it fits.
struct isobath_jxl_request {
    uint32_t width, height;
    int extra;
    int sample_bytes;
    void *samples;
    size_t samples_size;
    struct isobath_budget budget;
    uint8_t *profile;
    size_t profile_capacity, profile_size;
    int captures_stderr;  // whether output of the library to stderr becomes the message, by replacing that variable
};
int isobath_jxl_decode(const uint8_t *data, size_t size, struct isobath_jxl_request *request,
                       char message[ISOBATH_MESSAGE_SIZE]);

// The content of a PNG file. Rows are tightly packed; 16-bit samples are in host order.
struct isobath_png_image {
    uint32_t width, height;
    int channels;   // 1 gray, 3 RGB, 4 RGB and straight alpha
    int bit_depth;  // 8 or 16
    const void *pixels;
    struct isobath_attachments attachments;
    const char *text;  // UTF-8 of an iTXt chunk, or NULL
    const char *keyword;
    uint8_t cicp[4];  // the color's code points of ITU-T H.273; all 0 without them
    int is_photo;     // a filter for each row, which compresses natural images better than one for all rows
};

// The number of bytes of a row.
size_t isobath_png_stride(const struct isobath_png_image *image);

// ISA-L: filters and compresses `count` rows of an image independently of the others. Returns ISOBATH_IO if memory runs
// out.
int isobath_png_compress(const struct isobath_png_image *image, int first, int count, struct isobath_piece *piece);

// libpng: writes to a file descriptor, which stays open. The pieces contain all rows in order.
int isobath_png_write(int descriptor, const struct isobath_png_image *image, const struct isobath_piece *pieces,
                      size_t count, char message[ISOBATH_MESSAGE_SIZE]);

// The text of a tag of type ASCII: `start` is its offset in `characters`, where it ends with a NUL.
struct isobath_tiff_text {
    uint32_t tag, start;
};

// A directory as stored at offset 0 of a file, in host byte order. At each of `offsets` it contains a four-byte file
// offset.
struct isobath_tiff_directory {
    const uint8_t *bytes;
    uint32_t size;  // 0 if missing
    const uint32_t *offsets;
    uint32_t offset_count;
};

// The content of a TIFF file. Rows are tightly packed, samples in host order.
struct isobath_tiff_image {
    uint32_t width, height;
    int channels;   // 1 gray, 3 RGB, 4 RGB and straight alpha
    int bit_depth;  // 8, 16 or 32
    int is_float;
    const void *pixels;
    struct isobath_attachments attachments;  // the Exif block is ignored
    const char *description;                 // ASCII for ImageDescription, or NULL
    const char *characters;                  // the characters of all texts
    const struct isobath_tiff_text *texts;
    uint32_t text_count;
    double resolution_x, resolution_y;  // 0 if missing
    uint16_t resolution_unit;
    struct isobath_tiff_directory exif, gps;
};

// libtiff: writes to a seekable file descriptor, which stays open.
int isobath_tiff_write(int descriptor, const struct isobath_tiff_image *image, char message[ISOBATH_MESSAGE_SIZE]);

// The bytes of a file, for libraries that read them through callbacks. `read` copies up to `size` bytes from `offset`,
// and returns their number, or -1.
struct isobath_source {
    void *context;
    uint64_t size;
    int64_t (*read)(void *context, uint64_t offset, void *buffer, size_t size);
};

// libpng: decodes a complete file into tightly packed rows: 16-bit samples in host order, samples of fewer than 8 bits
// in a byte. With 1 channel the file must be gray without alpha. With 3 any file is converted to RGB without alpha,
// with 4 to RGB and alpha.
int isobath_png_read(const uint8_t *data, size_t size, uint32_t width, uint32_t height, int channels, int bit_depth,
                     void *pixels, size_t pixels_size, char message[ISOBATH_MESSAGE_SIZE]);

// libpng: copies the ICC profile, unpacked; `*written` is 0 if it is missing or does not fit.
int isobath_png_profile(const uint8_t *data, size_t size, uint8_t *profile, size_t capacity, size_t *written,
                        char message[ISOBATH_MESSAGE_SIZE]);

// A description of the first directory of a TIFF file. `sample_format`: 1 unsigned, 2 signed, 3 floating point. `extra`
// is the type of the first channel after the colors: 0 unspecified, 1 premultiplied alpha, 2 straight alpha.
// `is_georeferenced`: whether it is a GeoTIFF, with a position on the Earth.
struct isobath_tiff_description {
    uint32_t width, height;
    int channels, bit_depth, sample_format, compression, photometric, orientation, is_planar,
        extra, is_georeferenced;
};

// No struct here contains an array of characters: Swift imports it as a tuple with an element for each character, and a
// function with such a value takes minutes to compile. Texts are parameters of these sizes, including the final NUL.
#define ISOBATH_TEXT_SIZE 16384
#define ISOBATH_CHANNEL_SIZE 256
#define ISOBATH_NUMBER_SIZE 64

// libtiff: reads tags, no samples. `text` is the ImageDescription and `no_data` GDAL's tag 42113, each empty if missing
// or too long. No single allocation exceeds the budget's limit.
int isobath_tiff_describe(const struct isobath_source *source, struct isobath_tiff_description *description,
                          char text[ISOBATH_TEXT_SIZE], char no_data[ISOBATH_NUMBER_SIZE], struct isobath_budget *budget,
                          char message[ISOBATH_MESSAGE_SIZE]);

// libtiff: copies the ICC profile; `*written` is 0 if it is missing or does not fit.
int isobath_tiff_profile(const struct isobath_source *source, uint8_t *profile, size_t capacity, size_t *written,
                         char message[ISOBATH_MESSAGE_SIZE]);

// libtiff: decodes the first directory, which must be as described, into tightly packed rows in host order; samples of
// fewer than 8 bits take a byte each. No single allocation exceeds the budget's limit.
int isobath_tiff_read(const struct isobath_source *source, const struct isobath_tiff_description *description,
                      void *pixels, size_t pixels_size, struct isobath_budget *budget,
                      char message[ISOBATH_MESSAGE_SIZE]);

// The description of one channel of an OpenEXR file. `pixel_type`: 0 UInt32, 1 Float16, 2 Float32.
struct isobath_exr_description {
    int width, height;  // of the data window
    int part, pixel_type, compression;
    int is_cropped;      // whether the data window is not the display window
    int has_no_data;     // whether an attribute gives the sample that means unknown
    double no_data;
};

// OpenEXR's C core: finds the channel `name`, or if that is NULL, the depth channel. Deep parts are unsupported.
// `record` and `camera` are the string attributes `isobath.record` and `isobath.camera`, empty if missing. The budget
// limits the pixels of a row, of a column, and of an edge of a tile.
int isobath_exr_describe(const struct isobath_source *source, const char *name,
                         struct isobath_exr_description *description, char channel[ISOBATH_CHANNEL_SIZE],
                         char record[ISOBATH_TEXT_SIZE], char camera[ISOBATH_TEXT_SIZE], struct isobath_budget *pixels,
                         char message[ISOBATH_MESSAGE_SIZE]);

// OpenEXR's C core: decodes the described channel into tightly packed rows, without converting the sample type.
int isobath_exr_read(const struct isobath_source *source, const struct isobath_exr_description *description,
                     const char *channel, void *pixels, size_t pixels_size, struct isobath_budget *budget,
                     char message[ISOBATH_MESSAGE_SIZE]);

// A channel of an OpenEXR file: Float32 samples, which are rounded to binary16 if `is_half` is set.
struct isobath_exr_channel {
    const char *name;
    const float *pixels;
    int is_half;
};

// An attribute of an OpenEXR file: a string, or `count` of the image's numbers from index `first` on: 1 (float) or 16
// (m44f, row by row).
struct isobath_exr_attribute {
    const char *name;
    const char *text;  // NULL for numbers
    int first, count;
};

// The content of an OpenEXR file: channels of one size, and attributes.
struct isobath_exr_image {
    int width, height;
    int channel_count;
    const struct isobath_exr_channel *channels;
    int attribute_count;
    const struct isobath_exr_attribute *attributes;
    const float *numbers;
};

// OpenEXR's C core: writes to a seekable file descriptor, which stays open.
int isobath_exr_write(int descriptor, const struct isobath_exr_image *image, char message[ISOBATH_MESSAGE_SIZE]);

// zlib: unpacks raw deflate data (RFC 1951), or a zlib stream (RFC 1950) with its checksum, into `output`; `*written` is
// the number of bytes written. Without `is_prefix`, a stream that has more bytes than `output` is damaged.
int isobath_inflate(const uint8_t *data, size_t size, int is_zlib, int is_prefix, uint8_t *output, size_t capacity,
                    size_t *written, char message[ISOBATH_MESSAGE_SIZE]);

// zlib: the CRC-32 of ZIP and PNG.
uint32_t isobath_checksum(const uint8_t *data, size_t size);

#endif
