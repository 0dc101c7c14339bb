// A library that is loaded when it is first needed, not at launch.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#define LOADED_LIBRARY_FIELD(function) __typeof__(&function) function;
#define LOADED_LIBRARY_FIND(function)                        \
    *(void **)&library->function = dlsym(handle, #function); \
    if (!library->function) return;

// The message if a library cannot be loaded: `format` names what is unsupported without it.
#define LOADED_LIBRARY_MISSING(format, file, library) \
    format " without its library (" file " cannot be loaded; install " library ")"

// Defines a structure `name` of the functions that FUNCTIONS(each) lists, and `name_is_loaded()`, which loads the
// library of this file name on the first call, and returns whether the functions may be called.
#define LOADED_LIBRARY(name, file, FUNCTIONS)                    \
    static struct {                                              \
        FUNCTIONS(LOADED_LIBRARY_FIELD)                          \
    } name;                                                      \
    LOADED_LIBRARY_LOADER(name, file, FUNCTIONS)

// The same for an existing structure.
#define LOADED_LIBRARY_LOADER(name, file, FUNCTIONS)             \
    static int name##_has_all;                                   \
    static void name##_load(void) {                              \
        __typeof__(&name) library = &name;                       \
        void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);     \
        if (!handle) return;                                     \
        FUNCTIONS(LOADED_LIBRARY_FIND)                           \
        name##_has_all = 1;                                      \
    }                                                            \
    static int name##_is_loaded(void) {                          \
        static pthread_once_t once = PTHREAD_ONCE_INIT;          \
        pthread_once(&once, name##_load);                        \
        return name##_has_all;                                   \
    }
