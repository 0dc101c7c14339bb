/*
 * isobath.h: depth maps, mattes and point clouds from photos, for C and languages that call C.
 *
 * Link with -lisobath (pkg-config: isobath). The library is written in Swift. It contains the Swift runtime, and
 * this header has no Swift types.
 *
 *     isobath_photo *photo = NULL;
 *     isobath_array *depth = NULL;
 *     isobath_error *error = NULL;
 *     if (isobath_open("portrait.heic", NULL, &photo, &error) == ISOBATH_OK
 *         && isobath_photo_array(photo, "depth", 0, &depth, &error) == ISOBATH_OK) {
 *         const float *meters = depth->data;
 *         printf("%g m in the middle\n", meters[(depth->shape[0] / 2) * depth->shape[1] + depth->shape[1] / 2]);
 *     } else {
 *         fprintf(stderr, "%s\n", error->message);
 *     }
 *     isobath_array_free(depth);
 *     isobath_photo_free(photo);
 *     isobath_error_free(error);
 *
 * Results. A function that can fail returns ISOBATH_OK and sets its result, or another status and sets the result to
 * NULL. `error` may be NULL; otherwise it is set to a description on failure, and to NULL on success.
 *
 * Ownership. The caller owns each result, and frees it with the function for its type. Every such function accepts
 * NULL. Arrays, clouds and cameras are independent of their photo and shared with nothing, so you may change their
 * samples. Functions only read their arguments and keep nothing after the call, except where documented.
 * Text is UTF-8 and ends with a zero byte; a path is bytes of the file system.
 *
 * Options. A structure of options begins with its size: set `struct_size` to sizeof(the structure) and all else to
 * zero, then set what you need. Zero and NULL mean the default. The size tells a library that is newer than your
 * header which members your structure has.
 *
 * Threads. Every function may be called from any thread. Several threads may use one photo at a time; freeing it
 * while it is in use is an error. A call uses all cores, and concurrent calls share them; see
 * isobath_set_thread_limit.
 *
 * fork. A process may fork at any time: fork waits for calls of other threads, except those on photos of
 * a byte source. The child may use the library and photos that were opened before. If the parent has used the
 * library, calls in the child use one thread.
 *
 * Untrusted input. Every size in a file is checked against limits before memory is allocated (`limits` of isobath_open).
 * Decoders are C libraries and run in your process: for uploads, use a separate process, such as `isobath extract
 * --isolate`.
 *
 * Geometry. Everything is upright: rows from top to bottom, as the photo is shown. Pixel coordinates have (0, 0) at the
 * center of the top-left pixel.
 */
#ifndef ISOBATH_H
#define ISOBATH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---------------------------------------------------------------------------------------------------- */

/* The version of this header's interface. Only incompatible changes increase it, not new functions, statuses, flags
 * or members at the end of structures. The name of the shared library contains it, too. */
#define ISOBATH_ABI_VERSION 2

/* The interface version of the loaded library: compare it with ISOBATH_ABI_VERSION. */
uint32_t isobath_abi_version(void);

/* The version of Isobath, such as "0.2.0". Do not free it. */
const char *isobath_version(void);

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

typedef int32_t isobath_status;

enum {
    ISOBATH_OK = 0,
    /* The system could not open or read the file, or a read function failed. */
    ISOBATH_UNREADABLE = 1,
    /* The bytes are neither a photo nor a depth raster. */
    ISOBATH_UNRECOGNIZED = 2,
    /* The file is truncated, breaks a rule of its format, or its coded samples are damaged. */
    ISOBATH_DAMAGED = 3,
    /* The file seems valid, but uses a feature that is not implemented. */
    ISOBATH_UNSUPPORTED = 4,
    /* A limit would be exceeded. */
    ISOBATH_LIMIT_EXCEEDED = 5,
    /* The file is valid, but has no such plane. */
    ISOBATH_NO_PLANE = 6,
    /* The file is valid, but not suitable for the request: meters of a map without a unit, a cloud without a point. */
    ISOBATH_UNSUITABLE = 7,
    /* An argument is wrong: NULL, an unknown name, a number out of range. */
    ISOBATH_INVALID_ARGUMENT = 8,
    /* The output exists and is not to be replaced, or the system could not write it. */
    ISOBATH_NOT_WRITTEN = 9
};

