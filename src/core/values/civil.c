/*
 * civil.c - dates and times as PostgreSQL writes them, in ISO form
 *
 *	 2024-02-29		2024-02-29 12:34:56.789		2024-02-29 07:04:56+00
 *	 0044-03-15 BC	infinity	-infinity
 *
 * Dates are of the Gregorian calendar, before its time, too.
 */
#include "values/civil.h"

#include <string.h>

/*
 * The date of a day since 2000-01-01.  Years are counted from 1 March on, so
 * that a leap day is the last of its year; 400 years have 146,097 days.
 */
static void
find_date(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t since = days + 730425; /* 0000-03-01 */
	int64_t period = (since >= 0 ? since : since - 146096) / 146097;
	int of_period = (int) (since - period * 146097);
	int of_years = (of_period - of_period / 1460 + of_period / 36524 -
					of_period / 146096) /
		365;
	int of_year = of_period - (365 * of_years + of_years / 4 - of_years / 100);
	int march_month = (5 * of_year + 2) / 153;

	*day = of_year - (153 * march_month + 2) / 5 + 1;
	*month = march_month < 10 ? march_month + 3 : march_month - 9;
	*year = period * 400 + of_years + (*month <= 2 ? 1 : 0);
}

/* Write a word with its terminating zero; returns the place of the latter. */
static char *
write_word(const char *word, char *out)
{
	size_t size = strlen(word);

	memcpy(out, word, size + 1);
	return out + size;
}

/* Write a separator and a number below 100. */
static char *
write_part(char separator, int number, char *out)
{
	*out++ = separator;
	*out++ = (char) ('0' + number / 10);
	*out++ = (char) ('0' + number % 10);
	return out;
}

char *
ribbon_civil_write_number(uint64_t number, int ndigits, char *out)
{
	int n = 1;

	for (uint64_t left = number; left >= 10 || n < ndigits; left /= 10)
		n++;
	for (char *at = out + n; at > out; number /= 10)
		*--at = (char) ('0' + number % 10);
	return out + n;
}

/* Year, month and day; whether they are of BC. */
static char *
write_date(int64_t days, char *out, bool *is_bc)
{
	int64_t year;
	int month, day;

	find_date(days, &year, &month, &day);
	*is_bc = year <= 0;
	out = ribbon_civil_write_number((uint64_t) (*is_bc ? 1 - year : year), 4,
									out);
	out = write_part('-', month, out);
	return write_part('-', day, out);
}

/* Microseconds of a second, without zeros at the end. */
static char *
write_fraction(int64_t fraction, char *out)
{
	int ndigits = 6;

	if (fraction == 0)
		return out;
	for (; fraction % 10 == 0; fraction /= 10)
		ndigits--;
	*out++ = '.';
	return ribbon_civil_write_number((uint64_t) fraction, ndigits, out);
}

size_t
ribbon_civil_write_date(int64_t days, char *out)
{
	char *end;
	bool is_bc;

	if (days == INT32_MIN || days == INT32_MAX)
		end = write_word(days < 0 ? "-infinity" : "infinity", out);
	else
	{
		end = write_date(days, out, &is_bc);
		end = write_word(is_bc ? " BC" : "", end);
	}
	return (size_t) (end - out);
}

size_t
ribbon_civil_write_timestamp(int64_t timestamp, bool has_zone, char *out)
{
	int64_t days = 0, time = timestamp;
	int seconds;
	char *end;
	bool is_bc;

	if (timestamp == INT64_MIN || timestamp == INT64_MAX)
		return (size_t) (write_word(timestamp < 0 ? "-infinity" : "infinity",
									out) -
						 out);
	ribbon_civil_carry(&days, &time);
	seconds = (int) (time / RIBBON_US_PER_SECOND);
	end = write_date(days, out, &is_bc);
	end = write_part(' ', seconds / 3600, end);
	end = write_part(':', seconds / 60 % 60, end);
	end = write_part(':', seconds % 60, end);
	end = write_fraction(time % RIBBON_US_PER_SECOND, end);
	end = write_word(has_zone ? "+00" : "", end);
	end = write_word(is_bc ? " BC" : "", end);
	return (size_t) (end - out);
}
