#include "CSystemShims.h"

#include <pthread.h>

// One lock for all threads. A call of the library holds it twice, each time only to change a counter.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t registration = PTHREAD_ONCE_INIT;
static unsigned calls;
static unsigned forks;
static int is_child;

static void before_fork(void) {
    pthread_mutex_lock(&lock);
    forks++;
    while (calls > 0) pthread_cond_wait(&changed, &lock);
}

static void after_fork_in_parent(void) {
    forks--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void) {
    // Threads that waited do not exist here.
    pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    changed = fresh;
    forks = 0;
    is_child = 1;
    pthread_mutex_unlock(&lock);
}

// If registration fails for lack of memory, fork does not wait for calls.
static void register_handlers(void) { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

int isobath_begin_call(void) {
    pthread_once(&registration, register_handlers);
    pthread_mutex_lock(&lock);
    while (forks > 0) pthread_cond_wait(&changed, &lock);
    calls++;
    int result = is_child;
    pthread_mutex_unlock(&lock);
    return result;
}

void isobath_end_call(void) {
    pthread_mutex_lock(&lock);
    if (--calls == 0 && forks > 0) pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
