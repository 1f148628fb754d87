#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT ("copy it before you return") is a macro that casts -1 to a function pointer, which Swift does not
// import. A length of 0 with a null pointer would bind NULL, and Swift's empty arrays may have no address.
static inline int strapd_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, length ? text : "", length, SQLITE_TRANSIENT);
}

// The same for octets.
static inline int strapd_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, length ? bytes : "", length, SQLITE_TRANSIENT);
}

// sqlite3_db_config takes its values as varargs, which Swift does not import. While it is on, closing copies nothing from
// the write-ahead log and leaves it where it is.
static inline int strapd_sqlite3_keep_log(sqlite3 *database, int is_on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_on, (int *)0);
}
