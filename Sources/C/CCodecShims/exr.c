// OpenEXR's C core reads, writes and reports errors through callbacks. It is loaded when the first OpenEXR file is read
// or written, not at launch.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <OpenEXR/openexr.h>

#include "CCodecShims.h"
#include "loaded_library.h"

#define FUNCTIONS(each) \
    each(exr_add_channel) \
    each(exr_add_part) \
    each(exr_attr_get_string) \
    each(exr_attr_set_float) \
    each(exr_attr_set_m44f) \
    each(exr_attr_set_string) \
    each(exr_decoding_choose_default_routines) \
    each(exr_decoding_destroy) \
    each(exr_decoding_initialize) \
    each(exr_decoding_run) \
    each(exr_decoding_update) \
    each(exr_encoding_choose_default_routines) \
    each(exr_encoding_destroy) \
    each(exr_encoding_initialize) \
    each(exr_encoding_run) \
    each(exr_encoding_update) \
    each(exr_finish) \
    each(exr_get_attribute_by_name) \
    each(exr_get_channels) \
    each(exr_get_compression) \
    each(exr_get_count) \
    each(exr_get_data_window) \
    each(exr_get_default_error_message) \
    each(exr_get_display_window) \
    each(exr_get_library_version) \
    each(exr_get_scanlines_per_chunk) \
    each(exr_get_storage) \
    each(exr_get_tile_sizes) \
    each(exr_get_user_data) \
    each(exr_initialize_required_attr_simple) \
    each(exr_read_scanline_chunk_info) \
    each(exr_read_tile_chunk_info) \
    each(exr_set_zip_compression_level) \
    each(exr_start_read) \
    each(exr_start_write) \
    each(exr_write_header) \
    each(exr_write_scanline_chunk_info)

// All releases of 3.1 use this library name.
#if OPENEXR_VERSION_MAJOR != 3 || OPENEXR_VERSION_MINOR != 1
#error "OpenEXR 3.1 is needed: the library of another version has another name"
#endif
#define LIBRARY_NAME "libOpenEXRCore-3_1.so.30"
LOADED_LIBRARY(openexr, FUNCTIONS, LIBRARY_NAME)

static int load_openexr(char *message) {
    if (openexr_is_loaded()) return ISOBATH_OK;
    snprintf(message, ISOBATH_MESSAGE_SIZE, LOADED_LIBRARY_MISSING("OpenEXR", LIBRARY_NAME, "OpenEXR"));
    return ISOBATH_UNSUPPORTED;
}

struct stream {
    const struct isobath_source *source;
    struct isobath_budget *pixels;
    int descriptor;
    int error;
    char *message;
};

// The size in the message about an exceeded limit: the library reports it only there.
static size_t size_in(const char *text) {
    const char *const starts[] = {"Invalid width (", "Invalid height (", "exceeds max size ("};
    for (size_t index = 0; index < sizeof starts / sizeof *starts; index++) {
        const char *place = strstr(text, starts[index]);
        if (place) return strtoull(place + strlen(starts[index]), NULL, 10);
    }
    return 0;
}

// The first error is the cause, later ones follow from it.
static void keep(exr_const_context_t context, exr_result_t code, const char *text) {
    (void)code;
    void *user = NULL;
    if (!context || openexr.exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user) return;
    struct stream *stream = user;
    if (stream->message[0] != 0 || !text) return;
    snprintf(stream->message, ISOBATH_MESSAGE_SIZE, "%s", text);
    if (stream->pixels) stream->pixels->asked = size_in(text);
}

static int64_t size_of(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)((struct stream *)user)->source->size;
}

static int64_t take(exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
                    exr_stream_error_func_ptr_t report) {
    (void)context, (void)report;
    const struct isobath_source *source = ((struct stream *)user)->source;
    if (offset >= source->size) return 0;
    return source->read(source->context, offset, buffer, size);
}

static int64_t put(exr_const_context_t context, void *user, const void *buffer, uint64_t size, uint64_t offset,
                   exr_stream_error_func_ptr_t report) {
    (void)context, (void)report;
    struct stream *stream = user;
    uint64_t written = 0;
    while (written < size) {
        ssize_t count = pwrite(stream->descriptor, (const char *)buffer + written, size - written,
                               (off_t)(offset + written));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            stream->error = errno ? errno : EIO;
            return -1;
        }
        written += (uint64_t)count;
    }
    return (int64_t)written;
}

