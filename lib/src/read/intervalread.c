/*
 * intervalread.c - keys of type interval, as PostgreSQL writes it and as ISO
 * 8601 does: 1 year 2 mons -3 days +04:05:06.789, @ 2 hours ago, P1DT2H
 */
#include "keyread.h"

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
	int sign;	   /* also of 0: 1 or -1 */
	bool has_fraction;
} Number;

static bool
skip_blanks(RibbonCursor *text)
{
	const char *first = text->at;

	while (ribbon_cursor_skip_any(text, " \t"))
		;
	return text->at > first;
}

static bool
read_number(RibbonCursor *text, Number *number)
{
	*number = (Number){.sign = ribbon_cursor_next(text) == '-' ? -1 : 1};
	if (!ribbon_cursor_integer(text, &number->whole))
		return false;
	number->has_fraction = ribbon_cursor_skip(text, '.');
	if (number->has_fraction && !ribbon_cursor_millionths(text, &number->micro))
		return false;
	number->micro *= number->sign;
	return true;
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

/* Minutes or seconds of a clock, which have no sign. */
static bool
read_sixtieth(RibbonCursor *text, Number *number)
{
	return ribbon_cursor_at_digit(text) && read_number(text, number) &&
		number->whole < 60;
}

/* Behind hours: minutes, and perhaps seconds, of the sign that they have. */
static bool
read_clock(RibbonCursor *text, Span *span, const Number *hours)
{
	Number minutes;
	Number seconds = {0};

	if (!read_sixtieth(text, &minutes) ||
		(ribbon_cursor_skip(text, ':') && !read_sixtieth(text, &seconds)))
		return false;
	minutes.whole *= hours->sign;
	seconds.whole *= hours->sign;
	seconds.micro *= hours->sign;

	/* the server reads it without its sign, so that it can be negated */
	return add(span, HOURS, hours) && add(span, MINUTES, &minutes) &&
		add(span, SECONDS, &seconds) && span->time != INT64_MIN;
}

static bool
is_letter(char c)
{
	return ribbon_text_lower(c) >= 'a' && ribbon_text_lower(c) <= 'z';
}

/* A word for one or, with an s behind it, for many. */
static bool
read_unit(RibbonCursor *text, Unit *unit)
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
	RibbonCursor one = *text;

	while (is_letter(ribbon_cursor_next(text)))
		text->at++;
	one.end = text->at;
	if (one.at < one.end && ribbon_text_lower(one.end[-1]) == 's')
		one.end--;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
	{
		*unit = words[i].unit;
		if (ribbon_cursor_is_word(&one, words[i].word))
			return true;
	}
	return false;
}

/* 1 year 2 mons 3 days 04:05:06, perhaps with "ago"; blanks between */
static bool
read_words(RibbonCursor *text, Span *span)
{
	(void) ribbon_cursor_skip(text, '@');
	(void) skip_blanks(text);
	if (ribbon_cursor_is_word(text, "0")) /* some styles: no time at all */
		return true;
	while (!ribbon_cursor_at_end(text))
	{
		Number number;
		Unit unit;

		if (span->seen != 0 && ribbon_cursor_is_word(text, "ago"))
			return negate(&span->months) && negate(&span->days) &&
				negate(&span->time);
		if (!read_number(text, &number))
			return false;
		if (!number.has_fraction && ribbon_cursor_skip(text, ':'))
		{
			if (!read_clock(text, span, &number))
				return false;
		}
		else
		{
			(void) skip_blanks(text);
			if (!read_unit(text, &unit) || !add(span, unit, &number))
				return false;
		}
		if (!skip_blanks(text) && !ribbon_cursor_at_end(text))
			return false;
	}
	return span->seen != 0;
}

/*
 * P1Y2M3DT4H5M6.7S.  (The server reads seconds as a double: above 2^32 of them
 * a fraction might be another one there.  It is refused here.)
 */
static bool
read_iso(RibbonCursor *text, Span *span)
{
	const char *letters = "YMWD"; /* of units from the first on */
	Unit first = YEARS;

	while (!ribbon_cursor_at_end(text))
	{
		const char *found;
		Number number;
		char letter;

		if (first == YEARS && ribbon_cursor_skip(text, 'T'))
		{
			letters = "HMS";
			first = HOURS;
			if (ribbon_cursor_at_end(text))
				return false;
			continue;
		}
		if (ribbon_cursor_next(text) == '+' || !read_number(text, &number))
			return false;
		letter = ribbon_cursor_take(text);
		found = strchr(letters, letter);
		if (letter == '\0' || found == NULL ||
			(number.has_fraction &&
			 (number.whole < -(INT64_C(1) << 32) ||
			  number.whole >= INT64_C(1) << 32)) ||
			!add(span, (Unit) (first + (found - letters)), &number))
			return false;
	}
	return span->seen != 0;
}

ribbon_status
ribbon_intervalread_key(ribbon_key *key, RibbonCursor text)
{
	int sign = ribbon_cursor_infinity(&text);
	Span span = {0};
	uint64_t form[2];
	bool valid = true;

	if (sign > 0)
		span = (Span){INT32_MAX, INT32_MAX, INT64_MAX, 0};
	else if (sign < 0)
		span = (Span){INT32_MIN, INT32_MIN, INT64_MIN, 0};
	else if (ribbon_cursor_skip(&text, 'P'))
		valid = read_iso(&text, &span);
	else
		valid = read_words(&text, &span);
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
