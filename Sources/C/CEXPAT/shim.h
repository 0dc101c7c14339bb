// expat 2.8 and 2.9 deprecate three functions that older versions need.
#pragma once

#include <expat.h>
#include <stdint.h>
#include <string.h>

#define ISOBATH_EXPAT_IS(major, minor) \
    (XML_MAJOR_VERSION > (major) || (XML_MAJOR_VERSION == (major) && XML_MINOR_VERSION >= (minor)))

// The random key of the tables of names; older versions use the first half.
static inline void isobath_expat_set_salt(XML_Parser parser, uint64_t first, uint64_t second) {
#if ISOBATH_EXPAT_IS(2, 8)
    uint8_t bytes[16];
    memcpy(bytes, &first, 8);
    memcpy(bytes + 8, &second, 8);
    XML_SetHashSalt16Bytes(parser, bytes);
#else
    (void)second;
    XML_SetHashSalt(parser, first);
#endif
}

// The offset of the current event in the document; negative if there is no event.
static inline int64_t isobath_expat_event_offset(XML_Parser parser) {
#if ISOBATH_EXPAT_IS(2, 9)
    return XML_GetCurrentByteIndex64(parser);
#else
    return XML_GetCurrentByteIndex(parser);
#endif
}

// The number of bytes of the current event.
static inline int64_t isobath_expat_event_size(XML_Parser parser) {
#if ISOBATH_EXPAT_IS(2, 9)
    return (int64_t)XML_GetCurrentByteCount64(parser);
#else
    return XML_GetCurrentByteCount(parser);
#endif
}
