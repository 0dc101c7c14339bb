// The only functions that open FFmpeg input, for pictures and for sound.
#ifndef ISOBATH_MOVIE_INPUT_H
#define ISOBATH_MOVIE_INPUT_H

#include "bytes.h"

// Opens the movie or sound in `bytes`, which must outlive the result. `NULL` and a message on failure.
AVFormatContext *isobath_input_open(struct isobath_bytes *bytes, char *message);
// Opens the decoder of a track. Returns 0, or -1 and a message.
int isobath_decoder_open(AVCodecContext *decoder, const AVCodec *codec, char *message);
// Called when a context wants to open another file. Always fails.
int isobath_refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options);

#endif