typedef struct isobath_error {
    isobath_status status;
    /* A stable identifier for scripts, as in the tool's JSON: "truncated", "limit-exceeded", "no-plane". */
    const char *code;
    /* What is wrong, without a location. */
    const char *message;
    /* The enclosing structure in the file, such as "meta/iprp/ipco/auxC"; empty if unknown. */
    const char *where;
    /* The byte offset in the file; -1 if unknown. */
    int64_t offset;
} isobath_error;

void isobath_error_free(isobath_error *error);

/* Frees text that a function returned. */
void isobath_string_free(char *text);

/* ---- Limits and threads ----------------------------------------------------------------------------------------- */

/* The limits on the work that a file may cause in parsers and decoders, such as pixels, bytes and nesting: a JSON object of
 * names and defaults. All are finite, and photos of real phones need less than half of each. To be freed with
 * isobath_string_free. */
char *isobath_limits(void);

/* How many threads each later call may use, including the calling one: 1 uses no other. 0, the default, means one
 * per core, divided by the number of calls that run when it begins. Results do not depend on it. Applies to the
 * process. */
void isobath_set_thread_limit(int32_t limit);

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* A photo with its planes, or a plain depth raster. Opening one reads its structure and decodes nothing. Functions
 * that return samples decode only those samples, each time they are called. */
typedef struct isobath_photo isobath_photo;

/* A read request: `size` bytes from `offset` on, into `buffer`. The range is inside the source and not empty. */
typedef struct isobath_range {
    int64_t offset;
    int64_t size;
    void *buffer;
} isobath_range;

/* Bytes that are read on demand, such as an object in a store. */
typedef struct isobath_byte_source {
    size_t struct_size;
    /* Passed to the functions below. */
    void *context;
    /* How many bytes there are. */
    int64_t byte_count;
    /* Reads `count` ranges, possibly concurrently, and returns 0 when all buffers are full. Any other value is a
     * failure, after which the photo cannot be read any more. Called from any thread, one at a time, and rarely:
     * opening a phone's photo usually takes one or two ranges, and its depth one more. The photo keeps the bytes
     * until it is freed. */
    int32_t (*read)(void *context, const isobath_range *ranges, size_t count);
    /* Called once, after the last read: when the photo is freed, or when opening it fails. May be NULL. */
    void (*release)(void *context);
} isobath_byte_source;

typedef struct isobath_open_options {
    size_t struct_size;
    /* Other limits than the defaults of isobath_limits, as text: "pixels=50000000,memory-bytes=1000000000". */
    const char *limits;
    /* Decoders do not change state of the process. Otherwise they fill libde265's buffers with a pattern, which reveals
     * damage that libde265 does not report, and redirect `stderr` while they decode a JPEG XL image, so that libjxl's
     * messages become part of the error. */
    int32_t keeps_process;
    /* Instead of a path: the bytes of a file, which are copied, or a source. The structure of a source is copied; the target
     * of its `context` must exist until `release` is called. */
    const void *bytes;
    size_t byte_count;
    const isobath_byte_source *source;
    /* For bytes and sources: the name to use as `path` in descriptions. If it ends in .jps, a JPEG without
     * stereo metadata is a stereo pair, right eye first. */
    const char *name;
    /* The members below describe a plain raster that does not describe itself; photos do not need them. */
    /* "depth", "disparity", or "distance" along the rays, which the camera converts to depth. */
    const char *quantity;
    /* The divisor of stored values: units per meter for depth (1000 for millimeters), units per 1/m for disparity. */
    double scale;
    /* The camera, as numbers in pixels of the depth, from the center of the first: "F", "F,CX,CY" or "FX,FY,CX,CY",
     * without a principal point the middle; or as the path of a file: the calibration of a stereo pair (calib.txt of
     * Middlebury, ETH3D or KITTI), a line of `isobath extract --json`, camera_intrinsic.json of Open3D, cameras.txt of
     * COLMAP, transforms.json of nerfstudio. */
    const char *camera;
    /* The distance of the two cameras in meters. If given, disparity is in pixels. */
    double baseline;
    /* The picture that belongs to the raster. */
    const char *color_path;
    /* The array of an NPZ file, or the channel of an OpenEXR file. */
    const char *array_name;
    /* The stored value that means unknown, as a decimal number, or "none" for no such value. NULL: the value that
     * the file declares, negative and non-finite values are unknown, 0 except in disparity of floating point, and in
     * depth the greatest value of the type, and 1e9 or more, if it is at least twice the next greatest one. */
    const char *no_data;
    /* The members below describe a stereo pair. */
    /* The right picture, if the opened file is the left one. */
    const char *right_path;
    /* If not 0, the rows of the pictures match: they are neither rectified nor aligned. */
    int32_t is_rectified;
    /* The members below describe a recording. */
    /* The names of `topic_count` topics of a ROS bag to read: of depth, pictures or poses. Others are chosen by type and
     * name. */
    const char *const *topics;
    size_t topic_count;
    /* A file with the poses, which replace those of the recording; NULL for these. */
    const char *poses_path;
    /* How they are stored: "camera-to-world-opencv", "camera-to-world-opengl", "world-to-camera-opencv",
     * "world-to-camera-opengl" or "ros-body"; NULL for the convention of the layout, or of the file. */
    const char *pose_convention;
    /* For rasters: the distances in meters of the nearest and the farthest code, 1 and the greatest of 8 or 16 bits, between
     * which codes are linear in `quantity`; 0 is unknown. The second may be infinite. Both 0: none are given. */
    double range_near, range_far;
} isobath_open_options;

