/*
 * buildparams.c - what to build of a group: defaults, the rate and the options,
 * and whether two parts of a group agree
 *
 *	 options = { name "=" value }, separated by commas or blanks
 *	 kind  = burr | homogeneous | auto		of a filter
 *	 width = 32 | 64 | 128
 *	 seed  = 0 .. 4294967295				of a map
 *	 code  = auto | plain | entropy			of a map
 *	 as_of = a time (time_pattern below)	of an exact set
 *
 * In any order and any case, each at most once.  A timestamp may have blanks in
 * it, and ends at a comma or before the next option's name.
 */
#include "aggregate/buildparams.h"

#include "catalog/pg_collation_d.h"
#include "common/shortest_dec.h"
#include "server/server.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/timestamp.h"
#include "values/civil.h"
#include "values/values.h"

#define DEFAULT_FPR 0.01
#define BLANKS		" \t\n\r\f\v"

RibbonBuildParams
ribbon_buildparams_default(int key_class, RibbonAggregate aggregate)
{
	return (RibbonBuildParams){
		.fpr = aggregate == RIBBON_AGGREGATE_EXACT ? 1 : DEFAULT_FPR,
		.key_class = key_class,
		.kind = ribbon_aggregate_info(aggregate)->elements ==
				RIBBON_EXACT_RECORDS ?
			RIBBON_EXACT :
			RIBBON_BURR,
		.width = RIBBON_DEFAULT_WIDTH,
		.coding = aggregate == RIBBON_AGGREGATE_MAP ? RIBBON_CODING_AUTO :
													  RIBBON_CODING_PLAIN,
		.aggregate = aggregate,
	};
}

/* A group is built with one set of parameters, however its rows are split. */
void
ribbon_buildparams_report(const RibbonBuildParams *a,
						  const RibbonBuildParams *b)
{
	if (a->fpr != b->fpr)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of %s must not change within a group",
						ribbon_buildparams_info(a)->name),
				 errdetail("There are rows with %s and with %s.",
						   double_to_shortest_decimal(Min(a->fpr, b->fpr)),
						   double_to_shortest_decimal(Max(a->fpr, b->fpr)))));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("options of %s must not change within a group",
					ribbon_buildparams_info(a)->name)));
}

/* Named values of options, and what they mean. */
static const struct
{
	const char *option;
	const char *name;
	uint8 value;
} named_values[] = {
	{"kind", "burr", RIBBON_BURR},
	{"kind", "homogeneous", RIBBON_HOMOGENEOUS},
	{"kind", "auto", RIBBON_AUTO},
	{"width", "32", 32},
	{"width", "64", 64},
	{"width", "128", 128},
	{"code", "auto", RIBBON_CODING_AUTO},
	{"code", "plain", RIBBON_CODING_PLAIN},
	{"code", "entropy", RIBBON_CODING_ENTROPY},
};

/* The word at the cursor, which moves behind it.  Empty if there is none. */
static char *
next_word(const char **cursor)
{
	const char *word = *cursor;

	*cursor += strcspn(word, BLANKS ",=");
	return pnstrdup(word, *cursor - word);
}

/* The same of a timestamp, in which no "=" stands. */
static char *
next_time(const char **cursor)
{
	const char *time = *cursor;
	size_t length = strcspn(time, ",=");

	if (time[length] == '=')
	{
		while (length > 0 && strchr(BLANKS, time[length - 1]) != NULL)
			length--;
		while (length > 0 && strchr(BLANKS, time[length - 1]) == NULL)
			length--;
	}
	*cursor += length;
	return pnstrdup(time, length);
}

/* Call errhint() with what is valid. */
static int
hint_valid(const RibbonBuildParams *params)
{
	static const char *const valid[] = {
		[RIBBON_HASHES] = "kind=burr|homogeneous|auto and width=32|64|128",
		[RIBBON_MAP_RECORDS] =
			"width=32|64|128, seed=0..4294967295 and code=auto|plain|entropy",
		[RIBBON_EXACT_RECORDS] =
			"width=32|64|128 and as_of=now or a time in ISO 8601 with its offset from UTC",
	};
	RibbonElementKind elements = ribbon_buildparams_info(params)->elements;

	return errhint("Valid options are %s.%s", valid[elements],
				   elements == RIBBON_HASHES &&
						   params->aggregate != RIBBON_AGGREGATE_SIZE ?
					   "  Exact sets are built by ribbon_build_exact, maps by ribbon_map." :
					   "");
}

