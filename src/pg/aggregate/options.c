/*
 * options.c - the last argument of ribbon_build and of ribbon_map
 *
 *	 options = { name "=" value }, separated by commas or blanks
 *	 kind  = burr | homogeneous | auto		of a filter
 *	 width = 32 | 64 | 128
 *	 seed  = 0 .. 4294967295				of a map
 *	 code  = auto | plain | entropy			of a map
 *
 * In any order and any case, each at most once.  What is not mentioned keeps
 * the value that the caller has put into the parameters.
 */
#include "aggregate/aggregate.h"

#define BLANKS " \t\n\r\f\v"

/* What an option may be set to, and what that means. */
typedef struct OptionValue
{
	const char *name;
	int value;
} OptionValue;

static const OptionValue kinds[] = {
	{"burr", RIBBON_BURR},
	{"homogeneous", RIBBON_HOMOGENEOUS},
	{"auto", RIBBON_AUTO},
	{NULL, 0},
};

static const OptionValue widths[] = {
	{"32", 32},
	{"64", 64},
	{"128", 128},
	{NULL, 0},
};

static const OptionValue codings[] = {
	{"auto", RIBBON_CODE_AUTO},
	{"plain", RIBBON_CODE_PLAIN},
	{"entropy", RIBBON_CODE_ENTROPY},
	{NULL, 0},
};

/* An option, and which aggregates have it. */
typedef struct Option
{
	const char *name;
	bool of_filters;
	bool of_maps;
	const OptionValue *values; /* NULL: a number of 32 bits */
	size_t member;			   /* of BuildParams: a byte, or that number */
} Option;

static const Option known_options[] = {
	{"kind", true, false, kinds, offsetof(BuildParams, kind)},
	{"width", true, true, widths, offsetof(BuildParams, width)},
	{"seed", false, true, NULL, offsetof(BuildParams, seed)},
	{"code", false, true, codings, offsetof(BuildParams, coding)},
};

static const Option *look_up_option(const char *name, bool map);
static void set_option(BuildParams *params, const Option *option,
					   const char *value);
static char *next_word(const char **cursor);
static bool look_up_value(const OptionValue *values, const char *value,
						  uint8_t *result);
static bool parse_number(const char *value, uint32_t *result);
static int hint_valid(bool map);

void
ribbon_options_parse(const char *options, int length, BuildParams *params)
{
	const char *aggregate = ribbon_buildparams_name(params);
	char *text = pnstrdup(options, length);
	const char *cursor = text;
	unsigned given = 0;

	for (char *c = text; *c != '\0'; c++)
		*c = (char) pg_ascii_tolower((unsigned char) *c);

	while (*(cursor += strspn(cursor, BLANKS ",")) != '\0')
	{
		const char *name = next_word(&cursor);
		const Option *option = look_up_option(name, params->map);
		unsigned bit = 1 << (option - known_options);

		if ((given & bit) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s option \"%s\" is given more than once",
							aggregate, name),
					 hint_valid(params->map)));
		given |= bit;

		cursor += strspn(cursor, BLANKS);
		if (*cursor != '=')
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s option \"%s\" has no value", aggregate, name),
					 hint_valid(params->map)));
		cursor++;
		cursor += strspn(cursor, BLANKS);
		set_option(params, option, next_word(&cursor));
	}
}

/* The word at the cursor, which moves behind it; empty if there is none. */
static char *
next_word(const char **cursor)
{
	const char *word = *cursor;

	*cursor += strcspn(word, BLANKS ",=");
	return pnstrdup(word, *cursor - word);
}

static const Option *
look_up_option(const char *name, bool map)
{
	for (int i = 0; i < lengthof(known_options); i++)
	{
		const Option *option = &known_options[i];

		if ((map ? option->of_maps : option->of_filters) &&
			strcmp(name, option->name) == 0)
			return option;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized %s option \"%s\"", ribbon_aggregate_name(map),
					name),
			 hint_valid(map)));
	pg_unreachable();
}

static void
set_option(BuildParams *params, const Option *option, const char *value)
{
	void *member = (char *) params + option->member;
	bool valid = option->values != NULL ?
		look_up_value(option->values, value, member) :
		parse_number(value, member);

	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value \"%s\" for %s option \"%s\"", value,
						ribbon_buildparams_name(params), option->name),
				 hint_valid(params->map)));
}

static bool
look_up_value(const OptionValue *values, const char *value, uint8_t *result)
{
	for (; values->name != NULL; values++)
		if (strcmp(values->name, value) == 0)
		{
			*result = (uint8_t) values->value;
			return true;
		}
	return false;
}

/* Digits, and nothing else. */
static bool
parse_number(const char *value, uint32_t *result)
{
	unsigned long long number = strtoull(value, NULL, 10);

	if (*value == '\0' || value[strspn(value, "0123456789")] != '\0' ||
		number > PG_UINT32_MAX)
		return false;
	*result = (uint32_t) number;
	return true;
}

static int
hint_valid(bool map)
{
	if (map)
		return errhint("Valid options are width=32|64|128, seed=0..4294967295 and code=auto|plain|entropy.");
	return errhint("Valid options are kind=burr|homogeneous|auto and width=32|64|128.");
}
