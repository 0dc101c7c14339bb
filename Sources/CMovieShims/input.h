// The only way in which FFmpeg opens a file: for pictures, and for sound.
#ifndef ISOBATH_MOVIE_INPUT_H
#define ISOBATH_MOVIE_INPUT_H

#include "bytes.h"

// Opens a movie or its sound behind `bytes`, which last longer. `NULL`, and why not, where that fails.
AVFormatContext *isobath_input_open(struct isobath_bytes *bytes, char *message);
// Opens the decoder of a track. Returns 0, or -1 and why not.
int isobath_decoder_open(AVCodecContext *decoder, const AVCodec *codec, char *message);
// What a context does when it wants to open another file: it must not.
int isobath_refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options);

#endif
