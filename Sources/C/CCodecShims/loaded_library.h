// A library that is loaded when it is first needed, not at launch.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#define LOADED_LIBRARY_FIELD(function) __typeof__(&function) function;
#define LOADED_LIBRARY_FIND(function)                        \
    *(void **)&library->function = dlsym(handle, #function); \
    if (!library->function) return;

// The message if a library cannot be loaded: `format` names what is unsupported without it, `files` its names.
#define LOADED_LIBRARY_MISSING(format, files, library) \
    format " without its library (" files " cannot be loaded; install " library ")"

// Defines a structure `name` of the functions that FUNCTIONS(each) lists, and `name_is_loaded()`, which loads the
// library on the first call. It returns 0 if the functions must not be called, otherwise the number, from 1, of the
// file that was loaded: the first of these names that can be.
#define LOADED_LIBRARY(name, FUNCTIONS, ...)                     \
    static struct {                                              \
        FUNCTIONS(LOADED_LIBRARY_FIELD)                          \
    } name;                                                      \
    LOADED_LIBRARY_LOADER(name, FUNCTIONS, __VA_ARGS__)

// The same for an existing structure.
#define LOADED_LIBRARY_LOADER(name, FUNCTIONS, ...)              \
    static int name##_file;                                      \
    static void name##_load(void) {                              \
        __typeof__(&name) library = &name;                       \
        const char *const files[] = {__VA_ARGS__};               \
        int count = sizeof files / sizeof *files, file = 0;      \
        void *handle = NULL;                                     \
        while (!handle && file < count)                          \
            handle = dlopen(files[file++], RTLD_LAZY | RTLD_LOCAL); \
        if (!handle) return;                                     \
        FUNCTIONS(LOADED_LIBRARY_FIND)                           \
        name##_file = file;                                      \
    }                                                            \
    static int name##_is_loaded(void) {                          \
        static pthread_once_t once = PTHREAD_ONCE_INIT;          \
        pthread_once(&once, name##_load);                        \
        return name##_file;                                      \
    }