/* Opens a file; its bytes determine the format. `path` is NULL if the options have `bytes` or a `source`. */
isobath_status isobath_open(
    const char *path, const isobath_open_options *options, isobath_photo **photo, isobath_error **error);

void isobath_photo_free(isobath_photo *photo);

/* ---- What is known without decoding ------------------------------------------------------------------------------ */

/* A description of the photo as JSON, to be freed with isobath_string_free. `what` is one of:
 *
 * "info"         the photo and its planes: an object, schema "isobath.info/1", as `isobath info --json` prints it
 * "view"         the upright view: an object, schema "isobath.view/1", as below
 * "diagnostics"  errors in the file and assumptions about it so far (decoders may add some): an array of objects with
 *                severity ("note" or "warning"), code, message, and offset (null if unknown)
 * "alignment"    how depth of isobath_photo_derive was aligned, which computes it; null for other depth:
 *                {"factor": 1.9, "offset": 0.1, "residual": 0.002, "inliers": 0.97, "samples": 27648}. Reciprocal meters are
 *                factor · value + offset, where value is disparity, or the reciprocal of depth. `residual` is the median
 *                of what remains, in 1/m; `inliers` is the fraction of samples that fit.
 *
 *     {"schema": "isobath.view/1", "picture": {"width": 960, "height": 720},
 *      "depth": {"width": 192, "height": 144, "quantity": "disparity", "scale": "relative"},
 *      "planes": ["disparity", "matte"], "stereo": false}
 *
 * `picture` and `depth` are null if missing. `quantity` is the stored quantity; `scale` is as in isobath_array.
 * `planes` are the readable kinds, in file order. `stereo` is whether disparity can be computed from two pictures. */
isobath_status isobath_photo_json(const isobath_photo *photo, const char *what, char **json, isobath_error **error);

/* A pinhole camera with its lens, on a grid of `width` × `height` pixels. A point at X, Y, Z (x right, y down, z forward) is
 * seen at column fx · X / Z + cx and row fy · Y / Z + cy, before the lens distorts it. */
typedef struct isobath_camera {
    /* Private. */
    void *owner;
    /* Focal lengths and principal point, in pixels of the grid. */
    double fx, fy, cx, cy;
    int64_t width, height;
    /* Its origin: "given", "file", "focalLength35mm", or "assumed" (a usual field of view). */
    const char *source;
    /* The width of a pixel of the grid on the sensor, in millimeters; nan if unknown. */
    double pixel_size;
    /* The lens, as in Apple's files: a radius of r millimeters on the sensor grows by the fraction 0.01 · Σ c[k] ·
     * r^k. `coefficients` map rectified to distorted positions, `inverse_coefficients` back; NULL without a lens. */
    const double *coefficients;
    int64_t coefficient_count;
    const double *inverse_coefficients;
    int64_t inverse_coefficient_count;
    /* The center of the distortion, in pixels of the grid; nan without a lens. */
    double distortion_center_x, distortion_center_y;
    /* From this camera to the reference camera: 3 × 3 row by row, and 3 meters; NULL if missing. */
    const double *rotation;
    const double *translation;
} isobath_camera;

/* The camera on the grid of the depth, or of the picture if there is no depth. ISOBATH_NO_PLANE if there is
 * neither. */
isobath_status isobath_photo_camera(const isobath_photo *photo, isobath_camera **camera, isobath_error **error);