static exr_result_t start(exr_context_t *context, struct stream *stream) {
    stream->message[0] = 0;
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.error_handler_fn = keep;
    options.user_data = stream;
    options.read_fn = take;
    options.size_fn = size_of;
    if (stream->pixels) {
        int limit = stream->pixels->limit < INT_MAX ? (int)stream->pixels->limit : INT_MAX;
        options.max_image_width = options.max_image_height = options.max_tile_width = options.max_tile_height = limit;
    }
    return openexr.exr_start_read(context, "input", &options);
}

static int has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), ending = strlen(suffix);
    return length >= ending && strcasecmp(name + length - ending, suffix) == 0;
}

// Whether a channel is the last component of a vector: the layer has channels X and Y, too.
static int is_vector(const char *channel, const exr_attr_chlist_t *channels) {
    const char *dot = strrchr(channel, '.');
    const char *component = dot ? dot + 1 : channel;
    size_t layer = (size_t)(component - channel);
    if (strcasecmp(component, "Z") != 0) return 0;
    int has_x = 0, has_y = 0;
    for (int index = 0; index < channels->num_channels; index++) {
        const char *other = channels->entries[index].name.str;
        if (strlen(other) != layer + 1 || strncmp(other, channel, layer) != 0) continue;
        has_x |= strcasecmp(other + layer, "X") == 0;
        has_y |= strcasecmp(other + layer, "Y") == 0;
    }
    return has_x && has_y;
}

// How likely a channel of this name contains depth; 0 if it does not.
static int rank(const char *channel, const exr_attr_chlist_t *channels) {
    if (is_vector(channel, channels)) return 0;
    if (strcmp(channel, "Z") == 0) return 6;
    if (strcasecmp(channel, "depth.Z") == 0) return 5;
    if (strcasecmp(channel, "depth") == 0 || strcasecmp(channel, "z") == 0) return 4;
    if (has_suffix(channel, ".Z") || has_suffix(channel, ".depth")) return 3;
    if (strncasecmp(channel, "depth.", 6) == 0) return 2;
    // A lone channel may be called anything, but A is opacity.
    return channels->num_channels == 1 && strcmp(channel, "A") != 0 ? 1 : 0;
}

// The channel to read. `part` is -1 if no such channel was found; `is_deep` is set if a deep part has one.
struct choice {
    int part, best, is_deep;
    const exr_attr_chlist_entry_t *entry;
};

static struct choice choose(exr_const_context_t context, const char *name) {
    struct choice choice = {-1, 0, 0, NULL};
    int parts = 0;
    openexr.exr_get_count(context, &parts);
    for (int part = 0; part < parts; part++) {
        exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
        const exr_attr_chlist_t *channels = NULL;
        if (openexr.exr_get_storage(context, part, &storage) != EXR_ERR_SUCCESS) continue;
        if (openexr.exr_get_channels(context, part, &channels) != EXR_ERR_SUCCESS || !channels) continue;
        for (int index = 0; index < channels->num_channels; index++) {
            const exr_attr_chlist_entry_t *entry = &channels->entries[index];
            int score = name ? (strcmp(entry->name.str, name) == 0 ? 7 : 0)
                             : rank(entry->name.str, channels);
            if (score == 0) continue;
            if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED) {
                choice.is_deep = 1;
            } else if (score > choice.best) {
                choice.part = part;
                choice.best = score;
                choice.entry = entry;
            }
        }
    }
    return choice;
}

// The channels of all parts, for a message.
static void list(exr_const_context_t context, char *text, size_t size) {
    int parts = 0;
    size_t used = 0;
    text[0] = 0;
    openexr.exr_get_count(context, &parts);
    for (int part = 0; part < parts; part++) {
        const exr_attr_chlist_t *channels = NULL;
        if (openexr.exr_get_channels(context, part, &channels) != EXR_ERR_SUCCESS || !channels) continue;
        for (int index = 0; index < channels->num_channels; index++) {
            int count = snprintf(text + used, size - used, "%s%s", used ? ", " : "", channels->entries[index].name.str);
            if (count < 0 || (size_t)count >= size - used) {
                text[used] = 0;
                return;
            }
            used += (size_t)count;
        }
    }
}

