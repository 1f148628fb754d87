#pragma once
#include <jansson.h>
#include <stdlib.h>

// JSON_REAL_PRECISION is a function-like macro, which Swift does not import.
static inline size_t strapd_json_real_precision(size_t digits) { return JSON_REAL_PRECISION(digits); }

// jansson's texts are malloc'ed; Control, being pure, does not import Glibc for free(3).
static inline void strapd_json_text_free(char *text) { free(text); }
