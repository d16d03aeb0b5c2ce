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
#include "key/keyclass.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "value/value.h"

/*
 * The columns of ribbon_stats, in the order of the OUT parameters.  Filters and
 * maps have their own ones among them.
 */
typedef enum StatsColumn
{
	STATS_KIND,
	STATS_KEY_TYPE,
	STATS_KEYS,
	STATS_FPR,
	STATS_VALUE_TYPE, /* of maps, as the next three */
	STATS_VALUE_BITS,
	STATS_DISTINCT_VALUES,
	STATS_CODE,
	STATS_BITS_PER_KEY,
	STATS_OVERHEAD,
	STATS_RIBBON_WIDTH,
	STATS_LAYERS,
	STATS_SLOTS,
	STATS_EMPTY_SLOTS,
	STATS_BUMPED_KEYS,
	STATS_BYTES,
	STATS_FORMAT_VERSION,
	STATS_UNIVERSE, /* of filters, as the next */
	STATS_AS_OF,
	STATS_NCOLUMNS
} StatsColumn;

/* A row of ribbon_stats.  A column that is not set is NULL. */
typedef struct StatsRow
{
	Datum values[STATS_NCOLUMNS];
	bool is_set[STATS_NCOLUMNS];
} StatsRow;

static bool
has_column(RibbonSqlType type, StatsColumn column)
{
	if (column >= STATS_VALUE_TYPE && column <= STATS_CODE)
		return type == RIBBON_SQL_MAP;
	if (column >= STATS_UNIVERSE)
		return type == RIBBON_SQL_FILTER;
	return true;
}

static void
set_column(StatsRow *row, StatsColumn column, Datum value)
{
	row->values[column] = value;
	row->is_set[column] = true;
}

static void
set_text(StatsRow *row, StatsColumn column, const char *text)
{
	set_column(row, column, CStringGetTextDatum(text));
}

/* A column of type integer, and one of type bigint. */
static void
set_integer(StatsRow *row, StatsColumn column, int number)
{
	set_column(row, column, Int32GetDatum(number));
}

static void
set_bigint(StatsRow *row, StatsColumn column, uint64_t number)
{
	set_column(row, column, Int64GetDatum((int64) number));
}

/* Five digits. */
static void
set_fraction(StatsRow *row, StatsColumn column, double number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.5g", number);
	set_column(row, column, Float8GetDatum(strtod(digits, NULL)));
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

/* Set the columns about a map's values. */
static void
set_values(StatsRow *row, const RibbonFilter *map, const RibbonInfo *info)
{
	bool by_frequency = info->coding == RIBBON_CODE_ENTROPY;

	set_text(row, STATS_VALUE_TYPE, ribbon_lookup_type_name(map, false));
	set_integer(row, STATS_VALUE_BITS, (int) map->value_bits);
	if (map->value_class == RIBBON_VALUES_DICTIONARY)
		set_bigint(row, STATS_DISTINCT_VALUES, ribbon_lookup_count(map));
	else if (by_frequency)
		set_bigint(row, STATS_DISTINCT_VALUES, info->nvalues);
	set_text(row, STATS_CODE, by_frequency ? "entropy" : "plain");
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
	if (members == 0 || others == 0)
		return 0;
	return ribbon_log2(universe / members) +
		others / members * ribbon_log2(universe / others);
}

/*
 * Set bits per key, and the overhead of all but the dictionary and the table of
 * codes.
 */
static void
set_size_per_key(StatsRow *row, const RibbonFilter *filter,
				 const RibbonInfo *info)
{
	uint64_t nbytes = filter->total_bytes - filter->ndictionary -
		info->table_bytes;
	double least;

	if (filter->nkeys == 0)
		return;
	least = least_bits(filter, info);
	set_fraction(row, STATS_BITS_PER_KEY,
				 8.0 * filter->total_bytes / filter->nkeys);
	if (least > 0)
		set_fraction(row, STATS_OVERHEAD,
					 8.0 * nbytes / filter->nkeys / least - 1);
}

/* Set all columns that this filter or map has something for. */
static void
set_columns(StatsRow *row, RibbonSqlType type, const RibbonFilter *filter)
{
	RibbonInfo info;

	ribbon_info(filter, &info);
	set_text(row, STATS_KIND, ribbon_datum_kind(filter));
	if (filter->key_class != 0) /* 0: no ribbonkey came */
		set_text(row, STATS_KEY_TYPE, ribbon_keyclass_name(filter->key_class));
	set_bigint(row, STATS_KEYS, filter->nkeys);
	set_fraction(row, STATS_FPR, ribbon_fpr(filter));
	if (type == RIBBON_SQL_MAP)
		set_values(row, filter, &info);
	set_size_per_key(row, filter, &info);
	set_integer(row, STATS_RIBBON_WIDTH, info.width);
	set_integer(row, STATS_LAYERS, info.nlayers);
	set_bigint(row, STATS_SLOTS, info.nslots);
	set_bigint(row, STATS_EMPTY_SLOTS, info.empty_slots);
	set_bigint(row, STATS_BUMPED_KEYS, info.bumped_keys);
	set_bigint(row, STATS_BYTES, filter->total_bytes);
	/* of the bytes: there is no other, and ribbon_open would refuse it */
	set_integer(row, STATS_FORMAT_VERSION, RIBBON_FORMAT_VERSION);
	if (filter->is_exact)
		set_bigint(row, STATS_UNIVERSE, filter->universe);
	if (filter->has_as_of)
		set_column(row, STATS_AS_OF, TimestampTzGetDatum(filter->as_of));
}

/* The row of SQL for this type, with the columns that the type has. */
static Datum
make_row(const StatsRow *row, RibbonSqlType type, TupleDesc columns)
{
	Datum values[STATS_NCOLUMNS];
	bool nulls[STATS_NCOLUMNS];
	int ncolumns = 0;

	for (int i = 0; i < STATS_NCOLUMNS; i++)
		if (has_column(type, (StatsColumn) i))
		{
			values[ncolumns] = row->values[i];
			nulls[ncolumns++] = !row->is_set[i];
		}
	if (ncolumns != columns->natts)
		elog(ERROR, "ribbon_stats has %d columns, not %d", ncolumns,
			 columns->natts);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(columns), values,
											 nulls));
}

/* ribbon_stats(filter), ribbon_stats(map) */
static Datum
make_stats(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;
	StatsRow row = {0};
	TupleDesc columns;

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	set_columns(&row, type, &filter);
	return make_row(&row, type, columns);
}

RIBBON_SQL_PAIR(ribbon_cardinality, ribbon_map_cardinality, count_keys);
RIBBON_SQL_PAIR(ribbon_pg_fpr, ribbon_pg_map_fpr, find_fpr);
RIBBON_SQL_PAIR(ribbon_stats, ribbon_map_stats, make_stats);
