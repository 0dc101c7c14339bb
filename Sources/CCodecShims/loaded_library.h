// A library that is loaded when it is needed first, and not with the program.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#define LOADED_LIBRARY_FIELD(function) __typeof__(&function) function;
#define LOADED_LIBRARY_FIND(function)                        \
    *(void **)&library->function = dlsym(handle, #function); \
    if (!library->function) return;

// What cannot be done without a library that cannot be loaded, as in "… is not supported".
#define LOADED_LIBRARY_MISSING(format, file, library) \
    format " without its library (" file " cannot be loaded; install " library ")"

// Makes a structure `name` of the functions that FUNCTIONS(each) lists, and `name_is_loaded()`, which loads the library of this file
// name when it is called first, and tells whether the functions may be called.
#define LOADED_LIBRARY(name, file, FUNCTIONS)                    \
    static struct {                                              \
        FUNCTIONS(LOADED_LIBRARY_FIELD)                          \
    } name;                                                      \
    LOADED_LIBRARY_LOADER(name, file, FUNCTIONS)

// The same for a structure that is there already.
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
