/*
 * civil.c - dates and times as PostgreSQL writes them, in ISO form
 *
 *	 2024-02-29		2024-02-29 12:34:56.789		2024-02-29T12:34:56+05:30
 *	 0044-03-15 BC	infinity	-infinity
 *
 * Dates are of the Gregorian calendar, before its time, too.  Days are counted
 * from 2000-01-01 on, times in microseconds.
 */
#include "internal.h"

#include <limits.h>
#include <stdio.h>

#define US_PER_SECOND INT64_C(1000000)
#define US_PER_DAY	  (INT64_C(86400) * US_PER_SECOND)

/* PostgreSQL's range: from Julian day 0 on; ends are the first ones outside. */
#define FIRST_DAY		INT64_C(-2451545)
#define END_DAY			INT64_C(2145031949)
#define FIRST_TIMESTAMP INT64_C(-211813488000000000)
#define END_TIMESTAMP	INT64_C(9223371331200000000)
#define LAST_DAY		(END_TIMESTAMP / US_PER_DAY) /* of local time */

#define MAX_ZONE_HOURS 15

/* What is still to be read. */
typedef struct Cursor
{
	const char *at;
	const char *end;
} Cursor;

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The next character is this: go on behind it. */
static bool
skip(Cursor *cursor, char c)
{
	if (cursor->at == cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

/* A number of least .. most digits. */
static bool
read_digits(Cursor *cursor, int least, int most, int *number)
{
	int n = 0;

	*number = 0;
	for (; n < most && cursor->at < cursor->end && is_digit(*cursor->at); n++)
		*number = *number * 10 + (*cursor->at++ - '0');
	return n >= least;
}

/* Is the rest this word, in whichever case? */
static bool
is_word(const Cursor *cursor, const char *word)
{
	size_t n = (size_t) (cursor->end - cursor->at);

	if (n != strlen(word))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((cursor->at[i] | 0x20) != (word[i] | 0x20))
			return false;
	return true;
}

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 2000-01-01 to the date; year 0 is 1 BC. */
static int64_t
count_days(int64_t year, int month, int day)
{
	/* years that begin in March, in periods of 400 of them */
	int64_t march_year = month <= 2 ? year - 1 : year;
	int64_t period = (march_year >= 0 ? march_year : march_year - 399) / 400;
	int64_t of_period = march_year - period * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return period * 146097 + of_period * 365 + of_period / 4 - of_period / 100 +
		of_year - 730425;
}

/* Year, month and day; whether it is of BC is seen at the end of the text. */
static bool
read_date(Cursor *cursor, int64_t *days)
{
	static const int month_days[] = {31, 28, 31, 30, 31, 30,
									 31, 31, 30, 31, 30, 31};
	Cursor end = {cursor->end - 3, cursor->end};
	bool is_bc = cursor->end - cursor->at > 3 && *end.at == ' ';
	int64_t year;
	int digits, month, day;

	end.at++;
	if (is_bc)
		is_bc = is_word(&end, "bc");
	if (is_bc)
		cursor->end -= 3;
	if (!read_digits(cursor, 4, 7, &digits) || digits == 0 ||
		!skip(cursor, '-') || !read_digits(cursor, 2, 2, &month) ||
		!skip(cursor, '-') || !read_digits(cursor, 2, 2, &day))
		return false;
	year = is_bc ? 1 - (int64_t) digits : digits;
	if (month < 1 || month > 12 || day < 1 ||
		day > month_days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0))
		return false;
	*days = count_days(year, month, day);
	return true;
}

/* Hours, minutes, perhaps seconds and a fraction of up to six digits. */
static bool
read_time(Cursor *cursor, int64_t *time)
{
	int hours, minutes, seconds = 0, fraction = 0;

	if (!read_digits(cursor, 2, 2, &hours) || !skip(cursor, ':') ||
		!read_digits(cursor, 2, 2, &minutes))
		return false;
	if (skip(cursor, ':') && !read_digits(cursor, 2, 2, &seconds))
		return false;
	if (skip(cursor, '.'))
	{
		const char *first = cursor->at;

		if (!read_digits(cursor, 1, 6, &fraction))
			return false;
		for (long n = cursor->at - first; n < 6; n++)
			fraction *= 10;
	}
	*time = ((hours * INT64_C(60) + minutes) * 60 + seconds) * US_PER_SECOND +
		fraction;
	return hours <= 24 && minutes < 60 && seconds < 60 && *time <= US_PER_DAY;
}

/* What is to be taken from local time: Z, +02, -05:30, +00:19:32. */
static bool
read_zone(Cursor *cursor, int64_t *offset)
{
	bool is_west = skip(cursor, '-');
	int hours, minutes = 0, seconds = 0;

	*offset = 0;
	if (!is_west && (skip(cursor, 'Z') || skip(cursor, 'z')))
		return true;
	if ((!is_west && !skip(cursor, '+')) || !read_digits(cursor, 2, 2, &hours))
		return false;
	if ((skip(cursor, ':') || cursor->at < cursor->end) &&
		!read_digits(cursor, 2, 2, &minutes))
		return false;
	if (skip(cursor, ':') && !read_digits(cursor, 2, 2, &seconds))
		return false;
	*offset = (hours * 3600 + minutes * 60 + seconds) * US_PER_SECOND *
		(is_west ? -1 : 1);
	return hours <= MAX_ZONE_HOURS && minutes < 60 && seconds < 60;
}

bool
ribbon_civil_is_date(int64_t days)
{
	return days == INT32_MIN || days == INT32_MAX ||
		(days >= FIRST_DAY && days < END_DAY);
}

bool
ribbon_civil_is_timestamp(int64_t timestamp)
{
	return timestamp == INT64_MIN || timestamp == INT64_MAX ||
		(timestamp >= FIRST_TIMESTAMP && timestamp < END_TIMESTAMP);
}

bool
ribbon_civil_date(const char *text, size_t size, int32_t *days)
{
	Cursor cursor = {text, text + size};
	int64_t found;

	if (is_word(&cursor, "infinity") || is_word(&cursor, "-infinity"))
	{
		*days = *text == '-' ? INT32_MIN : INT32_MAX;
		return true;
	}
	if (!read_date(&cursor, &found) || cursor.at != cursor.end ||
		found < FIRST_DAY || found >= END_DAY)
		return false;
	*days = (int32_t) found;
	return true;
}

bool
ribbon_civil_time(const char *text, size_t size, int64_t *time)
{
	Cursor cursor = {text, text + size};

	return read_time(&cursor, time) && cursor.at == cursor.end;
}

bool
ribbon_civil_timestamp(const char *text, size_t size, bool has_zone,
					   int64_t *timestamp)
{
	Cursor cursor = {text, text + size};
	int64_t days;
	int64_t time = 0;
	int64_t offset = 0;

	if (is_word(&cursor, "infinity") || is_word(&cursor, "-infinity"))
	{
		*timestamp = *text == '-' ? INT64_MIN : INT64_MAX;
		return true;
	}
	if (!read_date(&cursor, &days))
		return false;
	if ((skip(&cursor, ' ') || skip(&cursor, 'T') || skip(&cursor, 't')) &&
		!read_time(&cursor, &time))
		return false;
	if (has_zone && !read_zone(&cursor, &offset))
		return false;

	/* days are few enough for microseconds in 64 bits, from here on */
	if (cursor.at != cursor.end || days < FIRST_DAY || days > LAST_DAY)
		return false;
	*timestamp = days * US_PER_DAY + time;
	if (*timestamp < FIRST_TIMESTAMP - US_PER_DAY)
		return false;
	*timestamp -= offset;
	return *timestamp >= FIRST_TIMESTAMP && *timestamp < END_TIMESTAMP;
}

/* The date of a day: the inverse of count_days. */
static void
find_date(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t since = days + 730425; /* 0000-03-01 */
	int64_t period = (since >= 0 ? since : since - 146096) / 146097;
	int64_t of_period = since - period * 146097;
	int64_t of_years = (of_period - of_period / 1460 + of_period / 36524 -
						of_period / 146096) /
		365;
	int64_t of_year = of_period -
		(365 * of_years + of_years / 4 - of_years / 100);
	int64_t march_month = (5 * of_year + 2) / 153;

	*day = (int) (of_year - (153 * march_month + 2) / 5 + 1);
	*month = (int) (march_month < 10 ? march_month + 3 : march_month - 9);
	*year = period * 400 + of_years + (*month <= 2 ? 1 : 0);
}

static size_t
write_word(const char *word, char *out)
{
	memcpy(out, word, strlen(word) + 1);
	return strlen(word);
}

/* Year, month and day; whether they are of BC. */
static bool
write_date(int64_t days, char *out, size_t *size)
{
	int64_t year;
	int month, day;

	find_date(days, &year, &month, &day);
	*size = (size_t) snprintf(out, 40, "%04lld-%02d-%02d",
							  (long long) (year > 0 ? year : 1 - year), month,
							  day);
	return year <= 0;
}

size_t
ribbon_civil_write_date(int64_t days, char *out)
{
	size_t size;

	if (days == INT32_MIN || days == INT32_MAX)
		return write_word(days < 0 ? "-infinity" : "infinity", out);
	if (write_date(days, out, &size))
		size += write_word(" BC", out + size);
	return size;
}

size_t
ribbon_civil_write_timestamp(int64_t timestamp, bool has_zone, char *out)
{
	int64_t days = timestamp / US_PER_DAY;
	int64_t time = timestamp % US_PER_DAY;
	int64_t fraction, seconds;
	size_t size;
	bool is_bc;

	if (timestamp == INT64_MIN || timestamp == INT64_MAX)
		return write_word(timestamp < 0 ? "-infinity" : "infinity", out);
	if (time < 0)
	{
		time += US_PER_DAY;
		days--;
	}
	fraction = time % US_PER_SECOND;
	seconds = time / US_PER_SECOND;
	is_bc = write_date(days, out, &size);
	size += (size_t) sprintf(out + size, " %02d:%02d:%02d",
							 (int) (seconds / 3600), (int) (seconds / 60 % 60),
							 (int) (seconds % 60));
	if (fraction != 0)
	{
		size += (size_t) sprintf(out + size, ".%06d", (int) fraction);
		while (out[size - 1] == '0')
			size--;
		out[size] = '\0';
	}
	if (has_zone)
		size += write_word("+00", out + size);
	if (is_bc)
		size += write_word(" BC", out + size);
	return size;
}
