// Reads Exif blocks with libexif, so that tests can compare the result with the library under test.
#ifndef CEXIFREADING_H
#define CEXIFREADING_H

#include <stddef.h>
#include <stdint.h>

struct exif_reading_field {
    int directory;  // the tag of the field that points to it; 0 for the first
    int tag;
    int type;
    size_t count;
    const uint8_t *bytes;  // in the byte order of the block
    size_t size;
};

struct exif_reading {
    struct exif_reading_field *fields;
    size_t field_count;
    void *owner;
};

// Reads a block from its TIFF header on. Release the result even if it is empty. libexif reads the first 65,534 bytes.
struct exif_reading exif_reading_make(const uint8_t *block, size_t size);
// The same, after libexif added the fields that the specification requires in a JPEG, and removed or corrected invalid
// fields.
struct exif_reading exif_reading_make_complete(const uint8_t *block, size_t size);
void exif_reading_release(struct exif_reading *reading);

#endif
