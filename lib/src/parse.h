/*
 * parse.h - keys and values from texts: what they are made of (parse.c), and
 * types with a grammar of their own
 */
#ifndef RIBBON_LIB_PARSE_H
#define RIBBON_LIB_PARSE_H

#include "internal.h"

/* A decimal number, with or without sign, and nothing else. */
extern bool ribbon_parse_integer(const char *text, size_t size,
								 int64_t *number);

/*
 * The same of a natural number up to most; and a number as strtod reads it, but
 * nan(...), of which the server takes some.
 */
extern bool ribbon_parse_unsigned(const char *text, size_t size, uint64_t most,
								  uint64_t *number);
extern bool ribbon_parse_float(const char *text, size_t size, double *number);

/*
 * The number that an integer, boolean, date, time, timestamp or timestamptz is,
 * without blanks around it, as values/number.h has it.  False if it is none.
 */
extern bool ribbon_parse_number(int key_type, const char *text, size_t size,
								int64_t *number);

/* Blanks around a text do not count. */
extern void ribbon_parse_trim(const char **text, size_t *size);

/*
 * A text as a message shows it, in shown[0..RIBBON_SHOWN]: not too long, and
 * nothing that a terminal would obey.
 */
#define RIBBON_SHOWN 60
extern const char *ribbon_parse_show(const char *text, size_t size,
									 char *shown);

static inline bool
ribbon_parse_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is it this word, in whichever case? */
extern bool ribbon_parse_is_word(const char *text, size_t size,
								 const char *word);

/*
 * civilread.c: a date or time without blanks around it, as values/civil.h has
 * it.  False if the text is none.
 */
extern bool ribbon_civil_date(const char *text, size_t size, int32_t *days);
extern bool ribbon_civil_time(const char *text, size_t size, int64_t *time);
extern bool ribbon_civil_timestamp(const char *text, size_t size, bool has_zone,
								   int64_t *timestamp);

/* Seconds west of UTC are set to *zone. */
extern bool ribbon_civil_timetz(const char *text, size_t size, int64_t *time,
								int32_t *zone);

/*
 * numeric.c: set *valid to whether it is a numeric, and *key, if so.  Errors:
 * RIBBON_ERROR_MEMORY.
 */
extern ribbon_status ribbon_numeric_key(ribbon_key *key, const char *text,
										size_t size, bool *valid);

/*
 * The shortest text of a number's value, which is no infinity, to be freed if
 * it is valid.
 */
extern ribbon_status ribbon_numeric_shortest(const char *text, size_t size,
											 char **shortest, size_t *length,
											 bool *valid);

/* jsonread.c: the same of a jsonb. */
extern ribbon_status ribbon_json_key(ribbon_key *key, const char *text,
									 size_t size, bool *valid);

/* bytesread.c: the same of a bytea, and of a bit. */
extern ribbon_status ribbon_bytes_key(ribbon_key *key, const char *text,
									  size_t size, bool *valid);
extern ribbon_status ribbon_bits_key(ribbon_key *key, const char *text,
									 size_t size, bool *valid);

/* Of a uuid, macaddr or macaddr8: false if it is none. */
extern bool ribbon_few_bytes_key(ribbon_key *key, int key_type,
								 const char *text, size_t size);

/* netread.c, intervalread.c: false if it is none. */
extern bool ribbon_inet_key(ribbon_key *key, const char *text, size_t size);
extern bool ribbon_interval_key(ribbon_key *key, const char *text, size_t size);

#endif /* RIBBON_LIB_PARSE_H */
