#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// One launch at a time, handed to the launching thread and back.
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct isobath_launch *request;
    int is_running;
    int is_done;
    int code;
    pid_t process;
} launcher = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int spawn(const struct isobath_launch *request, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    for (int place = 0; code == 0 && place < ISOBATH_LAUNCH_DESCRIPTORS; place++) {
        int source = request->descriptors[place];
        code = source < 0 ? posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
                          : posix_spawn_file_actions_adddup2(&actions, source, place);
    }
    if (code == 0)
        code = posix_spawn(process, request->program, &actions, NULL, (char **)request->arguments,
                           (char **)request->environment);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static void *launch(void *unused) {
    (void)unused;
    pthread_mutex_lock(&launcher.lock);
    for (;;) {
        while (launcher.request == NULL || launcher.is_done) pthread_cond_wait(&launcher.changed, &launcher.lock);
        launcher.code = spawn(launcher.request, &launcher.process);
        launcher.is_done = 1;
        pthread_cond_broadcast(&launcher.changed);
    }
    return NULL;
}

static int start_launcher(void) {
    pthread_t thread;
    if (launcher.is_running) return 0;
    int code = pthread_create(&thread, NULL, launch, NULL);
    if (code == 0) {
        pthread_detach(thread);
        launcher.is_running = 1;
    }
    return code;
}

int isobath_launch(const struct isobath_launch *request, int *process) {
    pthread_mutex_lock(&launcher.lock);
    int code = start_launcher();
    if (code == 0) {
        while (launcher.request != NULL) pthread_cond_wait(&launcher.changed, &launcher.lock);
        launcher.request = request;
        launcher.is_done = 0;
        pthread_cond_broadcast(&launcher.changed);
        while (!launcher.is_done) pthread_cond_wait(&launcher.changed, &launcher.lock);
        code = launcher.code;
        *process = launcher.process;
        launcher.request = NULL;
        launcher.is_done = 0;
        pthread_cond_broadcast(&launcher.changed);
    }
    pthread_mutex_unlock(&launcher.lock);
    return code;
}

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

int isobath_sealed_file(const void *bytes, unsigned long count) {
    int file = memfd_create("isobath-request", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    for (unsigned long done = 0; done < count;) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            close(file);
            return -1;
        }
        done += written;
    }
    if (fcntl(file, F_ADD_SEALS, SEALS) == 0) return file;
    close(file);
    return -1;
}

int isobath_is_sealed(int file) { return fcntl(file, F_GET_SEALS) == SEALS; }

int isobath_end_with_parent(int parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
    // It may have ended before.
    if (getppid() != parent) {
        errno = ESRCH;
        return -1;
    }
    return 0;
}

int isobath_close_others(int first) {
#ifdef SYS_close_range
    return (int)syscall(SYS_close_range, first, ~0U, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}
