// What is used of FFmpeg's public interface, declared here so that one program runs with FFmpeg 5 to 9. Structures end
// where their layouts begin to differ between these versions; `layout.h` has the fields behind. Numbers are the same in
// the headers of 5.1, 7.1 and 9.0.
#ifndef ISOBATH_MOVIE_FFMPEG_H
#define ISOBATH_MOVIE_FFMPEG_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#define AVERROR(code) (-(code))
#define MKTAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define AVERROR_EOF (-(int)MKTAG('E', 'O', 'F', ' '))
#define AV_NOPTS_VALUE INT64_MIN

enum { AV_ERROR_MAX_STRING_SIZE = 64, AV_LOG_QUIET = -8, AV_OPT_SEARCH_CHILDREN = 1, AV_OPT_ALLOW_NULL = 4, AV_TIME_BASE = 1000000 };
enum { AVSEEK_SIZE = 0x10000, AVSEEK_FORCE = 0x20000 };
enum { AVFMT_GLOBALHEADER = 0x40, AVFMT_FLAG_CUSTOM_IO = 0x80, AVFMT_FLAG_BITEXACT = 0x400 };
enum { AVMEDIA_TYPE_UNKNOWN = -1, AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_ATTACHMENT = 4 };
enum { AV_DISPOSITION_ATTACHED_PIC = 1 << 10, AVDISCARD_ALL = 48, FF_COMPLIANCE_NORMAL = 0 };
enum { AV_PKT_DATA_DISPLAYMATRIX = 5, AV_PKT_FLAG_DISCARD = 4 };
enum { AV_FRAME_FLAG_CORRUPT = 1, AV_FRAME_DATA_VIEW_ID = 29 };
enum { AV_PROFILE_UNKNOWN = -99 };
enum { AVCOL_RANGE_MPEG = 1, AVCOL_RANGE_JPEG = 2, AVCOL_PRI_BT709 = 1, AVCOL_TRC_IEC61966_2_1 = 13 };
enum { AVCOL_SPC_BT709 = 1, AVCOL_SPC_UNSPECIFIED = 2, AVCOL_SPC_SMPTE170M = 6, AVCOL_SPC_BT2020_NCL = 9 };
enum { SWS_CS_ITU709 = 1, SWS_CS_ITU601 = 5, SWS_CS_BT2020 = 9, SWS_POINT = 0x10 };
enum AVPixelFormat {
    AV_PIX_FMT_NONE = -1,
    AV_PIX_FMT_YUV420P,
    AV_PIX_FMT_RGB24 = 2,
    AV_PIX_FMT_YUV422P = 4,
    AV_PIX_FMT_YUV444P = 5,
    AV_PIX_FMT_GRAY8 = 8,
    AV_PIX_FMT_YUVJ420P = 12,
    AV_PIX_FMT_YUVJ422P,
    AV_PIX_FMT_YUVJ444P,
    AV_PIX_FMT_NV12 = 23,
    AV_PIX_FMT_GRAY16LE = 30,
    // Blue, green, red and an unused byte in memory: AV_PIX_FMT_0RGB32 of little-endian processors.
    AV_PIX_FMT_BGR0 = 121
};
enum { AV_PIX_FMT_FLAG_BE = 1, AV_PIX_FMT_FLAG_PAL = 2, AV_PIX_FMT_FLAG_RGB = 32, AV_PIX_FMT_FLAG_FLOAT = 512 };

typedef struct AVCodecContext AVCodecContext;
typedef struct AVDictionary AVDictionary;
typedef struct AVStream AVStream;
typedef struct AVRational {
    int num, den;
} AVRational;
typedef struct AVDictionaryEntry {
    char *key, *value;
} AVDictionaryEntry;
typedef struct AVOption {
    const char *name, *help;
    int offset;
} AVOption;
typedef struct AVIOContext {
    const void *av_class;
    unsigned char *buffer;
    int buffer_size;
    unsigned char *buf_ptr, *buf_end;
    void *opaque;
    void *functions[3];
    int64_t pos;
    int eof_reached, error;
} AVIOContext;
typedef struct AVFrameSideData {
    int type;
    uint8_t *data;
    size_t size;
} AVFrameSideData;
typedef struct AVFrame {
    uint8_t *data[8];
    int linesize[8];
    uint8_t **extended_data;
    int width, height, nb_samples, format;
    int types[4];
    int64_t pts;
} AVFrame;
typedef struct AVPacketSideData {
    uint8_t *data;
    size_t size;
    int type;
} AVPacketSideData;
typedef struct AVPacket {
    void *buf;
    int64_t pts, dts;
    uint8_t *data;
    int size, stream_index, flags;
    AVPacketSideData *side_data;
    int side_data_elems;
    int64_t duration, pos;
} AVPacket;
typedef struct AVCodec {
    const char *name, *long_name;
    int type, id;
} AVCodec;
typedef struct AVCodecParameters {
    int codec_type, codec_id;
    uint32_t codec_tag;
    uint8_t *extradata;
    int extradata_size;
} AVCodecParameters;
typedef struct AVInputFormat {
    const char *name, *long_name;
} AVInputFormat;
typedef struct AVOutputFormat {
    const char *name, *long_name, *mime_type, *extensions;
    int codecs[3], flags;
} AVOutputFormat;
typedef struct AVFormatContext {
    const void *av_class;
    const AVInputFormat *iformat;
    const AVOutputFormat *oformat;
    void *priv_data;
    AVIOContext *pb;
    int ctx_flags;
    unsigned nb_streams;
    AVStream **streams;
} AVFormatContext;
typedef struct AVComponentDescriptor {
    int plane, step, offset, shift, depth;
} AVComponentDescriptor;
typedef struct AVPixFmtDescriptor {
    const char *name;
    uint8_t nb_components, log2_chroma_w, log2_chroma_h;
    uint64_t flags;
    AVComponentDescriptor comp[4];
} AVPixFmtDescriptor;

#endif
