// libyuv's RGB24 is blue, green, red in memory. With U and V exchanged, and matching coefficients, it is red, green,
// blue.
#include <libyuv/convert.h>
#include <libyuv/convert_argb.h>
#include <libyuv/convert_from.h>

#include "CMovieShims.h"

static uint8_t clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

// Copies luma, 0…255, to every `step`th byte.
static void copy_luma(const struct isobath_yuv *yuv, uint8_t *output, int step) {
    int low = yuv->is_full_range ? 0 : 16, scale = yuv->is_full_range ? 65536 : 76309;
    for (int row = 0; row < yuv->height; row++) {
        const uint8_t *line = yuv->planes[0] + (ptrdiff_t)row * yuv->strides[0];
        for (int column = 0; column < yuv->width; column++, output += step)
            *output = clamped(((line[column] - low) * scale + 32768) >> 16);
    }
}

void isobath_yuv_to_luma(const struct isobath_yuv *yuv, uint8_t *luma) { copy_luma(yuv, luma, 1); }

static void gray_to_rgb(const struct isobath_yuv *yuv, uint8_t *rgb) {
    for (int channel = 0; channel < 3; channel++) copy_luma(yuv, rgb + channel, 3);
}

// Converts with U and V at full size or at half the width, by the formulas of the recommendations, in fixed point with
// 16 fractional bits.
static void planes_to_rgb(const struct isobath_yuv *yuv, uint8_t *rgb) {
    double kr = yuv->is_709 ? 0.2126 : 0.299, kb = yuv->is_709 ? 0.0722 : 0.114, kg = 1 - kr - kb;
    double luma = yuv->is_full_range ? 1 : 255.0 / 219, chroma = yuv->is_full_range ? 1 : 255.0 / 224;
    int low = yuv->is_full_range ? 0 : 16, half = yuv->layout == ISOBATH_YUV422;
    int y_scale = (int)(luma * 65536 + 0.5), red = (int)(2 * (1 - kr) * chroma * 65536 + 0.5);
    int blue = (int)(2 * (1 - kb) * chroma * 65536 + 0.5);
    int green_u = (int)(2 * (1 - kb) * kb / kg * chroma * 65536 + 0.5);
    int green_v = (int)(2 * (1 - kr) * kr / kg * chroma * 65536 + 0.5);
    for (int row = 0; row < yuv->height; row++) {
        const uint8_t *ys = yuv->planes[0] + (ptrdiff_t)row * yuv->strides[0];
        const uint8_t *us = yuv->planes[1] + (ptrdiff_t)row * yuv->strides[1];
        const uint8_t *vs = yuv->planes[2] + (ptrdiff_t)row * yuv->strides[2];
        for (int column = 0; column < yuv->width; column++, rgb += 3) {
            int y = (ys[column] - low) * y_scale + 32768, u = us[column >> half] - 128, v = vs[column >> half] - 128;
            rgb[0] = clamped((y + red * v) >> 16);
            rgb[1] = clamped((y - green_u * u - green_v * v) >> 16);
            rgb[2] = clamped((y + blue * u) >> 16);
        }
    }
}

int isobath_yuv_to_rgb(const struct isobath_yuv *yuv, uint8_t *rgb) {
    const struct YuvConstants *constants = yuv->is_709 ? yuv->is_full_range ? &kYvuF709Constants : &kYvuH709Constants
                                           : yuv->is_full_range ? &kYvuJPEGConstants
                                                                : &kYvuI601Constants;
    const uint8_t *const *planes = yuv->planes;
    const int *strides = yuv->strides;
    switch (yuv->layout) {
        case ISOBATH_YUV420:
            return I420ToRGB24Matrix(planes[0], strides[0], planes[2], strides[2], planes[1], strides[1], rgb, yuv->width * 3,
                                     constants, yuv->width, yuv->height);
        case ISOBATH_NV12:
            return NV21ToRGB24Matrix(planes[0], strides[0], planes[1], strides[1], rgb, yuv->width * 3, constants, yuv->width,
                                     yuv->height);
        case ISOBATH_GRAY: gray_to_rgb(yuv, rgb); return 0;
        default: planes_to_rgb(yuv, rgb); return 0;
    }
}

int isobath_rgb_to_yuv420(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *u, uint8_t *v) {
    int half = (width + 1) / 2;
    return RAWToI420(rgb, width * 3, y, width, u, half, v, half, width, height);
}

int isobath_rgb_to_nv12(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *uv, uint8_t *scratch) {
    int half = (width + 1) / 2;
    uint8_t *u = scratch, *v = scratch + (size_t)half * ((height + 1) / 2);
    int status = isobath_rgb_to_yuv420(rgb, width, height, y, u, v);
    // Input and output Y are the same plane.
    if (status == 0) status = I420ToNV12(y, width, u, half, v, half, y, width, uv, half * 2, width, height);
    return status;
}