static void copy_text(exr_const_context_t context, int part, const char *name, char *text, size_t size) {
    int32_t length = 0;
    const char *value = NULL;
    text[0] = 0;
    const exr_attribute_t *attribute = NULL;
    if (openexr.exr_get_attribute_by_name(context, part, name, &attribute) != EXR_ERR_SUCCESS) return;
    if (openexr.exr_attr_get_string(context, part, name, &length, &value) != EXR_ERR_SUCCESS || !value) return;
    if (length > 0 && (size_t)length < size) {
        memcpy(text, value, (size_t)length);
        text[length] = 0;
    }
}

// The sample that means unknown, by the name that GDAL and others give it; OpenEXR has no standard attribute.
static void find_no_data(exr_const_context_t context, struct isobath_exr_description *description) {
    const char *const names[] = {"noData", "nodata", "NODATA", "no_data", "GDAL_NODATA"};
    for (size_t index = 0; index < sizeof names / sizeof *names && !description->has_no_data; index++) {
        const exr_attribute_t *attribute = NULL;
        if (openexr.exr_get_attribute_by_name(context, description->part, names[index], &attribute) != EXR_ERR_SUCCESS) continue;
        description->has_no_data = 1;
        if (attribute->type == EXR_ATTR_FLOAT) {
            description->no_data = (double)attribute->f;
        } else if (attribute->type == EXR_ATTR_DOUBLE) {
            description->no_data = attribute->d;
        } else if (attribute->type == EXR_ATTR_INT) {
            description->no_data = attribute->i;
        } else if (attribute->type == EXR_ATTR_STRING && attribute->string->length > 0) {
            char *end = NULL;
            description->no_data = strtod(attribute->string->str, &end);
            description->has_no_data = end && *end == 0;
        } else {
            description->has_no_data = 0;
        }
    }
}

static int unsupported(exr_const_context_t context, const char *name, int is_deep, char *message) {
    if (is_deep) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "deep OpenEXR data (many depths a pixel; flatten it first)");
        return ISOBATH_UNSUPPORTED;
    }
    char channels[180];
    list(context, channels, sizeof channels);
    if (name) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "there is no channel '%.40s'; the file has %s", name, channels);
    } else {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "no channel holds depth; the file has %s", channels);
    }
    return ISOBATH_ABSENT;
}

int isobath_exr_describe(const struct isobath_source *source, const char *name,
                         struct isobath_exr_description *description, char channel[ISOBATH_CHANNEL_SIZE],
                         char record[ISOBATH_TEXT_SIZE], char camera[ISOBATH_TEXT_SIZE],
                         struct isobath_budget *pixels, char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_openexr(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct stream stream = {.source = source, .pixels = pixels, .message = message};
    exr_context_t context = NULL;
    memset(description, 0, sizeof *description);
    channel[0] = record[0] = camera[0] = 0;
    if (start(&context, &stream) != EXR_ERR_SUCCESS) {
        if (message[0] == 0) snprintf(message, ISOBATH_MESSAGE_SIZE, "the OpenEXR header is damaged");
        if (context) openexr.exr_finish(&context);
        return pixels->asked > pixels->limit ? ISOBATH_PIXELS : ISOBATH_DAMAGED;
    }
    struct choice choice = choose(context, name);
    exr_attr_box2i_t data, display;
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    int code = ISOBATH_OK;
    if (choice.part < 0) {
        code = unsupported(context, name, choice.is_deep, message);
    } else if (choice.entry->x_sampling != 1 || choice.entry->y_sampling != 1) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "a subsampled OpenEXR channel");
        code = ISOBATH_UNSUPPORTED;
    } else if (strlen(choice.entry->name.str) >= ISOBATH_CHANNEL_SIZE ||
               openexr.exr_get_data_window(context, choice.part, &data) != EXR_ERR_SUCCESS ||
               openexr.exr_get_display_window(context, choice.part, &display) != EXR_ERR_SUCCESS ||
               openexr.exr_get_compression(context, choice.part, &compression) != EXR_ERR_SUCCESS ||
               (int64_t)data.max.x - data.min.x >= INT32_MAX || (int64_t)data.max.y - data.min.y >= INT32_MAX) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "the OpenEXR header is damaged");
        code = ISOBATH_DAMAGED;
    } else {
        description->part = choice.part;
        description->pixel_type = (int)choice.entry->pixel_type;
        description->compression = (int)compression;
        description->width = (int)((int64_t)data.max.x - data.min.x + 1);
        description->height = (int)((int64_t)data.max.y - data.min.y + 1);
        description->is_cropped = memcmp(&data, &display, sizeof data) != 0;
        strcpy(channel, choice.entry->name.str);
        find_no_data(context, description);
        copy_text(context, choice.part, "isobath.record", record, ISOBATH_TEXT_SIZE);
        copy_text(context, choice.part, "isobath.camera", camera, ISOBATH_TEXT_SIZE);
    }
    openexr.exr_finish(&context);
    return code;
}