void isobath_camera_free(isobath_camera *camera);

/* ---- Samples ---------------------------------------------------------------------------------------------------- */

typedef int32_t isobath_sample_type;

enum {
    ISOBATH_UINT8 = 1,
    ISOBATH_UINT16 = 2,
    ISOBATH_FLOAT32 = 3
};

/* Samples, row by row without gaps; the samples of a pixel are adjacent. */
typedef struct isobath_array {
    /* Private. */
    void *owner;
    void *data;
    isobath_sample_type type;
    /* 2, or 3 for pictures. */
    int32_t dimension_count;
    /* Rows, columns and, for pictures, samples per pixel: 3 for RGB, 4 for RGBA. 1 beyond dimension_count. */
    int64_t shape[3];
    /* Significant bits of a sample: the largest integer is 2^bit_depth - 1. 32 for floats. */
    int32_t bit_depth;
    /* What depth or disparity means, NULL for others:
     * "absolute"  meters or 1/meters
     * "relative"  meters whose scale may be off by tens of percent (most dual cameras)
     * "unknown"   taken for meters because nothing says otherwise (floating-point rasters)
     * "affine"    a linear function of the quantity, whose factor and offset are unknown
     * "unitless"  the order of distances and nothing else */
    const char *scale;
    /* The ICC profile of a picture; NULL means sRGB. */
    const uint8_t *color_profile;
    size_t color_profile_size;
} isobath_array;

void isobath_array_free(isobath_array *array);

enum {
    /* Computes depth and disparity of a stereo pair that stores neither from its two pictures, which takes seconds. */
    ISOBATH_COMPUTE_STEREO = 1 << 0,
    /* Keeps the color space of pictures instead of converting them to sRGB. */
    ISOBATH_NATIVE_COLOR = 1 << 1,
    /* Returns the picture before the camera rendered an effect into it; ISOBATH_NO_PLANE if it is missing. */
    ISOBATH_ORIGINAL = 1 << 2,
    /* Returns depth and disparity at the size of the picture, aligned to its edges. ISOBATH_UNSUITABLE without a
     * picture, or if its aspect ratio differs from the depth's. */
    ISOBATH_UPSAMPLE = 1 << 3,
    /* Returns the stored values of a plane without their meaning: uint8 or uint16; the luma of a plane with color. */
    ISOBATH_STORED_VALUES = 1 << 4,
    /* Returns samples as the file stores them, not turned upright. Of photos as they were opened; not with
     * ISOBATH_UPSAMPLE. */
    ISOBATH_STORED_FRAME = 1 << 5
};

/* The samples of a plane, or the picture. `kind` is one of:
 *
 * "depth"      the distance along the optical axis in meters, float32; infinity at infinite distance, nan where unknown.
 *              From depth or disparity, whichever is stored. See `scale` for the meaning of the numbers.
 * "disparity"  the reciprocal distance in 1/meters, float32; 0 at infinity, nan where unknown
 * "image"      the picture: RGB, uint8 or uint16
 * "matte", "portrait" (the same: all people), "skin", "hair", "teeth", "glasses", "sky"
 *              a matte at its stored size, uint8: linear coverage, 0 background to 255 subject
 *
 * and with ISOBATH_STORED_VALUES also "confidence", "gain-map", "alpha", or any other kind of the description "info". */
isobath_status isobath_photo_array(
    const isobath_photo *photo, const char *kind, uint32_t flags, isobath_array **array, isobath_error **error);

/* ---- Other depth and mattes ------------------------------------------------------------------------------------- */

enum {
    /* Removes quantization steps; no sample moves by more than half a step. */
    ISOBATH_DERIVE_DEQUANTIZE = 1 << 0,
    /* Fills unknown samples from their neighbors. */
    ISOBATH_DERIVE_FILL_HOLES = 1 << 1,
    /* Smooths noise within surfaces. */
    ISOBATH_DERIVE_SMOOTH = 1 << 2,
    /* Keeps depth of a network, or of the caller, as it is. */
    ISOBATH_DERIVE_UNALIGNED = 1 << 3
};

