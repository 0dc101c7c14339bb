// Restricts what FFmpeg does with untrusted input. Many of its demuxers (`concat`, `hls`, `dash`, `imf`, `sdp`, `rtsp`,
// `image2`) open other files or sockets in new contexts without our settings, so only the demuxers below are used.
// These open nothing. Contexts that they create inherit the lists.
#include <stdio.h>

#include "CMovieShims.h"
#include "input.h"

// The first of each demuxer's names. A picture can be opened as a movie of one frame. `image2` would open numbered
// files; demuxers whose names end in `_pipe` read only the given bytes. `svg_pipe` is excluded, because SVG can refer
// to other files.
static const char formats[] =
    "mov,matroska,avi,mpegts,gif,apng,yuv4mpegpipe,bmp_pipe,jpeg_pipe,png_pipe,tiff_pipe,webp_pipe";

// Codecs that cameras and editors write, lossless codecs for depth, pictures, and sound codecs whose parameters are
// found by decoding.
static const char decoders[] =
    "h264,hevc,libdav1d,av1,vp8,vp9,mpeg4,mpeg2video,mpeg1video,h263,mjpeg,prores,dnxhd,cfhd,"
    "ffv1,huffyuv,ffvhuff,utvideo,rawvideo,v210,qtrle,apng,png,gif,bmp,tiff,webp,"
    "aac,ac3,eac3,alac,flac,mp2,mp2float,mp3,mp3float,opus,vorbis,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_f32le";

int isobath_refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)format, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

// The demuxer that recognizes the bytes. `NULL` and a message if it is missing or not on the list.
static const AVInputFormat *recognize(AVIOContext *io, char *message) {
    const AVInputFormat *found = NULL;
    int status = ff.av_probe_input_buffer2(io, &found, "", NULL, 0, 0);
    if (status < 0 || !found) return isobath_movie_fail(message, "this is not a movie that can be read", status), NULL;
    if (ff.av_match_list(found->name, formats, ',') > 0) return found;
    snprintf(message, ISOBATH_MOVIE_MESSAGE,
             "this is not a movie that can be read (it begins as '%s'); MP4, QuickTime, Matroska, WebM, AVI, MPEG-TS, GIF and animated "
             "PNG are read", found->name);
    return NULL;
}

static AVDictionary *restrictions(void) {
    AVDictionary *options = NULL;
    ff.av_dict_set(&options, "format_whitelist", formats, 0);
    ff.av_dict_set(&options, "codec_whitelist", decoders, 0);
    ff.av_dict_set(&options, "protocol_whitelist", "", 0);
    // Tracks of QuickTime may be in other files.
    ff.av_dict_set(&options, "enable_drefs", "0", 0);
    return options;
}

static int has_list(AVFormatContext *format, const char *name) {
    uint8_t *list = NULL;
    int has = ff.av_opt_get(format, name, AV_OPT_ALLOW_NULL, &list) >= 0 && list;
    ff.av_free(list);
    return has;
}

AVFormatContext *isobath_input_open(struct isobath_bytes *bytes, char *message) {
    AVFormatContext *format = isobath_bytes_open(bytes, 0) == 0 ? ff.avformat_alloc_context() : NULL;
    if (!format) return isobath_movie_fail(message, "out of memory", 0), NULL;
    format->pb = bytes->io;
    fields_of_format(format)->flags |= AVFMT_FLAG_CUSTOM_IO;
    *io_open_of(format) = isobath_refuse_to_open;
    const AVInputFormat *demuxer = recognize(bytes->io, message);
    if (!demuxer) return ff.avformat_free_context(format), NULL;
    AVDictionary *options = restrictions();
    int status = ff.avformat_open_input(&format, "", demuxer, &options);
    ff.av_dict_free(&options);
    if (status < 0) return isobath_movie_fail(message, "this is not a movie that can be read", status), NULL;
    // Fail if FFmpeg ignored a list, because nothing would be restricted.
    if (!has_list(format, "format_whitelist") || !has_list(format, "codec_whitelist") ||
        !has_list(format, "protocol_whitelist")) {
        ff.avformat_close_input(&format);
        return isobath_movie_fail(message, "FFmpeg's libavformat takes no list of formats", 0), NULL;
    }
    status = ff.avformat_find_stream_info(format, NULL);
    if (status >= 0) return format;
    ff.avformat_close_input(&format);
    return isobath_movie_fail(message, "the movie cannot be read", status), NULL;
}

int isobath_decoder_open(AVCodecContext *decoder, const AVCodec *codec, char *message) {
    if (ff.av_match_list(codec->name, decoders, ',') <= 0) {
        snprintf(message, ISOBATH_MOVIE_MESSAGE, "tracks coded as %s are not read", ff.avcodec_get_name(codec->id));
        return -1;
    }
    AVDictionary *options = NULL;
    ff.av_dict_set(&options, "codec_whitelist", decoders, 0);
    int status = ff.avcodec_open2(decoder, codec, &options);
    ff.av_dict_free(&options);
    return status < 0 ? isobath_movie_fail(message, "a track of the movie cannot be decoded", status) : 0;
}
