/*
 * keyread.h - keys from texts of types with a grammar of their own
 *
 * Texts have no blanks around them, but for those of bytea, to which they
 * belong.  Readers set *key.  Errors: RIBBON_ERROR_KEY, if the text is none, in
 * words that are the caller's; _MEMORY.
 */
#ifndef RIBBON_LIB_KEYREAD_H
#define RIBBON_LIB_KEYREAD_H

#include "internal.h"

/* bytesread.c; the second one is of a uuid, macaddr or macaddr8 */
extern ribbon_status ribbon_bytes_key(ribbon_key *key, const char *text,
									  size_t size);
extern ribbon_status ribbon_few_bytes_key(ribbon_key *key, int key_type,
										  const char *text, size_t size);
extern ribbon_status ribbon_bits_key(ribbon_key *key, const char *text,
									 size_t size);

/* netread.c, intervalread.c, jsonread.c, numeric.c */
extern ribbon_status ribbon_inet_key(ribbon_key *key, const char *text,
									 size_t size);
extern ribbon_status ribbon_interval_key(ribbon_key *key, const char *text,
										 size_t size);
extern ribbon_status ribbon_json_key(ribbon_key *key, const char *text,
									 size_t size);
extern ribbon_status ribbon_numeric_key(ribbon_key *key, const char *text,
										size_t size);

/*
 * numeric.c: the shortest text of a number's value, which is no infinity, to be
 * freed.  Errors as above.
 */
extern ribbon_status ribbon_numeric_shortest(const char *text, size_t size,
											 char **shortest, size_t *length);

/*
 * civilread.c: a date or time, as values/civil.h has it.  False if the text is
 * none.
 */
extern bool ribbon_civil_date(const char *text, size_t size, int32_t *days);
extern bool ribbon_civil_time(const char *text, size_t size, int64_t *time);
extern bool ribbon_civil_timestamp(const char *text, size_t size, bool has_zone,
								   int64_t *timestamp);

/* Seconds west of UTC are set to *zone. */
extern bool ribbon_civil_timetz(const char *text, size_t size, int64_t *time,
								int32_t *zone);

/*
 * valuetext.c: the number that an integer, boolean, date, time, timestamp or
 * timestamptz is, as values/values.h has it.  False if the text is none.
 */
extern bool ribbon_value_read(int key_type, const char *text, size_t size,
							  int64_t *number);

#endif /* RIBBON_LIB_KEYREAD_H */
