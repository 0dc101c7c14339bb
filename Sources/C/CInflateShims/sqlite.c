// libsqlite3 is loaded when the first database is opened. A database is read through a callback, by a virtual file
// system of its own: SQLite opens, locks and writes no file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "../CCodecShims/loaded_library.h"
#include "CInflateShims.h"

#define FUNCTIONS(each) \
    each(sqlite3_blob_close) \
    each(sqlite3_blob_open) \
    each(sqlite3_blob_read) \
    each(sqlite3_blob_reopen) \
    each(sqlite3_close) \
    each(sqlite3_column_bytes) \
    each(sqlite3_column_int64) \
    each(sqlite3_column_text) \
    each(sqlite3_db_config) \
    each(sqlite3_finalize) \
    each(sqlite3_libversion) \
    each(sqlite3_limit) \
    each(sqlite3_open_v2) \
    each(sqlite3_prepare_v2) \
    each(sqlite3_progress_handler) \
    each(sqlite3_step) \
    each(sqlite3_vfs_find) \
    each(sqlite3_vfs_register) \
    each(sqlite3_vfs_unregister)

#define LIBRARY_NAME "libsqlite3.so.0"
LOADED_LIBRARY(sqlite, FUNCTIONS, LIBRARY_NAME)

void isobath_sqlite_library(struct isobath_unpacker *library) {
    *library = (struct isobath_unpacker){.file = LIBRARY_NAME, .package = "libsqlite3-0"};
    if (!sqlite_is_loaded()) return;
    snprintf(library->version, sizeof library->version, "%s", sqlite.sqlite3_libversion());
}

struct isobath_database {
    sqlite3_vfs vfs;
    char name[32];
    struct isobath_bytes bytes;
    sqlite3 *connection;
    sqlite3_blob *blob;
    int64_t steps, most_steps;
};

struct file {
    sqlite3_file base;
    const struct isobath_bytes *bytes;
};

static int file_close(sqlite3_file *file) { return (void)file, SQLITE_OK; }

static int file_read(sqlite3_file *file, void *output, int count, sqlite3_int64 offset) {
    const struct isobath_bytes *bytes = ((struct file *)file)->bytes;
    if (offset < 0 || count < 0) return SQLITE_IOERR_READ;
    int64_t rest = offset < bytes->count ? bytes->count - offset : 0;
    int available = rest < count ? (int)rest : count;
    if (available > 0 && bytes->read(bytes->context, output, available, offset) != 0) return SQLITE_IOERR_READ;
    if (available == count) return SQLITE_OK;
    memset((char *)output + available, 0, (size_t)(count - available));
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *input, int count, sqlite3_int64 offset) {
    return (void)file, (void)input, (void)count, (void)offset, SQLITE_READONLY;
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) { return (void)file, (void)size, SQLITE_READONLY; }
static int file_flags(sqlite3_file *file, int flags) { return (void)file, (void)flags, SQLITE_OK; }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    *size = ((struct file *)file)->bytes->count;
    return SQLITE_OK;
}
static int file_check_lock(sqlite3_file *file, int *result) { return (void)file, *result = 0, SQLITE_OK; }
static int file_control(sqlite3_file *file, int operation, void *argument) {
    return (void)file, (void)operation, (void)argument, SQLITE_NOTFOUND;
}
static int file_sector_size(sqlite3_file *file) { return (void)file, 0; }
static int file_characteristics(sqlite3_file *file) { return (void)file, SQLITE_IOCAP_IMMUTABLE; }

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_flags,
    .xFileSize = file_size,
    .xLock = file_flags,
    .xUnlock = file_flags,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    (void)name;
    file->pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
    ((struct file *)file)->bytes = vfs->pAppData;
    file->pMethods = &methods;
    if (result) *result = SQLITE_OPEN_READONLY;
    return SQLITE_OK;
}
static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    return (void)vfs, (void)name, (void)sync, SQLITE_IOERR_DELETE;
}
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    return (void)vfs, (void)name, (void)flags, *result = 0, SQLITE_OK;
}
static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int capacity, char *output) {
    return (void)vfs, snprintf(output, (size_t)capacity, "%s", name), SQLITE_OK;
}

static void register_files(struct isobath_database *database) {
    const sqlite3_vfs *usual = sqlite.sqlite3_vfs_find(NULL);
    if (usual) {
        database->vfs.xRandomness = usual->xRandomness;
        database->vfs.xSleep = usual->xSleep;
        database->vfs.xCurrentTime = usual->xCurrentTime;
    }
    snprintf(database->name, sizeof database->name, "isobath-%p", (void *)database);
    database->vfs.iVersion = 1;
    database->vfs.szOsFile = sizeof(struct file);
    database->vfs.mxPathname = 64;
    database->vfs.zName = database->name;
    database->vfs.pAppData = &database->bytes;
    database->vfs.xOpen = vfs_open;
    database->vfs.xDelete = vfs_delete;
    database->vfs.xAccess = vfs_access;
    database->vfs.xFullPathname = vfs_full_path;
    sqlite.sqlite3_vfs_register(&database->vfs, 0);
}

