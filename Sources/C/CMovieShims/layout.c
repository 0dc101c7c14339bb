// The offsets of FFmpeg 5.1, 7.1 and 9.0 are those of `offsetof` with their headers. Those of 6.1 and 8.0 follow from
// these and from what the libraries set. `isobath_layout_check` compares them again when the libraries are loaded.
#include "layout.h"

#include "libraries.h"

// FFmpeg 9 to 5: the newest that can be loaded is used.
const struct layout layouts[LAYOUTS] = {
    {61, 63, 63, 10, 272, 320, 8, 32, 16, 96, 192, 448, 40, 32, 8},
    {60, 62, 62, 9, 272, 320, 8, 32, 16, 96, 192, 448, 40, 32, 8},
    {59, 61, 61, 8, 288, 344, 8, 32, 16, 96, 192, 448, 40, 32, 8},
    {58, 60, 60, 7, 312, 376, 8, 32, 16, 64, 176, 424, 24, 0, -12},
    {57, 59, 59, 6, 312, 376, 0, 16, 208, 64, 176, 424, 24, 0, -12},
};
const struct layout *layout = layouts;

static int offset_of(void *context, const char *name) {
    const AVOption *option = ff.av_opt_find(context, name, NULL, 0, 0);
    return option ? option->offset : -1;
}

AVRational *framerate_of(AVCodecContext *context) {
    return (AVRational *)((char *)context + offset_of(context, "pkt_timebase") + layout->framerate);
}

static int context_agrees(void) {
    AVCodecContext *context = ff.avcodec_alloc_context3(NULL);
    int agrees = context && offset_of(context, "pkt_timebase") > 0 && framerate_of(context)->num == 0 &&
                 framerate_of(context)->den == 1;
    ff.avcodec_free_context(&context);
    return agrees;
}

static int frame_agrees(void) {
    AVFrame *frame = ff.av_frame_alloc();
    if (!frame) return 0;
    const struct frame_fields *fields = fields_of_frame(frame);
    int unspecified = AVCOL_SPC_UNSPECIFIED;
    int agrees = frame->format == AV_PIX_FMT_NONE && frame->pts == AV_NOPTS_VALUE && fields->flags == 0 &&
                 fields->color_primaries == unspecified && fields->color_trc == unspecified &&
                 fields->colorspace == unspecified && fields->best_effort_timestamp == AV_NOPTS_VALUE &&
                 decode_errors(frame) == 0;
    ff.av_frame_free(&frame);
    return agrees;
}

static int parameters_agree(const AVCodecParameters *parameters) {
    if (!parameters) return 0;
    const struct parameter_fields *fields = fields_of_parameters(parameters);
    return parameters->codec_type == AVMEDIA_TYPE_UNKNOWN && fields->format == AV_PIX_FMT_NONE &&
           fields->profile == AV_PROFILE_UNKNOWN && fields->level == AV_PROFILE_UNKNOWN;
}

static int format_agrees(void) {
    AVFormatContext *format = ff.avformat_alloc_context();
    const AVStream *first = format ? ff.avformat_new_stream(format, NULL) : NULL;
    const AVStream *second = first ? ff.avformat_new_stream(format, NULL) : NULL;
    // The field behind `metadata` is a time.
    int agrees = second && format->nb_streams == 2 && format->streams[1] == second && numbers_of(first)->index == 0 &&
                 numbers_of(second)->index == 1 && fields_of_stream(second)->start_time == AV_NOPTS_VALUE &&
                 fields_of_stream(second)->duration == AV_NOPTS_VALUE && !fields_of_stream(second)->metadata &&
                 parameters_agree(codecpar_of(second)) && *io_open_of(format) && !*metadata_of(format) &&
                 ((const int64_t *)metadata_of(format))[1] == AV_NOPTS_VALUE &&
                 offset_of(format, "fflags") == layout->format + (int)offsetof(struct format_fields, flags);
    if (format) ff.avformat_free_context(format);
    return agrees;
}

int isobath_layout_check(void) { return context_agrees() && frame_agrees() && format_agrees() ? 0 : -1; }
