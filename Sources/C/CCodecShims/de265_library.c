// libde265 is loaded when the first HEVC image is decoded, not at launch: loading the C++ library that it depends on
// would take a quarter of every launch. The functions here have the names from its header, and call the loaded ones:
// call isobath_hevc_load() first.
#include <stdint.h>
#include <stdio.h>

// They are hidden, so that other libraries in the program, such as libheif, call libde265's functions, not these.
#pragma GCC visibility push(hidden)
#include <libde265/de265.h>
#pragma GCC visibility pop

#include "CCodecShims.h"
#include "loaded_library.h"

#define FUNCTIONS(each) \
    each(de265_decode) \
    each(de265_flush_data) \
    each(de265_free_decoder) \
    each(de265_get_bits_per_pixel) \
    each(de265_get_chroma_format) \
    each(de265_get_default_image_allocation_functions) \
    each(de265_get_error_text) \
    each(de265_get_image_height) \
    each(de265_get_image_plane) \
    each(de265_get_image_plane_user_data) \
    each(de265_get_image_width) \
    each(de265_get_version) \
    each(de265_get_warning) \
    each(de265_init) \
    each(de265_new_decoder) \
    each(de265_peek_next_picture) \
    each(de265_push_NAL) \
    each(de265_set_image_plane) \
    each(de265_set_parameter_bool) \
    each(de265_start_worker_threads)

#define LIBRARY_NAME "libde265.so.0"
LOADED_LIBRARY(de265, FUNCTIONS, LIBRARY_NAME)

int isobath_hevc_load(void) { return de265_is_loaded() ? ISOBATH_OK : ISOBATH_UNSUPPORTED; }

void isobath_hevc_library(struct isobath_library *library) {
    *library = (struct isobath_library){.file = LIBRARY_NAME, .package = "libde265-0"};
    if (!de265_is_loaded()) return;
    snprintf(library->version, sizeof library->version, "%s", de265.de265_get_version());
}

de265_error de265_init(void) { return de265.de265_init(); }
const char *de265_get_error_text(de265_error error) { return de265.de265_get_error_text(error); }

de265_decoder_context *de265_new_decoder(void) { return de265.de265_new_decoder(); }
de265_error de265_free_decoder(de265_decoder_context *decoder) { return de265.de265_free_decoder(decoder); }
de265_error de265_start_worker_threads(de265_decoder_context *decoder, int count) {
    return de265.de265_start_worker_threads(decoder, count);
}
void de265_set_parameter_bool(de265_decoder_context *decoder, enum de265_param name, int value) {
    de265.de265_set_parameter_bool(decoder, name, value);
}

de265_error de265_push_NAL(de265_decoder_context *decoder, const void *data, int length, de265_PTS time, void *user) {
    return de265.de265_push_NAL(decoder, data, length, time, user);
}
de265_error de265_flush_data(de265_decoder_context *decoder) { return de265.de265_flush_data(decoder); }
de265_error de265_decode(de265_decoder_context *decoder, int *more) { return de265.de265_decode(decoder, more); }
de265_error de265_get_warning(de265_decoder_context *decoder) { return de265.de265_get_warning(decoder); }
const struct de265_image *de265_peek_next_picture(de265_decoder_context *decoder) {
    return de265.de265_peek_next_picture(decoder);
}

int de265_get_image_width(const struct de265_image *image, int channel) {
    return de265.de265_get_image_width(image, channel);
}
int de265_get_image_height(const struct de265_image *image, int channel) {
    return de265.de265_get_image_height(image, channel);
}
enum de265_chroma de265_get_chroma_format(const struct de265_image *image) {
    return de265.de265_get_chroma_format(image);
}
int de265_get_bits_per_pixel(const struct de265_image *image, int channel) {
    return de265.de265_get_bits_per_pixel(image, channel);
}
const uint8_t *de265_get_image_plane(const struct de265_image *image, int channel, int *stride) {
    return de265.de265_get_image_plane(image, channel, stride);
}
void *de265_get_image_plane_user_data(const struct de265_image *image, int channel) {
    return de265.de265_get_image_plane_user_data(image, channel);
}
void de265_set_image_plane(struct de265_image *image, int channel, void *memory, int stride, void *user) {
    de265.de265_set_image_plane(image, channel, memory, stride, user);
}
const struct de265_image_allocation *de265_get_default_image_allocation_functions(void) {
    return de265.de265_get_default_image_allocation_functions();
}
