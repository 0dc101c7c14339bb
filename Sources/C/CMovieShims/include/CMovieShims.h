// Reads and writes movies with FFmpeg's libraries, which are loaded on the first use, and converts pixels with libyuv.
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
    // Rec. 709 instead of Rec. 601; 0…255 instead of 16…235.
    int is_709, is_full_range;
};

// Converts to 8-bit red, green and blue, with tightly packed rows. Returns 0.
int isobath_yuv_to_rgb(const struct isobath_yuv *yuv, uint8_t *rgb);

// Converts the luma of 8-bit YUV to 0…255, with tightly packed rows.
void isobath_yuv_to_luma(const struct isobath_yuv *yuv, uint8_t *luma);

// Converts to Rec. 601, 16…235, with planes of tightly packed rows: Y, U and V at half the size, rounded up.
int isobath_rgb_to_yuv420(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *u, uint8_t *v);

// The same with interleaved U and V. `scratch` must be large enough for both.
int isobath_rgb_to_nv12(const uint8_t *rgb, int width, int height, uint8_t *y, uint8_t *uv, uint8_t *scratch);

// Loads the libraries. Returns 0, or -1 and a message.
int isobath_movies_load(char message[ISOBATH_MOVIE_MESSAGE]);

// The version of FFmpeg; NULL if it cannot be loaded.
const char *isobath_movies_version(void);

// The tracks that are decoded. Mattes are the last ones.
enum { ISOBATH_MATTES = 3 };
enum {
    ISOBATH_TRACK_COLOR,
    ISOBATH_TRACK_GRAY16,
    ISOBATH_TRACK_RIGHT,
    ISOBATH_TRACK_MATTE,
    ISOBATH_TRACKS = ISOBATH_TRACK_MATTE + ISOBATH_MATTES
};

struct isobath_track {
    int is_present;
    int width, height;
    // Frames per second; 0 if unknown.
    double rate;
    // The number of frames; 0 if unknown.
    int64_t frames;
    // The number of packets that the file lists, and the seconds from 0 to the end of the last, as declared by
    // Matroska; 0 if unknown.
    int64_t packets;
    double seconds;
    // Clockwise quarter turns that make the picture upright.
    int turns;
    char codec[32];
};

struct isobath_movie_info {
    struct isobath_track tracks[ISOBATH_TRACKS];
    char format[64];
    // Seconds; 0 if unknown.
    double seconds;
    // The value of the tag `ISOBATH_DEPTH`, which Isobath writes to describe depth; empty if missing.
    char depth_tag[128];
    // The file's comment; empty if missing or too long.
    char comment[1024];
    int is_azure_kinect;
    int has_sound;
};

enum { ISOBATH_CODES = 2 };

// A four-character code at an offset in the file; unused at offset 0.
struct isobath_code {
    int64_t offset;
    char text[4];
};

// What FFmpeg does not find by itself. Numbers of tracks are those in the file; 0 for none.
struct isobath_movie_request {
    // Codes that replace those in the file, so that FFmpeg decodes a track of an unknown kind.
    struct isobath_code codes[ISOBATH_CODES];
    // The track of 16-bit gray, whatever its depth is.
    int depth_track;
    // The track of the right eye.
    int right_track;
    // Whether a second layer of the color track is the other eye.
    int is_layered;
    // Tracks of 8-bit gray.
    int matte_tracks[ISOBATH_MATTES];
};

struct isobath_movie;

// Opens the movie behind a seekable descriptor, which stays open. `NULL` and a message on failure. Of the tracks in
// `auxiliary`, only those that are requested are read: FFmpeg does not distinguish them from pictures.
struct isobath_movie *isobath_movie_open(int descriptor, int64_t most_pixels, int threads,
                                         const struct isobath_movie_request *request, const int *auxiliary,
                                         int auxiliary_count, struct isobath_movie_info *info,
                                         char message[ISOBATH_MOVIE_MESSAGE]);
// Reads the movie to its end without decoding. Returns the number of frames of a track, and sets `times` to the stored
// time of each frame in decoding order, nan for frames without a time: `frames` numbers for the caller to free, or `NULL`
// if memory runs out. Afterwards nothing can be decoded.
void isobath_movie_scan(struct isobath_movie *movie, int track, int64_t *frames, double **times);
// Advances to the next frame of a track. Returns 1 and the frame's time, or 0 at the end.
int isobath_movie_advance(struct isobath_movie *movie, int track, double *seconds);
// The same without advancing.
int isobath_movie_peek(struct isobath_movie *movie, int track, double *seconds);

// The state of a movie that was read to its end.
struct isobath_ending {
    // The number of packets of the track.
    int64_t packets;
    // The stored time of the track's last packet, in seconds; negative if unknown.
    double last;
    // Packets and frames of all tracks that could not be decoded, or not completely.
    int damaged;
    // Why reading failed before the end; empty on success.
    char failure[ISOBATH_MOVIE_MESSAGE];
};

void isobath_movie_ending(const struct isobath_movie *movie, int track, struct isobath_ending *ending);
// Copies the current frame of a track: three bytes per pixel for color, two for gray, and one for a matte, 0…255 whatever
// the range of its codes. Returns 0, or -1 if the frame's size differs from the track's.
int isobath_movie_color(struct isobath_movie *movie, int track, uint8_t *rgb);
int isobath_movie_gray16(struct isobath_movie *movie, uint16_t *samples);
int isobath_movie_matte(struct isobath_movie *movie, int track, uint8_t *coverage);
// Returns the bytes of an attached file, valid until the movie is closed, and their number; 0 if no attached file has
// this name.
size_t isobath_movie_attachment(const struct isobath_movie *movie, const char *name, const uint8_t **bytes);
void isobath_movie_close(struct isobath_movie *movie);

struct isobath_movie_settings {
    // FFmpeg's names of a muxer, and of encoders, separated by commas. The first available encoder is used.
    const char *format;
    const char *encoders;
    int width, height;
    // Whether frames are 16-bit gray instead of red, green and blue.
    int is_gray16;
    // The quality of lossy encoders on the encoder's scale; negative for its default.
    int quality;
    // How many threads encode. The output depends on it.
    int threads;
    double rate;
    // The value of the tag `ISOBATH_DEPTH`; `NULL` for none.
    const char *depth_tag;
    // A movie whose sound is copied, behind a descriptor (-1 for none) or in memory. Both must stay valid as long as
    // the writer.
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
// Whether sound is copied. `detail` is the codec that the format does not support, or why the sound cannot be read.
enum { ISOBATH_SOUND_NONE, ISOBATH_SOUND_COPIED, ISOBATH_SOUND_REFUSED, ISOBATH_SOUND_UNREADABLE };
int isobath_movie_sound(const struct isobath_movie_writer *writer, char detail[ISOBATH_MOVIE_MESSAGE]);
// Adds a frame, `seconds` after the first one. Returns 0, or -1 and a message.
int isobath_movie_write(struct isobath_movie_writer *writer, const void *pixels, double seconds,
                        char message[ISOBATH_MOVIE_MESSAGE]);
// Completes the movie. Returns 0, or -1 and a message.
int isobath_movie_finish(struct isobath_movie_writer *writer, char message[ISOBATH_MOVIE_MESSAGE]);
void isobath_movie_discard(struct isobath_movie_writer *writer);

#endif
