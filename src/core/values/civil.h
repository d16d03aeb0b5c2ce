/*
 * civil.h - dates and times as PostgreSQL writes them, in ISO form
 *
 * A date is a number of days since 2000-01-01, a timestamp one of microseconds
 * since 2000-01-01 00:00; with a zone, in UTC.  The least and greatest numbers
 * of 32 or 64 bits are -infinity and infinity.
 */
#ifndef RIBBON_CIVIL_H
#define RIBBON_CIVIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIBBON_US_PER_SECOND INT64_C(1000000)
#define RIBBON_US_PER_DAY	 (INT64_C(86400) * RIBBON_US_PER_SECOND)

/* PostgreSQL's range: from Julian day 0 on; ends are the first ones outside. */
#define RIBBON_FIRST_DAY	   INT64_C(-2451545)
#define RIBBON_END_DAY		   INT64_C(2145031949)
#define RIBBON_FIRST_TIMESTAMP INT64_C(-211813488000000000) /* 4714-11-24 BC */
#define RIBBON_END_TIMESTAMP   INT64_C(9223371331200000000) /* 294277-01-01 */

/* Are these of that range, or infinite? */
static inline bool
ribbon_civil_is_date(int64_t days)
{
	return days == INT32_MIN || days == INT32_MAX ||
		(days >= RIBBON_FIRST_DAY && days < RIBBON_END_DAY);
}

static inline bool
ribbon_civil_is_timestamp(int64_t timestamp)
{
	return timestamp == INT64_MIN || timestamp == INT64_MAX ||
		(timestamp >= RIBBON_FIRST_TIMESTAMP &&
		 timestamp < RIBBON_END_TIMESTAMP);
}

/* Make a time of any size, in microseconds, one within the day, and days. */
static inline void
ribbon_civil_carry(int64_t *days, int64_t *time)
{
	*days += *time / RIBBON_US_PER_DAY;
	*time %= RIBBON_US_PER_DAY;
	if (*time < 0)
	{
		*time += RIBBON_US_PER_DAY;
		--*days;
	}
}

/*
 * Write a number with zeros in front, so that it has ndigits at least, of 1 or
 * more; returns where the next character goes.
 */
extern char *ribbon_civil_write_number(uint64_t number, int ndigits, char *out);

/*
 * Write these, with a terminating zero, as PostgreSQL does under DateStyle ISO
 * and TimeZone UTC; returns the length, which is below
 * RIBBON_NUMBER_TEXT (values.h).
 */
extern size_t ribbon_civil_write_date(int64_t days, char *out);
extern size_t ribbon_civil_write_timestamp(int64_t timestamp, bool has_zone,
										   char *out);

#endif /* RIBBON_CIVIL_H */
