// Hides two details of dav1d: pictures must be freed by its own function, and input must be wrapped in a
// reference-counted structure. The library is loaded when the first AV1 image is decoded, not at launch.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dav1d/dav1d.h>

#include "CCodecShims.h"
#include "loaded_library.h"

#define FUNCTIONS(each) \
    each(dav1d_close) \
    each(dav1d_data_unref) \
    each(dav1d_data_wrap) \
    each(dav1d_default_settings) \
    each(dav1d_get_picture) \
    each(dav1d_open) \
    each(dav1d_parse_sequence_header) \
    each(dav1d_picture_unref) \
    each(dav1d_send_data) \
    each(dav1d_version)

// The versions of Debian 12 (dav1d 1.0) and 13 (1.5). What is used here is the same in both but for two members of the
// sequence header, and the sizes of structures. The version of the headers is preferred: packages bring it along.
#define OLD_NAME "libdav1d.so.6"
#define NEW_NAME "libdav1d.so.7"
#if DAV1D_API_VERSION_MAJOR <= 6
#define NAMES OLD_NAME, NEW_NAME
#else
#define NAMES NEW_NAME, OLD_NAME
#endif
LOADED_LIBRARY(dav1d, FUNCTIONS, NAMES)

// Room for the structures of either version: 808 or 1484 bytes, and 264 or 272.
union sequence_header {
    Dav1dSequenceHeader header;
    char room[2048];
};
union picture {
    Dav1dPicture picture;
    char room[512];
};

struct decoding {
    Dav1dContext *context;
    union picture output;
};

// The members from `hbd` on. Those before are the same in both versions.
struct old_members {
    int hbd, color_range;
};
struct new_members {
    uint8_t hbd, color_range;
};

static int is_old(void) { return (dav1d_is_loaded() == 1) == (DAV1D_API_VERSION_MAJOR <= 6); }

static int bit_depth(const Dav1dSequenceHeader *header) {
    const void *members = &header->hbd;
    return 8 + 2 * (is_old() ? ((const struct old_members *)members)->hbd : ((const struct new_members *)members)->hbd);
}

static int is_full_range(const Dav1dSequenceHeader *header) {
    const void *members = &header->hbd;
    return is_old() ? ((const struct old_members *)members)->color_range
                    : ((const struct new_members *)members)->color_range;
}

static void keep(const uint8_t *data, void *cookie) { (void)data, (void)cookie; }

static int fail(char *message, int status, const char *what) {
    snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", what);
    return status;
}

int isobath_av1_describe(const uint8_t *data, size_t size, struct isobath_av1_format *format,
                         char message[ISOBATH_MESSAGE_SIZE]) {
    if (!dav1d_is_loaded()) {
        return fail(message, ISOBATH_UNSUPPORTED,
                    LOADED_LIBRARY_MISSING("AV1", OLD_NAME " or " NEW_NAME, "dav1d"));
    }
    union sequence_header parsed;
    const Dav1dSequenceHeader *header = &parsed.header;
    if (dav1d.dav1d_parse_sequence_header(&parsed.header, data, size) < 0) {
        return fail(message, ISOBATH_DAMAGED, "the image has no sequence header that can be read");
    }
    format->width = header->max_width;
    format->height = header->max_height;
    format->chroma_format = (int)header->layout;
    format->bit_depth = bit_depth(header);
    format->primaries = (int)header->pri;
    format->transfer = (int)header->trc;
    format->matrix_coefficients = (int)header->mtrx;
    format->is_full_range = is_full_range(header);
    return ISOBATH_OK;
}

int isobath_av1_decode(const uint8_t *data, size_t size, uint32_t pixel_limit, int threads,
                       struct isobath_av1_picture *picture, char message[ISOBATH_MESSAGE_SIZE]) {
    picture->owner = NULL;
    struct decoding *decoding = calloc(1, sizeof *decoding);
    if (!decoding) return fail(message, ISOBATH_DAMAGED, "no memory for the AV1 decoder");
    Dav1dSettings settings;
    dav1d.dav1d_default_settings(&settings);
    settings.n_threads = threads;
    settings.max_frame_delay = 1;
    settings.all_layers = 0;
    settings.frame_size_limit = pixel_limit;
    settings.logger.callback = NULL;
    if (dav1d.dav1d_open(&decoding->context, &settings) < 0) {
        free(decoding);
        return fail(message, ISOBATH_DAMAGED, "the AV1 decoder does not start");
    }
    picture->owner = decoding;
    Dav1dData input = {0};
    if (dav1d.dav1d_data_wrap(&input, data, size, keep, NULL) < 0) {
        return fail(message, ISOBATH_DAMAGED, "no memory for the AV1 decoder");
    }
    // dav1d may consume all data without returning a picture yet, or return one without consuming data.
    int status;
    do {
        status = input.sz > 0 ? dav1d.dav1d_send_data(decoding->context, &input) : 0;
        if (status < 0 && status != DAV1D_ERR(EAGAIN)) break;
        status = dav1d.dav1d_get_picture(decoding->context, &decoding->output.picture);
    } while (status == DAV1D_ERR(EAGAIN) && input.sz > 0);
    if (input.sz > 0) dav1d.dav1d_data_unref(&input);
    if (status == DAV1D_ERR(EAGAIN)) return fail(message, ISOBATH_DAMAGED, "the coded data holds no picture");
    if (status < 0) {
        const char *what = status == DAV1D_ERR(ERANGE) ? "the picture is larger than announced"
                           : status == DAV1D_ERR(ENOMEM) ? "no memory for the picture"
                                                         : "the coded data cannot be decoded";
        return fail(message, ISOBATH_DAMAGED, what);
    }
    const Dav1dPicture *found = &decoding->output.picture;
    picture->format.width = found->p.w;
    picture->format.height = found->p.h;
    picture->format.chroma_format = (int)found->p.layout;
    picture->format.bit_depth = found->p.bpc;
    picture->format.primaries = (int)found->seq_hdr->pri;
    picture->format.transfer = (int)found->seq_hdr->trc;
    picture->format.matrix_coefficients = (int)found->seq_hdr->mtrx;
    picture->format.is_full_range = is_full_range(found->seq_hdr);
    for (int channel = 0; channel < 3; channel++) picture->samples[channel] = found->data[channel];
    picture->strides[0] = found->stride[0];
    picture->strides[1] = found->stride[1];
    return ISOBATH_OK;
}

void isobath_av1_release(struct isobath_av1_picture *picture) {
    struct decoding *decoding = picture->owner;
    if (!decoding) return;
    if (decoding->output.picture.data[0]) dav1d.dav1d_picture_unref(&decoding->output.picture);
    dav1d.dav1d_close(&decoding->context);
    free(decoding);
    picture->owner = NULL;
}

void isobath_av1_library(struct isobath_library *library) {
    const char *const files[] = {NAMES};
    int file = dav1d_is_loaded();
    *library = (struct isobath_library){.file = files[file > 0 ? file - 1 : 0], .package = "libdav1d6 | libdav1d7"};
    if (file == 0) return;
    snprintf(library->version, sizeof library->version, "%s", dav1d.dav1d_version());
}
