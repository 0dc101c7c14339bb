/* The C interface as a C program uses it: values, errors, ownership, threads, fork. Prints failures; status 0 if none.
 * Arguments: the folder of the test images, and one to write to. */
#include <isobath.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
            __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                     \
        }                                                                           \
    } while (0)

static const char *images, *results;

static char *path_of(const char *folder, const char *name) {
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    if (path) sprintf(path, "%s/%s", folder, name);
    return path;
}

static isobath_photo *opened(const char *name, const isobath_open_options *options) {
    char *path = path_of(images, name);
    isobath_photo *photo = NULL;
    CHECK(isobath_open(path, options, &photo, NULL) == ISOBATH_OK);
    free(path);
    return photo;
}

/* Codes 0…255 are 1.4091796875…20 m: TestImages/README.md. */
static void check_depth(const isobath_photo *photo) {
    isobath_array *depth = NULL;
    isobath_error *error = NULL;
    CHECK(isobath_photo_array(photo, "depth", 0, &depth, &error) == ISOBATH_OK && error == NULL);
    if (!depth) return;
    CHECK(depth->type == ISOBATH_FLOAT32 && depth->dimension_count == 2 && depth->bit_depth == 32);
    CHECK(depth->shape[0] == 144 && depth->shape[1] == 192 && depth->shape[2] == 1);
    CHECK(strcmp(depth->scale, "absolute") == 0 && depth->color_profile == NULL);
    const float *meters = depth->data;
    float nearest = INFINITY, farthest = 0;
    for (int i = 0; i < 144 * 192; i++) {
        double code = (meters[i] - 1.4091796875) * 255 / (20.0 - 1.4091796875);
        if (fabs(code - round(code)) > 1e-3) {
            CHECK(!"a sample is not the value of a code");
            break;
        }
        nearest = fminf(nearest, meters[i]), farthest = fmaxf(farthest, meters[i]);
    }
    CHECK(nearest < 1.5f && farthest > 19.9f);
    isobath_array_free(depth);
}

static void check_values(void) {
    isobath_photo *photo = opened("absolute-depth.heic", NULL);
    check_depth(photo);
    isobath_camera *camera = NULL;
    CHECK(isobath_photo_camera(photo, &camera, NULL) == ISOBATH_OK);
    if (camera) {
        /* f 1200 and 486, 356 from the corner, of 960 × 720, on a grid of 192 × 144. */
        CHECK(fabs(camera->fx - 240) < 1e-9 && fabs(camera->cx - 96.7) < 1e-9 && fabs(camera->cy - 70.7) < 1e-9);
        CHECK(strcmp(camera->source, "file") == 0 && camera->coefficient_count == 8);
        CHECK(camera->rotation[0] == 1 && camera->translation[2] == 0);
    }
    isobath_camera_free(camera);
    isobath_array *image = NULL;
    CHECK(isobath_photo_array(photo, "image", ISOBATH_NATIVE_COLOR, &image, NULL) == ISOBATH_OK);
    if (image) {
        CHECK(image->type == ISOBATH_UINT8 && image->dimension_count == 3 && image->shape[2] == 3);
        CHECK(image->color_profile_size == 540 && memcmp(image->color_profile + 36, "acsp", 4) == 0);
    }
    isobath_array_free(image);
    isobath_cloud_options options = {.struct_size = sizeof options, .maximum_count = 500, .far_distance = 10};
    isobath_cloud *cloud = NULL;
    CHECK(isobath_photo_cloud(photo, &options, &cloud, NULL) == ISOBATH_OK);
    if (cloud) {
        CHECK(cloud->point_count == 500 && cloud->colors && !cloud->normals);
        for (int64_t i = 0; i < cloud->point_count; i++) CHECK(-cloud->positions[3 * i + 2] <= 10);
    }
    isobath_cloud_free(cloud);
    char *json = NULL;
    CHECK(isobath_photo_json(photo, "info", &json, NULL) == ISOBATH_OK && strstr(json, "\"isobath.info/1\""));
    isobath_string_free(json);
    isobath_derive_options treatment = {.struct_size = sizeof treatment, .flags = ISOBATH_DERIVE_DEQUANTIZE};
    isobath_photo *treated = NULL;
    CHECK(isobath_photo_derive(photo, &treatment, &treated, NULL) == ISOBATH_OK);
    isobath_photo_free(photo);
    isobath_array *depth = NULL;
    CHECK(isobath_photo_array(treated, "depth", ISOBATH_UPSAMPLE, &depth, NULL) == ISOBATH_OK);
    if (depth) CHECK(depth->shape[0] == 720 && depth->shape[1] == 960 && depth->type == ISOBATH_FLOAT32);
    isobath_array_free(depth);
    isobath_blur_options blur = {.struct_size = sizeof blur, .focus_x = 0.5, .focus_y = 0.5, .flags = ISOBATH_BLUR_FOCUS};
    isobath_array *blurred = NULL;
    CHECK(isobath_photo_blur(treated, &blur, &blurred, NULL) == ISOBATH_OK);
    if (blurred) CHECK(blurred->shape[0] == 720 && blurred->shape[2] == 3 && blurred->type == ISOBATH_UINT8);
    isobath_array_free(blurred);
    blur.flags = 1u << 31;
    CHECK(isobath_photo_blur(treated, &blur, &blurred, NULL) == ISOBATH_INVALID_ARGUMENT && blurred == NULL);
    isobath_photo_free(treated);
}

