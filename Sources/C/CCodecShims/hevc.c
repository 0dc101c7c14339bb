// libde265 returns pictures with blocks that it never decoded, without an error and sometimes without a warning. Its
// image buffers are filled with a pattern beforehand; a block that still shows it was not decoded.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libde265/de265.h>

#include "CCodecShims.h"

#define PATTERN_SIZE ((size_t)1 << 16)
#define ALIGNMENT 64
#define PADDING 64  // libde265's vector code reads and writes a little past the end

static uint8_t pattern[PATTERN_SIZE + 8];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int get_buffer(de265_decoder_context *, struct de265_image_spec *, struct de265_image *, void *);
static void release_buffer(de265_decoder_context *, struct de265_image *, void *);

static void prepare(void) {
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (size_t index = 0; index < PATTERN_SIZE; index += 8) {  // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(pattern + index, &state, 8);
    }
    memcpy(pattern + PATTERN_SIZE, pattern, 8);
    // The loop filters always allocate their output with the default functions, even if a decoder has others, and leave
    // rows of it unwritten if a picture is damaged. The only way to mark that buffer is to replace the defaults, a
    // variable of the library that this call returns.
    struct de265_image_allocation *defaults =
        (struct de265_image_allocation *)de265_get_default_image_allocation_functions();
    defaults->get_buffer = get_buffer;
    defaults->release_buffer = release_buffer;
}

static size_t samples_in_row(size_t width) { return (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static int get_buffer(de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
                      void *user) {
    (void)context, (void)user;
    enum de265_chroma chroma = de265_get_chroma_format(image);
    for (int channel = 0; channel < (chroma == de265_chroma_mono ? 1 : 3); channel++) {
        size_t width = (size_t)spec->width, height = (size_t)spec->height;
        if (channel > 0 && chroma != de265_chroma_444) width = (width + 1) / 2;
        if (channel > 0 && chroma == de265_chroma_420) height = (height + 1) / 2;
        size_t stride = samples_in_row(width);
        stride *= (size_t)((de265_get_bits_per_pixel(image, channel) + 7) / 8);
        size_t total = (stride * height + PADDING + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        uint8_t *memory = aligned_alloc(ALIGNMENT, total);
        if (!memory) {
            for (int before = 0; before < channel; before++) free(de265_get_image_plane_user_data(image, before));
            return 0;
        }
        for (size_t start = 0; start < total; start += PATTERN_SIZE) {
            memcpy(memory + start, pattern, total - start < PATTERN_SIZE ? total - start : PATTERN_SIZE);
        }
        de265_set_image_plane(image, channel, memory, (int)stride, memory);
        // The stride is in bytes; old versions of the library return samples.
        int taken = 0;
        de265_get_image_plane(image, channel, &taken);
        if (taken != (int)stride) {
            for (int before = 0; before <= channel; before++) free(de265_get_image_plane_user_data(image, before));
            return 0;
        }
    }
    return 1;
}

static void release_buffer(de265_decoder_context *context, struct de265_image *image, void *user) {
    (void)context, (void)user;
    int channels = de265_get_chroma_format(image) == de265_chroma_mono ? 1 : 3;
    for (int channel = 0; channel < channels; channel++) free(de265_get_image_plane_user_data(image, channel));
}

void isobath_hevc_install_guarded_allocator(void) { pthread_once(&once, prepare); }

// Whether eight bytes equal the pattern. Not instrumented: a fuzzer would learn the pattern from the comparison, and
// write it into pictures.
__attribute__((no_sanitize("coverage"))) static int is_pattern(const uint8_t *samples, size_t offset) {
    uint64_t found, expected;
    memcpy(&found, samples, 8);
    memcpy(&expected, pattern + offset % PATTERN_SIZE, 8);
    return found == expected;
}

int isobath_hevc_is_complete(const void *picture, int coded_width, int left, int top) {
    const struct de265_image *image = picture;
    int stride;
    const uint8_t *samples = de265_get_image_plane(image, 0, &stride);
    if (!samples) return 0;
    size_t width = (size_t)de265_get_image_width(image, 0), height = (size_t)de265_get_image_height(image, 0);
    size_t size = (size_t)((de265_get_bits_per_pixel(image, 0) + 7) / 8);
    size_t watched = samples_in_row((size_t)coded_width);
    // Coding tree blocks have 16 samples a side or more. Check the middle of each block of 16 x 16, because filters of
    // decoded neighbors reach three samples over the edge. The pattern's offset follows from row and column, even if
    // the loop filters moved the samples into another buffer. Eight bytes are equal by chance once in 2^64.
    for (size_t y = 0; y < height; y += 16) {
        size_t row = y + 8 < height ? y + 8 : height - 1;
        for (size_t x = 0; x < width; x += 16) {
            size_t column = x + 4;
            if (column + 8 > width) column = width > 8 ? width - 8 : 0;
            size_t offset = ((row + (size_t)top) * watched + column + (size_t)left) * size;
            if (is_pattern(samples + row * (size_t)stride + column * size, offset)) return 0;
        }
    }
    return 1;
}
