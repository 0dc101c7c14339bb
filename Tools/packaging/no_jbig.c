/*
 * Replaces JBIG-KIT in the wheel. Debian's libtiff needs that library, whose license (GPL) would apply to the wheel.
 * TIFF files with JBIG coding cannot be read; no depth raster uses it.
 */
#include <stddef.h>

enum { REFUSED = 1 };

void jbg_dec_init(void *state) { (void)state; }
int jbg_dec_in(void *state, unsigned char *data, size_t size, size_t *used) {
    (void)state, (void)data, (void)size;
    if (used) *used = 0;
    return REFUSED;
}
unsigned char *jbg_dec_getimage(const void *state, int plane) { return (void)state, (void)plane, NULL; }
long jbg_dec_getsize(const void *state) { return (void)state, 0; }
void jbg_dec_free(void *state) { (void)state; }
void jbg_enc_init(
    void *state, unsigned long width, unsigned long height, int planes, unsigned char **image,
    void (*write)(unsigned char *, size_t, void *), void *context) {
    (void)state, (void)width, (void)height, (void)planes, (void)image, (void)write, (void)context;
}
void jbg_enc_out(void *state) { (void)state; }
void jbg_enc_free(void *state) { (void)state; }
int jbg_newlen(unsigned char *data, size_t size) { return (void)data, (void)size, REFUSED; }
const char *jbg_strerror(int code) { return (void)code, "this libtiff was built without JBIG"; }