/* 2 / Z + 1 of every sixth sample becomes meters again. */
static void check_alignment(void) {
    isobath_photo *photo = opened("absolute-depth.heic", NULL), *aligned = NULL;
    isobath_array *stored = NULL, *found = NULL;
    CHECK(isobath_photo_array(photo, "depth", 0, &stored, NULL) == ISOBATH_OK);
    const float *meters = stored->data;
    static float values[24 * 32];
    for (int i = 0; i < 24 * 32; i++) values[i] = 2 / meters[(i / 32 * 6 + 3) * 192 + i % 32 * 6 + 3] + 1;
    isobath_array mine = {.data = values, .type = ISOBATH_FLOAT32, .dimension_count = 2, .shape = {24, 32, 1}};
    isobath_derive_options options = {.struct_size = sizeof options, .depth = &mine, .quantity = "disparity"};
    CHECK(isobath_photo_derive(photo, &options, &aligned, NULL) == ISOBATH_OK);
    isobath_photo_free(photo);
    CHECK(isobath_photo_array(aligned, "depth", 0, &found, NULL) == ISOBATH_OK);
    if (found) CHECK(found->shape[0] == 24 && fabsf(((float *)found->data)[12 * 32 + 9] - meters[75 * 192 + 57]) < 0.1f);
    char *json = NULL;
    CHECK(isobath_photo_json(aligned, "alignment", &json, NULL) == ISOBATH_OK && strstr(json, "\"inliers\""));
    isobath_string_free(json);
    isobath_array_free(found), isobath_array_free(stored);
    isobath_photo_free(aligned);
}

static void check_errors(void) {
    isobath_photo *photo = (isobath_photo *)&failures;
    isobath_error *error = NULL;
    CHECK(isobath_open("/none.heic", NULL, &photo, &error) == ISOBATH_UNREADABLE);
    CHECK(photo == NULL && error && error->status == ISOBATH_UNREADABLE && error->offset == -1);
    CHECK(error && strcmp(error->code, "unreadable") == 0 && strlen(error->message) > 0);
    isobath_error_free(error);
    CHECK(isobath_open(NULL, NULL, &photo, NULL) == ISOBATH_INVALID_ARGUMENT);
    CHECK(isobath_open("/none.heic", NULL, NULL, NULL) == ISOBATH_INVALID_ARGUMENT);
    isobath_open_options options = {.struct_size = sizeof options, .bytes = "hello", .byte_count = 5};
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_UNRECOGNIZED);
    CHECK(isobath_open("/none.heic", &options, &photo, NULL) == ISOBATH_INVALID_ARGUMENT);
    options.limits = "none=1";
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_INVALID_ARGUMENT);
    options.struct_size = 0;
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_INVALID_ARGUMENT);
    /* A newer header: more members than the library knows, first unset, then set. */
    struct {
        isobath_open_options known;
        int more;
    } newer = {.known.struct_size = sizeof newer};
    photo = opened("plain.jpg", &newer.known);
    CHECK(photo != NULL);
    isobath_array *array = NULL;
    error = NULL;
    CHECK(isobath_photo_array(photo, "depth", 0, &array, &error) == ISOBATH_NO_PLANE && array == NULL);
    CHECK(error && strcmp(error->code, "no-plane") == 0);
    isobath_error_free(error);
    CHECK(isobath_photo_array(photo, "depth", 1u << 31, &array, NULL) == ISOBATH_INVALID_ARGUMENT);
    CHECK(isobath_photo_array(NULL, "depth", 0, &array, NULL) == ISOBATH_INVALID_ARGUMENT);
    isobath_photo_free(photo);
    newer.more = 1;
    char *path = path_of(images, "plain.jpg");
    CHECK(isobath_open(path, &newer.known, &photo, NULL) == ISOBATH_INVALID_ARGUMENT);
    free(path);
    /* An older header: only the first members. */
    char *names = isobath_limits();
    CHECK(names && strstr(names, "\"pixels\": 500000000"));
    isobath_string_free(names);
    isobath_open_options older = {.struct_size = 2 * sizeof(size_t), .limits = "pixels=1000", .quantity = (const char *)1};
    path = path_of(images, "portrait.heic");
    CHECK(isobath_open(path, &older, &photo, NULL) == ISOBATH_LIMIT_EXCEEDED);
    free(path);
    isobath_photo_free(NULL), isobath_array_free(NULL), isobath_cloud_free(NULL), isobath_camera_free(NULL);
    isobath_error_free(NULL), isobath_string_free(NULL);
}

