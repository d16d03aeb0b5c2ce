/*
 * keyread.h - keys from texts of types with a grammar of their own
 *
 * A reader is given the whole text, without blanks around it, but for those of
 * bytea, to which they belong.  False, or RIBBON_ERROR_KEY, is that it is none,
 * in words that are the caller's.  Readers that set *key may also return
 * RIBBON_ERROR_MEMORY.
 */
#ifndef RIBBON_LIB_KEYREAD_H
#define RIBBON_LIB_KEYREAD_H

#include "cursor.h"
#include "src/internal.h"

/* bytesread.c; the second one is of a uuid, macaddr or macaddr8 */
extern ribbon_status ribbon_bytesread_bytea(ribbon_key *key, RibbonCursor text);
extern ribbon_status ribbon_bytesread_fixed(ribbon_key *key, int key_type,
											RibbonCursor text);
extern ribbon_status ribbon_bytesread_bits(ribbon_key *key, RibbonCursor text);

/* netread.c, intervalread.c, jsonread.c, numeric.c */
extern ribbon_status ribbon_netread_key(ribbon_key *key, RibbonCursor text);
extern ribbon_status ribbon_intervalread_key(ribbon_key *key,
											 RibbonCursor text);
extern ribbon_status ribbon_jsonread_key(ribbon_key *key, RibbonCursor text);
extern ribbon_status ribbon_numeric_key(ribbon_key *key, RibbonCursor text);

/*
 * numeric.c: the shortest text of a number's value, which is no infinity, to be
 * freed.
 */
extern ribbon_status ribbon_numeric_shortest(RibbonCursor text, char **shortest,
											 size_t *length);

/* floatread.c: a number as strtod reads it, of at most 511 characters. */
extern bool ribbon_floatread_number(RibbonCursor text, double *number);

/* civilread.c: a date or time, as values/civil.h has it. */
extern bool ribbon_civilread_date(RibbonCursor text, int32_t *days);
extern bool ribbon_civilread_time(RibbonCursor text, int64_t *time);
extern bool ribbon_civilread_timestamp(RibbonCursor text, bool has_zone,
									   int64_t *timestamp);

/* Seconds west of UTC are set to *zone. */
extern bool ribbon_civilread_timetz(RibbonCursor text, int64_t *time,
									int32_t *zone);

/*
 * valuetext.c: the number that an integer, boolean, date, time, timestamp or
 * timestamptz is, as values/values.h has it.
 */
extern bool ribbon_valuetext_read(int key_type, RibbonCursor text,
								  int64_t *number);

#endif /* RIBBON_LIB_KEYREAD_H */
