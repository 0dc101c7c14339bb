#include <stddef.h>
#include <stdint.h>

/// libFuzzer without its main function, as its documentation has it under "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
