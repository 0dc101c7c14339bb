// Decodes a track of color, one of 16-bit gray, and mattes.
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CMovieShims.h"
#include "input.h"

// The most frames of a track that wait for the caller, and the most of the main track while another one is searched for
// its next frame: a track that ends early must not displace pictures.
enum { WAITING = 96, AHEAD = 64 };

struct track {
    int stream;
    AVCodecContext *decoder;
    AVFrame *current;
    // Frames that were decoded while the caller read the other track, oldest first.
    AVFrame *waiting[WAITING];
    int first, count;
    int is_drained;
    int width, height;
    int64_t packets, last;
};

struct isobath_movie {
    struct isobath_bytes bytes;
    AVFormatContext *format;
    AVPacket *packet;
    struct SwsContext *scaler;
    struct track tracks[ISOBATH_TRACKS];
    int is_at_end, damaged, failure;
    // Whether the second layer of the color track is the right eye, and the number of the first layer's view.
    int is_layered, first_view;
    double start;
    // Valid while tracks are chosen.
    const int *auxiliary;
    int auxiliary_count;
};

static const int32_t *display_matrix(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *bytes = NULL;
    if (ff.av_packet_side_data_get) {
        const struct side_data_fields *fields = side_data_of(codecpar_of(stream));
        const AVPacketSideData *data = ff.av_packet_side_data_get(fields->list, fields->count, AV_PKT_DATA_DISPLAYMATRIX);
        if (data) bytes = data->data, size = data->size;
    } else {
        bytes = ff.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    }
    return size >= 9 * sizeof(int32_t) ? (const int32_t *)bytes : NULL;
}

static int quarter_turns(const AVStream *stream) {
    const int32_t *matrix = display_matrix(stream);
    if (!matrix) return 0;
    // The function returns counterclockwise degrees, or NaN if the matrix is singular.
    double degrees = -ff.av_display_rotation_get(matrix);
    if (!(degrees >= -360 && degrees <= 360)) return 0;
    return (int)((degrees + 360 + 45) / 90) % 4;
}

static int format_of(const AVStream *stream) { return fields_of_parameters(codecpar_of(stream))->format; }

static int is_gray16(const AVStream *stream) {
    const AVPixFmtDescriptor *pixels = ff.av_pix_fmt_desc_get(format_of(stream));
    return pixels && pixels->nb_components == 1 && pixels->comp[0].depth > 8 && pixels->comp[0].depth <= 16 &&
           !(pixels->flags & (AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_PAL));
}

static int is_gray8(const AVStream *stream) { return format_of(stream) == AV_PIX_FMT_GRAY8; }

// The index of a track among the requested mattes; -1 for others.
static int matte_of(const struct isobath_movie_request *request, const AVStream *stream) {
    for (int index = 0; index < ISOBATH_MATTES; index++)
        if (request->matte_tracks[index] && numbers_of(stream)->id == request->matte_tracks[index]) return index;
    return -1;
}

static int is_auxiliary(const struct isobath_movie *movie, const AVStream *stream) {
    for (int index = 0; index < movie->auxiliary_count; index++)
        if (numbers_of(stream)->id == movie->auxiliary[index]) return 1;
    return 0;
}

static const char *tag(const AVDictionary *tags, const char *name) {
    const AVDictionaryEntry *entry = ff.av_dict_get(tags, name, NULL, 0);
    return entry ? entry->value : NULL;
}

static int says_depth(const AVStream *stream) {
    const char *title = tag(fields_of_stream(stream)->metadata, "title");
    return title && strcasestr(title, "depth");
}

