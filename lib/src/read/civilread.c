/*
 * civilread.c - dates and times from texts as PostgreSQL writes them
 *
 * The forms, ranges and units are those of values/civil.h, which writes them.
 */
#include "keyread.h"

#include "values/civil.h"

#define LAST_DAY (RIBBON_END_TIMESTAMP / RIBBON_US_PER_DAY) /* of local time */

#define MAX_ZONE_HOURS 15

/* Two digits: a number up to most. */
static inline bool
read_two(RibbonCursor *text, uint64_t most, uint64_t *number)
{
	return ribbon_cursor_digits(text, 10, 2, number) == 2 && *number <= most;
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

/* The text ends in BC: that end is cut off. */
static bool
cut_bc(RibbonCursor *text)
{
	if (ribbon_cursor_size(text) <= 3 || text->end[-3] != ' ' ||
		!ribbon_text_is_word(text->end - 2, 2, "bc"))
		return false;
	text->end -= 3;
	return true;
}

/* Year, month and day. */
static bool
read_date(RibbonCursor *text, int64_t *days)
{
	static const unsigned month_days[] = {31, 28, 31, 30, 31, 30,
										  31, 31, 30, 31, 30, 31};
	bool is_bc = cut_bc(text);
	uint64_t number, month, day;
	int64_t year;

	if (ribbon_cursor_digits(text, 10, 7, &number) < 4 || number == 0 ||
		!ribbon_cursor_skip(text, '-') || !read_two(text, 12, &month) ||
		!ribbon_cursor_skip(text, '-') || !read_two(text, 31, &day) ||
		month == 0 || day == 0)
		return false;
	year = is_bc ? 1 - (int64_t) number : (int64_t) number;
	*days = count_days(year, (int) month, (int) day);
	return day <= month_days[month - 1] + (month == 2 && is_leap(year));
}

/* Seconds, and perhaps a fraction, in microseconds. */
static bool
read_seconds(RibbonCursor *text, int64_t *time)
{
	uint64_t seconds;
	int64_t fraction = 0;

	if (!read_two(text, 60, &seconds) ||
		(ribbon_cursor_skip(text, '.') &&
		 !ribbon_cursor_millionths(text, &fraction)))
		return false;
	*time = (int64_t) seconds * RIBBON_US_PER_SECOND + fraction;
	return true;
}

/*
 * Hours, minutes, and perhaps seconds, of which 60 are the next minute.  (The
 * server takes a fraction of minutes for seconds: to it, 12:34.5 is 00:12:34.5.
 * It is refused here.)
 */
static bool
read_time(RibbonCursor *text, int64_t *time)
{
	uint64_t hours, minutes;
	int64_t rest = 0;

	if (!read_two(text, 24, &hours) || !ribbon_cursor_skip(text, ':') ||
		!read_two(text, 59, &minutes) ||
		(ribbon_cursor_skip(text, ':') && !read_seconds(text, &rest)))
		return false;
	*time = (int64_t) (hours * 60 + minutes) * 60 * RIBBON_US_PER_SECOND + rest;
	return *time <= RIBBON_US_PER_DAY;
}

/* What is to be taken from local time: Z, +02, -05:30, +00:19:32. */
static bool
read_zone(RibbonCursor *text, int64_t *offset)
{
	char sign = ribbon_cursor_next(text);
	bool has_colon;
	uint64_t hours, minutes = 0, seconds = 0;

	*offset = 0;
	if (ribbon_cursor_skip_any(text, "Zz"))
		return true;
	if (!ribbon_cursor_skip_any(text, "+-") ||
		!read_two(text, MAX_ZONE_HOURS, &hours))
		return false;
	has_colon = ribbon_cursor_skip(text, ':');
	if (((has_colon || !ribbon_cursor_at_end(text)) &&
		 !read_two(text, 59, &minutes)) ||
		(has_colon && ribbon_cursor_skip(text, ':') &&
		 !read_two(text, 59, &seconds)))
		return false;
	*offset = (int64_t) (hours * 3600 + minutes * 60 + seconds) *
		(sign == '-' ? -RIBBON_US_PER_SECOND : RIBBON_US_PER_SECOND);
	return true;
}

bool
ribbon_civilread_date(RibbonCursor text, int32_t *days)
{
	int sign = ribbon_cursor_infinity(&text);
	int64_t found;

	if (sign != 0)
	{
		*days = sign < 0 ? INT32_MIN : INT32_MAX;
		return true;
	}
	if (!read_date(&text, &found) || !ribbon_cursor_at_end(&text) ||
		found < RIBBON_FIRST_DAY || found >= RIBBON_END_DAY)
		return false;
	*days = (int32_t) found;
	return true;
}

bool
ribbon_civilread_time(RibbonCursor text, int64_t *time)
{
	return read_time(&text, time) && ribbon_cursor_at_end(&text);
}

bool
ribbon_civilread_timetz(RibbonCursor text, int64_t *time, int32_t *zone)
{
	int64_t offset;

	if (!read_time(&text, time))
		return false;
	(void) ribbon_cursor_skip(&text, ' ');
	if (!read_zone(&text, &offset) || !ribbon_cursor_at_end(&text))
		return false;
	*zone = (int32_t) (-offset / RIBBON_US_PER_SECOND);
	return true;
}

bool
ribbon_civilread_timestamp(RibbonCursor text, bool has_zone, int64_t *timestamp)
{
	int sign = ribbon_cursor_infinity(&text);
	int64_t days;
	int64_t time = 0;
	int64_t offset = 0;

	if (sign != 0)
	{
		*timestamp = sign < 0 ? INT64_MIN : INT64_MAX;
		return true;
	}
	if (!read_date(&text, &days))
		return false;
	if (ribbon_cursor_skip_any(&text, " Tt"))
	{
		if (!read_time(&text, &time))
			return false;
		if (has_zone)
			(void) ribbon_cursor_skip(&text, ' ');
	}
	else if (ribbon_cursor_next(&text) == '-')
		return false; /* no zone to the server */
	if (has_zone && !read_zone(&text, &offset))
		return false;

	/* west of UTC the first day begins on the one before */
	if (!ribbon_cursor_at_end(&text) || days < RIBBON_FIRST_DAY - has_zone ||
		days > LAST_DAY)
		return false;
	*timestamp = days * RIBBON_US_PER_DAY + time - offset;
	return *timestamp >= RIBBON_FIRST_TIMESTAMP &&
		*timestamp < RIBBON_END_TIMESTAMP;
}
