// FFmpeg's libraries, and the addresses of their functions once they are loaded.
#ifndef ISOBATH_MOVIE_LIBRARIES_H
#define ISOBATH_MOVIE_LIBRARIES_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#define AVUTIL_FUNCTIONS(each) \
    each(av_dict_get) each(av_dict_set) each(av_dict_free) each(av_display_rotation_get) each(av_frame_alloc) \
    each(av_frame_free) each(av_frame_get_buffer) each(av_frame_get_side_data) each(av_frame_make_writable) each(av_frame_move_ref) \
    each(av_frame_unref) each(av_free) each(av_freep) each(av_log_set_callback) each(av_log_set_level) each(av_malloc) \
    each(av_match_list) each(av_opt_set) each(av_version_info) \
    each(av_opt_set_int) each(av_pix_fmt_desc_get) each(av_rescale_q) each(av_strerror)

#define AVCODEC_FUNCTIONS(each) \
    each(av_packet_alloc) each(av_packet_free) each(av_packet_rescale_ts) each(av_packet_unref) \
    each(avcodec_alloc_context3) each(avcodec_find_decoder) each(avcodec_find_encoder_by_name) \
    each(avcodec_free_context) each(avcodec_get_name) each(avcodec_open2) each(avcodec_parameters_copy) \
    each(avcodec_parameters_from_context) each(avcodec_parameters_to_context) each(avcodec_receive_frame) \
    each(avcodec_receive_packet) each(avcodec_send_frame) each(avcodec_send_packet)

#define AVFORMAT_FUNCTIONS(each) \
    each(av_guess_frame_rate) each(av_interleaved_write_frame) each(av_probe_input_buffer2) each(av_read_frame) each(av_write_trailer) \
    each(avformat_alloc_context) each(avformat_alloc_output_context2) each(avformat_close_input) \
    each(avformat_find_stream_info) each(avformat_free_context) \
    each(avformat_index_get_entries_count) each(avformat_new_stream) each(avformat_open_input) \
    each(avformat_query_codec) \
    each(avformat_write_header) each(avio_alloc_context) each(avio_context_free) each(avio_flush)

#define SWSCALE_FUNCTIONS(each) \
    each(sws_freeContext) each(sws_getCachedContext) each(sws_getCoefficients) each(sws_scale) \
    each(sws_setColorspaceDetails)

// Where the side data of a stream are has changed.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
#define SIDE_DATA_FUNCTIONS(each) each(av_packet_side_data_get)
#define SIDE_DATA_OF_FORMAT(each)
#else
#define SIDE_DATA_FUNCTIONS(each)
#define SIDE_DATA_OF_FORMAT(each) each(av_stream_get_side_data)
#endif

#define FIELD(name) __typeof__(&name) name;
struct libraries {
    AVUTIL_FUNCTIONS(FIELD)
    AVCODEC_FUNCTIONS(FIELD)
    AVFORMAT_FUNCTIONS(FIELD)
    SWSCALE_FUNCTIONS(FIELD)
    SIDE_DATA_FUNCTIONS(FIELD)
    SIDE_DATA_OF_FORMAT(FIELD)
};
#undef FIELD

extern struct libraries ff;

// The message of an error code behind a sentence: "cannot be opened: Invalid data found". Returns -1.
int isobath_movie_fail(char *message, const char *what, int code);

#endif
