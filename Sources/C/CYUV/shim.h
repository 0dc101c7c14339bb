#include <libyuv/scale.h>
