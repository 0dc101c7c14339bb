// FFmpeg is loaded when it is first needed, not at launch: loading it and the libraries that it depends on takes longer
// than most runs in total. It is never linked, because Debian's builds include encoders under the GPL.
#define _GNU_SOURCE
#include "libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct libraries ff;

static char problem[ISOBATH_MOVIE_MESSAGE] =
    "movies need the libraries of FFmpeg 5 to 9, and none of these can be loaded here; on Debian and Ubuntu, "
    "'apt install ffmpeg' brings them";

static void *open_library(const char *name, int major) {
    char file[64];
    snprintf(file, sizeof file, "lib%s.so.%d", name, major);
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

// Nothing is printed, so that no variable of the environment decides how.
static void print_nothing(void *context, int level, const char *format, va_list arguments) {
    (void)context, (void)level, (void)format, (void)arguments;
}

// Returns the name of a function that a library lacks; NULL if all are found.
static const char *find_functions(void *avutil, void *avcodec, void *avformat, void *swscale) {
#define FIND(library, name) \
    if (!(*(void **)&ff.name = dlsym(library, #name))) return #name;
#define FIND_AVUTIL(type, name, arguments) FIND(avutil, name)
#define FIND_AVCODEC(type, name, arguments) FIND(avcodec, name)
#define FIND_AVFORMAT(type, name, arguments) FIND(avformat, name)
#define FIND_SWSCALE(type, name, arguments) FIND(swscale, name)
    AVUTIL_FUNCTIONS(FIND_AVUTIL)
    AVCODEC_FUNCTIONS(FIND_AVCODEC)
    AVFORMAT_FUNCTIONS(FIND_AVFORMAT)
    SWSCALE_FUNCTIONS(FIND_SWSCALE)
    if (layout->avcodec >= 61) {
        FIND(avcodec, av_packet_side_data_get)
    } else {
        FIND(avformat, av_stream_get_side_data)
    }
    return NULL;
}

// Loads the libraries of one version. Returns 0 if one of them is missing.
static int load_version(const struct layout *version) {
    const struct { const char *name; int major; } libraries[4] = {
        {"avutil", version->avutil}, {"avcodec", version->avcodec}, {"avformat", version->avformat}, {"swscale", version->swscale},
    };
    void *loaded[4] = {NULL};
    int count = 0;
    while (count < 4 && (loaded[count] = open_library(libraries[count].name, libraries[count].major))) count++;
    if (count < 4) {
        while (count > 0) dlclose(loaded[--count]);
        return 0;
    }
    layout = version;
    const char *missing = find_functions(loaded[0], loaded[1], loaded[2], loaded[3]);
    *problem = 0;
    if (missing) {
        snprintf(problem, sizeof problem, "FFmpeg's libraries lack the function %s", missing);
    } else if (isobath_layout_check() != 0) {
        snprintf(problem, sizeof problem,
                 "FFmpeg %s lays out its structures in a way that this program does not know", ff.av_version_info());
    } else {
        ff.av_log_set_level(AV_LOG_QUIET);
        ff.av_log_set_callback(print_nothing);
    }
    return 1;
}

static void load(void) {
    for (int index = 0; index < LAYOUTS; index++)
        if (load_version(&layouts[index])) return;
}

int isobath_movies_load(char message[ISOBATH_MOVIE_MESSAGE]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!*problem) return 0;
    snprintf(message, ISOBATH_MOVIE_MESSAGE, "%s", problem);
    return -1;
}

const char *isobath_movies_version(void) {
    char message[ISOBATH_MOVIE_MESSAGE];
    return isobath_movies_load(message) == 0 ? ff.av_version_info() : NULL;
}

int isobath_movies_decode_layers(void) { return ff.avcodec_version() >= (61 << 16 | 19 << 8 | 100); }

int isobath_movie_fail(char *message, const char *what, int code) {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    if (code != 0) ff.av_strerror(code, text, sizeof text);
    snprintf(message, ISOBATH_MOVIE_MESSAGE, "%s%s%s", what, *text ? ": " : "", text);
    return -1;
}
