/*
 * options.c - the third argument of ribbon_build
 *
 *	 options = { name "=" value }, separated by commas or blanks
 *	 kind  = burr | homogeneous | auto
 *	 width = 32 | 64 | 128
 *
 * In any order and any case, each at most once.  What is not mentioned keeps
 * the value that the caller has put into the parameters.
 */
#include "build/aggregate.h"

#include "parser/scansup.h"

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

#define OPTIONS_HINT \
	"Valid options are kind=burr|homogeneous|auto and width=32|64|128."

static char *next_word(const char **cursor, const char *end);
static void skip_blanks(const char **cursor, const char *end);
static int look_up_value(const OptionValue *values, const char *option,
						 const char *value);
static bool is_separator(char c);

void
ribbon_options_parse(const char *options, int length, RibbonParams *params)
{
	const char *cursor = options;
	const char *end = options + length;
	bool kind_given = false;
	bool width_given = false;

	for (;;)
	{
		char *name;
		char *value;
		bool *given;

		while (cursor < end && is_separator(*cursor))
			cursor++;
		if (cursor == end)
			break;

		name = next_word(&cursor, end);
		if (strcmp(name, "kind") == 0)
			given = &kind_given;
		else if (strcmp(name, "width") == 0)
			given = &width_given;
		else
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unrecognized ribbon_build option \"%s\"", name),
					 errhint(OPTIONS_HINT)));

		if (*given)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("ribbon_build option \"%s\" is given more than once",
							name),
					 errhint(OPTIONS_HINT)));
		*given = true;

		skip_blanks(&cursor, end);
		if (cursor == end || *cursor != '=')
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("ribbon_build option \"%s\" has no value", name),
					 errhint(OPTIONS_HINT)));
		cursor++;
		skip_blanks(&cursor, end);

		value = next_word(&cursor, end);
		if (given == &kind_given)
			params->kind = (RibbonKind) look_up_value(kinds, name, value);
		else
			params->width = look_up_value(widths, name, value);

		pfree(name);
		pfree(value);
	}
}

/* The word at the cursor, in lower case; empty if there is none. */
static char *
next_word(const char **cursor, const char *end)
{
	const char *start = *cursor;
	char *word;

	while (*cursor < end && !is_separator(**cursor) && **cursor != '=')
		(*cursor)++;

	word = pnstrdup(start, *cursor - start);
	for (char *c = word; *c != '\0'; c++)
		*c = (char) pg_ascii_tolower((unsigned char) *c);
	return word;
}

static void
skip_blanks(const char **cursor, const char *end)
{
	while (*cursor < end && scanner_isspace(**cursor))
		(*cursor)++;
}

static int
look_up_value(const OptionValue *values, const char *option, const char *value)
{
	for (; values->name != NULL; values++)
		if (strcmp(values->name, value) == 0)
			return values->value;

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value \"%s\" for ribbon_build option \"%s\"",
					value, option),
			 errhint(OPTIONS_HINT)));
	pg_unreachable();
}

static bool
is_separator(char c)
{
	return c == ',' || scanner_isspace(c);
}
