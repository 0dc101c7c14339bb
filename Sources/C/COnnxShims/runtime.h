// The used part of ONNX Runtime's C interface.
//
// `OrtApi` (onnxruntime_c_api.h) is a table of function pointers that only grows at its end. The runtime's build
// asserts that the 102 functions of version 1 keep their indices. All functions here except the last are among them;
// the last has had its index since version 1.6. So no header of a release is needed: each function is listed here with
// its index in the table, its result and its arguments. Pointers to the runtime's objects are opaque.
#ifndef ISOBATH_ONNX_RUNTIME_H
#define ISOBATH_ONNX_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtMemoryInfo;
struct OrtValue;
struct OrtTensorTypeAndShapeInfo;
struct OrtRunOptions;
typedef struct OrtStatus *status_t;
typedef void (*logger_t)(void *, int, const char *, const char *, const char *, const char *);

// clang-format off
#define RUNTIME_FUNCTIONS(each) \
    each(2, const char *, GetErrorMessage, const struct OrtStatus *) \
    each(4, status_t, CreateEnvWithCustomLogger, logger_t, void *, int, const char *, struct OrtEnv **) \
    each(6, status_t, DisableTelemetryEvents, const struct OrtEnv *) \
    each(8, status_t, CreateSessionFromArray, const struct OrtEnv *, const void *, size_t, \
         const struct OrtSessionOptions *, struct OrtSession **) \
    each(9, status_t, Run, struct OrtSession *, const struct OrtRunOptions *, const char *const *, const struct OrtValue *const *, size_t, \
         const char *const *, size_t, struct OrtValue **) \
    each(10, status_t, CreateSessionOptions, struct OrtSessionOptions **) \
    each(17, status_t, DisableMemPattern, struct OrtSessionOptions *) \
    each(19, status_t, DisableCpuMemArena, struct OrtSessionOptions *) \
    each(22, status_t, SetSessionLogSeverityLevel, struct OrtSessionOptions *, int) \
    each(24, status_t, SetIntraOpNumThreads, struct OrtSessionOptions *, int) \
    each(25, status_t, SetInterOpNumThreads, struct OrtSessionOptions *, int) \
    each(39, status_t, CreateRunOptions, struct OrtRunOptions **) \
    each(46, status_t, RunOptionsSetTerminate, struct OrtRunOptions *) \
    each(49, status_t, CreateTensorWithDataAsOrtValue, const struct OrtMemoryInfo *, void *, size_t, const int64_t *, size_t, \
         int, struct OrtValue **) \
    each(50, status_t, IsTensor, const struct OrtValue *, int *) \
    each(51, status_t, GetTensorMutableData, struct OrtValue *, void **) \
    each(60, status_t, GetTensorElementType, const struct OrtTensorTypeAndShapeInfo *, int *) \
    each(61, status_t, GetDimensionsCount, const struct OrtTensorTypeAndShapeInfo *, size_t *) \
    each(62, status_t, GetDimensions, const struct OrtTensorTypeAndShapeInfo *, int64_t *, size_t) \
    each(65, status_t, GetTensorTypeAndShape, const struct OrtValue *, struct OrtTensorTypeAndShapeInfo **) \
    each(69, status_t, CreateCpuMemoryInfo, int, int, struct OrtMemoryInfo **) \
    each(93, void, ReleaseStatus, struct OrtStatus *) \
    each(95, void, ReleaseSession, struct OrtSession *) \
    each(96, void, ReleaseValue, struct OrtValue *) \
    each(97, void, ReleaseRunOptions, struct OrtRunOptions *) \
    each(99, void, ReleaseTensorTypeAndShapeInfo, struct OrtTensorTypeAndShapeInfo *) \
    each(100, void, ReleaseSessionOptions, struct OrtSessionOptions *) \
    each(130, status_t, AddSessionConfigEntry, struct OrtSessionOptions *, const char *, const char *)
// clang-format on

#define RUNTIME_FIELD(place, result, name, ...) result (*name)(__VA_ARGS__);
struct runtime {
    RUNTIME_FUNCTIONS(RUNTIME_FIELD)
    // One for the process, and never released.
    struct OrtEnv *environment;
    struct OrtMemoryInfo *memory;
};
#undef RUNTIME_FIELD

// Filled in by isobath_onnx_load.
extern struct runtime ort;

// The result of OrtGetApiBase.
struct OrtApiBase {
    const void *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
};

enum { ORT_LOG_FATAL = 4, ORT_DEVICE_ALLOCATOR = 0, ORT_MEMORY_DEFAULT = 0 };

// Writes `what` and the message of a status on one line, and releases the status. Returns -1.
int isobath_onnx_fail(char *message, const char *what, status_t status);

#endif
