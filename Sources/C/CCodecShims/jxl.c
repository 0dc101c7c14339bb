// libjxl allocates any size that a file declares unless its allocator refuses. Its C++ exceptions stay inside.
//
// It is loaded when the first JPEG XL image is decoded, not at launch: loading the libraries that it depends on takes
// longer than most runs in total.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>
#include <jxl/version.h>

#include "CCodecShims.h"
#include "capture_stderr.h"
#include "loaded_library.h"

#define HEADER 64  // keeps what follows it aligned

#define FUNCTIONS(each) \
    each(JxlDecoderCloseInput) \
    each(JxlDecoderCreate) \
    each(JxlDecoderDestroy) \
    each(JxlDecoderExtraChannelBufferSize) \
    each(JxlDecoderGetBasicInfo) \
    each(JxlDecoderGetColorAsICCProfile) \
    each(JxlDecoderGetICCProfileSize) \
    each(JxlDecoderImageOutBufferSize) \
    each(JxlDecoderProcessInput) \
    each(JxlDecoderSetExtraChannelBuffer) \
    each(JxlDecoderSetImageOutBuffer) \
    each(JxlDecoderSetImageOutCallback) \
    each(JxlDecoderSetInput) \
    each(JxlDecoderSetKeepOrientation) \
    each(JxlDecoderSubscribeEvents) \
    each(JxlDecoderVersion)

// The versions of Debian 12 and 13. What is used here is the same in both but for the functions that get the profile,
// which lost an argument in 0.9. The version of the headers is preferred: packages bring it along.
#define OLD_NAME "libjxl.so.0.7"
#define NEW_NAME "libjxl.so.0.11"
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define NAMES OLD_NAME, NEW_NAME
#else
#define NAMES NEW_NAME, OLD_NAME
#endif
LOADED_LIBRARY(jxl, FUNCTIONS, NAMES)

typedef JxlDecoderStatus (*get_size_t)(const JxlDecoder *, JxlColorProfileTarget, size_t *);
typedef JxlDecoderStatus (*get_profile_t)(const JxlDecoder *, JxlColorProfileTarget, uint8_t *, size_t);
typedef JxlDecoderStatus (*old_get_size_t)(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, size_t *);
typedef JxlDecoderStatus (*old_get_profile_t)(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, uint8_t *,
                                              size_t);

struct purse {
    size_t left;
    struct isobath_budget *budget;
};