struct decoding {
    exr_decode_pipeline_t pipeline;
    int is_started;
    struct isobath_budget *budget;
};

// The channel that is decoded.
struct wanted {
    int width, height, part, pixel_type;
    const char *channel;
};

// Decodes the chunk into the rows from (x, y), which must lie in the image.
static exr_result_t decode(exr_const_context_t context, const exr_chunk_info_t *chunk, struct decoding *decoding,
                           const struct wanted *image, int x, int y, char *pixels) {
    int part = image->part;
    exr_decode_pipeline_t *pipeline = &decoding->pipeline;
    if (x < 0 || y < 0 || chunk->width < 0 || chunk->height < 0 || chunk->width > image->width - x ||
        chunk->height > image->height - y) {
        return EXR_ERR_CORRUPT_CHUNK;
    }
    // A chunk holds all channels, of which there may be thousands. The library allocates memory for the packed and the
    // unpacked chunk, and for some compressions a second time for the unpacked one.
    uint64_t limit = decoding->budget->limit;
    if (chunk->packed_size > limit || chunk->unpacked_size > limit ||
        chunk->packed_size + 2 * chunk->unpacked_size > limit) {
        decoding->budget->asked = chunk->packed_size + 2 * chunk->unpacked_size;
        return EXR_ERR_OUT_OF_MEMORY;
    }
    exr_result_t result = decoding->is_started ? openexr.exr_decoding_update(context, part, chunk, pipeline)
                                               : openexr.exr_decoding_initialize(context, part, chunk, pipeline);
    if (result != EXR_ERR_SUCCESS) return result;
    int first = !decoding->is_started;
    decoding->is_started = 1;
    int bytes = image->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    int found = 0;
    for (int index = 0; index < pipeline->channel_count; index++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[index];
        channel->decode_to_ptr = NULL;
        if (strcmp(channel->channel_name, image->channel) != 0) continue;
        if (channel->bytes_per_element != bytes || channel->width != chunk->width || channel->height != chunk->height) {
            return EXR_ERR_CORRUPT_CHUNK;
        }
        channel->decode_to_ptr = (uint8_t *)pixels + ((size_t)y * (size_t)image->width + (size_t)x) * (size_t)bytes;
        channel->user_bytes_per_element = (int16_t)bytes;
        channel->user_data_type = channel->data_type;
        channel->user_pixel_stride = bytes;
        channel->user_line_stride = image->width * bytes;
        found = 1;
    }
    // Otherwise rows that no channel fills would contain uninitialized memory.
    if (!found) return EXR_ERR_CORRUPT_CHUNK;
    if (first) result = openexr.exr_decoding_choose_default_routines(context, part, pipeline);
    return result == EXR_ERR_SUCCESS ? openexr.exr_decoding_run(context, part, pipeline) : result;
}

