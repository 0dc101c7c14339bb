// Whether this is built to find misused memory (`Tools/test --sanitize address`).
#ifndef ISOBATH_SANITIZER_H
#define ISOBATH_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if !defined(IS_SANITIZED) && defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#endif