static void *take(void *opaque, size_t size) {
    struct purse *purse = opaque;
    if (size > SIZE_MAX - 2 * HEADER) return NULL;
    size_t left = __atomic_load_n(&purse->left, __ATOMIC_RELAXED);
    do {
        if (size > left) {
            purse->budget->asked = purse->budget->limit - left + size;
            return NULL;
        }
    } while (!__atomic_compare_exchange_n(&purse->left, &left, left - size, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    size_t total = (size + 2 * HEADER - 1) / HEADER * HEADER;
    char *memory = aligned_alloc(HEADER, total);
    if (!memory) return NULL;
    memcpy(memory, &size, sizeof size);
    return memory + HEADER;
}

static void give(void *opaque, void *address) {
    struct purse *purse = opaque;
    if (!address) return;
    size_t size;
    memcpy(&size, (char *)address - HEADER, sizeof size);
    __atomic_add_fetch(&purse->left, size, __ATOMIC_RELAXED);
    free((char *)address - HEADER);
}

static void drop(void *opaque, size_t x, size_t y, size_t count, const void *pixels) {
    (void)opaque, (void)x, (void)y, (void)count, (void)pixels;
}

static int fail(char *message, int status, const char *what) {
    snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", what);
    return status;
}

// Makes the decoder write into the caller's buffer. If an extra channel was requested, the color is dropped.
static int set_outputs(JxlDecoder *decoder, struct isobath_jxl_request *request, char *message) {
    JxlDataType type = request->sample_bytes == 1 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16;
    JxlPixelFormat format = {request->extra < 0 ? 3 : 1, type, JXL_NATIVE_ENDIAN, 0};
    size_t size = 0;
    if (request->extra < 0) {
        if (jxl.JxlDecoderImageOutBufferSize(decoder, &format, &size) != JXL_DEC_SUCCESS || size != request->samples_size ||
            jxl.JxlDecoderSetImageOutBuffer(decoder, &format, request->samples, size) != JXL_DEC_SUCCESS) {
            return fail(message, ISOBATH_DAMAGED, "the color is not of the announced size");
        }
        return ISOBATH_OK;
    }
    JxlPixelFormat color = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    uint32_t index = (uint32_t)request->extra;
    if (jxl.JxlDecoderSetImageOutCallback(decoder, &color, drop, NULL) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderExtraChannelBufferSize(decoder, &format, &size, index) != JXL_DEC_SUCCESS ||
        size != request->samples_size ||
        jxl.JxlDecoderSetExtraChannelBuffer(decoder, &format, request->samples, size, index) != JXL_DEC_SUCCESS) {
        return fail(message, ISOBATH_DAMAGED, "the channel is not of the announced size");
    }
    return ISOBATH_OK;
}

static void copy_profile(JxlDecoder *decoder, struct isobath_jxl_request *request) {
    const JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;
    int is_old = jxl.JxlDecoderVersion() < 9000;
    void (*get_size)(void) = (void (*)(void))jxl.JxlDecoderGetICCProfileSize;
    void (*get_profile)(void) = (void (*)(void))jxl.JxlDecoderGetColorAsICCProfile;
    size_t size = 0;
    JxlDecoderStatus status = is_old ? ((old_get_size_t)get_size)(decoder, NULL, target, &size)
                                     : ((get_size_t)get_size)(decoder, target, &size);
    if (status != JXL_DEC_SUCCESS || size > request->profile_capacity) return;
    status = is_old ? ((old_get_profile_t)get_profile)(decoder, NULL, target, request->profile, size)
                    : ((get_profile_t)get_profile)(decoder, target, request->profile, size);
    if (status == JXL_DEC_SUCCESS) request->profile_size = size;
}

// Debian's libjxl prints the failure first, then a line for each calling function: "./lib/jxl/dec_ans.cc:236:
// JXL_FAILURE: Truncated input". The first failure is the cause.
static void keep(void *words, const char *text, size_t size) {
    static const char mark[] = "JXL_FAILURE: ";
    const char *start = memmem(text, size, mark, strlen(mark));
    if (((char *)words)[0] != 0 || !start) return;
    start += strlen(mark);
    size_t length = (size_t)(text + size - start);
    const char *end = memchr(start, '\n', length);
    if (end) length = (size_t)(end - start);
    snprintf(words, ISOBATH_MESSAGE_SIZE, "%.*s", (int)length, start);
}

static int decode(JxlDecoder *decoder, const uint8_t *data, size_t size, struct isobath_jxl_request *request,
                  char *message) {
    int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    if (jxl.JxlDecoderSubscribeEvents(decoder, events) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetInput(decoder, data, size) != JXL_DEC_SUCCESS) {
        return fail(message, ISOBATH_DAMAGED, "the JPEG XL decoder does not start");
    }
    jxl.JxlDecoderCloseInput(decoder);
    for (;;) {
        JxlBasicInfo info;
        int status;
        switch (jxl.JxlDecoderProcessInput(decoder)) {
            case JXL_DEC_BASIC_INFO:
                if (jxl.JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS || info.xsize != request->width ||
                    info.ysize != request->height) {
                    return fail(message, ISOBATH_DAMAGED, "the image is not of the announced size");
                }
                break;
            case JXL_DEC_COLOR_ENCODING:
                if (request->extra < 0) copy_profile(decoder, request);
                break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                status = set_outputs(decoder, request, message);
                if (status != ISOBATH_OK) return status;
                break;
            case JXL_DEC_FULL_IMAGE: return ISOBATH_OK;
            case JXL_DEC_NEED_MORE_INPUT: return fail(message, ISOBATH_DAMAGED, "the data ends early");
            case JXL_DEC_SUCCESS: return fail(message, ISOBATH_DAMAGED, "the file holds no image");
            default:
                return fail(message, ISOBATH_DAMAGED, "the coded data cannot be decoded");
        }
    }
}

int isobath_jxl_decode(const uint8_t *data, size_t size, struct isobath_jxl_request *request,
                       char message[ISOBATH_MESSAGE_SIZE]) {
    struct purse purse = {request->budget.limit, &request->budget};
    JxlMemoryManager manager = {&purse, take, give};
    if (!jxl_is_loaded()) {
        return fail(message, ISOBATH_UNSUPPORTED,
                    LOADED_LIBRARY_MISSING("JPEG XL", OLD_NAME " or " NEW_NAME, "libjxl"));
    }
    request->profile_size = 0;
    message[0] = 0;
    JxlDecoder *decoder = jxl.JxlDecoderCreate(&manager);
    if (!decoder && request->budget.asked > request->budget.limit) return ISOBATH_MEMORY;
    if (!decoder) return fail(message, ISOBATH_DAMAGED, "no memory for the JPEG XL decoder");
    char words[ISOBATH_MESSAGE_SIZE] = "";
    if (request->captures_stderr) isobath_capture_stderr_begin(keep, words);
    int status = decode(decoder, data, size, request, message);
    if (request->captures_stderr) isobath_capture_stderr_end();
    if (status == ISOBATH_DAMAGED && words[0] != 0) snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", words);
    jxl.JxlDecoderDestroy(decoder);
    if (status == ISOBATH_DAMAGED && request->budget.asked > request->budget.limit) return ISOBATH_MEMORY;
    return status;
}

void isobath_jxl_library(struct isobath_library *library) {
    const char *const files[] = {NAMES};
    int file = jxl_is_loaded();
    *library = (struct isobath_library){.file = files[file > 0 ? file - 1 : 0], .package = "libjxl0.7 | libjxl0.11"};
    if (file == 0) return;
    unsigned version = jxl.JxlDecoderVersion();
    snprintf(library->version, sizeof library->version, "%u.%u.%u", version / 1000000, version / 1000 % 1000,
             version % 1000);
}
