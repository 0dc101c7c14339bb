// The addresses of FFmpeg's functions once its libraries are loaded.
#ifndef ISOBATH_MOVIE_LIBRARIES_H
#define ISOBATH_MOVIE_LIBRARIES_H

#include <stdarg.h>

#include "layout.h"

struct SwsContext;
typedef int (*read_function)(void *, uint8_t *, int);
typedef int64_t (*seek_function)(void *, int64_t, int);
typedef void (*log_function)(void *, int, const char *, va_list);

// Each is the type of a result, a name, and the types of arguments, as in FFmpeg's headers.
#define AVUTIL_FUNCTIONS(each) \
    each(AVDictionaryEntry *, av_dict_get, (const AVDictionary *, const char *, const AVDictionaryEntry *, int)) \
    each(int, av_dict_set, (AVDictionary **, const char *, const char *, int)) \
    each(void, av_dict_free, (AVDictionary **)) \
    each(double, av_display_rotation_get, (const int32_t[9])) \
    each(AVFrame *, av_frame_alloc, (void)) \
    each(void, av_frame_free, (AVFrame **)) \
    each(int, av_frame_get_buffer, (AVFrame *, int)) \
    each(AVFrameSideData *, av_frame_get_side_data, (const AVFrame *, int)) \
    each(int, av_frame_make_writable, (AVFrame *)) \
    each(void, av_free, (void *)) \
    each(void, av_freep, (void *)) \
    each(void, av_log_set_callback, (log_function)) \
    each(void, av_log_set_level, (int)) \
    each(void *, av_malloc, (size_t)) \
    each(int, av_match_list, (const char *, const char *, char)) \
    each(const AVOption *, av_opt_find, (void *, const char *, const char *, int, int)) \
    each(int, av_opt_get, (void *, const char *, int, uint8_t **)) \
    each(int, av_opt_set, (void *, const char *, const char *, int)) \
    each(int, av_opt_set_image_size, (void *, const char *, int, int, int)) \
    each(int, av_opt_set_int, (void *, const char *, int64_t, int)) \
    each(int, av_opt_set_pixel_fmt, (void *, const char *, enum AVPixelFormat, int)) \
    each(int, av_opt_set_q, (void *, const char *, AVRational, int)) \
    each(const AVPixFmtDescriptor *, av_pix_fmt_desc_get, (enum AVPixelFormat)) \
    each(int64_t, av_rescale_q, (int64_t, AVRational, AVRational)) \
    each(int, av_strerror, (int, char *, size_t)) \
    each(const char *, av_version_info, (void))

#define AVCODEC_FUNCTIONS(each) \
    each(AVPacket *, av_packet_alloc, (void)) \
    each(void, av_packet_free, (AVPacket **)) \
    each(void, av_packet_rescale_ts, (AVPacket *, AVRational, AVRational)) \
    each(void, av_packet_unref, (AVPacket *)) \
    each(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *)) \
    each(const AVCodec *, avcodec_find_decoder, (int)) \
    each(const AVCodec *, avcodec_find_encoder_by_name, (const char *)) \
    each(void, avcodec_free_context, (AVCodecContext **)) \
    each(const char *, avcodec_get_name, (int)) \
    each(int, avcodec_open2, (AVCodecContext *, const AVCodec *, AVDictionary **)) \
    each(int, avcodec_parameters_copy, (AVCodecParameters *, const AVCodecParameters *)) \
    each(int, avcodec_parameters_from_context, (AVCodecParameters *, const AVCodecContext *)) \
    each(int, avcodec_parameters_to_context, (AVCodecContext *, const AVCodecParameters *)) \
    each(int, avcodec_receive_frame, (AVCodecContext *, AVFrame *)) \
    each(int, avcodec_receive_packet, (AVCodecContext *, AVPacket *)) \
    each(int, avcodec_send_frame, (AVCodecContext *, const AVFrame *)) \
    each(int, avcodec_send_packet, (AVCodecContext *, const AVPacket *)) \
    each(unsigned, avcodec_version, (void))

#define AVFORMAT_FUNCTIONS(each) \
    each(AVRational, av_guess_frame_rate, (AVFormatContext *, AVStream *, AVFrame *)) \
    each(int, av_interleaved_write_frame, (AVFormatContext *, AVPacket *)) \
    each(int, av_probe_input_buffer2, (AVIOContext *, const AVInputFormat **, const char *, void *, unsigned, unsigned)) \
    each(int, av_read_frame, (AVFormatContext *, AVPacket *)) \
    each(int, av_write_trailer, (AVFormatContext *)) \
    each(AVFormatContext *, avformat_alloc_context, (void)) \
    each(int, avformat_alloc_output_context2, (AVFormatContext **, const AVOutputFormat *, const char *, const char *)) \
    each(void, avformat_close_input, (AVFormatContext **)) \
    each(int, avformat_find_stream_info, (AVFormatContext *, AVDictionary **)) \
    each(void, avformat_free_context, (AVFormatContext *)) \
    each(int, avformat_index_get_entries_count, (const AVStream *)) \
    each(AVStream *, avformat_new_stream, (AVFormatContext *, const AVCodec *)) \
    each(int, avformat_open_input, (AVFormatContext **, const char *, const AVInputFormat *, AVDictionary **)) \
    each(int, avformat_query_codec, (const AVOutputFormat *, int, int)) \
    each(int, avformat_write_header, (AVFormatContext *, AVDictionary **)) \
    each(AVIOContext *, avio_alloc_context, \
         (unsigned char *, int, int, void *, read_function, read_function, seek_function)) \
    each(void, avio_context_free, (AVIOContext **)) \
    each(void, avio_flush, (AVIOContext *))

#define SWSCALE_FUNCTIONS(each) \
    each(void, sws_freeContext, (struct SwsContext *)) \
    each(struct SwsContext *, sws_getCachedContext, \
         (struct SwsContext *, int, int, enum AVPixelFormat, int, int, enum AVPixelFormat, int, void *, void *, \
          const double *)) \
    each(const int *, sws_getCoefficients, (int)) \
    each(int, sws_scale, \
         (struct SwsContext *, const uint8_t *const[], const int[], int, int, uint8_t *const[], const int[])) \
    each(int, sws_setColorspaceDetails, (struct SwsContext *, const int[4], int, const int[4], int, int, int, int))

#define POINTER(type, name, arguments) type(*name) arguments;
struct libraries {
    AVUTIL_FUNCTIONS(POINTER)
    AVCODEC_FUNCTIONS(POINTER)
    AVFORMAT_FUNCTIONS(POINTER)
    SWSCALE_FUNCTIONS(POINTER)
    // Where FFmpeg keeps what belongs to a track, until 6 and from 7 on: one of them is NULL.
    uint8_t *(*av_stream_get_side_data)(const AVStream *, int, size_t *);
    const AVPacketSideData *(*av_packet_side_data_get)(const AVPacketSideData *, int, int);
};
#undef POINTER

extern struct libraries ff;

// Whether the decoder of HEVC knows the second layer, as in FFmpeg 7.1 and newer.
int isobath_movies_decode_layers(void);

// The message of an error code behind a sentence: "cannot be opened: Invalid data found". Returns -1.
int isobath_movie_fail(char *message, const char *what, int code);

#endif
