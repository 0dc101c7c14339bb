#define _GNU_SOURCE
#include "capture_stderr.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static _Thread_local void (*take)(void *, const char *, size_t);
static _Thread_local void *taker;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *filter, *original;
static int users;

static ssize_t pass(void *cookie, const char *text, size_t size) {
    (void)cookie;
    if (take) {
        take(taker, text, size);
        return (ssize_t)size;
    }
    ssize_t written;
    while ((written = write(STDERR_FILENO, text, size)) < 0 && errno == EINTR) continue;
    return written;
}

void isobath_capture_stderr_begin(void (*function)(void *, const char *, size_t), void *context) {
    pthread_mutex_lock(&lock);
    // Never closed: another thread may hold it. The variable `stderr` may be set (GNU C library, "Standard Streams").
    if (!filter) {
        filter = fopencookie(NULL, "w", (cookie_io_functions_t){.write = pass});
        if (filter) setvbuf(filter, NULL, _IONBF, 0);
    }
    if (users++ == 0 && filter) {
        original = stderr;
        stderr = filter;
    }
    pthread_mutex_unlock(&lock);
    take = function;
    taker = context;
}

void isobath_capture_stderr_end(void) {
    take = NULL;
    pthread_mutex_lock(&lock);
    if (--users == 0 && filter) stderr = original;
    pthread_mutex_unlock(&lock);
}