enum { STEPS = 1000 };  // of SQLite's virtual machine, from one call to the next

static int count_steps(void *context) {
    struct isobath_database *database = context;
    database->steps += STEPS;
    return database->steps > database->most_steps;
}

// No query, and no schema, needs more. So no small schema takes long to parse.
static void limit(sqlite3 *connection, int longest) {
    static const int limits[][2] = {
        {SQLITE_LIMIT_SQL_LENGTH, 100000},   {SQLITE_LIMIT_COLUMN, 100},        {SQLITE_LIMIT_EXPR_DEPTH, 50},
        {SQLITE_LIMIT_COMPOUND_SELECT, 2},   {SQLITE_LIMIT_VDBE_OP, 10000},     {SQLITE_LIMIT_FUNCTION_ARG, 8},
        {SQLITE_LIMIT_ATTACHED, 0},          {SQLITE_LIMIT_VARIABLE_NUMBER, 1}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        sqlite.sqlite3_limit(connection, limits[i][0], limits[i][1]);
    }
    sqlite.sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longest);
}

struct isobath_database *isobath_database_open(struct isobath_bytes bytes, int longest, int64_t steps, int *code) {
    *code = ISOBATH_UNPACKER_MISSING;
    if (!sqlite_is_loaded()) return NULL;
    *code = -1;
    struct isobath_database *database = calloc(1, sizeof *database);
    if (!database) return NULL;
    database->bytes = bytes;
    database->most_steps = steps;
    register_files(database);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    int opened = sqlite.sqlite3_open_v2("db3", &database->connection, flags, database->name);
    // A connection keeps its file system; unregistered, no other connection uses it.
    sqlite.sqlite3_vfs_unregister(&database->vfs);
    if (opened != SQLITE_OK) {
        isobath_database_close(database);
        return NULL;
    }
    // A schema is untrusted too: it calls no functions with effects, and changes nothing.
    sqlite.sqlite3_db_config(database->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite.sqlite3_db_config(database->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite.sqlite3_db_config(database->connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    limit(database->connection, longest);
    sqlite.sqlite3_progress_handler(database->connection, STEPS, count_steps, database);
    *code = 0;
    return database;
}

int isobath_database_is_exhausted(const struct isobath_database *database) {
    return database->steps > database->most_steps;
}

void isobath_database_close(struct isobath_database *database) {
    if (database->blob) sqlite.sqlite3_blob_close(database->blob);
    sqlite.sqlite3_close(database->connection);
    free(database);
}

struct isobath_rows *isobath_rows_open(struct isobath_database *database, const char *query) {
    sqlite3_stmt *statement = NULL;
    if (sqlite.sqlite3_prepare_v2(database->connection, query, -1, &statement, NULL) != SQLITE_OK) return NULL;
    return (struct isobath_rows *)statement;
}

int isobath_rows_next(struct isobath_rows *rows) {
    int code = sqlite.sqlite3_step((sqlite3_stmt *)rows);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

int64_t isobath_rows_integer(struct isobath_rows *rows, int column) {
    return sqlite.sqlite3_column_int64((sqlite3_stmt *)rows, column);
}

const uint8_t *isobath_rows_text(struct isobath_rows *rows, int column, size_t *count) {
    const uint8_t *text = sqlite.sqlite3_column_text((sqlite3_stmt *)rows, column);
    *count = text ? (size_t)sqlite.sqlite3_column_bytes((sqlite3_stmt *)rows, column) : 0;
    return text;
}

void isobath_rows_close(struct isobath_rows *rows) { sqlite.sqlite3_finalize((sqlite3_stmt *)rows); }

int isobath_database_read(struct isobath_database *database, int64_t row, uint8_t *output, int count, int offset) {
    database->steps = 0;
    int code = database->blob ? sqlite.sqlite3_blob_reopen(database->blob, row)
                              : sqlite.sqlite3_blob_open(database->connection, "main", "messages", "data", row, 0,
                                                         &database->blob);
    if (code == SQLITE_OK) code = sqlite.sqlite3_blob_read(database->blob, output, count, offset);
    if (code == SQLITE_OK) return 0;
    // After an error the handle is of no use.
    if (database->blob) sqlite.sqlite3_blob_close(database->blob);
    database->blob = NULL;
    return -1;
}
