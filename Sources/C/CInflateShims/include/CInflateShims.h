// Raw deflate data (RFC 1951) by zlib, piece by piece; LZ4 frames by liblz4. Zstandard, bzip2 and SQLite by libraries
// that are loaded when they are needed.
#ifndef ISOBATH_CINFLATESHIMS_H
#define ISOBATH_CINFLATESHIMS_H

#include <stddef.h>
#include <stdint.h>

struct isobath_inflater;

// NULL if memory runs out.
struct isobath_inflater *isobath_inflater_create(void);

// Unpacks from `input` into `output`, at most 2^30 bytes each. `*taken` and `*written` are the bytes used of each: 0
// after the end of the stream, or if more input is needed. Returns 0, or -1 if the data is damaged.
int isobath_inflater_run(struct isobath_inflater *inflater, const uint8_t *input, size_t available, size_t *taken,
                         uint8_t *output, size_t capacity, size_t *written);

void isobath_inflater_free(struct isobath_inflater *inflater);

// Unpacks an LZ4 frame of exactly `capacity` unpacked bytes. Returns 0, or -1 if it is damaged, truncated, or of
// another size.
int isobath_lz4_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);

// The code of a function whose library cannot be loaded.
enum { ISOBATH_UNPACKER_MISSING = -2 };

// A library that is loaded when it is needed.
struct isobath_unpacker {
    const char *file;     // as the dynamic linker looks for it
    const char *package;  // of Debian and Ubuntu
    char version[48];     // empty if it cannot be loaded
};
void isobath_zstd_library(struct isobath_unpacker *library);
void isobath_bzip2_library(struct isobath_unpacker *library);
void isobath_sqlite_library(struct isobath_unpacker *library);

// The unpacked size of a Zstandard frame: as it declares, otherwise counted, up to a number above `limit`. Returns 0, -1
// if it is damaged, or ISOBATH_UNPACKER_MISSING.
int isobath_zstd_size(const uint8_t *input, size_t size, uint64_t limit, uint64_t *unpacked);

// Unpacks Zstandard frames, or a bzip2 stream, of exactly `capacity` unpacked bytes. Return 0, -1 if the input is
// damaged or of another size, or ISOBATH_UNPACKER_MISSING.
int isobath_zstd_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);
int isobath_bzip2_decode(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);

// The bytes of a database. `read` copies `count` bytes from `offset`, which are inside, and returns 0, or another code
// if that fails.
struct isobath_bytes {
    void *context;
    int (*read)(void *context, uint8_t *output, int count, int64_t offset);
    int64_t count;
};
struct isobath_database;
struct isobath_rows;

// Opens a SQLite database for reading. No text or blob may have more than `longest` bytes, and all queries together, or
// one read of data, may take `steps` steps of SQLite's virtual machine. `bytes.context` must outlive the database. One
// thread at a time uses it. Returns NULL on failure, with a code as above.
struct isobath_database *isobath_database_open(struct isobath_bytes bytes, int longest, int64_t steps, int *code);
// Whether SQLite was stopped after that number of steps.
int isobath_database_is_exhausted(const struct isobath_database *database);
void isobath_database_close(struct isobath_database *database);

// The rows of a query; NULL if the database lacks a table or a column. Close them before the database.
struct isobath_rows *isobath_rows_open(struct isobath_database *database, const char *query);
// Moves to the next row. Returns 1, 0 after the last one, or -1 if the database is damaged.
int isobath_rows_next(struct isobath_rows *rows);
int64_t isobath_rows_integer(struct isobath_rows *rows, int column);
// The text in a column, valid until the next row; NULL if missing.
const uint8_t *isobath_rows_text(struct isobath_rows *rows, int column, size_t *count);
void isobath_rows_close(struct isobath_rows *rows);

// Copies bytes of the column `data` of a row of the table `messages`. Returns 0, or -1 if they are not there.
int isobath_database_read(struct isobath_database *database, int64_t row, uint8_t *output, int count, int offset);

#endif
