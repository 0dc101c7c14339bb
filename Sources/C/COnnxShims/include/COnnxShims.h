// Runs networks with ONNX Runtime, which is loaded on the first use, and never linked.
#ifndef ISOBATH_CONNXSHIMS_H
#define ISOBATH_CONNXSHIMS_H

#include <stddef.h>
#include <stdint.h>

enum { ISOBATH_ONNX_MESSAGE = 512, ISOBATH_ONNX_VERSION = 32, ISOBATH_ONNX_RANK = 8 };

// The supported element types, with ONNX's numbers (TensorProto.DataType).
enum {
    ISOBATH_ONNX_FLOAT = 1,
    ISOBATH_ONNX_UINT8 = 2,
    ISOBATH_ONNX_INT32 = 6,
    ISOBATH_ONNX_INT64 = 7,
    ISOBATH_ONNX_FLOAT16 = 10,
    ISOBATH_ONNX_DOUBLE = 11
};

// Loads ONNX Runtime once per process, with its telemetry switched off, from a file, or if `path` is NULL, by the names
// that systems use for it. Returns 0 and its version, or -1 and a message.
int isobath_onnx_load(const char *path, char version[ISOBATH_ONNX_VERSION], char message[ISOBATH_ONNX_MESSAGE]);

struct isobath_onnx_session;

// Prepares a model to run on `threads` threads; its bytes may be freed afterwards. `NULL` and the reason on failure.
struct isobath_onnx_session *isobath_onnx_open(const void *model, size_t size, int threads,
                                               char message[ISOBATH_ONNX_MESSAGE]);
void isobath_onnx_close(struct isobath_onnx_session *session);

// A tensor, row-major.
struct isobath_onnx_tensor {
    int element;
    int rank;
    int64_t shape[ISOBATH_ONNX_RANK];
    // Owned by the results.
    const void *data;
};

struct isobath_onnx_results;

// Runs a model on one tensor of 32-bit floats, which is not changed, and on one integer unless `count_name` is empty.
// Several threads may call this at once. `NULL` and a message on failure. `is_late` is set to 1 if the network exceeded
// `seconds` and was stopped, between two of its operators.
struct isobath_onnx_results *isobath_onnx_run(struct isobath_onnx_session *session, const char *input,
                                              const float *values, const int64_t *shape, int rank,
                                              const char *count_name, int64_t count,
                                              const char *const *outputs, int output_count,
                                              int seconds, int *is_late, char message[ISOBATH_ONNX_MESSAGE]);

// Gets the output with an index in the requested order. Returns 0, or -1 and a message if it is not a tensor, or its
// rank is above ISOBATH_ONNX_RANK.
int isobath_onnx_output(const struct isobath_onnx_results *results, int index, struct isobath_onnx_tensor *tensor,
                        char message[ISOBATH_ONNX_MESSAGE]);
void isobath_onnx_free(struct isobath_onnx_results *results);

#endif