pg_noreturn static void
refuse_value(const RibbonBuildParams *params, const char *option,
			 const char *value)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value \"%s\" for %s option \"%s\"", value,
					ribbon_buildparams_info(params)->name, option),
			 hint_valid(params)));
}

/* Is this a number that could be a rate, or percent of one? */
static bool
is_like_rate(const char *word)
{
	char *end;
	double number = strtod(word, &end);

	return *end == '\0' && number > 0 && number <= 100;
}

/*
 * Of an exact set, a rate that is an untyped literal or parameter comes as
 * options.
 */
pg_noreturn static void
refuse_name(const RibbonBuildParams *params, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized %s option \"%s\"",
					ribbon_buildparams_info(params)->name, name),
			 params->aggregate == RIBBON_AGGREGATE_EXACT && is_like_rate(name) ?
				 errhint("If it is the rate, write %s::float8.", name) :
				 hint_valid(params)));
}

/* The value of an option that the word at the cursor names. */
static uint8
read_named(const RibbonBuildParams *params, const char *option,
		   const char **cursor)
{
	const char *name = next_word(cursor);

	for (int i = 0; i < (int) lengthof(named_values); i++)
		if (strcmp(named_values[i].option, option) == 0 &&
			strcmp(named_values[i].name, name) == 0)
			return named_values[i].value;
	refuse_value(params, option, name);
}

/* Digits, and nothing else. */
static void
set_seed(RibbonBuildParams *params, const char **cursor)
{
	const char *digits = next_word(cursor);
	unsigned long long number = strtoull(digits, NULL, 10);

	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0' ||
		number > PG_UINT32_MAX)
		refuse_value(params, "seed", digits);
	params->seed = (uint32) number;
}

/*
 * What is the same time under each TimeZone and DateStyle: not today, no name
 * of a zone, no order of day and month.  If there is no such day or offset, the
 * type's input function says so.
 */
static const char time_pattern[] =
	"^(now|-?infinity|"
	"\\d{4,6}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])"
	"([ t]\\d\\d:[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?)?"
	"(z|[+-]\\d\\d(:?\\d\\d(:\\d\\d)?)?)( bc)?)\\s*$";

static void
set_as_of(RibbonBuildParams *params, const char **cursor)
{
	const char *time = next_time(cursor);

	if (!DatumGetBool(DirectFunctionCall2Coll(textregexeq, C_COLLATION_OID,
											  CStringGetTextDatum(time),
											  CStringGetTextDatum(time_pattern))))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_DATETIME_FORMAT),
				 errmsg("invalid value \"%s\" for %s option \"%s\"", time,
						ribbon_buildparams_info(params)->name, "as_of"),
				 errhint("Write it in ISO 8601 with its offset from UTC, such as 2001-02-28 12:00:00+00, or now, infinity or -infinity.  Of a timestamp with time zone, ribbon_as_of(time) is the option.")));
	params->as_of =
		DatumGetTimestampTz(DirectFunctionCall3(timestamptz_in,
												CStringGetDatum(time),
												ObjectIdGetDatum(InvalidOid),
												Int32GetDatum(-1)));
	params->has_as_of = true;
}

/* ribbon_as_of(time): the option, for a time that is a value */
RIBBON_SQL_ENTRY(ribbon_as_of)
{
	char time[RIBBON_NUMBER_TEXT];

	(void) ribbon_civil_write_timestamp(PG_GETARG_TIMESTAMPTZ(0), true, time);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("as_of=%s", time)));
}

#define OF(elements) (1u << RIBBON_##elements)

