// Whether this is built to find misused memory or data races (`Tools/test --sanitize address`, `.ci/sanitize`).
#ifndef ISOBATH_SANITIZER_H
#define ISOBATH_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if !defined(IS_SANITIZED) && (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#define IS_SANITIZED 1
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#endif
