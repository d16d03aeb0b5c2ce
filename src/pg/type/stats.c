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
#include "server/resultrow.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "value/value.h"

static void
put_text(RibbonResultRow *row, const char *column, const char *text)
{
	if (text != NULL)
		ribbon_resultrow_put(row, column, true, CStringGetTextDatum(text));
}

static void
put_integer(RibbonResultRow *row, const char *column, int number)
{
	ribbon_resultrow_put(row, column, true, Int32GetDatum(number));
}

static void
put_bigint(RibbonResultRow *row, const char *column, bool known,
		   uint64_t number)
{
	ribbon_resultrow_put(row, column, known, Int64GetDatum((int64) number));
}

/* Five digits. */
static void
put_fraction(RibbonResultRow *row, const char *column, bool known,
			 double number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.5g", known ? number : 0);
	ribbon_resultrow_put(row, column, known,
						 Float8GetDatum(strtod(digits, NULL)));
}

/* ribbon_cardinality(filter), ribbon_cardinality(map) */
static Datum
count_keys(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	PG_RETURN_INT64((int64) filter.nkeys);
}

/* ribbon_fpr(filter), ribbon_fpr(map) */
static Datum
find_fpr(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	PG_RETURN_FLOAT8(ribbon_fpr(&filter));
}

/* The columns about a map's values. */
static void
put_values(RibbonResultRow *row, const RibbonFilter *map,
		   const RibbonInfo *info)
{
	bool by_frequency = info->coding == RIBBON_CODE_ENTROPY;
	bool in_dictionary = map->value_class == RIBBON_VALUES_DICTIONARY;

	put_text(row, "value_type", ribbon_lookup_type_name(map, false));
	put_integer(row, "value_bits", map->value_bits);
	put_bigint(row, "distinct_values", in_dictionary || by_frequency,
			   in_dictionary ? ribbon_lookup_count(map) : info->nvalues);
	put_text(row, "code", by_frequency ? "entropy" : "plain");
}

/*
 * The bits per key that no structure can do without: log2(1/fpr) and those of
 * all codes.  Of an exact set without a rate, those that say of each key of the
 * universe whether it is a member, for a random set of so many.  There must be
 * keys.
 */
static double
least_bits(const RibbonFilter *filter, const RibbonInfo *info)
{
	double fpr = ribbon_fpr(filter);
	double members = (double) filter->nkeys;
	double universe = (double) filter->universe;
	double others = universe - members;

	if (!filter->is_exact || filter->has_rate)
		return fpr > 0 ? (double) info->code_bits / members - ribbon_log2(fpr) :
						 0;
	if (others == 0)
		return 0;
	return ribbon_log2(universe / members) +
		others / members * ribbon_log2(universe / others);
}

/*
 * Bits per key, and the overhead of all but the dictionary and the table of
 * codes.
 */
static void
put_size_per_key(RibbonResultRow *row, const RibbonFilter *filter,
				 const RibbonInfo *info)
{
	double nkeys = (double) Max(filter->nkeys, 1);
	uint64_t nbytes = filter->total_bytes - filter->ndictionary -
		info->table_bytes;
	bool any = filter->nkeys > 0;
	double least = any ? least_bits(filter, info) : 0;

	put_fraction(row, "bits_per_key", any, 8.0 * filter->total_bytes / nkeys);
	put_fraction(row, "overhead", least > 0, 8.0 * nbytes / nkeys / least - 1);
}

/* ribbon_stats(filter), ribbon_stats(map), which have columns of their own */
static Datum
make_stats(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;
	RibbonInfo info;
	RibbonResultRow row;
	TupleDesc columns;

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	ribbon_info(&filter, &info);
	row = ribbon_resultrow_create(BlessTupleDesc(columns));

	put_text(&row, "kind", ribbon_datum_kind(&filter));
	put_text(&row, "key_type", ribbon_key_class_name(filter.key_class));
	put_bigint(&row, "keys", true, filter.nkeys);
	put_fraction(&row, "fpr", true, ribbon_fpr(&filter));
	if (type == RIBBON_SQL_MAP)
		put_values(&row, &filter, &info);
	put_size_per_key(&row, &filter, &info);
	put_integer(&row, "ribbon_width", info.width);
	put_integer(&row, "layers", info.nlayers);
	put_bigint(&row, "slots", true, info.nslots);
	put_bigint(&row, "empty_slots", true, info.empty_slots);
	put_bigint(&row, "bumped_keys", true, info.bumped_keys);
	put_bigint(&row, "bytes", true, filter.total_bytes);
	/* of the bytes: there is no other, and ribbon_open would refuse it */
	put_integer(&row, "format_version", RIBBON_FORMAT_VERSION);
	put_bigint(&row, "universe", filter.is_exact, filter.universe);
	ribbon_resultrow_put(&row, "as_of", filter.has_as_of,
						 TimestampTzGetDatum(filter.as_of));
	return HeapTupleGetDatum(heap_form_tuple(columns, row.values, row.nulls));
}

RIBBON_SQL_PAIR(ribbon_cardinality, ribbon_map_cardinality, count_keys);
RIBBON_SQL_PAIR(ribbon_pg_fpr, ribbon_pg_map_fpr, find_fpr);
RIBBON_SQL_PAIR(ribbon_stats, ribbon_map_stats, make_stats);
