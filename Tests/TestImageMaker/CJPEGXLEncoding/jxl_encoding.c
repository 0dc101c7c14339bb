#include "jxl_encoding.h"

#include <jxl/encode.h>
#include <stdlib.h>

static int describe(JxlEncoder *encoder, uint32_t width, uint32_t height) {
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = width;
    info.ysize = height;
    info.bits_per_sample = 8;
    info.uses_original_profile = JXL_TRUE;
    info.num_extra_channels = 2;
    info.alpha_bits = 8;
    if (JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS) return -1;
    JxlExtraChannelInfo depth, alpha;
    JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_DEPTH, &depth);
    depth.bits_per_sample = 16;
    JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_ALPHA, &alpha);
    alpha.bits_per_sample = 8;
    if (JxlEncoderSetExtraChannelInfo(encoder, 0, &depth) != JXL_ENC_SUCCESS) return -1;
    if (JxlEncoderSetExtraChannelInfo(encoder, 1, &alpha) != JXL_ENC_SUCCESS) return -1;
    JxlColorEncoding color;
    JxlColorEncodingSetToSRGB(&color, JXL_FALSE);
    color.primaries = JXL_PRIMARIES_P3;  // with the white of D65: Display P3
    return JxlEncoderSetColorEncoding(encoder, &color) == JXL_ENC_SUCCESS ? 0 : -1;
}

static int add(JxlEncoder *encoder, const uint8_t *rgb, const uint16_t *depth, const uint8_t *alpha, size_t count) {
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    JxlPixelFormat color = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    JxlPixelFormat deep = {1, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
    JxlPixelFormat gray = {1, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    // With loss, libjxl 0.7 loses a little of every channel.
    if (JxlEncoderSetFrameLossless(settings, JXL_TRUE) != JXL_ENC_SUCCESS) return -1;
    if (JxlEncoderAddImageFrame(settings, &color, rgb, count * 3) != JXL_ENC_SUCCESS) return -1;
    if (JxlEncoderSetExtraChannelBuffer(settings, &deep, depth, count * 2, 0) != JXL_ENC_SUCCESS) return -1;
    if (JxlEncoderSetExtraChannelBuffer(settings, &gray, alpha, count, 1) != JXL_ENC_SUCCESS) return -1;
    JxlEncoderCloseInput(encoder);
    return 0;
}

static int collect(JxlEncoder *encoder, uint8_t **bytes, size_t *count) {
    size_t capacity = 1 << 16, used = 0;
    uint8_t *buffer = malloc(capacity);
    while (buffer) {
        uint8_t *next = buffer + used;
        size_t left = capacity - used;
        JxlEncoderStatus status = JxlEncoderProcessOutput(encoder, &next, &left);
        used = (size_t)(next - buffer);
        if (status == JXL_ENC_SUCCESS) {
            *bytes = buffer;
            *count = used;
            return 0;
        }
        uint8_t *larger = status == JXL_ENC_NEED_MORE_OUTPUT ? realloc(buffer, capacity *= 2) : NULL;
        if (!larger) free(buffer);
        buffer = larger;
    }
    return -1;
}

int encode_jxl(const uint8_t *rgb, const uint16_t *depth, const uint8_t *alpha, uint32_t width, uint32_t height,
               uint8_t **bytes, size_t *count) {
    JxlEncoder *encoder = JxlEncoderCreate(NULL);
    if (!encoder) return -1;
    int failed = describe(encoder, width, height) || add(encoder, rgb, depth, alpha, (size_t)width * height) ||
                 collect(encoder, bytes, count);
    JxlEncoderDestroy(encoder);
    return failed ? -1 : 0;
}
