// Outputs that are not complete have hidden names, `.isobath-PID-N`. The process that makes one holds a shared lock on it, which
// ends with the process, so that others can distinguish it from what a killed process left.
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".isobath-"

// Everything down to `isobath_lock_hidden` may run in a signal handler: no memory is allocated.

enum { MOST_FOLDERS = 64, MOST_PROCESSES = 256, LONGEST_PATH = 4096, DEEPEST = 128, TURNS = 100 };

static struct {
    atomic_int uses;
    char path[LONGEST_PATH];
} folders[MOST_FOLDERS];

static atomic_int processes[MOST_PROCESSES];

struct entry {
    unsigned long long number, offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

// Calls `body` with the name of each entry of an open folder.
static void for_each(int folder, void (*body)(int folder, const char *name, int value), int value) {
    _Alignas(struct entry) char buffer[1024];
    for (long count; (count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
        for (long place = 0; place < count;) {
            const struct entry *entry = (const struct entry *)(buffer + place);
            place += entry->size;
            if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0) body(folder, entry->name, value);
        }
}

static int remove_tree(int parent, const char *name, int depth);

static void remove_below(int folder, const char *name, int depth) { (void)remove_tree(folder, name, depth); }

static int remove_tree(int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
    if ((errno != EISDIR && errno != EPERM) || depth == 0) return -1;
    // Other threads may still add files.
    for (int turn = 0; turn < TURNS; turn++) {
        int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) return errno == ENOENT ? 0 : -1;
        for_each(folder, remove_below, depth - 1);
        close(folder);
        if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
        if (errno != ENOTEMPTY && errno != EEXIST) return -1;
    }
    return -1;
}

int isobath_remove_tree(const char *path) { return remove_tree(AT_FDCWD, path, DEEPEST); }

// The process in a hidden name; -1 for any other name.
static long process_of(const char *name) {
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0) return -1;
    const char *digits = name + sizeof PREFIX - 1;
    long process = 0;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 10 || digits[count] != '-') return -1;
    const char *number = digits + count + 1;
    size_t rest = strspn(number, "0123456789");
    if (rest == 0 || number[rest] != 0) return -1;
    for (size_t index = 0; index < count; index++) process = process * 10 + (digits[index] - '0');
    return process > 0 ? process : -1;
}

// Removes a hidden entry of this process, or one that no process has locked.
static void remove_hidden(int folder, const char *name, int own) {
    long process = process_of(name);
    if (process < 0) return;
    if (process == own) return (void)remove_tree(folder, name, DEEPEST);
    // Network file systems lock only files that are open for writing.
    int entry = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (entry < 0) entry = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (entry < 0) return;
    if (flock(entry, LOCK_EX | LOCK_NB) == 0) (void)remove_tree(folder, name, DEEPEST);
    close(entry);
}

static void remove_all_hidden(const char *path, int own) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    for_each(folder, remove_hidden, own);
    close(folder);
}

void isobath_remove_leftovers(const char *folder) { remove_all_hidden(folder, 0); }

static void end_processes(void) {
    const struct timespec moment = {.tv_nsec = 2000000};
    for (int index = 0; index < MOST_PROCESSES; index++)
        if (processes[index] > 0) kill(processes[index], SIGKILL);
    // For at most two seconds each: one may wait for a disk.
    for (int index = 0; index < MOST_PROCESSES; index++)
        for (int turn = 0; turn < 1000 && processes[index] > 0; turn++) {
            if (waitpid(processes[index], NULL, WNOHANG) != 0) break;
            nanosleep(&moment, NULL);
        }
}

void isobath_end_by_signal(int number) {
    end_processes();
    for (int index = 0; index < MOST_FOLDERS; index++)
        if (folders[index].uses > 0) remove_all_hidden(folders[index].path, (int)getpid());
    signal(number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
}

int isobath_lock_hidden(int descriptor, const char *path) {
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK ? -1 : 0;
    // Another process may have removed it before it was locked.
    struct stat status;
    return path && lstat(path, &status) != 0 && errno == ENOENT ? -1 : 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int isobath_watch_folder(const char *path) {
    if (strlen(path) >= LONGEST_PATH) return -1;
    pthread_mutex_lock(&lock);
    int index = 0, unused = -1;
    for (; index < MOST_FOLDERS; index++) {
        if (folders[index].uses == 0) {
            if (unused < 0) unused = index;
        } else if (strcmp(folders[index].path, path) == 0) {
            break;
        }
    }
    if (index == MOST_FOLDERS && (index = unused) >= 0) strcpy(folders[index].path, path);
    if (index >= 0) folders[index].uses++;
    pthread_mutex_unlock(&lock);
    return index;
}

void isobath_unwatch_folder(int index) {
    if (index >= 0) folders[index].uses--;
}

void isobath_watch_process(int process) {
    for (int index = 0; index < MOST_PROCESSES; index++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&processes[index], &none, process)) return;
    }
}

void isobath_unwatch_process(int process) {
    for (int index = 0; index < MOST_PROCESSES; index++) {
        int own = process;
        if (atomic_compare_exchange_strong(&processes[index], &own, 0)) return;
    }
}

void isobath_clean_up_on_signals(void) {
    static const int numbers[] = {
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO, SIGPWR,
        SIGSTKFLT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
    };
    const int count = sizeof numbers / sizeof *numbers;
    struct sigaction handler = {.sa_handler = isobath_end_by_signal}, old;
    sigfillset(&handler.sa_mask);
    for (int index = 0; index < count + SIGRTMAX - SIGRTMIN + 1; index++) {
        int number = index < count ? numbers[index] : SIGRTMIN + index - count;
        if (sigaction(number, NULL, &old) != 0) continue;
        // Swift's runtime treats SIGQUIT as a crash, and continues after its report.
        int is_default = old.sa_flags & SA_SIGINFO ? number == SIGQUIT : old.sa_handler == SIG_DFL;
        // Signals that are ignored, as under `nohup`, stay ignored.
        if (is_default) sigaction(number, &handler, NULL);
    }
}