struct store {
    FILE *file;
    pthread_mutex_t lock;
    int released, fails;
};

static int32_t read_store(void *context, const isobath_range *ranges, size_t count) {
    struct store *store = context;
    if (store->fails) return 1;
    pthread_mutex_lock(&store->lock);
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = ranges[i].size;
        failed |= fseek(store->file, ranges[i].offset, SEEK_SET) || fread(ranges[i].buffer, 1, size, store->file) != size;
    }
    pthread_mutex_unlock(&store->lock);
    return failed;
}

static void release_store(void *context) { ((struct store *)context)->released++; }

static void check_source(void) {
    char *path = path_of(images, "absolute-depth.heic");
    struct store store = {.file = fopen(path, "rb"), .lock = PTHREAD_MUTEX_INITIALIZER};
    free(path);
    fseek(store.file, 0, SEEK_END);
    isobath_byte_source source = {
        .struct_size = sizeof source, .context = &store, .byte_count = ftell(store.file), .read = read_store,
        .release = release_store};
    isobath_open_options options = {.struct_size = sizeof options, .source = &source};
    isobath_photo *photo = NULL;
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_OK);
    check_depth(photo);
    CHECK(store.released == 0);
    isobath_photo_free(photo);
    CHECK(store.released == 1);
    store.fails = 1;
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_UNREADABLE && store.released == 2);
    source.read = NULL;
    CHECK(isobath_open(NULL, &options, &photo, NULL) == ISOBATH_INVALID_ARGUMENT && store.released == 3);
    fclose(store.file);
}

static isobath_photo *shared;

static void *work(void *unused) {
    for (int i = 0; i < 20; i++) check_depth(shared);
    return unused;
}