static int is_video(const AVStream *stream) {
    return codecpar_of(stream)->codec_type == AVMEDIA_TYPE_VIDEO &&
           !(fields_of_stream(stream)->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

static void choose_tracks(struct isobath_movie *movie, const struct isobath_movie_request *request) {
    struct track *color = &movie->tracks[ISOBATH_TRACK_COLOR], *gray = &movie->tracks[ISOBATH_TRACK_GRAY16],
                 *right = &movie->tracks[ISOBATH_TRACK_RIGHT];
    for (int index = 0; index < ISOBATH_TRACKS; index++) movie->tracks[index].stream = -1;
    for (unsigned index = 0; index < movie->format->nb_streams; index++) {
        const AVStream *stream = movie->format->streams[index];
        if (!is_video(stream)) continue;
        int matte = matte_of(request, stream);
        if (request->depth_track && numbers_of(stream)->id == request->depth_track) {
            gray->stream = (int)index;
        } else if (matte >= 0) {
            if (is_gray8(stream)) movie->tracks[ISOBATH_TRACK_MATTE + matte].stream = (int)index;
        } else if (is_auxiliary(movie, stream)) {
            continue;
        } else if (request->right_track && numbers_of(stream)->id == request->right_track) {
            right->stream = (int)index;
        } else if (!is_gray16(stream)) {
            if (color->stream < 0) color->stream = (int)index;
        } else if (!request->depth_track && (gray->stream < 0 || (says_depth(stream) && !says_depth(movie->format->streams[gray->stream])))) {
            gray->stream = (int)index;
        }
    }
}

// The length of a track as declared by Matroska's tags, or by the sample tables of other formats. Counts include
// samples that an edit list skips.
static void describe_length(const AVFormatContext *format, const AVStream *stream, struct isobath_track *info) {
    // AVI lists dropped frames as empty ones.
    int64_t listed = strcmp(format->iformat->name, "avi") ? ff.avformat_index_get_entries_count(stream) : 0;
    int64_t declared = fields_of_stream(stream)->nb_frames;
    info->packets = declared < listed ? declared : listed;
    const AVDictionary *tags = fields_of_stream(stream)->metadata;
    const char *frames = tag(tags, "NUMBER_OF_FRAMES"), *duration = tag(tags, "DURATION");
    if (frames) info->packets = strtoll(frames, NULL, 10);
    int hours, minutes;
    double seconds;
    if (duration && sscanf(duration, "%d:%d:%lf", &hours, &minutes, &seconds) == 3)
        info->seconds = hours * 3600.0 + minutes * 60.0 + seconds;
}

static void close_track(struct track *track) {
    for (int place = 0; place < track->count; place++) ff.av_frame_free(&track->waiting[(track->first + place) % WAITING]);
    ff.av_frame_free(&track->current);
    ff.avcodec_free_context(&track->decoder);
    track->count = 0;
    track->stream = -1;
}

static int set_limits(AVCodecContext *decoder, int64_t most_pixels, int threads, AVRational time_base) {
    // FFmpeg's own limit is the largest number that the option takes.
    if (most_pixels < INT_MAX) {
        int status = ff.av_opt_set_int(decoder, "max_pixels", most_pixels, 0);
        if (status < 0) return status;
    }
    int status = ff.av_opt_set_int(decoder, "threads", threads, 0);
    return status < 0 ? status : ff.av_opt_set_q(decoder, "pkt_timebase", time_base, 0);
}

static int open_track(struct isobath_movie *movie, struct track *track, int64_t most_pixels, int threads,
                      struct isobath_track *info, char *message) {
    AVStream *stream = movie->format->streams[track->stream];
    snprintf(info->codec, sizeof info->codec, "%s", ff.avcodec_get_name(codecpar_of(stream)->codec_id));
    const AVCodec *codec = ff.avcodec_find_decoder(codecpar_of(stream)->codec_id);
    if (!codec) {
        snprintf(message, ISOBATH_MOVIE_MESSAGE, "FFmpeg's libavcodec has no decoder for %s here", info->codec);
        return -1;
    }
    track->decoder = ff.avcodec_alloc_context3(codec);
    track->current = ff.av_frame_alloc();
    if (!track->decoder || !track->current) return isobath_movie_fail(message, "out of memory", 0);
    const struct stream_fields *fields = fields_of_stream(stream);
    const struct parameter_fields *parameters = fields_of_parameters(codecpar_of(stream));
    int status = ff.avcodec_parameters_to_context(track->decoder, codecpar_of(stream));
    if (status >= 0) status = set_limits(track->decoder, most_pixels, threads, fields->time_base);
    if (status < 0) return isobath_movie_fail(message, "a track of the movie cannot be decoded", status);
    int is_layered = movie->is_layered && track == &movie->tracks[ISOBATH_TRACK_COLOR];
    if (is_layered && ff.av_opt_set(track->decoder, "view_ids", "-1", AV_OPT_SEARCH_CHILDREN) < 0)
        return isobath_movie_fail(message, "FFmpeg's decoder of HEVC cannot decode both eyes", 0);
    if (isobath_decoder_open(track->decoder, codec, message) != 0) return -1;
    info->is_present = 1;
    info->width = track->width = parameters->width;
    info->height = track->height = parameters->height;
    if (info->width <= 0 || info->height <= 0 || info->width > 1 << 15 || info->height > 1 << 15)
        return isobath_movie_fail(message, "a track of the movie has no usable size", 0);
    AVRational rate = ff.av_guess_frame_rate(movie->format, stream, NULL);
    info->rate = rate.num > 0 && rate.den > 0 ? (double)rate.num / rate.den : 0;
    info->frames = fields->nb_frames;
    track->last = AV_NOPTS_VALUE;
    describe_length(movie->format, stream, info);
    info->turns = quarter_turns(stream);
    return 0;
}

// The right eye in the second layer has no decoder of its own.
static void open_layer(struct isobath_movie *movie, struct isobath_movie_info *info) {
    const struct track *color = &movie->tracks[ISOBATH_TRACK_COLOR];
    struct track *right = &movie->tracks[ISOBATH_TRACK_RIGHT];
    right->current = ff.av_frame_alloc();
    if (!right->current) return;
    right->stream = color->stream;
    right->width = color->width;
    right->height = color->height;
    info->tracks[ISOBATH_TRACK_RIGHT] = info->tracks[ISOBATH_TRACK_COLOR];
}

static int is_read(const struct isobath_movie *movie, int stream) {
    for (int index = 0; index < ISOBATH_TRACKS; index++)
        if (movie->tracks[index].stream == stream) return 1;
    return 0;
}

static int open_movie(struct isobath_movie *movie, int64_t most_pixels, int threads,
                      const struct isobath_movie_request *request, struct isobath_movie_info *info, char *message) {
    movie->packet = ff.av_packet_alloc();
    if (!movie->packet) return isobath_movie_fail(message, "out of memory", 0);
    movie->format = isobath_input_open(&movie->bytes, message);
    if (!movie->format) return -1;
    movie->is_layered = request->is_layered && isobath_movies_decode_layers();
    movie->first_view = -1;
    choose_tracks(movie, request);
    int found = 0;
    for (int index = 0; index < ISOBATH_TRACKS; index++) {
        struct track *track = &movie->tracks[index];
        if (track->stream < 0) continue;
        int is_matte = index >= ISOBATH_TRACK_MATTE;
        if (open_track(movie, track, most_pixels, is_matte ? 1 : threads, &info->tracks[index], message) == 0) {
            found |= !is_matte;
        } else if (is_matte) {
            close_track(track);
            info->tracks[index].is_present = 0;
        } else {
            return -1;
        }
    }
    if (!found) return isobath_movie_fail(message, "the movie has no track of pictures", 0);
    if (movie->is_layered && info->tracks[ISOBATH_TRACK_COLOR].is_present) open_layer(movie, info);
    // Skip all other tracks when reading.
    for (unsigned index = 0; index < movie->format->nb_streams; index++)
        if (codecpar_of(movie->format->streams[index])->codec_type == AVMEDIA_TYPE_AUDIO) info->has_sound = 1;
    for (unsigned index = 0; index < movie->format->nb_streams; index++)
        if (!is_read(movie, (int)index)) fields_of_stream(movie->format->streams[index])->discard = AVDISCARD_ALL;
    snprintf(info->format, sizeof info->format, "%s", movie->format->iformat->long_name);
    const struct format_fields *fields = fields_of_format(movie->format);
    info->seconds = fields->duration > 0 ? (double)fields->duration / AV_TIME_BASE : 0;
    movie->start = fields->start_time != AV_NOPTS_VALUE ? (double)fields->start_time / AV_TIME_BASE : 0;
    info->is_azure_kinect = tag(*metadata_of(movie->format), "K4A_DEPTH_MODE") != NULL ||
                            tag(*metadata_of(movie->format), "K4A_DEPTH_DELAY_NS") != NULL;
    const char *depth = tag(*metadata_of(movie->format), "ISOBATH_DEPTH");
    if (depth) snprintf(info->depth_tag, sizeof info->depth_tag, "%s", depth);
    const char *comment = tag(*metadata_of(movie->format), "comment");
    if (comment && strlen(comment) < sizeof info->comment) snprintf(info->comment, sizeof info->comment, "%s", comment);
    return 0;
}

size_t isobath_movie_attachment(const struct isobath_movie *movie, const char *name, const uint8_t **bytes) {
    for (unsigned index = 0; index < movie->format->nb_streams; index++) {
        const AVStream *stream = movie->format->streams[index];
        const char *found = tag(fields_of_stream(stream)->metadata, "filename");
        if (codecpar_of(stream)->codec_type != AVMEDIA_TYPE_ATTACHMENT || !found || strcmp(found, name) != 0) continue;
        *bytes = codecpar_of(stream)->extradata;
        return codecpar_of(stream)->extradata_size > 0 ? (size_t)codecpar_of(stream)->extradata_size : 0;
    }
    return 0;
}

struct isobath_movie *isobath_movie_open(int descriptor, int64_t most_pixels, int threads,
                                         const struct isobath_movie_request *request, const int *auxiliary,
                                         int auxiliary_count, struct isobath_movie_info *info,
                                         char message[ISOBATH_MOVIE_MESSAGE]) {
    if (isobath_movies_load(message) != 0) return NULL;
    struct isobath_movie *movie = calloc(1, sizeof *movie);
    if (!movie) return isobath_movie_fail(message, "out of memory", 0), NULL;
    memset(info, 0, sizeof *info);
    movie->bytes.descriptor = descriptor;
    memcpy(movie->bytes.codes, request->codes, sizeof request->codes);
    movie->auxiliary = auxiliary;
    movie->auxiliary_count = auxiliary_count;
    if (open_movie(movie, most_pixels, threads, request, info, message) == 0) return movie;
    isobath_movie_close(movie);
    return NULL;
}

// The track that a decoded frame belongs to: of each picture, a decoder of layers gives the first eye first.
static struct track *track_of(struct isobath_movie *movie, struct track *track, const AVFrame *frame) {
    if (!movie->is_layered || track != &movie->tracks[ISOBATH_TRACK_COLOR]) return track;
    const AVFrameSideData *data = ff.av_frame_get_side_data(frame, AV_FRAME_DATA_VIEW_ID);
    if (!data || data->size < sizeof(int)) return track;
    int view;
    memcpy(&view, data->data, sizeof view);
    if (movie->first_view < 0) movie->first_view = view;
    return view == movie->first_view ? track : &movie->tracks[ISOBATH_TRACK_RIGHT];
}

static void append(struct track *track, AVFrame *frame) {
    if (track->count == WAITING) {
        ff.av_frame_free(&track->waiting[track->first]);
        track->first = (track->first + 1) % WAITING;
        track->count--;
    }
    track->waiting[(track->first + track->count++) % WAITING] = frame;
}

// Collects all frames that a decoder has ready. Drops the oldest frame if too many are waiting.
static int collect(struct isobath_movie *movie, struct track *track) {
    for (;;) {
        AVFrame *frame = ff.av_frame_alloc();
        if (!frame) return AVERROR(ENOMEM);
        int status = ff.avcodec_receive_frame(track->decoder, frame);
        if (status < 0) {
            ff.av_frame_free(&frame);
            if (status == AVERROR_EOF) track->is_drained = 1;
            else if (status != AVERROR(EAGAIN)) movie->damaged++;
            return status == AVERROR(EAGAIN) || status == AVERROR_EOF ? 0 : status;
        }
        // The decoder invents missing areas.
        if (decode_errors(frame) || fields_of_frame(frame)->flags & AV_FRAME_FLAG_CORRUPT) movie->damaged++;
        append(track_of(movie, track, frame), frame);
    }
}

// Reads a packet, and updates its track's number of packets and last time. Negative at the end.
static int read_packet(struct isobath_movie *movie) {
    int status = ff.av_read_frame(movie->format, movie->packet);
    if (status < 0) {
        if (status != AVERROR_EOF) movie->failure = status;
        return status;
    }
    for (int index = 0; index < ISOBATH_TRACKS; index++) {
        struct track *track = &movie->tracks[index];
        if (!track->decoder || movie->packet->stream_index != track->stream) continue;
        track->packets++;
        // Frames may be stored in a different order than they are shown.
        if (movie->packet->pts != AV_NOPTS_VALUE && (track->last == AV_NOPTS_VALUE || movie->packet->pts > track->last))
            track->last = movie->packet->pts;
    }
    return 0;
}

// Decodes another packet. Returns 0 at the end.
static int step(struct isobath_movie *movie) {
    if (movie->is_at_end) return 0;
    if (read_packet(movie) < 0) {
        movie->is_at_end = 1;
        for (int index = 0; index < ISOBATH_TRACKS; index++) {
            if (!movie->tracks[index].decoder) continue;
            // With several threads, errors in the last packets are reported here.
            if (ff.avcodec_send_packet(movie->tracks[index].decoder, NULL) < 0) movie->damaged++;
            collect(movie, &movie->tracks[index]);
        }
        return 1;
    }
    for (int index = 0; index < ISOBATH_TRACKS; index++) {
        struct track *track = &movie->tracks[index];
        if (!track->decoder || movie->packet->stream_index != track->stream) continue;
        if (ff.avcodec_send_packet(track->decoder, movie->packet) < 0) movie->damaged++;
        collect(movie, track);
    }
    ff.av_packet_unref(movie->packet);
    return 1;
}

void isobath_movie_scan(struct isobath_movie *movie, int index, int64_t *frames, double **times) {
    struct track *track = &movie->tracks[index];
    *frames = 0;
    *times = NULL;
    if (!track->decoder) return;
    AVRational base = fields_of_stream(movie->format->streams[track->stream])->time_base;
    size_t room = 0;
    int has_room = 1;
    while (read_packet(movie) >= 0) {
        int64_t time = movie->packet->pts;
        // An edit list may exclude frames that others need.
        if (movie->packet->stream_index == track->stream && !(movie->packet->flags & AV_PKT_FLAG_DISCARD)) {
            size_t count = (size_t)++*frames;
            if (has_room && count > room) {
                room = 2 * count + 256;
                double *larger = realloc(*times, room * sizeof **times);
                has_room = larger != NULL;
                if (has_room) *times = larger;
            }
            if (has_room) (*times)[count - 1] = time == AV_NOPTS_VALUE ? NAN : (double)time * base.num / base.den;
        }
        ff.av_packet_unref(movie->packet);
    }
    if (!has_room) {
        free(*times);
        *times = NULL;
    }
    movie->is_at_end = 1;
}

void isobath_movie_ending(const struct isobath_movie *movie, int index, struct isobath_ending *ending) {
    const struct track *track = &movie->tracks[index];
    memset(ending, 0, sizeof *ending);
    ending->last = -1;
    ending->damaged = movie->damaged;
    ending->packets = track->packets;
    if (movie->bytes.error)
        snprintf(ending->failure, sizeof ending->failure, "reading fails: %s", strerror(movie->bytes.error));
    else if (movie->failure)
        isobath_movie_fail(ending->failure, "what follows cannot be read", movie->failure);
    if (!track->decoder || track->last == AV_NOPTS_VALUE) return;
    AVRational base = fields_of_stream(movie->format->streams[track->stream])->time_base;
    ending->last = (double)track->last * base.num / base.den;
}

int isobath_movie_peek(struct isobath_movie *movie, int index, double *seconds) {
    struct track *track = &movie->tracks[index];
    if (track->stream < 0) return 0;
    int has_color = movie->tracks[ISOBATH_TRACK_COLOR].stream >= 0;
    const struct track *main_track = &movie->tracks[has_color ? ISOBATH_TRACK_COLOR : ISOBATH_TRACK_GRAY16];
    while (track->count == 0) {
        int is_too_far = track != main_track && main_track->count >= AHEAD;
        if (is_too_far || !step(movie)) break;
    }
    if (track->count == 0) return 0;
    AVRational base = fields_of_stream(movie->format->streams[track->stream])->time_base;
    int64_t time = fields_of_frame(track->waiting[track->first])->best_effort_timestamp;
    *seconds = time == AV_NOPTS_VALUE ? -1 : (double)time * base.num / base.den;
    return 1;
}

int isobath_movie_advance(struct isobath_movie *movie, int index, double *seconds) {
    if (!isobath_movie_peek(movie, index, seconds)) return 0;
    struct track *track = &movie->tracks[index];
    ff.av_frame_free(&track->current);
    track->current = track->waiting[track->first];
    track->first = (track->first + 1) % WAITING;
    track->count--;
    return 1;
}

static int yuv_layout(enum AVPixelFormat format) {
    switch (format) {
        case AV_PIX_FMT_YUV420P: case AV_PIX_FMT_YUVJ420P: return ISOBATH_YUV420;
        case AV_PIX_FMT_YUV422P: case AV_PIX_FMT_YUVJ422P: return ISOBATH_YUV422;
        case AV_PIX_FMT_YUV444P: case AV_PIX_FMT_YUVJ444P: return ISOBATH_YUV444;
        case AV_PIX_FMT_NV12: return ISOBATH_NV12;
        case AV_PIX_FMT_GRAY8: return ISOBATH_GRAY;
        default: return -1;
    }
}

// Whether YUV is Rec. 709: as the file declares, otherwise as players assume from the size.
static int is_rec709(const AVFrame *frame) {
    if (fields_of_frame(frame)->colorspace == AVCOL_SPC_BT709) return 1;
    return fields_of_frame(frame)->colorspace == AVCOL_SPC_UNSPECIFIED && frame->height >= 720;
}

static int is_full_range(const AVFrame *frame) {
    return fields_of_frame(frame)->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P ||
           frame->format == AV_PIX_FMT_YUVJ422P || frame->format == AV_PIX_FMT_YUVJ444P || frame->format == AV_PIX_FMT_GRAY8;
}

static int scale(struct isobath_movie *movie, const AVFrame *frame, uint8_t *rgb) {
    movie->scaler = ff.sws_getCachedContext(movie->scaler, frame->width, frame->height, (enum AVPixelFormat)frame->format,
                                            frame->width, frame->height, AV_PIX_FMT_RGB24, SWS_POINT, NULL, NULL, NULL);
    if (!movie->scaler) return -1;
    int matrix = is_rec709(frame) ? SWS_CS_ITU709 : SWS_CS_ITU601;
    if (fields_of_frame(frame)->colorspace == AVCOL_SPC_BT2020_NCL) matrix = SWS_CS_BT2020;
    const int *coefficients = ff.sws_getCoefficients(matrix);
    ff.sws_setColorspaceDetails(movie->scaler, coefficients, is_full_range(frame), coefficients, 1, 0, 1 << 16, 1 << 16);
    uint8_t *planes[4] = {rgb};
    int strides[4] = {frame->width * 3};
    int rows = ff.sws_scale(movie->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
    return rows == frame->height ? 0 : -1;
}

int isobath_movie_color(struct isobath_movie *movie, int index, uint8_t *rgb) {
    const struct track *track = &movie->tracks[index];
    const AVFrame *frame = track->current;
    if (!frame || frame->width != track->width || frame->height != track->height) return -1;
    struct isobath_yuv yuv = {
        .planes = {frame->data[0], frame->data[1], frame->data[2]},
        .strides = {frame->linesize[0], frame->linesize[1], frame->linesize[2]},
        .layout = yuv_layout((enum AVPixelFormat)frame->format),
        .width = frame->width, .height = frame->height,
        .is_709 = is_rec709(frame), .is_full_range = is_full_range(frame),
    };
    if (yuv.layout < 0 || fields_of_frame(frame)->colorspace == AVCOL_SPC_BT2020_NCL) return scale(movie, frame, rgb);
    return isobath_yuv_to_rgb(&yuv, rgb);
}

int isobath_movie_matte(struct isobath_movie *movie, int index, uint8_t *coverage) {
    const struct track *track = &movie->tracks[index];
    const AVFrame *frame = track->current;
    if (!frame || frame->width != track->width || frame->height != track->height || frame->format != AV_PIX_FMT_GRAY8)
        return -1;
    // HEVC infers limited range where nothing is declared (ITU-T H.265 §E.3.1).
    struct isobath_yuv yuv = {
        .planes = {frame->data[0]}, .strides = {frame->linesize[0]}, .layout = ISOBATH_GRAY,
        .width = frame->width, .height = frame->height,
        .is_full_range = fields_of_frame(frame)->color_range == AVCOL_RANGE_JPEG,
    };
    isobath_yuv_to_luma(&yuv, coverage);
    return 0;
}

int isobath_movie_gray16(struct isobath_movie *movie, uint16_t *samples) {
    const struct track *track = &movie->tracks[ISOBATH_TRACK_GRAY16];
    const AVFrame *frame = track->current;
    if (!frame || frame->width != track->width || frame->height != track->height) return -1;
    const AVPixFmtDescriptor *pixels = ff.av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (!pixels || pixels->comp[0].step > 2 || pixels->flags & (AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_RGB))
        return -1;
    if (pixels->comp[0].step == 1) {
        for (int row = 0; row < frame->height; row++)
            for (int column = 0; column < frame->width; column++)
                *samples++ = frame->data[0][(ptrdiff_t)row * frame->linesize[0] + column];
        return 0;
    }
    int is_big = (pixels->flags & AV_PIX_FMT_FLAG_BE) != 0;
    for (int row = 0; row < frame->height; row++) {
        const uint8_t *line = frame->data[0] + (ptrdiff_t)row * frame->linesize[0];
        for (int column = 0; column < frame->width; column++)
            *samples++ = (uint16_t)(is_big ? line[2 * column] << 8 | line[2 * column + 1]
                                           : line[2 * column + 1] << 8 | line[2 * column]);
    }
    return 0;
}

void isobath_movie_close(struct isobath_movie *movie) {
    for (int index = 0; index < ISOBATH_TRACKS; index++) close_track(&movie->tracks[index]);
    ff.av_packet_free(&movie->packet);
    ff.avformat_close_input(&movie->format);
    isobath_bytes_close(&movie->bytes);
    ff.sws_freeContext(movie->scaler);
    free(movie);
}
