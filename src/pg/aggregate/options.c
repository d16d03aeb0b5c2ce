/*
 * options.c - the last argument of ribbon_build and of ribbon_map
 *
 *	 options = { name "=" value }, separated by commas or blanks
 *	 kind  = burr | homogeneous | auto		of a filter
 *	 width = 32 | 64 | 128
 *	 seed  = 0 .. 4294967295				of a map
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

/* The options that there are; those of an aggregate are a set of bits. */
typedef enum Option
{
	OPTION_KIND,
	OPTION_WIDTH,
	OPTION_SEED,
	NOPTIONS
} Option;

static const char *const option_names[NOPTIONS] = {"kind", "width", "seed"};

#define BUILD_OPTIONS (1 << OPTION_KIND | 1 << OPTION_WIDTH)
#define MAP_OPTIONS	  (1 << OPTION_WIDTH | 1 << OPTION_SEED)

static Option look_up_name(const char *name, bool map);
static void set_option(BuildParams *params, Option option, const char *value);
static char *next_word(const char **cursor);
static bool look_up_value(const OptionValue *values, const char *value,
						  uint8_t *result);
static bool parse_seed(const char *value, uint32_t *seed);
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
		Option option = look_up_name(name, params->map);

		if ((given & 1 << option) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s option \"%s\" is given more than once",
							aggregate, name),
					 hint_valid(params->map)));
		given |= 1 << option;

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

static Option
look_up_name(const char *name, bool map)
{
	for (int i = 0; i < NOPTIONS; i++)
		if (((map ? MAP_OPTIONS : BUILD_OPTIONS) & 1 << i) != 0 &&
			strcmp(name, option_names[i]) == 0)
			return (Option) i;

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized %s option \"%s\"", ribbon_aggregate_name(map),
					name),
			 hint_valid(map)));
	pg_unreachable();
}

static void
set_option(BuildParams *params, Option option, const char *value)
{
	bool valid = false;

	switch (option)
	{
		case OPTION_KIND:
			valid = look_up_value(kinds, value, &params->kind);
			break;
		case OPTION_WIDTH:
			valid = look_up_value(widths, value, &params->width);
			break;
		case OPTION_SEED:
			valid = parse_seed(value, &params->seed);
			break;
		case NOPTIONS:
			break;
	}
	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value \"%s\" for %s option \"%s\"", value,
						ribbon_buildparams_name(params), option_names[option]),
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
parse_seed(const char *value, uint32_t *seed)
{
	unsigned long long number = strtoull(value, NULL, 10);

	if (*value == '\0' || value[strspn(value, "0123456789")] != '\0' ||
		number > PG_UINT32_MAX)
		return false;
	*seed = (uint32_t) number;
	return true;
}

static int
hint_valid(bool map)
{
	if (map)
		return errhint("Valid options are width=32|64|128 and seed=0..4294967295.");
	return errhint("Valid options are kind=burr|homogeneous|auto and width=32|64|128.");
}
