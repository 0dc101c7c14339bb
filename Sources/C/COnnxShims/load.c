// ONNX Runtime is loaded when it is first needed: it is not part of Isobath, and loading it takes longer than most
// runs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "COnnxShims.h"
#include "runtime.h"

struct runtime ort;

// The first version of the interface that has all functions, and the highest minor version that is tried in a library's
// name.
enum { INTERFACE = 16, NEWEST_MINOR = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char loaded_version[ISOBATH_ONNX_VERSION];
static char loaded_path[4096];

// Functions return messages in their errors, so the log is dropped.
static void ignore_log(void *parameter, int severity, const char *category, const char *identifier, const char *place,
                       const char *message) {
    (void)parameter, (void)severity, (void)category, (void)identifier, (void)place, (void)message;
}

static void *open_library(const char *path, char *message) {
    if (path) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) snprintf(message, ISOBATH_ONNX_MESSAGE, "ONNX Runtime cannot be loaded: %s", dlerror());
        return library;
    }
    // Microsoft's file name has the major version; Debian's also has the minor version.
    void *library = dlopen("libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL);
    for (int minor = NEWEST_MINOR; !library && minor >= INTERFACE; minor--) {
        char name[40];
        snprintf(name, sizeof name, "libonnxruntime.so.1.%d", minor);
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library)
        snprintf(message, ISOBATH_ONNX_MESSAGE,
                 "networks need ONNX Runtime (libonnxruntime.so.1), which is not installed");
    return library;
}

static int prepare(const void *const *table, char *message) {
#define FILL(place, result, name, ...) *(const void **)&ort.name = table[place];
    RUNTIME_FUNCTIONS(FILL)
#undef FILL
    status_t status = ort.CreateEnvWithCustomLogger(ignore_log, NULL, ORT_LOG_FATAL, "isobath", &ort.environment);
    if (status) return isobath_onnx_fail(message, "ONNX Runtime cannot be started", status);
    status = ort.DisableTelemetryEvents(ort.environment);
    if (!status) status = ort.CreateCpuMemoryInfo(ORT_DEVICE_ALLOCATOR, ORT_MEMORY_DEFAULT, &ort.memory);
    return status ? isobath_onnx_fail(message, "ONNX Runtime cannot be started", status) : 0;
}

static int load(const char *path, char *message) {
    // Builds since 1.29.0 send usage reports to Microsoft, and write a database into the home folder, unless this is
    // set before they are loaded.
    const char *setting = getenv("ORT_DISABLE_TELEMETRY");
    if (!setting || strcmp(setting, "1") != 0) setenv("ORT_DISABLE_TELEMETRY", "1", 1);
    // With the value 1, the runtime would use settings from a model's metadata: one of them writes a profile into the
    // current folder.
    setenv("ORT_LOAD_CONFIG_FROM_MODEL", "0", 1);
    void *library = open_library(path, message);
    if (!library) return -1;
    const struct OrtApiBase *(*base)(void);
    *(void **)&base = dlsym(library, "OrtGetApiBase");
    const void *table = base ? base()->GetApi(INTERFACE) : NULL;
    if (!table) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, base ? "%s is older than ONNX Runtime 1.%d" : "%s is not ONNX Runtime",
                 path ? path : "the library of the system", (int)INTERFACE);
        dlclose(library);
        return -1;
    }
    if (prepare(table, message) != 0) return -1;
    snprintf(loaded_version, sizeof loaded_version, "%s", base()->GetVersionString());
    snprintf(loaded_path, sizeof loaded_path, "%s", path ? path : "");
    return 0;
}

int isobath_onnx_load(const char *path, char version[ISOBATH_ONNX_VERSION], char message[ISOBATH_ONNX_MESSAGE]) {
    pthread_mutex_lock(&lock);
    int result = 0;
    if (!*loaded_version) {
        result = load(path, message);
    } else if (path && strcmp(path, loaded_path) != 0) {
        snprintf(message, ISOBATH_ONNX_MESSAGE, "another ONNX Runtime is loaded already; a process can have one");
        result = -1;
    }
    memcpy(version, loaded_version, sizeof loaded_version);
    pthread_mutex_unlock(&lock);
    return result;
}

int isobath_onnx_fail(char *message, const char *what, status_t status) {
    snprintf(message, ISOBATH_ONNX_MESSAGE, "%s: %s", what, ort.GetErrorMessage(status));
    ort.ReleaseStatus(status);
    for (char *place = message; *place; place++)
        if ((unsigned char)*place < 0x20) *place = ' ';
    return -1;
}
