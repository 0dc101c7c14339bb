#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"

enum { BUFFER = 1 << 16 };

static int read_memory(struct isobath_bytes *source, uint8_t *bytes, int count) {
    int64_t left = source->size - source->offset;
    if (left <= 0) return AVERROR_EOF;
    if (left < count) count = (int)left;
    memcpy(bytes, source->memory + source->offset, (size_t)count);
    return count;
}

static int read_descriptor(struct isobath_bytes *source, uint8_t *bytes, int count) {
    ssize_t got;
    do got = pread(source->descriptor, bytes, (size_t)count, source->offset);
    while (got < 0 && errno == EINTR);
    if (got == 0) return AVERROR_EOF;
    if (got > 0) return (int)got;
    if (!source->error) source->error = errno;
    return AVERROR(EIO);
}

// Replaces the part of a code that was just read.
static void replace(const struct isobath_code *code, int64_t offset, uint8_t *bytes, int count) {
    for (int index = 0; index < 4; index++) {
        int64_t place = code->offset + index - offset;
        if (place >= 0 && place < count) bytes[place] = (uint8_t)code->text[index];
    }
}

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
    struct isobath_bytes *source = opaque;
    int got = source->memory ? read_memory(source, bytes, count) : read_descriptor(source, bytes, count);
    for (int index = 0; index < ISOBATH_CODES && got > 0; index++)
        if (source->codes[index].offset > 0) replace(&source->codes[index], source->offset, bytes, got);
    if (got > 0) source->offset += got;
    return got;
}

static int write_bytes(void *opaque, uint8_t *bytes, int count) {
    struct isobath_bytes *target = opaque;
    for (int written = 0; written < count;) {
        ssize_t done = pwrite(target->descriptor, bytes + written, (size_t)(count - written), target->offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return AVERROR(errno ? errno : EIO);
        written += (int)done;
        target->offset += done;
    }
    return count;
}

// The size of a file; -1 on failure. Leaves its offset alone, which a program that reads the same descriptor moves.
static int64_t file_size(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_size : -1;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
    struct isobath_bytes *bytes = opaque;
    int64_t size = bytes->memory ? bytes->size : file_size(bytes->descriptor), base = 0;
    switch (whence & ~AVSEEK_FORCE) {
        case AVSEEK_SIZE: return size;
        case SEEK_CUR: base = bytes->offset; break;
        case SEEK_END: base = size; break;
        default: break;
    }
    if (__builtin_add_overflow(offset, base, &offset) || offset < 0) return AVERROR(EINVAL);
    return bytes->offset = offset;
}

int isobath_bytes_open(struct isobath_bytes *bytes, int is_output) {
    uint8_t *buffer = ff.av_malloc(BUFFER);
    if (!buffer) return -1;
    bytes->io = ff.avio_alloc_context(buffer, BUFFER, is_output, bytes, is_output ? NULL : read_bytes,
                                      is_output ? write_bytes : NULL, seek);
    if (bytes->io) return 0;
    ff.av_free(buffer);
    return -1;
}

void isobath_bytes_close(struct isobath_bytes *bytes) {
    if (bytes->io) ff.av_freep(&bytes->io->buffer);
    ff.avio_context_free(&bytes->io);
}
