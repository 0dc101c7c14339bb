// Writes one track of pictures, and if requested, copies the sound of another movie.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libyuv/convert.h>
#include <libyuv/convert_argb.h>

#include "CMovieShims.h"
#include "input.h"

enum { TICKS = 90000 };

static const AVRational tick = {1, TICKS};

// The maximum plausible time, in seconds.
static const double LONGEST = 1e12;

struct isobath_movie_writer {
    struct isobath_bytes output, input;
    AVFormatContext *format, *sound;
    AVCodecContext *encoder;
    AVStream *stream, *sound_stream;
    AVFrame *frame;
    enum AVPixelFormat format_of_pixels;
    int color_range;
    AVRational rate;
    AVPacket *packet, *sound_packet;
    int sound_index, has_sound_packet, is_gray16, has_header;
    // The sound codec that the format does not support.
    const char *refused_sound;
    // Why sound cannot be read; empty if it can.
    char sound_problem[ISOBATH_MOVIE_MESSAGE];
    int64_t last_time, interval, sound_start;
};

// The first available encoder.
static const AVCodec *find_encoder(const char *names) {
    char list[128];
    snprintf(list, sizeof list, "%s", names);
    char *rest = list;
    for (char *name; (name = strsep(&rest, ","));) {
        const AVCodec *codec = ff.avcodec_find_encoder_by_name(name);
        if (codec) return codec;
    }
    return NULL;
}

static void set_number(AVCodecContext *encoder, const char *name, int64_t value) {
    ff.av_opt_set_int(encoder, name, value, 0);
}

// An option that only this encoder has.
static void set_private(AVCodecContext *encoder, const char *name, const char *value) {
    ff.av_opt_set(encoder, name, value, AV_OPT_SEARCH_CHILDREN);
}

static void set_picture(AVCodecContext *encoder, const struct isobath_movie_settings *settings, enum AVPixelFormat format) {
    ff.av_opt_set_image_size(encoder, "video_size", settings->width, settings->height, 0);
    ff.av_opt_set_pixel_fmt(encoder, "pixel_format", format, 0);
    ff.av_opt_set_q(encoder, "time_base", tick, 0);
    set_number(encoder, "threads", settings->threads);
    ff.av_opt_set(encoder, "flags", "+bitexact", 0);
}

static int open_encoder(struct isobath_movie_writer *writer, const struct isobath_movie_settings *settings, char *message) {
    const AVCodec *codec = find_encoder(settings->encoders);
    if (!codec) {
        snprintf(message, ISOBATH_MOVIE_MESSAGE, "FFmpeg's libavcodec has none of these encoders here: %s", settings->encoders);
        return -1;
    }
    AVCodecContext *encoder = writer->encoder = ff.avcodec_alloc_context3(codec);
    if (!encoder) return isobath_movie_fail(message, "out of memory", 0);
    int is_x264 = !strcmp(codec->name, "libx264"), is_x265 = !strcmp(codec->name, "libx265");
    int is_rgb = !strcmp(codec->name, "apng") || !strcmp(codec->name, "png"), is_ffv1 = !strcmp(codec->name, "ffv1");
    int is_yuv = !settings->is_gray16 && !is_rgb && !is_ffv1;
    writer->format_of_pixels = settings->is_gray16 ? AV_PIX_FMT_GRAY16LE
                               : is_rgb            ? AV_PIX_FMT_RGB24
                               : is_ffv1           ? AV_PIX_FMT_BGR0
                                                   : AV_PIX_FMT_YUV420P;
    writer->color_range = is_yuv ? AVCOL_RANGE_MPEG : 0;
    writer->rate = (AVRational){(int)lrint(fmin(fmax(settings->rate * 1000, 1), 1e9)), 1000};
    *framerate_of(encoder) = writer->rate;
    set_picture(encoder, settings, writer->format_of_pixels);
    if (is_yuv) {
        set_number(encoder, "color_range", AVCOL_RANGE_MPEG);
        set_number(encoder, "colorspace", AVCOL_SPC_SMPTE170M);
        set_number(encoder, "color_primaries", AVCOL_PRI_BT709);
        set_number(encoder, "color_trc", AVCOL_TRC_IEC61966_2_1);
    }
    if (writer->format->oformat->flags & AVFMT_GLOBALHEADER) ff.av_opt_set(encoder, "flags", "+global_header", 0);
    if (is_x264 || is_x265) {
        char quality[16];
        snprintf(quality, sizeof quality, "%d", settings->quality);
        set_private(encoder, "preset", is_x264 ? "veryfast" : "ultrafast");
        set_private(encoder, "crf", quality);
        if (is_x265) {
            // By default both numbers of threads depend on the cores.
            char parameters[80], pool[16] = "none";
            if (settings->threads > 1) snprintf(pool, sizeof pool, "%d", settings->threads);
            snprintf(parameters, sizeof parameters, "log-level=none:frame-threads=%d:pools=%s", settings->threads, pool);
            set_private(encoder, "x265-params", parameters);
        }
    } else if (!strcmp(codec->name, "libwebp_anim")) {
        set_private(encoder, "quality", "80");
    } else if (is_ffv1) {
        set_number(encoder, "level", 3);
        set_number(encoder, "slices", 4);
    } else if (is_yuv) {
        set_number(encoder, "b", (int64_t)(settings->width * (double)settings->height * settings->rate * 0.12));
    }
    int status = ff.avcodec_open2(encoder, codec, NULL);
    return status < 0 ? isobath_movie_fail(message, "the encoder cannot be set up", status) : 0;
}