static const struct
{
	const char *name;
	unsigned owners; /* filters, maps, exact sets */
	size_t at;		 /* where it is in the params, if its values have names */

	/* Else set it to the value at the cursor, which moves behind that. */
	void (*set)(RibbonBuildParams *params, const char **cursor);
} options[] = {
	{"kind", OF(HASHES), .at = offsetof(RibbonBuildParams, kind)},
	{"width", OF(HASHES) | OF(MAP_RECORDS) | OF(EXACT_RECORDS),
	 .at = offsetof(RibbonBuildParams, width)},
	{"seed", OF(MAP_RECORDS), .set = set_seed},
	{"code", OF(MAP_RECORDS), .at = offsetof(RibbonBuildParams, coding)},
	{"as_of", OF(EXACT_RECORDS), .set = set_as_of},
};

/* The place of an option that these params may have. */
static int
look_up_option(const char *name, const RibbonBuildParams *params)
{
	for (int i = 0; i < (int) lengthof(options); i++)
		if ((options[i].owners &
			 1u << ribbon_buildparams_info(params)->elements) != 0 &&
			strcmp(name, options[i].name) == 0)
			return i;
	refuse_name(params, name);
}

void
ribbon_buildparams_parse(const struct varlena *given_text,
						 RibbonBuildParams *params)
{
	const char *aggregate_name = ribbon_buildparams_info(params)->name;
	RibbonBuildParams read = ribbon_buildparams_default(params->key_class,
														params->aggregate);
	const char *cursor = asc_tolower(VARDATA_ANY(given_text),
									 VARSIZE_ANY_EXHDR(given_text));
	unsigned given = 0;

	read.fpr = params->fpr;
	while (*(cursor += strspn(cursor, BLANKS ",")) != '\0')
	{
		const char *name = next_word(&cursor);
		int option = look_up_option(name, params);

		if ((given & 1u << option) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s option \"%s\" is given more than once",
							aggregate_name, name),
					 hint_valid(params)));
		given |= 1u << option;

		cursor += strspn(cursor, BLANKS);
		if (*cursor != '=')
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s option \"%s\" has no value", aggregate_name,
							name),
					 hint_valid(params)));
		cursor++;
		cursor += strspn(cursor, BLANKS);
		if (options[option].set != NULL)
			options[option].set(&read, &cursor);
		else
			((uint8 *) &read)[options[option].at] = read_named(params, name,
															   &cursor);
	}
	*params = read;
}

static void
check_not_null(FunctionCallInfo fcinfo, const RibbonBuildParams *params,
			   int arg, const char *what)
{
	if (PG_ARGISNULL(arg))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s of %s must not be null", what,
						ribbon_buildparams_info(params)->name)));
}

static void
read_fpr(FunctionCallInfo fcinfo, int arg, RibbonBuildParams *params)
{
	check_not_null(fcinfo, params, arg, "false-positive rate");
	if (likely(PG_GETARG_FLOAT8(arg) == params->fpr))
		return;

	ribbon_error_check_fpr(PG_GETARG_FLOAT8(arg),
						   ribbon_buildparams_is_map(params));
	params->fpr = PG_GETARG_FLOAT8(arg);
}

static bool
read_options(FunctionCallInfo fcinfo, int arg, RibbonRowParams *row)
{
	struct varlena *last = row->options;
	struct varlena *text;
	size_t size;

	check_not_null(fcinfo, &row->params, arg, "options");
	text = PG_GETARG_VARLENA_PP(arg);
	size = VARSIZE_ANY(text);
	if (likely(last != NULL && VARSIZE_ANY(last) == size &&
			   memcmp(last, text, size) == 0))
		return false;

	ribbon_buildparams_parse(text, &row->params);
	row->options = NULL; /* in case there is no memory */
	if (last != NULL)
		pfree(last);
	row->options = MemoryContextAlloc(row->context, size);
	memcpy(row->options, text, size);
	return true;
}

bool
ribbon_buildparams_read_row(FunctionCallInfo fcinfo,
							const RibbonAggregateInfo *info,
							RibbonRowParams *row)
{
	if (info->fpr_arg != 0)
		read_fpr(fcinfo, info->fpr_arg, &row->params);
	return PG_NARGS() > info->options_arg &&
		read_options(fcinfo, info->options_arg, row);
}