static exr_result_t decode_lines(exr_const_context_t context, struct decoding *decoding,
                                 const struct wanted *image, int top, char *pixels) {
    int32_t lines = 0;
    exr_result_t result = openexr.exr_get_scanlines_per_chunk(context, image->part, &lines);
    if (result == EXR_ERR_SUCCESS && lines <= 0) result = EXR_ERR_CORRUPT_CHUNK;
    for (int y = 0; result == EXR_ERR_SUCCESS && y < image->height; y += lines) {
        exr_chunk_info_t chunk;
        result = openexr.exr_read_scanline_chunk_info(context, image->part, top + y, &chunk);
        if (result == EXR_ERR_SUCCESS) {
            result = decode(context, &chunk, decoding, image, 0, y, pixels);
        }
        if (image->height - y <= lines) break;
    }
    return result;
}

static exr_result_t decode_tiles(exr_const_context_t context, struct decoding *decoding,
                                 const struct wanted *image, char *pixels) {
    int32_t width = 0, height = 0;
    exr_result_t result = openexr.exr_get_tile_sizes(context, image->part, 0, 0, &width, &height);
    if (result == EXR_ERR_SUCCESS && (width <= 0 || height <= 0)) result = EXR_ERR_CORRUPT_CHUNK;
    if (result != EXR_ERR_SUCCESS) return result;
    int columns = (image->width - 1) / width + 1, rows = (image->height - 1) / height + 1;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            exr_chunk_info_t chunk;
            result = openexr.exr_read_tile_chunk_info(context, image->part, column, row, 0, 0, &chunk);
            if (result == EXR_ERR_SUCCESS) {
                result = decode(context, &chunk, decoding, image, column * width, row * height, pixels);
            }
            if (result != EXR_ERR_SUCCESS) return result;
        }
    }
    return result;
}

