/*
 * intervalread.c - keys of type interval, as PostgreSQL writes it and as ISO
 * 8601 does: 1 year 2 mons -3 days +04:05:06.789, @ 2 hours ago, P1DT2H
 */
#include "keyread.h"
#include "parse.h"

#include "base/bits.h"
#include "values/civil.h"

#define DAYS_PER_MONTH 30

typedef enum Unit
{
	YEARS,
	MONTHS,
	WEEKS,
	DAYS,
	HOURS,
	MINUTES,
	SECONDS
} Unit;

/* The sum of what has been read, and which units that was. */
typedef struct Span
{
	int64_t months;
	int64_t days;
	int64_t time; /* microseconds */
	unsigned seen;
} Span;

typedef struct Number
{
	int64_t whole; /* with its sign */
	int64_t micro; /* millionths, likewise */
	bool has_fraction;
} Number;

static void
skip_blanks(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
}

/* The number at *at, which is not the end. */
static bool
read_number(const char **at, const char *end, Number *number)
{
	bool is_signed = **at == '-' || **at == '+';
	int sign = is_signed && **at == '-' ? -1 : 1;
	const char *first;
	int64_t unit = RIBBON_US_PER_SECOND;

	*number = (Number){0};
	*at += is_signed;
	first = *at;
	for (; *at < end && ribbon_parse_is_digit(**at); (*at)++)
		if (__builtin_mul_overflow(number->whole, 10, &number->whole) ||
			__builtin_add_overflow(number->whole, sign * (**at - '0'),
								   &number->whole))
			return false;
	if (*at == first)
		return false;
	number->has_fraction = *at < end && **at == '.';
	if (!number->has_fraction)
		return true;
	first = ++*at;
	for (; *at < end && ribbon_parse_is_digit(**at) && unit > 1; (*at)++)
	{
		unit /= 10;
		number->micro += sign * unit * (**at - '0');
	}
	return *at > first && (*at == end || !ribbon_parse_is_digit(**at));
}

/* Add some of a unit, each unit once. */
static bool
add(Span *span, Unit unit, const Number *number)
{
	static const int64_t seconds[] =
		{[HOURS] = 3600, [MINUTES] = 60, [SECONDS] = 1};
	int64_t *sum = unit <= MONTHS ? &span->months :
		unit <= DAYS			  ? &span->days :
									&span->time;
	int64_t each = unit == YEARS ? 12 :
		unit == WEEKS			 ? 7 :
		unit < HOURS			 ? 1 :
								   seconds[unit] * RIBBON_US_PER_SECOND;
	int64_t added;

	if ((number->has_fraction && unit != SECONDS) || (span->seen >> unit & 1))
		return false;
	span->seen |= 1U << unit;

	/* as on the server, where years, months and days have 32 bits, each */
	return (unit > DAYS || number->whole == (int32_t) number->whole) &&
		!__builtin_mul_overflow(number->whole, each, &added) &&
		!__builtin_add_overflow(added, number->micro, &added) &&
		!__builtin_add_overflow(*sum, added, sum) &&
		(sum != &span->days || *sum == (int32_t) *sum);
}

static bool
negate(int64_t *number)
{
	return !__builtin_sub_overflow(0, *number, number);
}

/* Behind hours: minutes, and perhaps seconds, of the sign that they have. */
static bool
read_clock(const char **at, const char *end, Span *span, const Number *hours,
		   bool is_negative)
{
	int sign = is_negative ? -1 : 1;
	Number minutes;
	Number seconds = {0};

	(*at)++;
	if (*at == end || !ribbon_parse_is_digit(**at) ||
		!read_number(at, end, &minutes) || minutes.whole > 59)
		return false;
	if (*at < end && **at == ':')
	{
		(*at)++;
		if (*at == end || !ribbon_parse_is_digit(**at) ||
			!read_number(at, end, &seconds) || seconds.whole > 59)
			return false;
	}
	minutes.whole *= sign;
	seconds.whole *= sign;
	seconds.micro *= sign;

	/* the server reads it without its sign, so that it can be negated */
	return add(span, HOURS, hours) && add(span, MINUTES, &minutes) &&
		add(span, SECONDS, &seconds) && span->time != INT64_MIN;
}