typedef struct isobath_derive_options {
    size_t struct_size;
    /* ISOBATH_DERIVE_… */
    uint32_t flags;
    /* Samples with a lower stored value in the confidence plane become unknown; 0 keeps all. */
    int32_t minimum_confidence;
    /* A network in an ONNX file, whose depth or matte replaces the stored one. It runs when that plane is first read. */
    const char *model;
    /* Its profile: a name, or the path of a JSON file. NULL: as the file declares. */
    const char *model_profile;
    /* Or depth of the caller, which replaces the stored one: float32 (rows, columns) of the complete upright view in any
     * size, nan where unknown. A `scale` of NULL means "affine". It is copied. */
    const isobath_array *depth;
    /* "depth" or "disparity"; NULL means depth. */
    const char *quantity;
    /* By default, this depth is aligned to the stored one: robust least squares find the factor and the offset of its
     * disparity. These members align it to something else: depth of the same view in meters, or `anchor_count` points of
     * known distance. An anchor is three numbers: its position as fractions of width and height, and meters. */
    const isobath_photo *reference;
    const double *anchors;
    size_t anchor_count;
} isobath_derive_options;

/* A photo with other depth or another matte, which is used by every function. Treatments follow last: confidence, then
 * quantization steps, holes and noise. Use it and free it like any photo; the original may be freed first. If a stereo pair
 * stores no depth, it is computed.
 *
 * Decodes nothing except `reference`. Reading the depth fails with ISOBATH_UNSUITABLE if there is no confidence plane, no
 * quantization to remove, or no line that aligns it. Depth of a network stays without a unit if the photo stores none
 * in meters; for depth of the caller, this is ISOBATH_UNSUITABLE. The last four networks stay open. */
isobath_status isobath_photo_derive(
    const isobath_photo *photo, const isobath_derive_options *options, isobath_photo **derived, isobath_error **error);

/* ---- Point clouds ----------------------------------------------------------------------------------------------- */

enum {
    /* Keeps flying samples between two surfaces. */
    ISOBATH_CLOUD_KEEP_EDGES = 1 << 0,
    /* Keeps the distortion of the lens. */
    ISOBATH_CLOUD_KEEP_LENS = 1 << 1,
    /* Keeps the steps of 8-bit quantization. */
    ISOBATH_CLOUD_KEEP_STEPS = 1 << 2,
    /* Computes normals. */
    ISOBATH_CLOUD_NORMALS = 1 << 3,
    /* Removes outliers. */
    ISOBATH_CLOUD_REMOVE_OUTLIERS = 1 << 4,
    /* One point for each pixel of the photo; otherwise one for each sample of the depth. */
    ISOBATH_CLOUD_PHOTO_RESOLUTION = 1 << 5,
    /* x right, y down, z forward, as in OpenCV. Otherwise x right, y up, z backward, as in OpenGL. */
    ISOBATH_CLOUD_OPENCV_AXES = 1 << 6,
    /* Returns the surface as triangles. It needs the grid: not with voxel_size, maximum_count and
     * ISOBATH_CLOUD_REMOVE_OUTLIERS. */
    ISOBATH_CLOUD_MESH = 1 << 7
};

typedef struct isobath_cloud_options {
    size_t struct_size;
    uint32_t flags;
    /* Every n-th sample of every n-th row; 0 means 1. */
    int32_t stride;
    /* The range of distances along the axis, in meters; 0 for no bound. */
    float near_distance, far_distance;
    /* One point for each cube of this edge in meters; 0 for all points. */
    float voxel_size;
    /* The most points, spread evenly; 0 for all. */
    int64_t maximum_count;
    /* The most triangles of a mesh; 0 means 500,000. */
    int64_t maximum_triangles;
} isobath_cloud_options;

/* Points, in meters subject to `scale`, and the triangles between them. The other arrays have a row for each point, or
 * are NULL. */
typedef struct isobath_cloud {
    /* Private. */
    void *owner;
    int64_t point_count;
    /* x, y, z */
    float *positions;
    /* red, green, blue: sRGB */
    uint8_t *colors;
    /* Unit normals of the surface, towards the camera. */
    float *normals;
    /* The confidence of each point, 0…1. */
    float *confidences;
    /* As in isobath_array. */
    const char *scale;
    /* Three indices of points each, counter-clockwise seen from the camera; NULL without a mesh. */
    int64_t triangle_count;
    uint32_t *triangles;
} isobath_cloud;

/* The cloud of the depth, calibrated and corrected for the lens, with the picture's colors if there is one. If a
 * stereo pair stores no depth, it is computed. */
isobath_status isobath_photo_cloud(
    const isobath_photo *photo, const isobath_cloud_options *options, isobath_cloud **cloud, isobath_error **error);

