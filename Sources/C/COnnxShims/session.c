// A model that is ready to run, and its results.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "COnnxShims.h"
#include "runtime.h"

struct isobath_onnx_session {
    struct OrtSession *session;
};

struct isobath_onnx_results {
    int count;
    struct OrtValue *values[];
};

static status_t configure(struct OrtSessionOptions *options, int threads) {
    status_t status = ort.SetSessionLogSeverityLevel(options, ORT_LOG_FATAL);
    // Without the arena and memory patterns, a network of 4.6 MB uses 311 MB instead of 508, in the same time.
    if (!status) status = ort.DisableCpuMemArena(options);
    if (!status) status = ort.DisableMemPattern(options);
    if (!status) status = ort.SetIntraOpNumThreads(options, threads);
    if (!status) status = ort.SetInterOpNumThreads(options, 1);
    // Always use the ONNX parser: a model could declare to be in the runtime's internal format, which has a different
    // parser.
    if (!status) status = ort.AddSessionConfigEntry(options, "session.load_model_format", "ONNX");
    // Idle threads sleep, because other inputs need the cores.
    if (!status) status = ort.AddSessionConfigEntry(options, "session.intra_op.allow_spinning", "0");
    return status;
}

struct isobath_onnx_session *isobath_onnx_open(const void *model, size_t size, int threads,
                                               char message[ISOBATH_ONNX_MESSAGE]) {
    struct isobath_onnx_session *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, "there is not enough memory for the network");
        return NULL;
    }
    struct OrtSessionOptions *options = NULL;
    status_t status = ort.CreateSessionOptions(&options);
    if (!status) status = configure(options, threads);
    if (!status) status = ort.CreateSessionFromArray(ort.environment, model, size, options, &made->session);
    if (options) ort.ReleaseSessionOptions(options);
    if (!status) return made;
    isobath_onnx_fail(message, "ONNX Runtime cannot use this model", status);
    free(made);
    return NULL;
}

void isobath_onnx_close(struct isobath_onnx_session *session) {
    if (!session) return;
    ort.ReleaseSession(session->session);
    free(session);
}

// Stops a run that takes too long.
struct watchdog {
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct timespec deadline;
    struct OrtRunOptions *options;
    int is_done;
    int is_late;
};

static void *watch(void *argument) {
    struct watchdog *dog = argument;
    pthread_mutex_lock(&dog->lock);
    int error = 0;
    while (!dog->is_done && error != ETIMEDOUT) error = pthread_cond_timedwait(&dog->change, &dog->lock, &dog->deadline);
    if (!dog->is_done) {
        dog->is_late = 1;
        status_t status = ort.RunOptionsSetTerminate(dog->options);
        if (status) ort.ReleaseStatus(status);
    }
    pthread_mutex_unlock(&dog->lock);
    return NULL;
}

static status_t run(struct OrtSession *session, const char *const *names, struct OrtValue *const *tensors, size_t input_count,
                    const char *const *outputs, struct isobath_onnx_results *results, int seconds, int *is_late) {
    struct watchdog dog = {0};
    status_t status = ort.CreateRunOptions(&dog.options);
    if (status) return status;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&dog.lock, NULL);
    pthread_cond_init(&dog.change, &clock);
    pthread_condattr_destroy(&clock);
    clock_gettime(CLOCK_MONOTONIC, &dog.deadline);
    dog.deadline.tv_sec += seconds;
    pthread_t thread;
    int is_watched = pthread_create(&thread, NULL, watch, &dog) == 0;
    const struct OrtValue *inputs[] = {tensors[0], tensors[1]};
    status = ort.Run(session, dog.options, names, inputs, input_count, outputs, (size_t)results->count, results->values);
    pthread_mutex_lock(&dog.lock);
    dog.is_done = 1;
    pthread_cond_signal(&dog.change);
    pthread_mutex_unlock(&dog.lock);
    if (is_watched) pthread_join(thread, NULL);
    // A run that completed anyway was not too late.
    *is_late = status && dog.is_late;
    pthread_cond_destroy(&dog.change);
    pthread_mutex_destroy(&dog.lock);
    ort.ReleaseRunOptions(dog.options);
    return status;
}

struct isobath_onnx_results *isobath_onnx_run(struct isobath_onnx_session *session, const char *input,
                                              const float *values, const int64_t *shape, int rank,
                                              const char *count_name, int64_t count,
                                              const char *const *outputs, int output_count,
                                              int seconds, int *is_late, char message[ISOBATH_ONNX_MESSAGE]) {
    size_t size = sizeof *values;
    for (int index = 0; index < rank; index++) size *= (size_t)shape[index];
    struct isobath_onnx_results *results =
        calloc(1, sizeof *results + (size_t)output_count * sizeof *results->values);
    if (!results) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, "there is not enough memory for the network");
        return NULL;
    }
    results->count = output_count;
    struct OrtValue *tensors[2] = {0};
    const char *names[] = {input, count_name};
    size_t input_count = *count_name ? 2 : 1;
    status_t status = ort.CreateTensorWithDataAsOrtValue(ort.memory, (void *)values, size, shape, (size_t)rank,
                                                         ISOBATH_ONNX_FLOAT, &tensors[0]);
    if (!status && *count_name) {
        status = ort.CreateTensorWithDataAsOrtValue(ort.memory, &count, sizeof count, NULL, 0, ISOBATH_ONNX_INT64,
                                                    &tensors[1]);
    }
    if (!status) status = run(session->session, names, tensors, input_count, outputs, results, seconds, is_late);
    for (int index = 0; index < 2; index++) {
        if (tensors[index]) ort.ReleaseValue(tensors[index]);
    }
    if (!status) return results;
    isobath_onnx_fail(message, "the network failed", status);
    isobath_onnx_free(results);
    return NULL;
}

static status_t describe(struct OrtValue *value, struct isobath_onnx_tensor *tensor, size_t *rank) {
    struct OrtTensorTypeAndShapeInfo *info = NULL;
    status_t status = ort.GetTensorTypeAndShape(value, &info);
    if (!status) status = ort.GetTensorElementType(info, &tensor->element);
    if (!status) status = ort.GetDimensionsCount(info, rank);
    if (!status && *rank <= ISOBATH_ONNX_RANK) status = ort.GetDimensions(info, tensor->shape, *rank);
    if (info) ort.ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

int isobath_onnx_output(const struct isobath_onnx_results *results, int index, struct isobath_onnx_tensor *tensor,
                        char message[ISOBATH_ONNX_MESSAGE]) {
    struct OrtValue *value = index >= 0 && index < results->count ? results->values[index] : NULL;
    int is_tensor = 0;
    status_t status = value ? ort.IsTensor(value, &is_tensor) : NULL;
    if (status) return isobath_onnx_fail(message, "an output cannot be read", status);
    if (!is_tensor) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, "an output is not a tensor");
        return -1;
    }
    size_t rank = 0;
    void *data = NULL;
    status = describe(value, tensor, &rank);
    if (!status) status = ort.GetTensorMutableData(value, &data);
    if (status) return isobath_onnx_fail(message, "an output cannot be read", status);
    if (rank > ISOBATH_ONNX_RANK) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, "an output has %zu dimensions", rank);
        return -1;
    }
    tensor->rank = (int)rank;
    tensor->data = data;
    return 0;
}

void isobath_onnx_free(struct isobath_onnx_results *results) {
    if (!results) return;
    for (int index = 0; index < results->count; index++)
        if (results->values[index]) ort.ReleaseValue(results->values[index]);
    free(results);
}