static bool
read_unit(const char **at, const char *end, Unit *unit)
{
	static const struct
	{
		const char *word;
		Unit unit;
	} words[] = {
		{"year", YEARS},	 {"mon", MONTHS},	  {"month", MONTHS},
		{"week", WEEKS},	 {"day", DAYS},		  {"hour", HOURS},
		{"min", MINUTES},	 {"minute", MINUTES}, {"sec", SECONDS},
		{"second", SECONDS},
	};
	const char *first = *at;
	size_t size;

	while (*at < end && (**at | 0x20) >= 'a' && (**at | 0x20) <= 'z')
		(*at)++;
	size = (size_t) (*at - first);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
	{
		bool is_many = size > 0 && (first[size - 1] | 0x20) == 's';

		*unit = words[i].unit;
		if (ribbon_parse_is_word(first, size, words[i].word) ||
			(is_many && ribbon_parse_is_word(first, size - 1, words[i].word)))
			return true;
	}
	return false;
}

/* 1 year 2 mons 3 days 04:05:06, perhaps with "ago"; blanks between */
static bool
read_words(const char *at, const char *end, Span *span)
{
	if (at < end && *at == '@')
		at++;
	skip_blanks(&at, end);
	if (end - at == 1 && *at == '0') /* so some styles write no time at all */
		return true;
	for (; at < end; skip_blanks(&at, end))
	{
		bool is_negative = *at == '-';
		Number number;
		Unit unit;

		if (span->seen != 0 &&
			ribbon_parse_is_word(at, (size_t) (end - at), "ago"))
			return negate(&span->months) && negate(&span->days) &&
				negate(&span->time);
		if (!read_number(&at, end, &number))
			return false;
		if (at < end && *at == ':' && !number.has_fraction)
		{
			if (!read_clock(&at, end, span, &number, is_negative))
				return false;
		}
		else
		{
			skip_blanks(&at, end);
			if (!read_unit(&at, end, &unit) || !add(span, unit, &number))
				return false;
		}
		if (at < end && *at != ' ' && *at != '\t')
			return false;
	}
	return span->seen != 0;
}

/*
 * P1Y2M3DT4H5M6.7S.  (The server reads seconds as a double: above 2^32 of them
 * a fraction might be another one there.  It is refused here.)
 */
static bool
read_iso(const char *at, const char *end, Span *span)
{
	static const char dates[] = "Y\1M\2W\3D\4";
	static const char times[] = "H\5M\6S\7";
	const char *units = dates;

	for (at++; at < end;)
	{
		const char *unit;
		Number number;

		if (*at == 'T' && units == dates)
		{
			units = times;
			at++;
			if (at == end)
				return false;
			continue;
		}
		if (*at == '+' || !read_number(&at, end, &number) || at == end)
			return false;
		unit = strchr(units, *at++);
		if (unit == NULL || *unit < 'A' ||
			(number.has_fraction &&
			 (number.whole < -(INT64_C(1) << 32) ||
			  number.whole >= INT64_C(1) << 32)) ||
			!add(span, (Unit) (unit[1] - 1), &number))
			return false;
	}
	return span->seen != 0;
}

ribbon_status
ribbon_interval_key(ribbon_key *key, const char *text, size_t size)
{
	const char *end = text + size;
	Span span = {0};
	uint64_t form[2];
	bool valid;

	if (ribbon_parse_is_word(text, size, "infinity"))
	{
		span = (Span){INT32_MAX, INT32_MAX, INT64_MAX, 0};
		valid = true;
	}
	else if (ribbon_parse_is_word(text, size, "-infinity"))
	{
		span = (Span){INT32_MIN, INT32_MIN, INT64_MIN, 0};
		valid = true;
	}
	else
		valid = size > 0 && *text == 'P' ? read_iso(text, end, &span) :
										   read_words(text, end, &span);
	if (!valid || span.months < INT32_MIN || span.months > INT32_MAX ||
		span.days < INT32_MIN || span.days > INT32_MAX)
		return RIBBON_ERROR_KEY;

	/* what = compares: whole days, then 0 .. 86399999999 microseconds */
	span.days += span.months * DAYS_PER_MONTH;
	ribbon_civil_carry(&span.days, &span.time);
	form[0] = ribbon_little64((uint64_t) span.days);
	form[1] = ribbon_little64((uint64_t) span.time);
	*key = ribbon_key_canonical(RIBBON_KEY_INTERVAL, form, sizeof(form));
	return RIBBON_SUCCESS;
}