// Opens the movie whose sound is copied. A movie without sound is fine.
static void open_sound(struct isobath_movie_writer *writer, const struct isobath_movie_settings *settings) {
    writer->input.descriptor = settings->sound;
    writer->input.memory = settings->sound_bytes;
    writer->input.size = (int64_t)settings->sound_size;
    writer->sound_start = fabs(settings->sound_start) <= LONGEST ? (int64_t)llrint(settings->sound_start * TICKS) : 0;
    writer->sound = isobath_input_open(&writer->input, writer->sound_problem);
    if (!writer->sound) return;
    for (unsigned index = 0; index < writer->sound->nb_streams; index++) {
        AVStream *stream = writer->sound->streams[index];
        if (codecpar_of(stream)->codec_type != AVMEDIA_TYPE_AUDIO || writer->sound_stream) {
            fields_of_stream(stream)->discard = AVDISCARD_ALL;
            continue;
        }
        if (ff.avformat_query_codec(writer->format->oformat, codecpar_of(stream)->codec_id, FF_COMPLIANCE_NORMAL) == 0) {
            writer->refused_sound = ff.avcodec_get_name(codecpar_of(stream)->codec_id);
            fields_of_stream(stream)->discard = AVDISCARD_ALL;
            continue;
        }
        AVStream *copy = ff.avformat_new_stream(writer->format, NULL);
        if (!copy || ff.avcodec_parameters_copy(codecpar_of(copy), codecpar_of(stream)) < 0) continue;
        codecpar_of(copy)->codec_tag = 0;
        fields_of_stream(copy)->time_base = fields_of_stream(stream)->time_base;
        writer->sound_index = (int)index;
        writer->sound_stream = copy;
    }
}

static int is_hevc(const AVStream *stream) { return !strcmp(ff.avcodec_get_name(codecpar_of(stream)->codec_id), "hevc"); }