void isobath_cloud_free(isobath_cloud *cloud);

/* ---- Compositing ------------------------------------------------------------------------------------------------ */

enum {
    /* A transparent background: RGBA, straight alpha. */
    ISOBATH_BACKGROUND_NONE = 0,
    ISOBATH_BACKGROUND_COLOR = 1,
    ISOBATH_BACKGROUND_IMAGE = 2
};

enum {
    /* Enlarges the matte evenly instead of aligning it to the picture's edges, and keeps the old background's color in
     * hair and soft edges. */
    ISOBATH_COMPOSITE_NO_REFINEMENT = 1 << 0,
    /* Uses `softness` even if it is 0, for a hard cut. */
    ISOBATH_COMPOSITE_SOFTNESS = 1 << 1
};

typedef struct isobath_composite_options {
    size_t struct_size;
    /* ISOBATH_BACKGROUND_… */
    int32_t background;
    uint32_t flags;
    /* Red, green and blue of a background of one color, sRGB. */
    uint8_t color[3];
    /* A background picture: RGB, rows without gaps, uint8 or uint16, in the color space of an ICC profile, or in
     * sRGB without one. */
    const void *pixels;
    isobath_sample_type pixel_type;
    int64_t width, height;
    const uint8_t *color_profile;
    size_t color_profile_size;
    /* How it fills the picture's frame: "cover", "contain" or "stretch"; NULL is "cover". */
    const char *fit;
    /* The subject: mattes of the file joined by +, such as "portrait" or "hair+skin", or "depth" for a mask cut from the
     * depth. NULL is the portrait matte, otherwise the mask. */
    const char *matte;
    /* The range of the mask, in meters: keeps samples farther than `near_distance` and nearer than `far_distance`;
     * 0 for no bound. Without both, the mask is one object: the one at the first face that the camera marked,
     * otherwise at its point of focus, otherwise in the middle of the picture. */
    float near_distance, far_distance;
    /* The width of the ramp at either cut, in meters; 0 means 0.05 without ISOBATH_COMPOSITE_SOFTNESS. Needs a
     * distance. */
    float softness;
} isobath_composite_options;

/* Sets the sRGB color of a name, `#rgb` or `#rrggbb`. Returns 1, or 0 for other text. */
int32_t isobath_color(const char *name, uint8_t color[3]);

/* The subject over another background: RGB or RGBA at the picture's size, uint8 or, for pictures with more than 8
 * bits, uint16, in sRGB. */
isobath_status isobath_photo_composite(
    const isobath_photo *photo, const isobath_composite_options *options, isobath_array **image,
    isobath_error **error);

/* ---- Blur ------------------------------------------------------------------------------------------------------- */

enum {
    /* Blurs the photo as it is stored. Otherwise blurs the picture before the camera's blur, if the file has it. */
    ISOBATH_BLUR_PHOTO = 1 << 0,
    /* `focus_x` and `focus_y` are used. */
    ISOBATH_BLUR_FOCUS = 1 << 1
};

typedef struct isobath_blur_options {
    size_t struct_size;
    /* ISOBATH_BLUR_… */
    uint32_t flags;
    /* The full-frame f-number. 0 uses the one of the file's portrait effect; if missing, 4.5. */
    float f_number;
    /* Focuses at this distance in meters, for depth with a unit; 0 if not set. Takes precedence over the point. */
    float focus_distance;
    /* Focuses on this position, as fractions of width and height: (0, 0) is the top-left corner. */
    double focus_x, focus_y;
} isobath_blur_options;

/* The picture with another aperture or focus, RGB, uint8 or uint16, in sRGB. Without a focus, it focuses where the
 * camera focused, otherwise on the subject. ISOBATH_NO_PLANE without depth or a picture. */
isobath_status isobath_photo_blur(
    const isobath_photo *photo, const isobath_blur_options *options, isobath_array **image, isobath_error **error);

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

enum {
    /* Replaces an existing file. */
    ISOBATH_WRITE_REPLACE = 1 << 0,
    /* Writes PLY and PCD as text. */
    ISOBATH_WRITE_TEXT = 1 << 1
};

typedef struct isobath_write_options {
    size_t struct_size;
    /* ISOBATH_WRITE_… */
    uint32_t flags;
    /* Of JPEG, 1 to 100; 0 means 92. */
    int32_t quality;
    /* The quantity of float32 samples: "depth" or "disparity"; NULL means depth. */
    const char *quantity;
    /* The camera on the grid of float32 samples, which the file stores if its format can; NULL if unknown. `owner`,
     * `source`, `rotation` and `translation` are not used. */
    const isobath_camera *camera;
} isobath_write_options;

