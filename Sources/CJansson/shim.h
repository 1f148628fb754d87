#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

// JSON_REAL_PRECISION is a function-like macro, which Swift does not import.
static inline size_t strapd_json_real_precision(size_t digits) { return JSON_REAL_PRECISION(digits); }

// jansson's texts are malloc'ed; Control, being pure, does not import Glibc for free(3).
static inline void strapd_json_text_free(char *text) { free(text); }

// jansson keeps the kind of an error behind its text, where an inline function of the same name as an enum looks for it,
// which Swift imports as the enum alone. These are said of JSON that is none the less: more than 64 bits, a NUL in a name, or
// too deep.
static inline bool strapd_json_is_beyond(const json_error_t *error) {
  switch (json_error_code(error)) {
    case json_error_numeric_overflow:
    case json_error_null_byte_in_key:
    case json_error_stack_overflow:
      return true;
    default:
      return false;
  }
}
