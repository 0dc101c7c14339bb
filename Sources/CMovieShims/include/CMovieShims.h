// Movies through FFmpeg's libraries, which are loaded when the first movie is named, and pixels through libyuv.
#ifndef ISOBATH_CMOVIESHIMS_H
#define ISOBATH_CMOVIESHIMS_H

#include <stddef.h>
#include <stdint.h>

enum { ISOBATH_MOVIE_MESSAGE = 256 };

// Layouts of YUV planes.
enum { ISOBATH_YUV420, ISOBATH_YUV422, ISOBATH_YUV444, ISOBATH_NV12, ISOBATH_GRAY };

struct isobath_yuv {
    const uint8_t *planes[3];
    int strides[3];
    int layout;
    int width, height;
    // Rec. 709 and not Rec. 601; 0…255 and not 16…235.
    int is_709, is_full_range;
};

// Converts to red, green and blue, a byte each, rows tightly packed. Returns 0.
int isobath_yuv_to_rgb(const struct isobath_yuv *yuv, uint8_t *rgb);

// Converts to Rec. 601, 16…235, with planes of tightly packed rows: Y, U and V at half the size, rounded up.
int isobath_rgb_to_yuv420(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *u, uint8_t *v);

// The same with U and V in turns. `scratch` has room for both.
int isobath_rgb_to_nv12(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *uv, uint8_t *scratch);

// Loads the libraries. Returns 0, or -1 and why not.
int isobath_movies_load(char message[ISOBATH_MOVIE_MESSAGE]);

// The tracks that are decoded.
enum { ISOBATH_TRACK_COLOR, ISOBATH_TRACK_GRAY16, ISOBATH_TRACKS };

struct isobath_track {
    int is_present;
    int width, height;
    // Frames a second; 0 where the file does not say.
    double rate;
    // 0 where the file does not say.
    int64_t frames;
    // How many packets the file lists, and seconds from 0 to the end of the last, as Matroska declares it; 0 where it does not say.
    int64_t packets;
    double seconds;
    // Quarter turns clockwise that bring the picture upright.
    int turns;
    char codec[32];
};

struct isobath_movie_info {
    struct isobath_track tracks[ISOBATH_TRACKS];
    char format[64];
    // Seconds; 0 where the file does not say.
    double seconds;
    // What the file says of its depth, `ISOBATH_DEPTH` of our own or empty.
    char depth_tag[128];
    // What the file says of itself; empty where it says nothing, or more than this.
    char comment[1024];
    int is_azure_kinect;
    int has_sound;
};

struct isobath_movie;

// Opens a movie behind a descriptor that can be read anywhere, and stays open. `NULL`, and why not, where that fails.
struct isobath_movie *isobath_movie_open(int descriptor, int64_t most_pixels, int threads, struct isobath_movie_info *info,
                                         char message[ISOBATH_MOVIE_MESSAGE]);
// Reads the movie to its end without decoding anything: how many frames a track has, and how many seconds lie between the first
// and the last. `times`, unless it is `NULL`, becomes the time of each frame as stored, in the order of decoding, nan where it has
// none: `frames` numbers, to be freed, or `NULL` without memory for them. Nothing can be decoded any more.
void isobath_movie_scan(struct isobath_movie *movie, int track, int64_t *frames, double *seconds, double **times);
// Goes to the next frame of a track: 1, and its time; 0 at the end.
int isobath_movie_advance(struct isobath_movie *movie, int track, double *seconds);
// The same without going there.
int isobath_movie_peek(struct isobath_movie *movie, int track, double *seconds);

// What was read of a movie at its end.
struct isobath_ending {
    // Of a track.
    int64_t packets;
    // The time of its last packet, in seconds as the file has them; negative where there is none.
    double last;
    // Packets and frames of all tracks that could not be decoded, or not completely.
    int damaged;
    // Why reading failed before the end; empty where it did not.
    char failure[ISOBATH_MOVIE_MESSAGE];
};

void isobath_movie_ending(const struct isobath_movie *movie, int track, struct isobath_ending *ending);
// Writes the frame that a track is at: three bytes for each pixel, or two. Returns 0, or -1 where the frame has another size.
int isobath_movie_color(struct isobath_movie *movie, uint8_t *rgb);
int isobath_movie_gray16(struct isobath_movie *movie, uint16_t *samples);
// The bytes of an attached file, which are good until the movie is closed, and their number; 0 where there is none of this name.
size_t isobath_movie_attachment(const struct isobath_movie *movie, const char *name, const uint8_t **bytes);
void isobath_movie_close(struct isobath_movie *movie);

struct isobath_movie_settings {
    // The names of FFmpeg: a muxer, and encoders of which the first that exists is taken, separated by commas.
    const char *format;
    const char *encoders;
    int width, height;
    // Whether frames are 16-bit gray and not red, green and blue.
    int is_gray16;
    // The quality of lossy encoders in their own scale; negative for none.
    int quality;
    double rate;
    // What the file says of its depth; `NULL` for nothing.
    const char *depth_tag;
    // What the file says of itself; `NULL` or empty for nothing.
    const char *comment;
    // A movie whose sound is copied, behind a descriptor (-1 for none) or in memory, which must last as long as the writer.
    int sound;
    const uint8_t *sound_bytes;
    size_t sound_size;
    // The time of the sound at the first frame, in seconds.
    double sound_start;
};

struct isobath_movie_writer;

// Writes a movie to a seekable descriptor, which stays open.
struct isobath_movie_writer *isobath_movie_create(int descriptor, const struct isobath_movie_settings *settings,
                                                  char message[ISOBATH_MOVIE_MESSAGE]);
// Whether sound is copied. `detail` is the codec that the format does not take, or why the sound cannot be read.
enum { ISOBATH_SOUND_NONE, ISOBATH_SOUND_COPIED, ISOBATH_SOUND_REFUSED, ISOBATH_SOUND_UNREADABLE };
int isobath_movie_sound(const struct isobath_movie_writer *writer, char detail[ISOBATH_MOVIE_MESSAGE]);
// Adds a frame, `seconds` from the first one on. 0, or -1 and why not.
int isobath_movie_write(struct isobath_movie_writer *writer, const void *pixels, double seconds,
                        char message[ISOBATH_MOVIE_MESSAGE]);
// Completes the movie. 0, or -1 and why not.
int isobath_movie_finish(struct isobath_movie_writer *writer, char message[ISOBATH_MOVIE_MESSAGE]);
void isobath_movie_discard(struct isobath_movie_writer *writer);

#endif