int isobath_exr_read(const struct isobath_source *source, const struct isobath_exr_description *description,
                     const char *channel, void *pixels, size_t pixels_size, struct isobath_budget *budget,
                     char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_openexr(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct stream stream = {.source = source, .message = message};
    const struct wanted wanted = {description->width, description->height, description->part, description->pixel_type,
                                  channel};
    exr_context_t context = NULL;
    exr_attr_box2i_t window;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    size_t bytes = description->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    exr_result_t result = start(&context, &stream);
    if (result == EXR_ERR_SUCCESS) result = openexr.exr_get_data_window(context, description->part, &window);
    if (result == EXR_ERR_SUCCESS) result = openexr.exr_get_storage(context, description->part, &storage);
    if (result == EXR_ERR_SUCCESS &&
        ((int64_t)window.max.x - window.min.x + 1 != description->width ||
         (int64_t)window.max.y - window.min.y + 1 != description->height ||
         (size_t)description->width * (size_t)description->height * bytes != pixels_size)) {
        result = EXR_ERR_CORRUPT_CHUNK;
    }
    if (result == EXR_ERR_SUCCESS) {
        message[0] = 0;
        struct decoding decoding = {.pipeline = EXR_DECODE_PIPELINE_INITIALIZER, .budget = budget};
        result = storage == EXR_STORAGE_TILED
                     ? decode_tiles(context, &decoding, &wanted, pixels)
                     : decode_lines(context, &decoding, &wanted, window.min.y, pixels);
        if (decoding.is_started) openexr.exr_decoding_destroy(context, &decoding.pipeline);
    }
    if (result != EXR_ERR_SUCCESS && message[0] == 0) {
        snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", openexr.exr_get_default_error_message(result));
    }
    if (context) openexr.exr_finish(&context);
    if (budget->asked > budget->limit) return ISOBATH_MEMORY;
    return result == EXR_ERR_SUCCESS ? ISOBATH_OK : ISOBATH_DAMAGED;
}

static exr_result_t encode_lines(exr_context_t context, int part, const struct isobath_exr_image *image) {
    int32_t lines = 0;
    exr_result_t result = openexr.exr_get_scanlines_per_chunk(context, part, &lines);
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    int is_started = 0;
    for (int y = 0; result == EXR_ERR_SUCCESS && y < image->height; y += lines) {
        exr_chunk_info_t chunk;
        result = openexr.exr_write_scanline_chunk_info(context, part, y, &chunk);
        if (result != EXR_ERR_SUCCESS) break;
        result = is_started ? openexr.exr_encoding_update(context, part, &chunk, &pipeline)
                            : openexr.exr_encoding_initialize(context, part, &chunk, &pipeline);
        if (result != EXR_ERR_SUCCESS) break;
        for (int index = 0; index < pipeline.channel_count; index++) {
            exr_coding_channel_info_t *channel = &pipeline.channels[index];
            // The library sorts channels by name.
            const float *pixels = NULL;
            for (int own = 0; own < image->channel_count; own++) {
                if (strcmp(image->channels[own].name, channel->channel_name) == 0) pixels = image->channels[own].pixels;
            }
            if (!pixels) return EXR_ERR_INVALID_ARGUMENT;
            channel->user_pixel_stride = 4;
            channel->user_line_stride = image->width * 4;
            channel->user_bytes_per_element = 4;
            channel->user_data_type = EXR_PIXEL_FLOAT;
            channel->encode_from_ptr = (const uint8_t *)(pixels + (size_t)y * (size_t)image->width);
        }
        if (!is_started) result = openexr.exr_encoding_choose_default_routines(context, part, &pipeline);
        is_started = 1;
        if (result == EXR_ERR_SUCCESS) result = openexr.exr_encoding_run(context, part, &pipeline);
    }
    if (is_started) openexr.exr_encoding_destroy(context, &pipeline);
    return result;
}

int isobath_exr_write(int descriptor, const struct isobath_exr_image *image, char message[ISOBATH_MESSAGE_SIZE]) {
    if (load_openexr(message) != ISOBATH_OK) return ISOBATH_UNSUPPORTED;
    struct stream stream = {.descriptor = descriptor, .message = message};
    message[0] = 0;
    exr_context_t context = NULL;
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.error_handler_fn = keep;
    options.user_data = &stream;
    options.write_fn = put;
    int part = 0;
    exr_result_t result = openexr.exr_start_write(&context, "output", EXR_WRITE_FILE_DIRECTLY, &options);
    if (result == EXR_ERR_SUCCESS) result = openexr.exr_add_part(context, "depth", EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS) {
        result = openexr.exr_initialize_required_attr_simple(context, part, image->width, image->height, EXR_COMPRESSION_ZIP);
    }
    for (int index = 0; result == EXR_ERR_SUCCESS && index < image->channel_count; index++) {
        const struct isobath_exr_channel *channel = &image->channels[index];
        exr_pixel_type_t type = channel->is_half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
        result = openexr.exr_add_channel(context, part, channel->name, type, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    }
    for (int index = 0; result == EXR_ERR_SUCCESS && index < image->attribute_count; index++) {
        const struct isobath_exr_attribute *attribute = &image->attributes[index];
        if (attribute->text) {
            result = openexr.exr_attr_set_string(context, part, attribute->name, attribute->text);
        } else if (attribute->count == 16) {
            exr_attr_m44f_t matrix;
            memcpy(matrix.m, image->numbers + attribute->first, sizeof matrix.m);
            result = openexr.exr_attr_set_m44f(context, part, attribute->name, &matrix);
        } else {
            result = openexr.exr_attr_set_float(context, part, attribute->name, image->numbers[attribute->first]);
        }
    }
    if (result == EXR_ERR_SUCCESS) result = openexr.exr_set_zip_compression_level(context, part, 4);
    if (result == EXR_ERR_SUCCESS) result = openexr.exr_write_header(context);
    if (result == EXR_ERR_SUCCESS) result = encode_lines(context, part, image);
    if (context) {
        exr_result_t ending = openexr.exr_finish(&context);
        if (result == EXR_ERR_SUCCESS) result = ending;
    }
    if (result == EXR_ERR_SUCCESS && stream.error == 0) return ISOBATH_OK;
    if (message[0] == 0) snprintf(message, ISOBATH_MESSAGE_SIZE, "%s", openexr.exr_get_default_error_message(result));
    errno = stream.error;
    return stream.error ? ISOBATH_IO : ISOBATH_DAMAGED;
}

void isobath_exr_library(struct isobath_library *library) {
    *library = (struct isobath_library){.file = LIBRARY_NAME, .package = "libopenexr-3-1-30"};
    if (!openexr_is_loaded()) return;
    int major, minor, patch;
    const char *extra;
    openexr.exr_get_library_version(&major, &minor, &patch, &extra);
    snprintf(library->version, sizeof library->version, "%d.%d.%d", major, minor, patch);
}
