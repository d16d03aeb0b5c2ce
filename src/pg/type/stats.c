/*
 * stats.c - what a filter or a map says of itself
 *
 * Everything here is read from the headers; nothing is measured.  Fractions are
 * rounded, for people; ribbon_fpr has the rate as it is.
 */
#include "type/type.h"

#include "access/htup_details.h"
#include "base/power.h"
#include "funcapi.h"
#include "keys/classes.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "value/value.h"

typedef struct Column
{
	const char *name;
	bool known; /* else it is NULL */
	Datum value;
} Column;

static Column
text_column(const char *name, const char *text)
{
	return (Column){name, text != NULL,
					text == NULL ? 0 : CStringGetTextDatum(text)};
}

static Column
bigint_column(const char *name, bool known, uint64_t number)
{
	return (Column){name, known, Int64GetDatum((int64) number)};
}

/* Five digits. */
static Column
fraction_column(const char *name, bool known, double number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.5g", known ? number : 0);
	return (Column){name, known, Float8GetDatum(strtod(digits, NULL))};
}

/* ribbon_cardinality(filter), ribbon_cardinality(map) */
static Datum
count_keys(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &filter);
	PG_RETURN_INT64((int64) filter.nkeys);
}

/* ribbon_fpr(filter), ribbon_fpr(map) */
static Datum
find_fpr(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &filter);
	PG_RETURN_FLOAT8(ribbon_fpr(&filter));
}

/*
 * The bits per key that no structure can do without: log2(1/fpr) and, of a map,
 * those of all codes.  Of an exact set without a rate, those that say of each
 * key of the universe whether it is a member, for a random set of so many.
 * There must be keys.
 */
static double
least_bits(const RibbonFilter *filter, const RibbonInfo *info)
{
	double fpr = ribbon_fpr(filter);
	double members = (double) filter->nkeys;
	double universe = (double) filter->universe;
	double others = universe - members;
	double codes = filter->has_values ? (double) info->code_bits : 0;

	if (!filter->is_exact || filter->has_rate)
		return fpr > 0 ? codes / members - ribbon_log2(fpr) : 0;
	if (others == 0)
		return 0;
	return ribbon_log2(universe / members) +
		others / members * ribbon_log2(universe / others);
}

/*
 * A row with these columns of n, by their names: one that the function does not
 * have is left out, so that a library serves the scripts of earlier versions.
 */
static HeapTuple
form_row(TupleDesc row, const Column *columns, size_t n)
{
	int natts = row->natts;
	Datum *values = palloc0(natts * sizeof(Datum));
	bool *nulls = memset(palloc(natts), true, natts);

	for (const Column *c = columns; c < columns + n; c++)
		for (int i = 0; c->known && i < natts; i++)
			if (strcmp(NameStr(TupleDescAttr(row, i)->attname), c->name) == 0)
			{
				values[i] = c->value;
				nulls[i] = false;
			}
	return heap_form_tuple(row, values, nulls);
}

/* The row of ribbon_stats; filters and maps have columns of their own. */
static HeapTuple
form_stats(TupleDesc row, const RibbonFilter *filter, const RibbonInfo *info)
{
	bool is_map = filter->has_values;
	bool by_frequency = is_map && info->coding == RIBBON_CODING_ENTROPY;
	bool in_dictionary = is_map &&
		filter->value_class == RIBBON_VALUES_DICTIONARY;
	bool any = filter->nkeys > 0;
	double nkeys = (double) Max(filter->nkeys, 1);
	double least = any ? least_bits(filter, info) : 0;
	uint64_t nbytes = filter->total_bytes - filter->ndictionary -
		info->table_bytes;
	const Column columns[] = {
		text_column("kind", ribbon_datum_kind(filter)),
		text_column("key_type", ribbon_key_class_name(filter->key_class)),
		bigint_column("keys", true, filter->nkeys),
		fraction_column("fpr", true, ribbon_fpr(filter)),
		text_column("value_type",
					is_map ? ribbon_lookup_type_name(filter, false) : NULL),
		{"value_bits", is_map, Int32GetDatum(filter->value_bits)},
		bigint_column("distinct_values", in_dictionary || by_frequency,
					  in_dictionary ? ribbon_lookup_count(filter) :
									  info->nvalues),
		text_column("code",
					!is_map			 ? NULL :
						by_frequency ? "entropy" :
									   "plain"),
		fraction_column("bits_per_key", any, 8.0 * filter->total_bytes / nkeys),
		/* of all but the dictionary and the table of codes */
		fraction_column("overhead", least > 0,
						8.0 * nbytes / nkeys / least - 1),
		{"ribbon_width", true, Int32GetDatum(info->width)},
		{"layers", true, Int32GetDatum(info->nlayers)},
		bigint_column("slots", true, info->nslots),
		bigint_column("empty_slots", true, info->empty_slots),
		bigint_column("bumped_keys", true, info->bumped_keys),
		bigint_column("bytes", true, filter->total_bytes),
		/* of the bytes: there is no other, and ribbon_open would refuse it */
		{"format_version", true, Int32GetDatum(RIBBON_FORMAT_VERSION)},
		bigint_column("universe", filter->is_exact, filter->universe),
		{"as_of", filter->has_as_of, TimestampTzGetDatum(filter->as_of)},
	};

	return form_row(row, columns, lengthof(columns));
}

static Datum
make_stats(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonFilter filter;
	RibbonInfo info;
	TupleDesc row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &filter);
	ribbon_info(&filter, &info);
	return HeapTupleGetDatum(form_stats(BlessTupleDesc(row), &filter, &info));
}

RIBBON_SQL_PAIR(ribbon_cardinality, ribbon_map_cardinality, count_keys);
RIBBON_SQL_PAIR(ribbon_pg_fpr, ribbon_pg_map_fpr, find_fpr);
RIBBON_SQL_PAIR(ribbon_stats, ribbon_map_stats, make_stats);
