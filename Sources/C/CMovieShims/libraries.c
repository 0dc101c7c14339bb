// FFmpeg is loaded when it is first needed, not at launch: loading it and the libraries that it depends on takes longer
// than most runs in total. It is never linked, because Debian's builds include encoders under the GPL.
#define _GNU_SOURCE
#include "libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "CMovieShims.h"

struct libraries ff;

static char problem[ISOBATH_MOVIE_MESSAGE];

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

// Parameter structures differ between major versions, so the library must have the major version of the headers.
static void *open_library(const char *name, const char *major) {
    char file[64];
    snprintf(file, sizeof file, "lib%s.so.%s", name, major);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library && !*problem)
        snprintf(problem, sizeof problem,
                 "movies need version %s of FFmpeg's lib%s, with which this program was built, and it cannot be loaded; "
                 "install lib%s%s, or build again with the version that is installed",
                 major, name, name, major);
    return library;
}

// Nothing is printed, so that no variable of the environment decides how.
static void print_nothing(void *context, int level, const char *format, va_list arguments) {
    (void)context, (void)level, (void)format, (void)arguments;
}

static void load(void) {
    void *avutil = open_library("avutil", TEXT(LIBAVUTIL_VERSION_MAJOR));
    void *avcodec = avutil ? open_library("avcodec", TEXT(LIBAVCODEC_VERSION_MAJOR)) : NULL;
    void *avformat = avcodec ? open_library("avformat", TEXT(LIBAVFORMAT_VERSION_MAJOR)) : NULL;
    void *swscale = avformat ? open_library("swscale", TEXT(LIBSWSCALE_VERSION_MAJOR)) : NULL;
    if (!swscale) return;
#define FIND(library, name)                                                                      \
    *(void **)&ff.name = dlsym(library, #name);                                                  \
    if (!ff.name) {                                                                              \
        snprintf(problem, sizeof problem, "FFmpeg's libraries lack the function %s", #name);     \
        return;                                                                                  \
    }
#define FIND_AVUTIL(name) FIND(avutil, name)
#define FIND_AVCODEC(name) FIND(avcodec, name)
#define FIND_AVFORMAT(name) FIND(avformat, name)
#define FIND_SWSCALE(name) FIND(swscale, name)
    AVUTIL_FUNCTIONS(FIND_AVUTIL)
    AVCODEC_FUNCTIONS(FIND_AVCODEC)
    AVFORMAT_FUNCTIONS(FIND_AVFORMAT)
    SWSCALE_FUNCTIONS(FIND_SWSCALE)
    SIDE_DATA_FUNCTIONS(FIND_AVCODEC)
    SIDE_DATA_OF_FORMAT(FIND_AVFORMAT)
    ff.av_log_set_level(AV_LOG_QUIET);
    ff.av_log_set_callback(print_nothing);
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

const char *isobath_movies_packages(void) {
    return "libavformat" TEXT(LIBAVFORMAT_VERSION_MAJOR) " libswscale" TEXT(LIBSWSCALE_VERSION_MAJOR);
}

int isobath_movie_fail(char *message, const char *what, int code) {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    if (code != 0) ff.av_strerror(code, text, sizeof text);
    snprintf(message, ISOBATH_MOVIE_MESSAGE, "%s%s%s", what, *text ? ": " : "", text);
    return -1;
}