static int open_writer(struct isobath_movie_writer *writer, const struct isobath_movie_settings *settings, char *message) {
    int status = ff.avformat_alloc_output_context2(&writer->format, NULL, settings->format, NULL);
    if (status < 0) return isobath_movie_fail(message, "FFmpeg's libavformat cannot write this format", status);
    if (open_encoder(writer, settings, message) != 0) return -1;
    writer->stream = ff.avformat_new_stream(writer->format, NULL);
    writer->frame = ff.av_frame_alloc();
    writer->packet = ff.av_packet_alloc();
    writer->sound_packet = ff.av_packet_alloc();
    if (!writer->stream || !writer->frame || !writer->packet || !writer->sound_packet || isobath_bytes_open(&writer->output, 1) != 0)
        return isobath_movie_fail(message, "out of memory", 0);
    writer->format->pb = writer->output.io;
    fields_of_format(writer->format)->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    *io_open_of(writer->format) = isobath_refuse_to_open;
    fields_of_stream(writer->stream)->time_base = tick;
    fields_of_stream(writer->stream)->avg_frame_rate = writer->rate;
    status = ff.avcodec_parameters_from_context(codecpar_of(writer->stream), writer->encoder);
    // Apple's players play HEVC only with this tag.
    if (is_hevc(writer->stream) && !strcmp(settings->format, "mp4"))
        codecpar_of(writer->stream)->codec_tag = MKTAG('h', 'v', 'c', '1');
    if (settings->depth_tag) {
        ff.av_dict_set(metadata_of(writer->format), "ISOBATH_DEPTH", settings->depth_tag, 0);
        ff.av_dict_set(&fields_of_stream(writer->stream)->metadata, "title", "DEPTH", 0);
    }
    if (settings->sound >= 0 || settings->sound_bytes) open_sound(writer, settings);
    AVDictionary *options = NULL;
    if (!strcmp(settings->format, "apng")) ff.av_dict_set(&options, "plays", "0", 0);
    if (!strcmp(settings->format, "webp")) ff.av_dict_set(&options, "loop", "0", 0);
    // Do not set `movflags=faststart`: it would reopen the file by name, and the file has no name yet.
    if (status >= 0) status = ff.avformat_write_header(writer->format, &options);
    ff.av_dict_free(&options);
    if (status < 0) return isobath_movie_fail(message, "the movie cannot be begun", status);
    writer->has_header = 1;
    writer->frame->width = settings->width;
    writer->frame->height = settings->height;
    writer->frame->format = writer->format_of_pixels;
    fields_of_frame(writer->frame)->color_range = writer->color_range;
    status = ff.av_frame_get_buffer(writer->frame, 0);
    return status < 0 ? isobath_movie_fail(message, "out of memory", status) : 0;
}

struct isobath_movie_writer *isobath_movie_create(int descriptor, const struct isobath_movie_settings *settings,
                                                  char message[ISOBATH_MOVIE_MESSAGE]) {
    if (isobath_movies_load(message) != 0) return NULL;
    struct isobath_movie_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return isobath_movie_fail(message, "out of memory", 0), NULL;
    writer->output.descriptor = descriptor;
    writer->is_gray16 = settings->is_gray16;
    writer->last_time = -1;
    writer->interval = settings->rate >= 1e-6 ? (int64_t)(TICKS / settings->rate + 0.5) : TICKS / 30;
    if (open_writer(writer, settings, message) == 0) return writer;
    isobath_movie_discard(writer);
    return NULL;
}

int isobath_movie_sound(const struct isobath_movie_writer *writer, char detail[ISOBATH_MOVIE_MESSAGE]) {
    if (writer->sound_stream) return ISOBATH_SOUND_COPIED;
    const char *known = writer->refused_sound ? writer->refused_sound : writer->sound_problem;
    if (!*known) return ISOBATH_SOUND_NONE;
    snprintf(detail, ISOBATH_MOVIE_MESSAGE, "%s", known);
    return writer->refused_sound ? ISOBATH_SOUND_REFUSED : ISOBATH_SOUND_UNREADABLE;
}

// Copies sound up to a time, in ticks.
static int copy_sound(struct isobath_movie_writer *writer, int64_t until) {
    if (!writer->sound_stream) return 0;
    AVStream *from = writer->sound->streams[writer->sound_index];
    for (;;) {
        AVPacket *packet = writer->sound_packet;
        if (!writer->has_sound_packet) {
            if (ff.av_read_frame(writer->sound, packet) < 0) return 0;
            if (packet->stream_index != writer->sound_index || packet->pts == AV_NOPTS_VALUE) {
                ff.av_packet_unref(packet);
                continue;
            }
            // Skip sound before the first frame.
            int64_t first = ff.av_rescale_q(writer->sound_start, tick, fields_of_stream(from)->time_base);
            packet->pts -= first;
            if (packet->dts != AV_NOPTS_VALUE) packet->dts -= first;
            if (packet->pts < 0) {
                ff.av_packet_unref(packet);
                continue;
            }
            writer->has_sound_packet = 1;
        }
        if (ff.av_rescale_q(packet->pts, fields_of_stream(from)->time_base, tick) > until) return 0;
        AVRational base = fields_of_stream(writer->sound_stream)->time_base;
        ff.av_packet_rescale_ts(packet, fields_of_stream(from)->time_base, base);
        packet->stream_index = numbers_of(writer->sound_stream)->index;
        packet->pos = -1;
        writer->has_sound_packet = 0;
        int status = ff.av_interleaved_write_frame(writer->format, packet);
        if (status < 0) return status;
    }
}