/* Writes samples as a file, which is complete or missing. The name's extension chooses the format:
 *   float32 (rows, columns)           depth or disparity: TIFF, OpenEXR, PFM, NPY, or PNG with 16 bits over their range
 *   uint8 (rows, columns)             a matte: PNG, TIFF, NPY, PFM, OpenEXR
 *   uint8, uint16 (rows, columns, 3)  a picture: JPEG, PNG, TIFF; or (rows, columns, 4) with straight alpha
 *
 * The array may come from this library, or describe memory of yours: `owner` is not used, and a `scale` of NULL means
 * "unknown". ISOBATH_NOT_WRITTEN if the file exists, has an unknown extension, or cannot be written. `options` may be
 * NULL. */
isobath_status isobath_write_array(
    const isobath_array *array, const char *path, const isobath_write_options *options, isobath_error **error);

/* The same for points: PLY, PCD, OBJ, GLB, LAS; and for meshes: PLY, OBJ, GLB, USDZ. */
isobath_status isobath_write_cloud(
    const isobath_cloud *cloud, const char *path, const isobath_write_options *options, isobath_error **error);

/* ---- Recordings ------------------------------------------------------------------------------------------------- */

/* A recording of color, depth and poses: a folder, an archive, a movie with depth, or a pattern of numbered depth images such
 * as "depth-%04d.png". Opening one reads its lists and headers, and decodes nothing. */
typedef struct isobath_recording isobath_recording;

/* Opens a recording; its contents determine the layout. Uses the options `limits`, `scale`, `camera`, `color_path`, a
 * pattern of pictures, and those for recordings. ISOBATH_UNRECOGNIZED if it is not a readable recording, or a bag
 * without one of the topics: the message lists the bag's topics; ISOBATH_INVALID_ARGUMENT for topics of a recording that
 * is not a bag; ISOBATH_UNSUITABLE for a folder of several, for a camera's file that cannot be read, and for a movie
 * without FFmpeg's libraries. */
isobath_status isobath_open_recording(
    const char *path, const isobath_open_options *options, isobath_recording **recording, isobath_error **error);

/* Its frames remain valid. */
void isobath_recording_free(isobath_recording *recording);

/* A description of the recording as a JSON object, to be freed with isobath_string_free. `what` is one of:
 *
 * "info"   schema "isobath.recording/1", as `isobath info --json` prints it: `frames` is their number
 * "track"  the time and pose of each frame, as below. Decodes nothing; reads a movie to its end.
 *
 *     {"times": [0, 0.033], "poses": [{"rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1], "translation": [0, 0, 0]}, null],
 *      "diagnostics": []}
 *
 * `times` are seconds since the first frame; `poses` are as in the description of a frame, null if unknown;
 * `diagnostics` are assumptions and losses, as in isobath_photo_json. */
isobath_status isobath_recording_json(
    const isobath_recording *recording, const char *what, char **json, isobath_error **error);

/* A frame as an upright photo, numbered from 0. Use it and free it like any photo. It caches what it decodes. Going
 * back in a movie decodes it from its start; other recordings allow any order.
 *
 * The description "view" has three more members: `index`, `time` (seconds since the first frame) and the
 * camera's `pose`, null if unknown. A point p of the camera (x right, y down, z forward) is at R · p + t in the
 * world, with `rotation` R row by row and `translation` t in meters. The stored values of "confidence" are 0 low,
 * 1 medium, 2 high. The description "info" describes the recording. ISOBATH_INVALID_ARGUMENT for an index out of range. */
isobath_status isobath_recording_frame(
    const isobath_recording *recording, int64_t index, isobath_photo **frame, isobath_error **error);

enum {
    /* Turns the world upright, y up: by gravity if the poses are aligned with it, else by the floor, whose height
     * becomes 0. */
    ISOBATH_FUSION_LEVEL = 1 << 0,
    /* y down instead. Needs ISOBATH_FUSION_LEVEL. */
    ISOBATH_FUSION_OPENCV_AXES = 1 << 1,
    /* Uses frames before `end` only. */
    ISOBATH_FUSION_HAS_END = 1 << 2,
    /* Returns the surface as triangles. */
    ISOBATH_FUSION_MESH = 1 << 3
};

