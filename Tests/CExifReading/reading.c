#include "CExifReading.h"

#include <libexif/exif-data.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    ExifIfd ifd;
    int directory;
} directories[] = {
    {EXIF_IFD_0, 0},
    {EXIF_IFD_EXIF, EXIF_TAG_EXIF_IFD_POINTER},
    {EXIF_IFD_GPS, EXIF_TAG_GPS_INFO_IFD_POINTER},
    {EXIF_IFD_INTEROPERABILITY, EXIF_TAG_INTEROPERABILITY_IFD_POINTER},
};

static ExifData *load(const uint8_t *block, size_t size) {
    static const uint8_t head[6] = "Exif\0";
    uint8_t *data = malloc(size + sizeof head);
    ExifData *exif = exif_data_new();
    if (data && exif) {
        memcpy(data, head, sizeof head);
        memcpy(data + sizeof head, block, size);
        // As stored in the block, whether or not the specification allows it.
        exif_data_unset_option(exif, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
        exif_data_unset_option(exif, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
        exif_data_set_option(exif, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
        exif_data_load_data(exif, data, (unsigned)(size + sizeof head));
    }
    free(data);
    return exif;
}

static struct exif_reading list(ExifData *exif) {
    struct exif_reading reading = {NULL, 0, exif};
    if (!exif) return reading;
    size_t count = 0;
    for (size_t index = 0; index < sizeof directories / sizeof *directories; index++)
        count += exif->ifd[directories[index].ifd]->count;
    reading.fields = calloc(count + 1, sizeof *reading.fields);
    if (!reading.fields) return reading;
    for (size_t index = 0; index < sizeof directories / sizeof *directories; index++) {
        ExifContent *content = exif->ifd[directories[index].ifd];
        for (unsigned entry = 0; entry < content->count; entry++) {
            ExifEntry *field = content->entries[entry];
            reading.fields[reading.field_count++] = (struct exif_reading_field){
                directories[index].directory, (int)field->tag, (int)field->format, field->components, field->data,
                field->size};
        }
    }
    return reading;
}

struct exif_reading exif_reading_make(const uint8_t *block, size_t size) { return list(load(block, size)); }

struct exif_reading exif_reading_make_complete(const uint8_t *block, size_t size) {
    ExifData *exif = load(block, size);
    if (exif) {
        exif_data_set_data_type(exif, EXIF_DATA_TYPE_COMPRESSED);
        exif_data_set_option(exif, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
        exif_data_fix(exif);
    }
    return list(exif);
}

void exif_reading_release(struct exif_reading *reading) {
    free(reading->fields);
    if (reading->owner) exif_data_unref(reading->owner);
}