static int encode(struct isobath_movie_writer *writer, const AVFrame *frame) {
    int status = ff.avcodec_send_frame(writer->encoder, frame);
    if (status < 0) return status;
    for (;;) {
        status = ff.avcodec_receive_packet(writer->encoder, writer->packet);
        if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return 0;
        if (status < 0) return status;
        if (writer->packet->duration == 0) writer->packet->duration = writer->interval;
        ff.av_packet_rescale_ts(writer->packet, tick, fields_of_stream(writer->stream)->time_base);
        writer->packet->stream_index = numbers_of(writer->stream)->index;
        status = ff.av_interleaved_write_frame(writer->format, writer->packet);
        if (status < 0) return status;
    }
}

static void fill(const struct isobath_movie_writer *writer, const void *pixels) {
    AVFrame *frame = writer->frame;
    int width = frame->width, bytes = writer->is_gray16 ? 2 : 3;
    if (frame->format == AV_PIX_FMT_BGR0) {
        RAWToARGB(pixels, width * 3, frame->data[0], frame->linesize[0], width, frame->height);
        return;
    }
    if (frame->format != AV_PIX_FMT_YUV420P) {
        for (int row = 0; row < frame->height; row++)
            memcpy(frame->data[0] + (ptrdiff_t)row * frame->linesize[0], (const uint8_t *)pixels + (size_t)row * width * bytes,
                   (size_t)width * bytes);
        return;
    }
    RAWToI420(pixels, width * 3, frame->data[0], frame->linesize[0], frame->data[1], frame->linesize[1], frame->data[2],
              frame->linesize[2], width, frame->height);
}

int isobath_movie_write(struct isobath_movie_writer *writer, const void *pixels, double seconds,
                        char message[ISOBATH_MOVIE_MESSAGE]) {
    int64_t time = fabs(seconds) <= LONGEST ? (int64_t)(seconds * TICKS + 0.5) : 0;
    if (time <= writer->last_time) time = writer->last_time + 1;
    int status = ff.av_frame_make_writable(writer->frame);
    if (status >= 0) {
        fill(writer, pixels);
        writer->frame->pts = writer->last_time = time;
        status = copy_sound(writer, time);
    }
    if (status >= 0) status = encode(writer, writer->frame);
    return status < 0 ? isobath_movie_fail(message, "the movie cannot be written", status) : 0;
}

int isobath_movie_finish(struct isobath_movie_writer *writer, char message[ISOBATH_MOVIE_MESSAGE]) {
    int status = encode(writer, NULL);
    if (status >= 0) status = copy_sound(writer, writer->last_time + writer->interval);
    if (status >= 0) status = ff.av_write_trailer(writer->format);
    if (status >= 0) {
        ff.avio_flush(writer->output.io);
        status = writer->output.io->error;
    }
    return status < 0 ? isobath_movie_fail(message, "the movie cannot be completed", status) : 0;
}

void isobath_movie_discard(struct isobath_movie_writer *writer) {
    ff.av_frame_free(&writer->frame);
    ff.av_packet_free(&writer->packet);
    ff.av_packet_free(&writer->sound_packet);
    ff.avcodec_free_context(&writer->encoder);
    ff.avformat_close_input(&writer->sound);
    if (writer->format) ff.avformat_free_context(writer->format);
    isobath_bytes_close(&writer->output);
    isobath_bytes_close(&writer->input);
    free(writer);
}