/* The same recording with the path of its camera: if it has no poses, the camera is followed through all frames by depth
 * and color (odometry), and the first frame is the world. Stored poses that contradict the frames around them are
 * removed. The diagnostics of isobath_recording_json tell how poses were found, and which are missing. `flags` are
 * ISOBATH_FUSION_LEVEL and ISOBATH_FUSION_OPENCV_AXES. Errors as in isobath_recording_fuse. To be freed with
 * isobath_recording_free. */
isobath_status isobath_recording_follow(
    const isobath_recording *recording, uint32_t flags, isobath_recording **followed, isobath_error **error);

typedef struct isobath_fusion_options {
    size_t struct_size;
    /* The edge of a voxel in meters; 0 means 0.01. */
    float voxel_size;
    /* The range of distances along the axis, in meters; 0 for no bound. */
    float near_distance, far_distance;
    /* Uses every n-th frame; 0 means 1. */
    int32_t step;
    /* Uses frames from `start` on, in seconds since the first frame; with ISOBATH_FUSION_HAS_END up to and without `end`,
     * otherwise to the last one. */
    double start, end;
    /* ISOBATH_FUSION_… */
    uint32_t flags;
    /* The most triangles of a mesh, if that is possible; 0 for no maximum. */
    int64_t maximum_triangles;
} isobath_fusion_options;

/* Fuses all frames into one surface, in the coordinates of the poses: about one point for each square of a voxel's
 * edge, with the mean color of the frames. Without any poses, the camera is followed by depth and color.
 * ISOBATH_UNSUITABLE if frames have no depth in meters or no camera, or if the camera could not be followed,
 * or if nothing shows which direction is up. */
isobath_status isobath_recording_fuse(
    const isobath_recording *recording, const isobath_fusion_options *options, isobath_cloud **cloud,
    isobath_error **error);

enum {
    /* Replaces an existing folder if it holds files of a data set and no others. */
    ISOBATH_DATA_SET_REPLACE = 1 << 0,
    /* Uses the sharpest picture of each group of frames that `step` or `maximum_frames` makes, and needs one of them. */
    ISOBATH_DATA_SET_SHARPEST = 1 << 1,
    /* Uses frames before `end` only. */
    ISOBATH_DATA_SET_HAS_END = 1 << 2
};

typedef struct isobath_data_set_options {
    size_t struct_size;
    /* ISOBATH_DATA_SET_… */
    uint32_t flags;
    /* Uses every n-th frame; 0 means 1. */
    int32_t step;
    /* Uses frames from `start` on, in seconds since the first frame; with ISOBATH_DATA_SET_HAS_END up to and without `end`,
     * otherwise to the last one. */
    double start, end;
    /* The most frames, evenly chosen; 0 for all. */
    int64_t maximum_frames;
    /* The quality of JPEG pictures that are not copied from the recording, 1 to 100; 0 means 92. */
    int32_t quality;
} isobath_data_set_options;

/* Writes frames into a folder that other programs read as a data set: pictures, depth, cameras and poses, and a fused
 * cloud where the form has one. `form` is "nerfstudio", "colmap" or "tum"; the files are those of `isobath convert
 * --to`. Without any poses, the camera is followed by depth and color. The folder is complete or missing, never
 * partial. `json` is an object, to be freed with isobath_string_free:
 *
 *     {"frames": 80, "pictures": 80, "poses": 80, "points": 182341,
 *      "damagedFrames": [{"index": 7, "error": {"code": "truncated", "message": "…", "offset": 96, "where": "PNG"}}],
 *      "diagnostics": []}
 *
 * It has the numbers of frames, and of those with a picture and with a pose; `points` is null without a cloud.
 * `damagedFrames` could not be decoded and are omitted. `diagnostics` are assumptions and losses, as in
 * isobath_photo_json. ISOBATH_NOT_WRITTEN if the folder exists and is not to be replaced, holds the recording,
 * or cannot be written; ISOBATH_UNSUITABLE as in isobath_recording_fuse, without pictures in forms that need them, and
 * for movies, whose frames have no poses. If no frame can be decoded, the status of the first one's error. */
isobath_status isobath_recording_write_data_set(
    const isobath_recording *recording, const char *form, const char *path, const isobath_data_set_options *options,
    char **json, isobath_error **error);

#ifdef __cplusplus
}
#endif

#endif