static void check_threads_and_fork(void) {
    shared = opened("absolute-depth.heic", NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            failures = 0;
            check_depth(shared);
            isobath_photo *own = opened("portrait.heic", NULL);
            isobath_cloud *cloud = NULL;
            CHECK(isobath_photo_cloud(own, NULL, &cloud, NULL) == ISOBATH_OK);
            isobath_cloud_free(cloud);
            isobath_photo_free(own);
            _exit(failures ? 1 : 0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    isobath_set_thread_limit(1);
    check_depth(shared);
    isobath_set_thread_limit(0);
    isobath_photo_free(shared);
}

static void check_recordings(void) {
    isobath_recording *recording = NULL;
    isobath_photo *frame = NULL;
    isobath_error *error = NULL;
    char *path = path_of(images, "plain.jpg"), *json = NULL;
    CHECK(isobath_open_recording(path, NULL, &recording, &error) == ISOBATH_UNRECOGNIZED);
    CHECK(!recording && error && strcmp(error->code, "unrecognized") == 0);
    isobath_error_free(error);
    CHECK(isobath_recording_frame(NULL, 0, &frame, NULL) == ISOBATH_INVALID_ARGUMENT && !frame);
    CHECK(isobath_recording_json(NULL, "info", &json, NULL) == ISOBATH_INVALID_ARGUMENT && !json);
    isobath_recording *followed = NULL;
    CHECK(isobath_recording_follow(NULL, 0, &followed, NULL) == ISOBATH_INVALID_ARGUMENT && !followed);
    isobath_recording_free(NULL);
    free(path);
}

/* Samples of a program of its own become a file that is read as they were. */
static void check_writing(void) {
    float meters[6] = {1, 2, 4, NAN, 0.5f, 8};
    isobath_array array = {.data = meters, .type = ISOBATH_FLOAT32, .dimension_count = 2, .shape = {2, 3, 1}};
    isobath_camera camera = {.fx = 3, .fy = 3, .cx = 1, .cy = 0.5, .width = 3, .height = 2, .pixel_size = NAN};
    isobath_write_options options = {.struct_size = sizeof options, .camera = &camera};
    isobath_error *error = NULL;
    char *name = path_of(results, "written.exr");
    array.scale = "absolute";
    CHECK(isobath_write_array(&array, name, &options, &error) == ISOBATH_OK && !error);
    CHECK(isobath_write_array(&array, name, &options, &error) == ISOBATH_NOT_WRITTEN && error);
    isobath_error_free(error);
    options.flags = ISOBATH_WRITE_REPLACE;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_OK);
    isobath_photo *photo = NULL;
    isobath_array *depth = NULL;
    isobath_camera *known = NULL;
    CHECK(isobath_open(name, NULL, &photo, NULL) == ISOBATH_OK);
    CHECK(isobath_photo_array(photo, "depth", 0, &depth, NULL) == ISOBATH_OK);
    CHECK(depth && depth->shape[0] == 2 && depth->shape[1] == 3 && !strcmp(depth->scale, "absolute"));
    for (int i = 0; depth && i < 6; i++) {
        float found = ((const float *)depth->data)[i];
        CHECK(i == 3 ? isnan(found) : found == meters[i]);
    }
    CHECK(isobath_photo_camera(photo, &known, NULL) == ISOBATH_OK && known && known->fx == 3 && known->cy == 0.5);
    isobath_camera_free(known);
    isobath_array_free(depth);
    isobath_photo_free(photo);
    unlink(name);

    camera.width = 4;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    options.camera = NULL, options.flags = ISOBATH_WRITE_TEXT;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    options.flags = 0, array.shape[0] = 0;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    array.shape[0] = INT64_MAX / 4;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    array.shape[0] = 2, array.type = ISOBATH_UINT16;
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    array.type = ISOBATH_FLOAT32, array.scale = "metric";
    CHECK(isobath_write_array(&array, name, &options, NULL) == ISOBATH_INVALID_ARGUMENT);
    CHECK(isobath_write_array(NULL, name, NULL, NULL) == ISOBATH_INVALID_ARGUMENT);
    array.scale = NULL;
    CHECK(isobath_write_array(&array, NULL, NULL, NULL) == ISOBATH_INVALID_ARGUMENT);
    CHECK(isobath_write_cloud(NULL, name, NULL, NULL) == ISOBATH_INVALID_ARGUMENT);
    isobath_cloud cloud = {.point_count = 0};
    CHECK(isobath_write_cloud(&cloud, name, NULL, NULL) == ISOBATH_INVALID_ARGUMENT);
    CHECK(access(name, F_OK) != 0);
    free(name);

    uint8_t color[3] = {0};
    CHECK(isobath_color("#ff8000", color) == 1 && color[0] == 255 && color[1] == 128 && color[2] == 0);
    CHECK(isobath_color("beach.jpg", color) == 0 && isobath_color(NULL, color) == 0);
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "interface IMAGES RESULTS\n"), 64;
    images = arguments[1], results = arguments[2];
    CHECK(isobath_abi_version() == ISOBATH_ABI_VERSION && strlen(isobath_version()) > 0);
    check_values();
    check_alignment();
    check_errors();
    check_source();
    check_recordings();
    check_writing();
    check_threads_and_fork();
    if (failures) fprintf(stderr, "%d failures\n", failures);
    return failures ? 1 : 0;
}
