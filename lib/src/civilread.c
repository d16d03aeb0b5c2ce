/*
 * civilread.c - dates and times from texts as PostgreSQL writes them
 *
 * The forms, ranges and units are those of values/civil.h, which writes them.
 */
#include "keyread.h"
#include "parse.h"

#include "values/civil.h"

#define LAST_DAY (RIBBON_END_TIMESTAMP / RIBBON_US_PER_DAY) /* of local time */

#define MAX_ZONE_HOURS 15

/* What is still to be read. */
typedef struct Cursor
{
	const char *at;
	const char *end;
} Cursor;

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
	for (; n < most && cursor->at < cursor->end &&
		 ribbon_parse_is_digit(*cursor->at);
		 n++)
		*number = *number * 10 + (*cursor->at++ - '0');
	return n >= least;
}

/* Is the rest this word, in whichever case? */
static bool
is_word(const Cursor *cursor, const char *word)
{
	return ribbon_parse_is_word(cursor->at, (size_t) (cursor->end - cursor->at),
								word);
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
	bool is_bc = false;
	int64_t year;
	int digits, month, day;

	if (cursor->end - cursor->at > 3 && cursor->end[-3] == ' ')
	{
		const Cursor end = {cursor->end - 2, cursor->end};

		is_bc = is_word(&end, "bc");
	}
	if (is_bc)
		cursor->end -= 3;
	if (!read_digits(cursor, 4, 7, &digits) || digits == 0 ||
		!skip(cursor, '-') || !read_digits(cursor, 2, 2, &month) ||
		!skip(cursor, '-') || !read_digits(cursor, 2, 2, &day))
		return false;
	year = is_bc ? 1 - (int64_t) digits : digits;
	if (month < 1 || month > 12 || day < 1)
		return false;
	*days = count_days(year, month, day);
	return day <= month_days[month - 1] + (month == 2 && is_leap(year));
}

/* Seconds, and perhaps a fraction of up to six digits. */
static bool
read_seconds(Cursor *cursor, int *seconds, int *fraction)
{
	const char *first;

	if (!read_digits(cursor, 2, 2, seconds))
		return false;
	if (!skip(cursor, '.'))
		return true;
	first = cursor->at;
	if (!read_digits(cursor, 1, 6, fraction))
		return false;
	for (long n = cursor->at - first; n < 6; n++)
		*fraction *= 10;
	return true;
}

/*
 * Hours, minutes, and perhaps seconds, of which 60 are the next minute.  (The
 * server takes a fraction of minutes for seconds: to it, 12:34.5 is 00:12:34.5.
 * It is refused here.)
 */
static bool
read_time(Cursor *cursor, int64_t *time)
{
	int hours, minutes, seconds = 0, fraction = 0;

	if (!read_digits(cursor, 2, 2, &hours) || !skip(cursor, ':') ||
		!read_digits(cursor, 2, 2, &minutes))
		return false;
	if (skip(cursor, ':') && !read_seconds(cursor, &seconds, &fraction))
		return false;
	*time = ((hours * INT64_C(60) + minutes) * 60 + seconds) *
			RIBBON_US_PER_SECOND +
		fraction;
	return hours <= 24 && minutes < 60 && seconds <= 60 &&
		*time <= RIBBON_US_PER_DAY;
}

/* What is to be taken from local time: Z, +02, -05:30, +00:19:32. */
static bool
read_zone(Cursor *cursor, int64_t *offset)
{
	bool is_west = skip(cursor, '-');
	bool has_colon;
	int hours, minutes = 0, seconds = 0;

	*offset = 0;
	if (!is_west && (skip(cursor, 'Z') || skip(cursor, 'z')))
		return true;
	if ((!is_west && !skip(cursor, '+')) || !read_digits(cursor, 2, 2, &hours))
		return false;
	has_colon = skip(cursor, ':');
	if ((has_colon || cursor->at < cursor->end) &&
		!read_digits(cursor, 2, 2, &minutes))
		return false;
	if (has_colon && skip(cursor, ':') && !read_digits(cursor, 2, 2, &seconds))
		return false;
	*offset = (hours * 3600 + minutes * 60 + seconds) * RIBBON_US_PER_SECOND *
		(is_west ? -1 : 1);
	return hours <= MAX_ZONE_HOURS && minutes < 60 && seconds < 60;
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
		found < RIBBON_FIRST_DAY || found >= RIBBON_END_DAY)
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
ribbon_civil_timetz(const char *text, size_t size, int64_t *time, int32_t *zone)
{
	Cursor cursor = {text, text + size};
	int64_t offset;

	if (!read_time(&cursor, time))
		return false;
	(void) skip(&cursor, ' ');
	if (!read_zone(&cursor, &offset) || cursor.at != cursor.end)
		return false;
	*zone = (int32_t) (-offset / RIBBON_US_PER_SECOND);
	return true;
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
	if (skip(&cursor, ' ') || skip(&cursor, 'T') || skip(&cursor, 't'))
	{
		if (!read_time(&cursor, &time))
			return false;
		if (has_zone)
			(void) skip(&cursor, ' ');
	}
	else if (cursor.at < cursor.end && *cursor.at == '-')
		return false; /* no zone to the server */
	if (has_zone && !read_zone(&cursor, &offset))
		return false;

	/* west of UTC the first day begins on the one before */
	if (cursor.at != cursor.end || days < RIBBON_FIRST_DAY - has_zone ||
		days > LAST_DAY)
		return false;
	*timestamp = days * RIBBON_US_PER_DAY + time - offset;
	return *timestamp >= RIBBON_FIRST_TIMESTAMP &&
		*timestamp < RIBBON_END_TIMESTAMP;
}
