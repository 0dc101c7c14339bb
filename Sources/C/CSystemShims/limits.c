#define _GNU_SOURCE
#include "CSystemShims.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sanitizer.h"

// Sets a limit that the process cannot raise again. The hard one is `after` more.
static int limit(int resource, rlim_t most, rlim_t after) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return -1;
    if (limits.rlim_max == RLIM_INFINITY || most + after < limits.rlim_max) limits.rlim_max = most + after;
    if (most < limits.rlim_cur) limits.rlim_cur = most;
    if (limits.rlim_max < limits.rlim_cur) limits.rlim_cur = limits.rlim_max;
    return setrlimit(resource, &limits);
}

int isobath_is_sanitized(void) { return IS_SANITIZED; }

void isobath_spare_address_space(void) {
    mallopt(M_ARENA_MAX, 4);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, (size_t)1 << 20) == 0) pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

void isobath_return_freed_memory(int least) {
    mallopt(M_MMAP_THRESHOLD, least);
    mallopt(M_TRIM_THRESHOLD, 4 * least);
}

int isobath_limit_address_space(unsigned long long bytes) {
    if (limit(RLIMIT_CORE, 0, 0) != 0) return -1;
#if IS_SANITIZED
    (void)bytes;  // the sanitizer reserves terabytes
    return 0;
#else
    return limit(RLIMIT_AS, bytes, 0);
#endif
}

int isobath_limit_processor_time(unsigned long long seconds) {
    // SIGXCPU at the limit, which a process may ignore, and SIGKILL a second later.
    return limit(RLIMIT_CPU, seconds, 1);
}

double isobath_processor_time(int process) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

int isobath_limit_file_size(unsigned long long bytes) {
    // Writing beyond the limit is then an error of `write` instead of a signal.
    signal(SIGXFSZ, SIG_IGN);
    return limit(RLIMIT_FSIZE, bytes, 0);
}

const char *isobath_signal_name(int number) { return sigabbrev_np(number); }
