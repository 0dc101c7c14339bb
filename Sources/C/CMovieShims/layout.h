// The fields of FFmpeg's structures that move with its major versions.
#ifndef ISOBATH_MOVIE_LAYOUT_H
#define ISOBATH_MOVIE_LAYOUT_H

#include "CMovieShims.h"
#include "ffmpeg.h"

// Runs of fields whose order is the same in FFmpeg 5 to 9. Each begins at a multiple of eight bytes.
struct frame_fields {
    int nb_side_data, flags, color_range, color_primaries, color_trc, colorspace, chroma_location;
    int64_t best_effort_timestamp;
};
struct stream_numbers {
    int index, id;
};
struct stream_fields {
    AVRational time_base;
    int64_t start_time, duration, nb_frames;
    int disposition, discard;
    AVRational sample_aspect_ratio;
    AVDictionary *metadata;
    AVRational avg_frame_rate;
};
struct format_fields {
    int64_t start_time, duration, bit_rate;
    unsigned packet_size;
    int max_delay, flags;
};
struct parameter_fields {
    int preceding, format;
    int64_t bit_rate;
    int bits_per_coded_sample, bits_per_raw_sample, profile, level, width, height;
};
// Only in FFmpeg 7 and newer.
struct side_data_fields {
    const AVPacketSideData *list;
    int count;
};
typedef int (*open_function)(AVFormatContext *, AVIOContext **, const char *, int, AVDictionary **);

// Offsets in bytes, and the major versions of the libraries.
struct layout {
    int avutil, avcodec, avformat, swscale;
    int frame, frame_decode_error_flags;
    int stream_numbers, stream, stream_codecpar;
    int format, format_metadata, format_io_open;
    int parameters, parameters_side_data;
    // From `pkt_timebase`, which is an option, to `framerate`, which is not.
    int framerate;
};

enum { LAYOUTS = 5 };
extern const struct layout layouts[LAYOUTS];
// The layout of the libraries that are loaded.
extern const struct layout *layout;

// Compares the layout with structures that FFmpeg has just made. Returns 0 if all agree.
int isobath_layout_check(void);

// The frame rate of a decoder or encoder.
AVRational *framerate_of(AVCodecContext *context);

#define FIELDS(type, pointer, offset) ((type *)((char *)(pointer) + layout->offset))
static inline struct frame_fields *fields_of_frame(const AVFrame *frame) { return FIELDS(struct frame_fields, frame, frame); }
static inline int decode_errors(const AVFrame *frame) { return *FIELDS(int, frame, frame_decode_error_flags); }
static inline struct stream_numbers *numbers_of(const AVStream *stream) {
    return FIELDS(struct stream_numbers, stream, stream_numbers);
}
static inline struct stream_fields *fields_of_stream(const AVStream *stream) {
    return FIELDS(struct stream_fields, stream, stream);
}
static inline AVCodecParameters *codecpar_of(const AVStream *stream) {
    return *FIELDS(AVCodecParameters *, stream, stream_codecpar);
}
static inline struct format_fields *fields_of_format(const AVFormatContext *format) {
    return FIELDS(struct format_fields, format, format);
}
static inline AVDictionary **metadata_of(const AVFormatContext *format) {
    return FIELDS(AVDictionary *, format, format_metadata);
}
static inline open_function *io_open_of(const AVFormatContext *format) {
    return FIELDS(open_function, format, format_io_open);
}
static inline struct parameter_fields *fields_of_parameters(const AVCodecParameters *parameters) {
    return FIELDS(struct parameter_fields, parameters, parameters);
}
static inline const struct side_data_fields *side_data_of(const AVCodecParameters *parameters) {
    return FIELDS(const struct side_data_fields, parameters, parameters_side_data);
}

#endif
