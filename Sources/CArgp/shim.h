#pragma once
#include <argp.h>
#include <string.h>

// argp_error is variadic, which Swift does not import; the text must not be taken for a format either.
static inline void strapd_argp_error(const struct argp_state *state, const char *text) { argp_error(state, "%s", text); }

// argp_program_version is a mutable global, which Swift 6 does not let anybody touch. argp keeps the pointer, hence the
// copy, which lives as long as the process.
static inline void strapd_argp_set_version(const char *text) { argp_program_version = strdup(text); }

// argp_err_exit_status, a mutable global as well; the C library's own value is 64 (EX_USAGE) where sysexits.h has it.
static inline void strapd_argp_set_error_status(int status) { argp_err_exit_status = status; }
